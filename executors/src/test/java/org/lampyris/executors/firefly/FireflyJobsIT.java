package org.lampyris.executors.firefly;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.block.DenseBlock;
import org.lampyris.bounds.family.logistic.JaakkolaJordanBound;
import org.lampyris.bounds.lowerbound.CollapsedQuadratic;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.executors.pass.BlockRanges;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.QuestionBatcher;
import org.lampyris.samplers.firefly.CandidateRates;
import org.lampyris.samplers.firefly.FireflyKernel;
import org.lampyris.samplers.firefly.FireflySampler;
import org.lampyris.samplers.firefly.brightness.BoundBlock;
import org.lampyris.samplers.firefly.brightness.BrightnessKernel;
import org.lampyris.samplers.firefly.brightness.CarriedBrightness;
import org.lampyris.samplers.firefly.brightness.ExplicitBrightness;
import org.lampyris.samplers.firefly.brightness.ImplicitBrightness;
import org.lampyris.samplers.firefly.brightness.RowSelection;
import org.lampyris.samplers.firefly.brightness.SelectionSize;
import org.lampyris.samplers.firefly.rates.PerRowRates;
import org.lampyris.samplers.firefly.rows.FireflyAnswer;
import org.lampyris.samplers.firefly.rows.FireflyPass;
import org.lampyris.samplers.firefly.rows.FireflyQuestion;
import org.lampyris.samplers.firefly.rows.InMemoryFireflyRows;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.random.Streams;

/**
 * Firefly on Spark against Firefly in memory: every draw and every count the same, to the bit, on
 * any number of partitions and cores, and after brightness has been lost.
 */
class FireflyJobsIT {
  private static final int D = 3;
  private static final int BLOCK_ROWS = 64;
  private static final int BLOCKS = 9;
  private static final long ROWS = BLOCK_ROWS * (BLOCKS - 1) + 17;
  private static final int CHAINS = 3;
  private static final double[] MODE = {0.4, -0.7, 0.2};
  // Where the bounds are tight: away from the mode, so that many rows are bright.
  private static final double[] REFERENCE = {1.3, 0.2, 1.1};
  private static final double[] COVARIANCE = {
    0.01, 0.001, 0, 0.001, 0.012, 0.0005, 0, 0.0005, 0.009
  };

  private final JaakkolaJordanBound bound = new JaakkolaJordanBound(D);
  private final Streams streams = new Streams(20);
  private final List<DataBlock> blocks = blocks();
  @TempDir Path folder;

  private static List<DataBlock> blocks() {
    UniformRandomProvider rng = new Streams(1).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    List<DataBlock> all = new ArrayList<>();
    for (int b = 0; b < BLOCKS; b++) {
      int rows = b == BLOCKS - 1 ? 17 : BLOCK_ROWS;
      double[] x = new double[rows * D];
      double[] y = new double[rows];
      for (int i = 0; i < rows; i++) {
        double eta = 0;
        for (int j = 0; j < D; j++) {
          x[i * D + j] = j == 0 ? 1 : rng.nextDouble(-2, 2);
          eta += x[i * D + j] * MODE[j];
        }
        y[i] = rng.nextDouble() < 1 / (1 + Math.exp(-eta)) ? 1 : -1;
      }
      all.add(new DenseBlock(b, D, x, y, null));
    }
    return all;
  }

  /** A way to resample brightness, and whether rows have rates of their own. */
  private record Case(String name, FireflyKernel.ZStep zStep, boolean perRow) {}

  private static List<Case> cases() {
    SelectionSize none = SelectionSize.fixed(0);
    RowSelection random = new RowSelection.Random(20, ROWS, BLOCK_ROWS);
    return List.of(
        zCase("implicit", new ImplicitBrightness(new CandidateRates.Uniform(0.05)), none),
        new Case(
            "per row",
            new FireflyKernel.ZStep(new ImplicitBrightness(new CandidateRates.PerRow()), none),
            true),
        zCase(
            "explicit, with replacement",
            new ExplicitBrightness(random),
            SelectionSize.distinctOf(60, ROWS)),
        zCase(
            "explicit, without replacement",
            new ExplicitBrightness(random),
            SelectionSize.fixed(60)),
        zCase(
            "explicit, scheduled",
            new ExplicitBrightness(new RowSelection.Scheduled(10, BLOCK_ROWS)),
            none));
  }

  private static Case zCase(String name, BrightnessKernel kernel, SelectionSize size) {
    return new Case(name, new FireflyKernel.ZStep(kernel, size), false);
  }

  private FireflySampler sampler(Case what) {
    CollapsedQuadratic collapsed = new CollapsedQuadratic(MODE);
    blocks.forEach(block -> bound.collapse(block, bound.anchorsAt(block, REFERENCE), collapsed));
    ProductPrior prior = ProductPrior.shared(new UnivariatePrior.Normal(0, 1), D);
    return new FireflySampler(prior, collapsed, new FireflyPass(bound, streams), what.zStep(), 1);
  }

  private static RandomWalk walk() {
    return new RandomWalk(Preconditioner.choleskyOf(COVARIANCE, D), RandomWalk.optimalStepSize(D));
  }

  private ChainRunner runner() {
    ChainRunner.Length length = new ChainRunner.Length(15, 25, 1, walk().targetAcceptance());
    return new ChainRunner(length, streams, (c, i, info) -> {});
  }

  private ChainTrace chain(int number, Case what, Function<FireflyQuestion, FireflyAnswer> rows) {
    return runner().run(number, sampler(what).kernel(number, rows::apply), walk(), MODE);
  }

  private List<ChainTrace> inMemory(Case what) {
    PerRowRates rates = new PerRowRates(bound, MODE, COVARIANCE, 3, 0.1);
    List<ChainTrace> traces = new ArrayList<>();
    for (int c = 1; c <= CHAINS; c++) {
      InMemoryFireflyRows rows =
          new InMemoryFireflyRows(
              what.perRow()
                  ? rates.inMemory(blocks, block -> bound.anchorsAt(block, REFERENCE))
                  : blocks.stream()
                      .map(block -> new BoundBlock(block, bound.anchorsAt(block, REFERENCE), null))
                      .toList(),
              new FireflyPass(bound, streams));
      traces.add(chain(c, what, rows::ask));
    }
    return traces;
  }

  private BoundTable table(JavaSparkContext context, Case what, BlockRanges ranges) {
    JavaRDD<DataBlock> rdd =
        context
            .parallelize(blocks, 1)
            .keyBy(DataBlock::id)
            .repartitionAndSortWithinPartitions(ranges)
            .values();
    double[] reference = REFERENCE;
    JaakkolaJordanBound b = bound;
    BoundTable.AnchorRule rule = block -> b.anchorsAt(block, reference);
    PerRowRates rates = new PerRowRates(bound, MODE, COVARIANCE, 3, 0.1);
    return what.perRow()
        ? BoundTable.perRow(rdd, ranges, rule, rates)
        : BoundTable.uniform(rdd, ranges, rule);
  }

  private List<ChainTrace> onSpark(
      JavaSparkContext context, Case what, int partitions, boolean reliable, boolean loseBlocks)
      throws InterruptedException, ExecutionException {
    BlockRanges ranges = new BlockRanges(BLOCKS, partitions);
    try (BoundTable table = table(context, what, ranges);
        FireflyJobs jobs =
            new FireflyJobs(table, new FireflyPass(bound, streams), CHAINS, 7, reliable)) {
      int[] asked = {0};
      QuestionBatcher<FireflyQuestion, FireflyAnswer> batcher =
          new QuestionBatcher<>(
              CHAINS,
              questions -> {
                if (loseBlocks && ++asked[0] % 5 == 0) {
                  jobs.brightness().unpersist(true);
                }
                return jobs.apply(questions);
              });
      return together(batcher, number -> chain(number, what, q -> batcher.ask(number, q)));
    }
  }

  /** The chains begin stepwise, and go on in segments. */
  private List<ChainTrace> inSegments(
      JavaSparkContext context, Case what, int partitions, int segment)
      throws InterruptedException, ExecutionException {
    BlockRanges ranges = new BlockRanges(BLOCKS, partitions);
    try (BoundTable table = table(context, what, ranges);
        FireflyJobs jobs = new FireflyJobs(table, new FireflyPass(bound, streams), CHAINS, 7)) {
      QuestionBatcher<FireflyQuestion, FireflyAnswer> batcher = new QuestionBatcher<>(CHAINS, jobs);
      FireflySampler sampler = sampler(what);
      List<ChainTrace> traces = new ArrayList<>();
      ChainState[] begun = new ChainState[CHAINS];
      traces.addAll(
          together(
              batcher,
              number -> {
                ChainTrace trace = new ChainTrace(number);
                FireflyKernel kernel = sampler.kernel(number, q -> batcher.ask(number, q));
                begun[number - 1] = runner().begin(trace, kernel, walk(), MODE);
                return trace;
              }));
      List<CarriedBrightness> carried = jobs.carry();
      List<FireflySampler.Chain> chains = new ArrayList<>();
      for (int c = 0; c < CHAINS; c++) {
        chains.add(new FireflySampler.Chain(begun[c], carried.get(c)));
      }
      try (FireflySegments segments = new FireflySegments(table, sampler, runner(), CHAINS)) {
        int done = 0;
        int total = (int) runner().length().iterations();
        while (done < total) {
          int now = Math.min(segment, total - done);
          int following = Math.min(segment, total - done - now);
          List<FireflySampler.Segment> after = segments.run(chains, now, following);
          for (int c = 0; c < CHAINS; c++) {
            traces.get(c).append(after.get(c).trace());
          }
          chains = after.stream().map(FireflySampler.Segment::chain).toList();
          done += now;
        }
      }
      return traces;
    }
  }

  private static List<ChainTrace> together(
      QuestionBatcher<?, ?> batcher, Function<Integer, ChainTrace> chain)
      throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(CHAINS);
    try {
      List<Future<ChainTrace>> futures = new ArrayList<>();
      for (int c = 1; c <= CHAINS; c++) {
        int number = c;
        futures.add(
            threads.submit(
                () -> {
                  ChainTrace trace = chain.apply(number);
                  batcher.leave();
                  return trace;
                }));
      }
      List<ChainTrace> traces = new ArrayList<>();
      for (Future<ChainTrace> future : futures) {
        traces.add(future.get());
      }
      return traces;
    } finally {
      threads.shutdownNow();
    }
  }

  private static void assertSame(List<ChainTrace> expected, List<ChainTrace> actual, String what) {
    for (int c = 0; c < CHAINS; c++) {
      ChainTrace one = expected.get(c);
      ChainTrace other = actual.get(c);
      assertEquals(one.logDensities(), other.logDensities(), what);
      assertEquals(one.stepSize(), other.stepSize(), what);
      assertEquals(one.initialEvaluations(), other.initialEvaluations(), what);
      for (int i = 0; i < one.size(); i++) {
        assertArrayEquals(one.draws().get(i), other.draws().get(i), what);
        assertEquals(one.sampling().get(i).info(), other.sampling().get(i).info(), what);
      }
    }
  }

  private JavaSparkContext context(String master) {
    SparkConf conf =
        new SparkConf()
            .setMaster(master)
            .setAppName("FireflyJobsIT")
            .set("spark.ui.enabled", "false")
            .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .set("spark.kryo.registrator", "org.lampyris.executors.LampyrisRegistrator")
            .set("spark.kryo.registrationRequired", "true");
    JavaSparkContext context = new JavaSparkContext(conf);
    context.setLogLevel("ERROR");
    context.setCheckpointDir(folder.toUri().toString());
    return context;
  }

  @Test
  void everyBrightnessKernelDrawsTheSameOnAnyNumberOfPartitionsAndCores() throws Exception {
    for (String master : new String[] {"local[1]", "local[2]"}) {
      try (JavaSparkContext context = context(master)) {
        for (Case what : cases()) {
          List<ChainTrace> expected = inMemory(what);
          assertTrue(
              expected.get(0).sampling().stream().mapToLong(i -> i.info().brightRows()).sum() > 50,
              what.name());
          for (int partitions : new int[] {1, 2, 8}) {
            assertSame(
                expected,
                onSpark(context, what, partitions, false, false),
                what.name() + ", " + partitions + " partitions, " + master);
          }
        }
      }
    }
  }

  @Test
  void segmentsDrawTheSameOnAnyNumberOfPartitionsAndCores() throws Exception {
    for (String master : new String[] {"local[1]", "local[2]"}) {
      try (JavaSparkContext context = context(master)) {
        for (Case what : cases()) {
          List<ChainTrace> expected = inMemory(what);
          for (int partitions : new int[] {1, 2, 8}) {
            for (int segment : new int[] {7, 40}) {
              assertSame(
                  expected,
                  inSegments(context, what, partitions, segment),
                  what.name() + ", " + partitions + " partitions, segments of " + segment);
            }
          }
        }
      }
    }
  }

  @Test
  void brightnessThatIsLostIsComputedAgainToTheSameBits() throws Exception {
    try (JavaSparkContext context = context("local[2]")) {
      Case what = cases().get(1);
      assertSame(inMemory(what), onSpark(context, what, 2, true, true), "lost blocks");
    }
  }

  @Test
  void anErrorOfAJobReachesEveryChain() {
    QuestionBatcher<FireflyQuestion, FireflyAnswer> batcher =
        new QuestionBatcher<>(
            CHAINS,
            questions -> {
              throw new IllegalStateException("the job failed");
            });
    ExecutionException e =
        assertThrows(
            ExecutionException.class,
            () ->
                together(
                    batcher, number -> chain(number, cases().get(0), q -> batcher.ask(number, q))));
    assertTrue(e.getCause() instanceof IllegalStateException);
    assertEquals("the job failed", batcher.failure().orElseThrow().getMessage());
  }
}
