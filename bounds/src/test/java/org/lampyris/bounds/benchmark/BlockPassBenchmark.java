package org.lampyris.bounds.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.Values;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Passes over rows that do not fit in any cache (80 MB of doubles at 20 columns, 200 MB at 50),
 * logistic regression, in ns a row on one core; and the same rows read and summed only.
 *
 * <p>A row of 50 doubles in t ns is 400/t GB/s.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgs = "-Xmx2g")
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // JMH's @Setup
public class BlockPassBenchmark {
  private static final int BLOCK_ROWS = 4096;
  private static final int BLOCKS = 122;
  private static final int ROWS = BLOCK_ROWS * BLOCKS;
  private static final int POINTS = 4;

  /** How many features a row has. */
  @Param({"20", "50"})
  int columns;

  /** What a feature is stored as. */
  @Param({"double", "float"})
  String storage;

  private final List<double[]> doubles = new ArrayList<>();
  private final List<float[]> floats = new ArrayList<>();
  private final List<DataBlock> blocks = new ArrayList<>();
  private LinearModel model;
  private double[][] point;
  private double[][] points;

  /** Makes the rows. */
  @Setup
  public void rows() {
    RandomGenerator random = RandomBlocks.random(1);
    model = new LinearModel(new LogisticLikelihood(), columns);
    points = new double[POINTS][];
    Arrays.setAll(points, k -> RandomBlocks.normal(random, columns, 0.2));
    point = new double[][] {points[0]};
    for (int id = 0; id < BLOCKS; id++) {
      double[] y = new double[BLOCK_ROWS];
      Arrays.setAll(y, row -> random.nextBoolean() ? 1 : -1);
      if (storage.equals("double")) {
        double[] x = new double[BLOCK_ROWS * columns];
        Arrays.setAll(x, i -> random.nextDouble() - 0.5);
        doubles.add(x);
        blocks.add(new DenseBlock(id, columns, x, y, null));
      } else {
        float[] x = new float[BLOCK_ROWS * columns];
        for (int i = 0; i < x.length; i++) {
          x[i] = random.nextFloat() - 0.5f;
        }
        floats.add(x);
        blocks.add(new DenseBlock(id, columns, Values.of(x), y, null, null));
      }
    }
  }

  /** Sums the features in a plain loop. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public double streamRead() {
    double sum = 0;
    for (double[] x : doubles) {
      for (int i = 0; i < x.length; i++) {
        sum += x[i];
      }
    }
    for (float[] x : floats) {
      for (int i = 0; i < x.length; i++) {
        sum += x[i];
      }
    }
    return sum;
  }

  /** Sums the features in eight running sums, which is as fast as one core reads. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public double streamReadUnrolled() {
    double sum = 0;
    for (double[] x : doubles) {
      double a = 0;
      double b = 0;
      double c = 0;
      double d = 0;
      double e = 0;
      double f = 0;
      double g = 0;
      double h = 0;
      for (int i = 0; i + 7 < x.length; i += 8) {
        a += x[i];
        b += x[i + 1];
        c += x[i + 2];
        d += x[i + 3];
        e += x[i + 4];
        f += x[i + 5];
        g += x[i + 6];
        h += x[i + 7];
      }
      sum += ((a + b) + (c + d)) + ((e + f) + (g + h));
    }
    return sum;
  }

  /** Σ log L at one point. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public double values() {
    double[] sums = new double[1];
    blocks.forEach(block -> model.addLogLikelihoods(block, point, sums));
    return sums[0];
  }

  /** Σ log L and its gradient at one point. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public double[][] gradients() {
    double[][] gradients = new double[1][columns];
    double[] sums = new double[1];
    blocks.forEach(block -> model.addGradients(block, point, sums, gradients));
    return gradients;
  }

  /** Σ log L and its gradient at four points. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public double[][] gradientsAtFourPoints() {
    double[][] gradients = new double[POINTS][columns];
    double[] sums = new double[POINTS];
    blocks.forEach(block -> model.addGradients(block, points, sums, gradients));
    return gradients;
  }

  /** The same row by row, as it was before there were tiles. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public double[] gradientsRowByRow() {
    double[] gradient = new double[columns];
    for (DataBlock block : blocks) {
      for (int row = 0; row < BLOCK_ROWS; row++) {
        model.addGradient(block, row, point[0], gradient);
      }
    }
    return gradient;
  }

  /** Σ log L, its gradient and its Hessian. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public double[] hessian() {
    double[] hessian = new double[columns * columns];
    double[] gradient = new double[columns];
    blocks.forEach(block -> model.addHessians(block, point[0], gradient, hessian));
    return hessian;
  }

  /** The bounds that are tight at a point, collapsed. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public double[] collapse() {
    CollapsedQuadratic sum = new CollapsedQuadratic(point[0]);
    JaakkolaJordanBound bound = new JaakkolaJordanBound(columns);
    for (DataBlock block : blocks) {
      Anchors anchors = bound.anchorsAt(block, point[0]);
      bound.collapse(block, anchors, sum);
    }
    return sum.packed();
  }
}
