package org.lampyris.executors.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.executors.jobs.BlockRanges;
import org.lampyris.executors.testdata.FireflyCase;
import org.lampyris.executors.testdata.LocalSpark;
import org.lampyris.executors.testdata.LogisticTable;
import org.lampyris.executors.testdata.Traces;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.firefly.BoundBlock;
import org.lampyris.samplers.firefly.Brightness;
import org.lampyris.samplers.firefly.FireflyPass;
import org.lampyris.samplers.firefly.FireflyRows;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowEvolution;
import org.lampyris.samplers.rows.RowStates.Asked;
import org.lampyris.samplers.rows.RowStates.Generation;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The state of rows on Spark against the same in memory, with the brightness of Firefly: every draw
 * and every count the same, to the bit, on any number of partitions and cores, and after states
 * have been lost.
 */
class RowStateJobsIT {
  private static final int CHAINS = FireflyCase.CHAINS;
  private static final int INTERVAL = 7;
  @TempDir Path folder;

  private JavaSparkContext context(String master) {
    JavaSparkContext context = LocalSpark.begin(master);
    context.setCheckpointDir(folder.toUri().toString());
    return context;
  }

  /** Brightness on Spark, and the rows that it belongs to. */
  private record Rows(
      JavaRDD<BoundBlock> blocks,
      RowStateJobs<
              BoundBlock,
              Brightness.OfPlace,
              FireflyRows.Question,
              TreeSum.Node[],
              FireflyRows.Answer>
          jobs)
      implements AutoCloseable {
    @Override
    public void close() {
      jobs.close();
      blocks.unpersist(true);
    }
  }

  private static Rows rows(
      JavaSparkContext context,
      FireflyCase what,
      RowEvolution<
              BoundBlock,
              Brightness.OfPlace,
              FireflyRows.Question,
              TreeSum.Node[],
              FireflyRows.Answer>
          evolution,
      int partitions,
      boolean reliable) {
    BlockRanges ranges = new BlockRanges(FireflyCase.BLOCKS, partitions);
    JavaRDD<BoundBlock> blocks =
        LocalSpark.spread(context, FireflyCase.blocks(), ranges)
            .map(what.rule()::resident)
            .persist(StorageLevel.MEMORY_AND_DISK());
    return new Rows(
        blocks, new RowStateJobs<>(blocks, ranges, evolution, CHAINS, INTERVAL, reliable));
  }

  private static Rows rows(
      JavaSparkContext context, FireflyCase what, int partitions, boolean reliable) {
    return rows(context, what, what.sampler().pass(), partitions, reliable);
  }

  @Test
  void everyBrightnessKernelDrawsTheSameOnAnyNumberOfPartitionsAndCores() {
    for (String master : new String[] {"local[1]", "local[2]"}) {
      try (JavaSparkContext context = context(master)) {
        for (FireflyCase what : FireflyCase.all()) {
          List<ChainTrace> expected = what.inMemory();
          assertTrue(
              expected.get(0).sampling().stream().mapToDouble(i -> i.info().columns().get(0)).sum()
                  > 50,
              what.name());
          for (int partitions : new int[] {1, 2, 8}) {
            try (Rows rows = rows(context, what, partitions, false)) {
              Traces.assertSame(
                  expected,
                  what.run(rows.jobs()::answer),
                  what.name() + ", " + partitions + " partitions, " + master);
            }
          }
        }
      }
    }
  }

  @Test
  void statesThatAreLostAreComputedAgainToTheSameBits() {
    try (JavaSparkContext context = context("local[2]")) {
      FireflyCase what = FireflyCase.all().get(1);
      int[] asked = {0};
      try (Rows rows = rows(context, what, 2, true)) {
        List<ChainTrace> actual =
            what.run(
                questions -> {
                  if (++asked[0] % 5 == 0) {
                    rows.jobs().states().unpersist(true);
                  }
                  return rows.jobs().answer(questions);
                });
        Traces.assertSame(what.inMemory(), actual, "lost blocks");
      }
      assertTrue(asked[0] > 5 * INTERVAL, asked[0] + " jobs");
    }
  }

  /** A question of 2 MB: how the sum of all that were asked before depends on it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Large(int chain, double[] values) implements RowEvolution.ChainQuestion {
    static Large of(int number) {
      double[] values = new double[1 << 18];
      Arrays.setAll(values, i -> i * 0.1 + number);
      return new Large(1, values);
    }

    @Override
    public long bytes() {
      return (long) Double.BYTES * values.length;
    }
  }

  private record Summing() implements RowEvolution<BoundBlock, Double, Large, Double, Double> {
    @Override
    public Double initial(Place<BoundBlock> place) {
      return 0.0;
    }

    @Override
    public Evolved<Double, Double> add(Place<BoundBlock> place, Double before, Large question) {
      double after = 0.5 * before + question.values()[question.values().length - 1];
      return new Evolved<>(after, after);
    }

    @Override
    public Double merge(Large question, List<Double> shares) {
      return shares.stream().mapToDouble(share -> share).sum();
    }
  }

  /** They are sent by broadcast, and stay until no lost state is computed from them any more. */
  @Test
  void largeQuestionsAreSentOnceAndDropped() {
    for (boolean reliable : new boolean[] {true, false}) {
      try (JavaSparkContext context = context("local[2]")) {
        BlockRanges ranges = new BlockRanges(FireflyCase.BLOCKS, 2);
        JavaRDD<BoundBlock> blocks =
            LocalSpark.spread(context, FireflyCase.blocks(), ranges)
                .map(FireflyCase.all().get(0).rule()::resident)
                .persist(StorageLevel.MEMORY_AND_DISK());
        RowStateJobs<BoundBlock, Double, Large, Double, Double> jobs =
            new RowStateJobs<>(blocks, ranges, new Summing(), 1, INTERVAL, reliable);
        double expected = 0;
        Generation at = Generation.first(1);
        for (int k = 0; k < 4 * INTERVAL; k++) {
          if (reliable && k % 5 == 4) {
            jobs.states().unpersist(true);
          }
          Large question = Large.of(k);
          expected = 0.5 * expected + question.values()[question.values().length - 1];
          assertEquals(2 * expected, jobs.answer(List.of(new Asked<>(at, question))).get(0));
          at = at.next();
        }
        int most = reliable ? 2 * INTERVAL : 2;
        await(() -> broadcast() <= most);
        assertTrue(broadcast() > 0);
        jobs.close();
        await(() -> broadcast() == 0);
      }
    }
  }

  /** Waits for what Spark does in its own time, for at most half a minute. */
  private static void await(BooleanSupplier done) {
    for (int k = 0; k < 300 && !done.getAsBoolean(); k++) {
      LockSupport.parkNanos(100_000_000);
    }
    assertTrue(done.getAsBoolean());
  }

  /** Returns how many questions are broadcast. */
  private static long broadcast() {
    BlockManager manager = SparkEnv.get().blockManager();
    return CollectionConverters.asJava(manager.getMatchingBlockIds(BlockId::isBroadcast)).stream()
        .filter(id -> !id.name().contains("piece"))
        .filter(id -> manager.getStatus(id).exists(status -> status.memSize() > 1 << 20))
        .count();
  }

  /** However many jobs there have been, few of them are needed to compute a state again. */
  @Test
  void theLineageIsBounded() {
    try (JavaSparkContext context = context("local[2]")) {
      FireflyCase what = FireflyCase.all().get(0);
      for (boolean reliable : new boolean[] {false, true}) {
        try (Rows rows = rows(context, what, 2, reliable)) {
          int blocks = depth(rows.blocks().rdd());
          int[] deepest = {0};
          int[] jobs = {0};
          what.run(
              noting(
                  rows,
                  () -> {
                    jobs[0]++;
                    deepest[0] = Math.max(deepest[0], depth(rows.jobs().states().rdd()));
                  }));
          assertTrue(jobs[0] > 5 * INTERVAL, jobs[0] + " jobs");
          int most = blocks + 2 + (reliable ? INTERVAL : 0);
          assertTrue(deepest[0] <= most, deepest[0] + " RDDs deep, blocks " + blocks);
        }
      }
    }
  }

  /** What a state is computed from again is on disk, and no more than that. */
  @Test
  void checkpointsAreRemovedOnTheWay() {
    try (JavaSparkContext context = context("local[2]")) {
      FireflyCase what = FireflyCase.all().get(0);
      try (Rows rows = rows(context, what, 2, true)) {
        Path checkpoints = Path.of(URI.create(context.getCheckpointDir().get()));
        int[] most = {0};
        int[] jobs = {0};
        what.run(
            noting(
                rows,
                () -> {
                  jobs[0]++;
                  most[0] = Math.max(most[0], folders(checkpoints));
                }));
        assertTrue(jobs[0] > 5 * INTERVAL, jobs[0] + " jobs");
        assertEquals(2, most[0]);
      }
    }
  }

  private static int folders(Path of) {
    try (Stream<Path> all = Files.list(of)) {
      return (int) all.filter(Files::isDirectory).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Function<List<Asked<FireflyRows.Question>>, List<FireflyRows.Answer>> noting(
      Rows rows, Runnable note) {
    return questions -> {
      List<FireflyRows.Answer> answers = rows.jobs().answer(questions);
      note.run();
      return answers;
    };
  }

  /** Returns how many RDDs lie one behind the other. */
  private static int depth(RDD<?> rdd) {
    return 1
        + CollectionConverters.asJava(rdd.dependencies()).stream()
            .mapToInt(dependency -> depth(dependency.rdd()))
            .max()
            .orElse(0);
  }

  @Test
  void nothingIsLeftBehind() {
    try (JavaSparkContext context = context("local[2]")) {
      FireflyCase what = FireflyCase.all().get(0);
      for (boolean reliable : new boolean[] {false, true}) {
        int[] most = {0};
        JavaRDD<BoundBlock> blocks;
        try (Rows rows = rows(context, what, 2, reliable)) {
          blocks = rows.blocks();
          what.run(
              noting(rows, () -> most[0] = Math.max(most[0], context.getPersistentRDDs().size())));
          rows.jobs().close();
          assertEquals(Set.of(blocks.id()), context.getPersistentRDDs().keySet());
        }
        assertEquals(Set.of(), context.getPersistentRDDs().keySet());
        assertEquals(
            reliable ? 3 : 2, most[0], "the blocks, their state, and what it is computed from");
      }
    }
  }

  /** A state that has been followed by another one is dropped, and is not asked about. */
  @Test
  void onlyTheLastStateIsThere() {
    try (JavaSparkContext context = context("local[1]")) {
      FireflyCase what = FireflyCase.all().get(0);
      try (Rows rows = rows(context, what, 2, false)) {
        FireflyRows.Question question =
            new FireflyRows.Question(2, null, new double[][] {LogisticTable.mode()}, false);
        Generation first = Generation.first(2);
        rows.jobs().answer(List.of(new Asked<>(first, question)));
        IllegalStateException e =
            assertThrows(
                IllegalStateException.class,
                () -> rows.jobs().answer(List.of(new Asked<>(first, question))));
        assertTrue(String.valueOf(e.getMessage()).contains("cannot be dropped"), e::toString);
        assertEquals(1, rows.jobs().answer(List.of(new Asked<>(first.next(), question))).size());
        List<Integer> bright =
            rows.jobs().collect(new Brightness.Gathered()).stream()
                .map(carried -> carried.size())
                .toList();
        assertEquals(IntStream.range(0, CHAINS).mapToObj(c -> 0).toList(), bright);
      }
    }
  }

  /** Brightness that cannot be computed. */
  private static final class Failing
      implements RowEvolution<
          BoundBlock,
          Brightness.OfPlace,
          FireflyRows.Question,
          TreeSum.Node[],
          FireflyRows.Answer> {
    private static final long serialVersionUID = 1L;

    private final FireflyPass evolution;

    Failing(FireflyPass evolution) {
      this.evolution = evolution;
    }

    @Override
    public Brightness.OfPlace initial(Place<BoundBlock> place) {
      return evolution.initial(place);
    }

    @Override
    public Evolved<Brightness.OfPlace, TreeSum.Node[]> add(
        Place<BoundBlock> place, Brightness.OfPlace before, FireflyRows.Question question) {
      throw new IllegalStateException("the job failed");
    }

    @Override
    public FireflyRows.Answer merge(FireflyRows.Question question, List<TreeSum.Node[]> shares) {
      return evolution.merge(question, shares);
    }
  }

  /** Spark's failures are checked exceptions that nobody declares. */
  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void anErrorOfAJobReachesEveryChain() {
    try (JavaSparkContext context = context("local[1]")) {
      context.setLogLevel("OFF");
      FireflyCase what = FireflyCase.all().get(0);
      Failing failing = new Failing(what.sampler().pass());
      try (Rows rows = rows(context, what, failing, 2, false)) {
        RuntimeException e =
            assertThrows(RuntimeException.class, () -> what.run(rows.jobs()::answer));
        assertTrue(String.valueOf(e.getMessage()).contains("the job failed"), e::toString);
      }
    }
  }
}
