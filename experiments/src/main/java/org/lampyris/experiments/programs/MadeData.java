package org.lampyris.experiments.programs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.driver.report.Chart;
import org.lampyris.driver.report.Curve;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;

/** Tables made by the models themselves; a block's rows depend on the seed and its number alone. */
final class MadeData {
  private static final int BLOCK_ROWS = 4096;

  /** Number of clusters, on a circle. */
  private static final int CLUSTERS = 6;

  private static final double CIRCLE = 4;

  private MadeData() {}

  private interface Rows {
    void fill(Noise noise, double[] x, double[] y);
  }

  private static List<DataBlock> blocks(long seed, long rows, int columns, Rows how) {
    List<DataBlock> blocks = new ArrayList<>();
    for (long first = 0; first < rows; first += BLOCK_ROWS) {
      int count = (int) Math.min(BLOCK_ROWS, rows - first);
      long number = first / BLOCK_ROWS;
      UniformRandomProvider rng = new Streams(seed).stream(Streams.Purpose.INITIAL, 0, 0, number);
      double[] x = new double[count * columns];
      double[] y = new double[count];
      how.fill(Noise.of(rng), x, y);
      blocks.add(new DenseBlock(number, columns, x, y, null));
    }
    return blocks;
  }

  /** Two features about (±1, ±1) and a label, as in Figure 5a. */
  static List<DataBlock> twoFeatures(long seed, long rows) {
    return blocks(
        seed,
        rows,
        2,
        (noise, x, y) -> {
          for (int i = 0; i < y.length; i++) {
            y[i] = noise.flip(0.5) ? 1 : -1;
            x[2 * i] = y[i] + noise.normal();
            x[2 * i + 1] = y[i] + noise.normal();
          }
        });
  }

  /** Clusters on a circle, each with labels separated by a line through its middle. */
  static List<DataBlock> clusters(long seed, long rows) {
    return blocks(
        seed,
        rows,
        3,
        (noise, x, y) -> {
          for (int i = 0; i < y.length; i++) {
            int k = noise.index(CLUSTERS);
            double angle = 2 * Math.PI * k / CLUSTERS;
            double a = 0.7 * noise.normal();
            double b = 0.7 * noise.normal();
            x[3 * i] = 1;
            x[3 * i + 1] = CIRCLE * Math.cos(angle) + a;
            x[3 * i + 2] = CIRCLE * Math.sin(angle) + b;
            double side = k % 2 == 0 ? 5 * (a + b) : 5 * (a - b);
            y[i] = noise.flip(1 / (1 + Math.exp(-side))) ? 1 : -1;
          }
        });
  }

  /** Returns a picture of the rows by their labels: two features, from one on. */
  static Chart classes(String title, List<DataBlock> blocks, int first) {
    Chart chart = Chart.of(title).axes("x1", "x2");
    for (double y : new double[] {1, -1}) {
      List<double[]> points = new ArrayList<>();
      for (DataBlock block : blocks) {
        for (int i = 0; i < block.rows(); i++) {
          if (block.response(i) == y) {
            points.add(new double[] {block.feature(i, first), block.feature(i, first + 1)});
          }
        }
      }
      chart.dots(curve(y > 0 ? "label 1" : "label -1", points));
    }
    return chart;
  }

  /** Returns points as a curve. */
  static Curve curve(String name, List<double[]> points) {
    return new Curve(
        name,
        points.stream().mapToDouble(point -> point[0]).toArray(),
        points.stream().mapToDouble(point -> point[1]).toArray());
  }

  /** Returns the log-odds of a label at a point, by the cluster that is nearest. */
  static double sign(double x, double y) {
    int k = Math.floorMod(Math.round(Math.atan2(y, x) / (2 * Math.PI) * CLUSTERS), CLUSTERS);
    double angle = 2 * Math.PI * k / CLUSTERS;
    double a = x - CIRCLE * Math.cos(angle);
    double b = y - CIRCLE * Math.sin(angle);
    return k % 2 == 0 ? 5 * (a + b) : 5 * (a - b);
  }

  /** Series of a volatility of φ = 0.95 and σ = 0.1. */
  static List<DataBlock> series(long seed, long rows, int length) {
    return blocks(
        seed,
        rows,
        length,
        (noise, x, y) -> {
          for (int i = 0; i < y.length; i++) {
            double h = 0;
            for (int t = 0; t < length; t++) {
              h = 0.95 * h + 0.1 * noise.normal();
              x[i * length + t] = Math.exp(0.5 * h) * noise.normal();
            }
          }
        });
  }

  /** Returns the features of all rows. */
  static double[][] rows(List<DataBlock> blocks) {
    return blocks.stream()
        .flatMap(
            block ->
                java.util.stream.IntStream.range(0, block.rows())
                    .mapToObj(
                        row -> {
                          double[] x = new double[block.columns()];
                          Arrays.setAll(x, j -> block.feature(row, j));
                          return x;
                        }))
        .toArray(double[][]::new);
  }
}
