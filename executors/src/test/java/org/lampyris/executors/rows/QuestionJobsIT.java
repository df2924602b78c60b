package org.lampyris.executors.rows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.executors.jobs.BlockRanges;
import org.lampyris.executors.jobs.BlockSum;
import org.lampyris.executors.testdata.LocalSpark;
import org.lampyris.executors.testdata.LogisticTable;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.InMemoryContext;
import org.lampyris.samplers.run.LikelihoodPass;
import org.lampyris.samplers.run.PlainBlock;

/** Sums over the rows on Spark against the same in memory: equal to the bit, however spread. */
class QuestionJobsIT {
  private static final int D = 3;
  private static final int ROWS = 16;
  private static final int BLOCKS = 13;
  private static final int[] PARTITIONS = {1, 2, 3, 8, 13, 40};

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static JavaSparkContext spark;

  private final List<DataBlock> blocks = blocks();
  private final LikelihoodPass<PlainBlock> pass =
      new LikelihoodPass<>(new LinearModel(new LogisticLikelihood(), D));

  @BeforeAll
  static void start() {
    spark = LocalSpark.begin("local[2]");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static List<DataBlock> blocks() {
    UniformRandomProvider rng = new Streams(7).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    List<DataBlock> all = new ArrayList<>();
    for (int b = 0; b < BLOCKS; b++) {
      int rows = b == BLOCKS - 1 ? 5 : ROWS;
      double[] x = rng.doubles((long) rows * D, -3, 3).toArray();
      double[] y = rng.ints(rows, 0, 2).mapToDouble(i -> 2 * i - 1).toArray();
      all.add(new DenseBlock(b, D, x, y, null));
    }
    return all;
  }

  private JavaRDD<DataBlock> spread(BlockRanges ranges) {
    return LocalSpark.spread(spark, blocks, ranges);
  }

  private double[] inMemory(double[][] thetas, boolean gradient) {
    return new InMemoryContext(LogisticTable.inputs(), blocks)
        .sampledSum(
            BLOCKS,
            pass.answerLength(thetas.length, gradient),
            (block, out) -> pass.addTo(block, thetas, gradient, out));
  }

  @Test
  void answersAreThoseOfTheRowsInMemory() {
    double[][] one = {{0.3, -1, 0.5}};
    double[][] two = {{1, 1, 1}, {-0.2, 0.4, 2}};
    for (int partitions : PARTITIONS) {
      BlockRanges ranges = new BlockRanges(BLOCKS, partitions);
      ResidentTable.Questions<PlainBlock, LikelihoodPass.Question, TreeSum.Node[], double[]> jobs =
          new ResidentTable.Questions<>(spread(ranges).map(PlainBlock::new), ranges, pass);
      List<double[]> values =
          jobs.apply(
              List.of(
                  new LikelihoodPass.Question(two, false),
                  new LikelihoodPass.Question(one, false)));
      assertArrayEquals(inMemory(two, false), values.get(0), partitions + " partitions");
      assertArrayEquals(inMemory(one, false), values.get(1), partitions + " partitions");
      // Where one chain wants gradients, the others get their values all the same.
      List<double[]> mixed =
          jobs.apply(
              List.of(
                  new LikelihoodPass.Question(two, false),
                  new LikelihoodPass.Question(one, true),
                  new LikelihoodPass.Question(two, true)));
      assertEquals(inMemory(two, true)[1], mixed.get(0)[1]);
      assertEquals(2, mixed.get(0).length);
      assertArrayEquals(inMemory(one, true), mixed.get(1));
      assertArrayEquals(inMemory(two, true), mixed.get(2));
    }
  }

  /** Terms of very different size, whose sum depends on the order unless the order is fixed. */
  @Test
  void aSumHasTheSameBitsHoweverSpread() {
    double[] first = new double[0];
    for (int partitions : PARTITIONS) {
      BlockRanges ranges = new BlockRanges(BLOCKS, partitions);
      double[] sum =
          BlockSum.over(
              spread(ranges),
              ranges,
              2,
              (block, out) -> {
                out[0] = 1;
                out[1] =
                    Math.exp((double) (block.id() * 5 % 13)) * (block.id() % 2 == 0 ? 1 : -1) / 3;
              });
      assertEquals(BLOCKS, sum[0]);
      if (first.length > 0) {
        assertArrayEquals(first, sum, partitions + " partitions");
      }
      first = sum;
    }
  }
}
