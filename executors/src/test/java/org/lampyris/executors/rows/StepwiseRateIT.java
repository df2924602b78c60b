package org.lampyris.executors.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.executors.jobs.BlockRanges;
import org.lampyris.executors.jobs.PartitionJob;
import org.lampyris.executors.testdata.LogisticTable;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainTeam;
import org.lampyris.samplers.firefly.BlockRates;
import org.lampyris.samplers.firefly.BoundBlock;
import org.lampyris.samplers.firefly.Brightness;
import org.lampyris.samplers.firefly.FireflyKernel;
import org.lampyris.samplers.firefly.FireflyPass;
import org.lampyris.samplers.firefly.FireflyRows;
import org.lampyris.samplers.firefly.FireflySampler;
import org.lampyris.samplers.firefly.ImplicitBrightness;
import org.lampyris.samplers.firefly.RowSelection;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.RowStates.Asked;
import org.lampyris.samplers.rows.RowStates.Generation;

/**
 * How many iterations the stepwise plan makes in a second, beside how many empty jobs Spark runs in
 * a second in the same process: a benchmark, run with {@code -Dlampyris.benchmark=stepwise}. Times
 * are printed, not asserted.
 */
class StepwiseRateIT {
  private static final int D = 51;
  private static final int BLOCK_ROWS = 1024;
  private static final int BLOCKS = 12;
  private static final int PARTITIONS = 2;
  private static final int ITERATIONS = 3000;

  @Test
  void iterationsPerSecondBesideEmptyJobs() {
    assumeTrue(
        "stepwise".equals(System.getProperty("lampyris.benchmark")),
        "a benchmark: run with -Dlampyris.benchmark=stepwise");
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("StepwiseRateIT")
            .set("spark.ui.enabled", "false")
            .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .set("spark.kryo.registrator", "org.lampyris.executors.rows.LampyrisRegistrator");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      context.setLogLevel("ERROR");
      for (int chains : new int[] {1, 1, 4, 16}) {
        double rate = iterationsPerSecond(context, chains);
        System.out.printf(
            Locale.ROOT,
            "BENCHMARK stepwise, %,d rows x %d, %d chains: %.0f iterations/s a chain, %.0f summed;"
                + " empty jobs %.0f/s%n",
            BLOCKS * BLOCK_ROWS,
            D,
            chains,
            rate,
            chains * rate,
            emptyJobsPerSecond(context));
      }
    }
  }

  /** A job that does nothing, by the cheapest way there is. */
  private static double emptyJobsPerSecond(JavaSparkContext context) {
    int jobs = 1000;
    JavaRDD<Integer> rdd = context.parallelize(List.of(1, 2), PARTITIONS);
    long begun = System.nanoTime();
    for (int i = 0; i < jobs; i++) {
      assertEquals(PARTITIONS, PartitionJob.run(rdd, new Nothing()).size());
    }
    return jobs / (1e-9 * (System.nanoTime() - begun));
  }

  private static final class Nothing implements PartitionJob.Task<Integer, int[]> {
    private static final long serialVersionUID = 1L;

    @Override
    public int[] run(int partition, java.util.Iterator<Integer> elements) {
      return new int[0];
    }
  }

  private static double[] truth() {
    UniformRandomProvider rng = new Streams(1).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    return java.util.stream.IntStream.range(0, D)
        .mapToDouble(j -> rng.nextDouble(-0.4, 0.4))
        .toArray();
  }

  private static DataBlock block(long id, double[] truth) {
    UniformRandomProvider rng = new Streams(2).stream(Streams.Purpose.INITIAL, 0, 0, id);
    return LogisticTable.block(rng, id, BLOCK_ROWS, truth, 1.7);
  }

  private static double iterationsPerSecond(JavaSparkContext context, int chains) {
    double[] truth = truth();
    BlockRanges ranges = new BlockRanges(BLOCKS, PARTITIONS);
    List<Integer> indices = List.of(0, 1);
    JavaRDD<DataBlock> blocks =
        context
            .parallelize(indices, PARTITIONS)
            .flatMap(
                p ->
                    LongStream.range(ranges.from(p), ranges.to(p))
                        .mapToObj(id -> block(id, truth))
                        .iterator());
    JaakkolaJordanBound bound = new JaakkolaJordanBound(D);
    CollapsedQuadratic collapsed = new CollapsedQuadratic(truth);
    for (long id = 0; id < BLOCKS; id++) {
      DataBlock block = block(id, truth);
      bound.collapse(block, bound.anchorsAt(block, truth), collapsed);
    }
    Streams streams = new Streams(7);
    FireflySampler sampler =
        new FireflySampler(
            ProductPrior.shared(new UnivariatePrior.Normal(0, 1), D),
            collapsed,
            new FireflyPass(bound, streams),
            new FireflyKernel.ZStep(new ImplicitBrightness(), RowSelection.Size.fixed(0)),
            1,
            null);
    JavaRDD<BoundBlock> resident =
        blocks
            .map(
                block ->
                    new BoundBlock(
                        block,
                        bound.anchorsAt(block, truth),
                        new BlockRates.Uniform(0.01, block.rows())))
            .persist(StorageLevel.MEMORY_AND_DISK());
    FireflyPass evolution = sampler.pass();
    try (RowStateJobs<
            BoundBlock,
            Brightness.OfPlace,
            FireflyRows.Question,
            TreeSum.Node[],
            FireflyRows.Answer>
        jobs = new RowStateJobs<>(resident, ranges, evolution, chains, 100, false)) {
      ChainRunner runner =
          new ChainRunner(
              new ChainRunner.Length(0, ITERATIONS, 1, 0.234), streams, (c, i, info) -> {});
      Function<List<Asked<FireflyRows.Question>>, List<FireflyRows.Answer>> job = jobs::answer;
      ChainTeam team = new ChainTeam(chains);
      RandomWalk walk = new RandomWalk(Preconditioner.identity(D), 0.005);
      long begun = System.nanoTime();
      team.run(
          chain -> {
            FireflyRows<Generation> rows =
                new FireflyRows.Asked(chain, asked -> team.ask(chain, job, asked));
            return runner.run(chain, sampler.kernel(chain, rows), walk, truth);
          });
      return ITERATIONS / (1e-9 * (System.nanoTime() - begun));
    } finally {
      resident.unpersist(true);
    }
  }
}
