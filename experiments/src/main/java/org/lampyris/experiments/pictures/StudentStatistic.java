package org.lampyris.experiments.pictures;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.TDistribution;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;
import org.lampyris.bounds.config.Text;
import org.lampyris.driver.report.Chart;
import org.lampyris.driver.report.Curve;
import org.lampyris.samplers.minibatch.BatchMoments;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;

/**
 * Student statistic t = (v̄ − μ)/s of batches of 100 rows, v_n the change of log N(x_n; m, s²) from
 * the mode to a proposal, beside Student's density: for normal and for lognormal values x_n.
 *
 * <p>Source: Bardenet, Doucet and Holmes (2017), Figure 6; Korattikara, Chen and Welling (2014),
 * supplement, Figure 7.
 *
 * @param rows values of each kind
 */
record StudentStatistic(int rows) implements Illustration {
  private static final int BATCH = 100;
  private static final int BATCHES = 1000;
  private static final double EDGE = 6;
  private static final int CELLS = 48;
  private static final int CURVE = 121;

  @Override
  public Map<String, String> files() {
    Map<String, String> files = new LinkedHashMap<>();
    StringBuilder table =
        new StringBuilder(
            Text.of(
                "# Student's statistic of %d batches of %d of %,d rows\n\n"
                    + "| values | Kolmogorov's distance from Student's distribution | p-value |"
                    + " mean | beyond ±2, of 4.8 %% |\n|---|--:|--:|--:|--:|\n",
                BATCHES, BATCH, rows));
    files.put(TABLE, "");
    draw("normal", x -> x, files, table);
    draw("lognormal", Math::exp, files, table);
    files.put(TABLE, table.toString());
    return files;
  }

  private void draw(
      String name, DoubleUnaryOperator of, Map<String, String> files, StringBuilder table) {
    Noise noise = Noise.of(new Streams(1).stream(Streams.Purpose.INITIAL, 0, 0, 0));
    double[] x = new double[rows];
    Arrays.setAll(x, i -> of.applyAsDouble(noise.normal()));
    double[] t = statistics(changes(x, noise));
    TDistribution student = TDistribution.of(BATCH - 1);
    double[] at = new double[CURVE];
    Arrays.setAll(at, i -> EDGE * (2.0 * i / (CURVE - 1) - 1));
    files.put(
        "student-" + name + ".svg",
        Chart.of("Student's statistic, " + name + " values")
            .axes("t", "density")
            .line(Histogram.of(t, -EDGE, EDGE, CELLS).outline("batches of " + BATCH))
            .dashed(new Curve("Student", at, Arrays.stream(at).map(student::density).toArray()))
            .file());
    KolmogorovSmirnovTest.OneResult test =
        KolmogorovSmirnovTest.withDefaults().test(t, student::cumulativeProbability);
    table.append(
        Text.of(
            "| %s | %.3f | %.2g | %.2f | %.1f %% |\n",
            name,
            test.getStatistic(),
            test.getPValue(),
            Arrays.stream(t).average().orElseThrow(),
            100.0 * Arrays.stream(t).filter(v -> Math.abs(v) > 2).count() / t.length));
  }

  /** Returns v_n from the mode to a proposal, a move of 1/√n in both parameters. */
  private static double[] changes(double[] x, Noise noise) {
    double mean = Arrays.stream(x).average().orElseThrow();
    double variance = Arrays.stream(x).map(v -> (v - mean) * (v - mean)).average().orElseThrow();
    double moved = mean + noise.normal() / Math.sqrt(x.length);
    double logSd = 0.5 * Math.log(variance);
    double other = logSd + noise.normal() / Math.sqrt(x.length);
    return Arrays.stream(x)
        .map(v -> logDensity(v, moved, other) - logDensity(v, mean, logSd))
        .toArray();
  }

  private static double logDensity(double x, double mean, double logSd) {
    double z = (x - mean) * Math.exp(-logSd);
    return -0.5 * z * z - logSd;
  }

  private static double[] statistics(double[] values) {
    double mean = Arrays.stream(values).average().orElseThrow();
    UniformRandomProvider rng = new Streams(1).stream(Streams.Purpose.SELECTION, 0, 0, 0);
    double[] order = values.clone();
    double[] t = new double[BATCHES];
    for (int k = 0; k < BATCHES; k++) {
      double sum = 0;
      double squares = 0;
      for (int i = 0; i < BATCH; i++) {
        int j = i + rng.nextInt(order.length - i);
        double value = order[j];
        order[j] = order[i];
        order[i] = value;
        sum += value;
        squares += value * value;
      }
      BatchMoments seen = new BatchMoments(BATCH, sum, squares);
      t[k] = (seen.mean() - mean) / seen.standardError(order.length);
    }
    return t;
  }
}
