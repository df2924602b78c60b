package org.lampyris.executors.rows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.executors.jobs.BlockRanges;
import org.lampyris.executors.testdata.FireflyCase;
import org.lampyris.executors.testdata.LocalSpark;
import org.lampyris.executors.testdata.LogisticTable;
import org.lampyris.executors.testdata.Traces;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.SegmentedChains;
import org.lampyris.samplers.chain.Segments;
import org.lampyris.samplers.chain.Segments.Segment;
import org.lampyris.samplers.firefly.BoundBlock;
import org.lampyris.samplers.firefly.Brightness;
import org.lampyris.samplers.firefly.FireflyKernel;
import org.lampyris.samplers.firefly.FireflyRows;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.mhss.ProxyBlock;
import org.lampyris.samplers.rows.RowBlock;
import org.lampyris.samplers.rows.RowStates;
import org.lampyris.samplers.rows.RowStates.Generation;
import org.lampyris.samplers.run.BlockRule;
import org.lampyris.samplers.run.InMemoryContext;
import org.lampyris.samplers.run.ResidentRows;

/**
 * Segments on Spark against segments in memory and against one question at a time: every draw and
 * every count the same, to the bit, on any number of partitions and cores, whether pools are drawn
 * ahead or not, and where they do not suffice.
 */
class SegmentJobsIT {
  private static final int CHAINS = FireflyCase.CHAINS;
  private static final int[] PARTITIONS = {1, 8};

  private static <B extends RowBlock<B>> ResidentRows<B> inMemory(
      List<DataBlock> blocks, BlockRule<B> rule) {
    return new InMemoryContext(LogisticTable.inputs(), blocks).resident(rule);
  }

  private static <B extends RowBlock<B>> ResidentRows<B> onSpark(
      JavaSparkContext context, List<DataBlock> blocks, BlockRule<B> rule, int partitions) {
    BlockRanges ranges = new BlockRanges(blocks.size(), partitions);
    return new ResidentTable<>(LocalSpark.spread(context, blocks, ranges), ranges, rule, 7);
  }

  /** How long segments are, and whether the next one is announced. */
  private record Plan(int segment, boolean ahead) {
    static List<Plan> all() {
      return List.of(new Plan(7, true), new Plan(7, false), new Plan(40, true));
    }

    /** Follows the plan to the end. */
    void follow(SegmentedChains<?> chains, long total, List<ChainTrace> traces) {
      for (long done = 0; done < total; ) {
        int now = (int) Math.min(segment, total - done);
        int following = ahead ? (int) Math.min(segment, total - done - now) : 0;
        List<ChainTrace> further = chains.run(now, following);
        for (int c = 0; c < CHAINS; c++) {
          traces.get(c).append(further.get(c));
        }
        done += now;
      }
    }
  }

  /** Begins the chains by questions, and gives them their bright rows to carry. */
  private static List<ChainState<FireflyKernel.State<Brightness.Carried>>> begin(
      ResidentRows<BoundBlock> rows, FireflyCase what, List<ChainTrace> traces) {
    try (RowStates<BoundBlock, Brightness.OfPlace, FireflyRows.Question, FireflyRows.Answer>
        states = rows.states(what.sampler().pass(), CHAINS)) {
      List<ChainState<FireflyKernel.State<Generation>>> begun =
          what.together(
              states::answer,
              (chain, kernel) ->
                  FireflyCase.runner()
                      .begin(
                          traces.get(chain - 1),
                          kernel,
                          LogisticTable.walk(),
                          LogisticTable.mode()));
      List<Brightness.Carried> bright = states.collect(new Brightness.Gathered());
      return IntStream.range(0, CHAINS)
          .mapToObj(c -> carrying(begun.get(c), bright.get(c)))
          .toList();
    }
  }

  private static ChainState<FireflyKernel.State<Brightness.Carried>> carrying(
      ChainState<FireflyKernel.State<Generation>> begun, Brightness.Carried bright) {
    return begun.with(new FireflyKernel.State<>(begun.state().point(), bright));
  }

  private static List<ChainTrace> firefly(
      ResidentRows<BoundBlock> rows, FireflyCase what, Plan plan) {
    ChainRunner runner = FireflyCase.runner();
    List<ChainTrace> traces = Traces.begin(CHAINS);
    List<ChainState<FireflyKernel.State<Brightness.Carried>>> begun = begin(rows, what, traces);
    try (SegmentedChains<FireflyKernel.State<Brightness.Carried>> chains =
        new SegmentedChains<>(
            rows.segments(what.sampler(), runner, CHAINS),
            runner,
            begun,
            chain -> {
              throw new IllegalStateException("Firefly has all rows that it needs");
            },
            state -> false)) {
      plan.follow(chains, runner.length().iterations(), traces);
    }
    return traces;
  }

  @Test
  void fireflyDrawsTheSameOnAnyNumberOfPartitionsAndCores() {
    for (String master : new String[] {"local[1]", "local[2]"}) {
      try (JavaSparkContext context = LocalSpark.begin(master)) {
        for (FireflyCase what : FireflyCase.all()) {
          List<ChainTrace> expected = what.inMemory();
          try (ResidentRows<BoundBlock> rows = inMemory(FireflyCase.blocks(), what.rule())) {
            Traces.assertSame(expected, firefly(rows, what, new Plan(7, true)), what.name());
          }
          for (int partitions : master.equals("local[1]") ? new int[] {2} : PARTITIONS) {
            try (ResidentRows<BoundBlock> rows =
                onSpark(context, FireflyCase.blocks(), what.rule(), partitions)) {
              for (Plan plan : Plan.all()) {
                Traces.assertSame(
                    expected,
                    firefly(rows, what, plan),
                    what.name() + ", " + partitions + " partitions, " + plan + ", " + master);
              }
            }
          }
        }
      }
    }
  }

  private static List<ChainTrace> subsampled(
      ResidentRows<ProxyBlock> rows, SubsampledCase what, Plan plan, int[] mended) {
    ChainRunner runner = SubsampledCase.runner();
    List<ChainTrace> traces = Traces.begin(CHAINS);
    try (SegmentedChains<Point> chains =
        new SegmentedChains<>(
            rows.segments(what.sampler(), runner, CHAINS),
            runner,
            what.begin(rows, traces),
            chain -> {
              mended[0]++;
              return what.kernel(rows, chain);
            },
            state -> false)) {
      plan.follow(chains, runner.length().iterations(), traces);
    }
    return traces;
  }

  /** Where pools do not suffice, the iteration is made by jobs, to the same bits. */
  @Test
  void subsampledDrawsTheSameOnAnyNumberOfPartitions() {
    try (JavaSparkContext context = LocalSpark.begin("local[2]")) {
      for (SubsampledCase what : SubsampledCase.all()) {
        List<ChainTrace> expected = what.inMemory();
        for (Plan plan : Plan.all()) {
          int[] mended = {0};
          try (ResidentRows<ProxyBlock> rows = inMemory(SubsampledCase.blocks(), what.rule())) {
            Traces.assertSame(expected, subsampled(rows, what, plan, mended), what.name());
          }
          assertEquals(what.thin(), mended[0] > 5, what.name() + ": mended " + mended[0]);
          assertTrue(what.thin() || mended[0] == 0, what.name() + ": mended " + mended[0]);
          for (int partitions : PARTITIONS) {
            String name = what.name() + ", " + partitions + " partitions, " + plan;
            int[] alike = {0};
            try (ResidentRows<ProxyBlock> rows =
                onSpark(context, SubsampledCase.blocks(), what.rule(), partitions)) {
              Traces.assertSame(expected, subsampled(rows, what, plan, alike), name);
            }
            assertEquals(mended[0], alike[0], name);
          }
        }
      }
    }
  }

  /** A segment ends before the iteration that its pools do not suffice for. */
  @Test
  void segmentsEndWhereTheyEndInMemory() {
    try (JavaSparkContext context = LocalSpark.begin("local[2]")) {
      SubsampledCase what = SubsampledCase.all().get(2);
      Segments.Request request = Segments.Request.together(CHAINS, 1, 40);
      List<ChainTrace> whole = what.inMemory();
      try (ResidentRows<ProxyBlock> memory = inMemory(SubsampledCase.blocks(), what.rule());
          ResidentRows<ProxyBlock> rows =
              onSpark(context, SubsampledCase.blocks(), what.rule(), 2)) {
        List<Segment<Point>> expected = once(memory, what, request);
        List<Segment<Point>> actual = once(rows, what, request);
        for (int c = 0; c < CHAINS; c++) {
          ChainState<Point> state = actual.get(c).state();
          assertEquals(expected.get(c).state().iteration(), state.iteration());
          assertTrue(state.iteration() < 40, "chain " + (c + 1) + " at " + state.iteration());
          assertArrayEquals(
              expected.get(c).state().state().theta(), state.state().theta(), "chain " + (c + 1));
          ChainTrace trace = actual.get(c).trace();
          assertEquals(state.iteration(), trace.warmup().size() + trace.sampling().size());
          for (int i = 0; i < trace.size(); i++) {
            assertArrayEquals(whole.get(c).draws().get(i), trace.draws().get(i));
          }
        }
      }
    }
  }

  private static List<Segment<Point>> once(
      ResidentRows<ProxyBlock> rows, SubsampledCase what, Segments.Request request) {
    try (Segments<Point> segments =
        rows.segments(what.sampler(), SubsampledCase.runner(), CHAINS)) {
      return segments.run(what.begin(rows, Traces.begin(CHAINS)), request, null);
    }
  }

  /** What a request is for, and what is announced to follow it. */
  private record Step(Segments.Request request, Segments.@Nullable Request announced) {}

  /** Makes segments, and counts the jobs after each. */
  private static List<Long> make(
      ResidentRows<BoundBlock> rows, FireflyCase what, List<Step> steps, List<ChainTrace> traces) {
    List<Long> jobs = new ArrayList<>();
    List<ChainState<FireflyKernel.State<Brightness.Carried>>> states = begin(rows, what, traces);
    try (Segments<FireflyKernel.State<Brightness.Carried>> segments =
        rows.segments(what.sampler(), FireflyCase.runner(), CHAINS)) {
      for (Step step : steps) {
        List<Segment<FireflyKernel.State<Brightness.Carried>>> after =
            segments.run(states, step.request(), step.announced());
        for (int c = 0; c < CHAINS; c++) {
          traces.get(c).append(after.get(c).trace());
        }
        states = after.stream().map(Segment::state).toList();
        jobs.add(segments.jobs());
      }
    }
    return jobs;
  }

  @Test
  void whatComesMayDifferFromWhatWasAnnounced() {
    List<Step> steps =
        List.of(
            new Step(
                Segments.Request.together(CHAINS, 1, 7), Segments.Request.together(CHAINS, 8, 7)),
            // Shorter than was announced; what is announced in its place is drawn instead.
            new Step(
                Segments.Request.together(CHAINS, 8, 5), Segments.Request.together(CHAINS, 13, 9)),
            // Of another length for each chain, one of which waits. The announced pools remain.
            new Step(
                new Segments.Request(new long[] {13, 13, 13}, new int[] {9, 0, 4}),
                Segments.Request.together(CHAINS, 13, 9)),
            new Step(
                new Segments.Request(new long[] {22, 13, 17}, new int[] {0, 9, 5}),
                Segments.Request.together(CHAINS, 22, 19)),
            // As announced.
            new Step(Segments.Request.together(CHAINS, 22, 19), null));
    try (JavaSparkContext context = LocalSpark.begin("local[2]")) {
      for (FireflyCase what : FireflyCase.all().subList(1, 3)) {
        List<ChainTrace> expected = what.inMemory();
        List<ChainTrace> traces = Traces.begin(CHAINS);
        try (ResidentRows<BoundBlock> rows = inMemory(FireflyCase.blocks(), what.rule())) {
          assertEquals(List.of(1L, 2L, 3L, 4L, 5L), make(rows, what, steps, traces));
        }
        Traces.assertSame(expected, traces, what.name() + " in memory");
        for (int partitions : PARTITIONS) {
          traces = Traces.begin(CHAINS);
          try (ResidentRows<BoundBlock> rows =
              onSpark(context, FireflyCase.blocks(), what.rule(), partitions)) {
            assertEquals(List.of(2L, 4L, 5L, 7L, 8L), make(rows, what, steps, traces));
          }
          Traces.assertSame(expected, traces, what.name() + ", " + partitions + " partitions");
        }
      }
    }
  }

  /** The pools of a segment that is over, and of one that never comes, are not kept. */
  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void poolsThatAreNotNeededAreDropped() {
    try (JavaSparkContext context = LocalSpark.begin("local[2]")) {
      FireflyCase what = FireflyCase.all().get(0);
      try (ResidentRows<BoundBlock> rows = onSpark(context, FireflyCase.blocks(), what.rule(), 2)) {
        List<ChainTrace> traces = Traces.begin(CHAINS);
        List<ChainState<FireflyKernel.State<Brightness.Carried>>> states =
            begin(rows, what, traces);
        Set<Integer> shuffles = LocalSpark.shuffles();
        Set<Integer> kept = context.getPersistentRDDs().keySet();
        try (Segments<FireflyKernel.State<Brightness.Carried>> segments =
            rows.segments(what.sampler(), FireflyCase.runner(), CHAINS)) {
          Segments.Request later = Segments.Request.together(CHAINS, 30, 3);
          for (int first = 1; first <= 13; first += 4) {
            // One that does not come as announced is between two that do.
            Segments.Request request = Segments.Request.together(CHAINS, first, 4);
            Segments.Request next = Segments.Request.together(CHAINS, first + 4, 4);
            List<Segment<FireflyKernel.State<Brightness.Carried>>> after =
                segments.run(states, request, first == 5 ? later : next);
            states = after.stream().map(Segment::state).toList();
            assertTrue(LocalSpark.shuffles().size() <= shuffles.size() + 1);
            assertTrue(context.getPersistentRDDs().size() <= kept.size() + 1);
          }
        }
        assertEquals(shuffles, LocalSpark.shuffles());
        assertEquals(kept, context.getPersistentRDDs().keySet());
        // Spark removes files when it comes to it.
        while (!shuffles.containsAll(LocalSpark.shufflesOnDisk())) {
          Thread.onSpinWait();
        }
      }
      assertEquals(Set.of(), context.getPersistentRDDs().keySet());
    }
  }
}
