package org.lampyris.experiments.pictures;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.driver.report.Chart;
import org.lampyris.driver.report.Curve;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;

/**
 * A run of Firefly on two classes in two dimensions: the rows of an iteration with the line of
 * equal class probability, and the trajectories of all of θ and z.
 *
 * <p>Source: Maclaurin and Adams (2014), Figure 2.
 *
 * @param steps iterations; the first {@value #SHOWN} are shown
 */
record Fireflies(int steps) implements Illustration {
  private static final int ROWS = 30;
  private static final int SHOWN = 60;
  private static final int AT = 10;
  private static final double PRIOR_SD = 1;
  private static final double STEP = 0.5;
  private static final double EDGE = 4;
  private static final String[] NAMES = {"bias", "x1", "x2"};

  private static DataBlock rows() {
    Noise noise = Noise.of(new Streams(1).stream(Streams.Purpose.INITIAL, 0, 0, 0));
    double[] x = new double[3 * ROWS];
    double[] y = new double[ROWS];
    for (int i = 0; i < ROWS; i++) {
      y[i] = i % 2 == 0 ? 1 : -1;
      x[3 * i] = 1;
      x[3 * i + 1] = y[i] + noise.normal();
      x[3 * i + 2] = 0.7 * y[i] + noise.normal();
    }
    return new DenseBlock(0, 3, x, y, null);
  }

  @Override
  public Map<String, String> files() {
    DataBlock rows = rows();
    List<ToyFirefly.Step> chain = new ToyFirefly(rows, PRIOR_SD, STEP).run(steps, 1);
    // The first move of θ that is accepted from one iteration on, and changes brightness.
    int at =
        IntStream.range(AT, SHOWN)
            .filter(t -> !Arrays.equals(chain.get(t).theta(), chain.get(t - 1).theta()))
            .filter(t -> !chain.get(t + 1).bright().equals(chain.get(t).bright()))
            .findFirst()
            .orElse(AT);
    double[] before = chain.get(at - 1).theta();
    double[] after = chain.get(at).theta();
    Map<String, String> files = new LinkedHashMap<>();
    files.put(TABLE, table(rows, chain));
    String title = "Iteration " + at + ", theta drawn";
    files.put("figure2a.svg", rows(title, rows, chain.get(at).bright(), before, after).file());
    title = "Iteration " + (at + 1) + ", z drawn";
    files.put("figure2b.svg", rows(title, rows, chain.get(at + 1).bright(), null, after).file());
    files.put("figure2c.svg", thetas(chain).file());
    files.put("figure2d.svg", fireflies(chain).file());
    return files;
  }

  private static Chart rows(
      String title,
      DataBlock rows,
      List<Integer> bright,
      double @Nullable [] before,
      double[] theta) {
    Chart chart = Chart.of(title).axes("x1", "x2").fromTo(-EDGE, EDGE).upTo(-EDGE, EDGE);
    for (double y : new double[] {1, -1}) {
      int[] class1 = IntStream.range(0, ROWS).filter(i -> rows.response(i) == y).toArray();
      String name = y > 0 ? "class 1" : "class -1";
      chart.dots(points(name + ", dark", rows, class1, i -> !bright.contains(i)));
      chart.points(points(name + ", bright", rows, class1, bright::contains));
    }
    if (before != null) {
      chart.dashed(line("equal probability, before", before));
    }
    return chart.line(line("equal probability", theta));
  }

  private static Curve points(String name, DataBlock rows, int[] of, IntPredicate which) {
    int[] chosen = Arrays.stream(of).filter(which).toArray();
    return new Curve(
        name,
        Arrays.stream(chosen).mapToDouble(i -> rows.feature(i, 1)).toArray(),
        Arrays.stream(chosen).mapToDouble(i -> rows.feature(i, 2)).toArray());
  }

  /** Returns the part of θ_0 + θ_1x_1 + θ_2x_2 = 0 within the picture. */
  private static Curve line(String name, double[] theta) {
    double[] x = new double[81];
    Arrays.setAll(x, i -> EDGE * (i / 40.0 - 1));
    double[] y =
        Arrays.stream(x)
            .map(v -> -(theta[0] + theta[1] * v) / theta[2])
            .map(v -> Math.abs(v) > EDGE ? Double.NaN : v)
            .toArray();
    return new Curve(name, x, y);
  }

  private static Chart thetas(List<ToyFirefly.Step> chain) {
    double[] t = IntStream.range(0, shown(chain)).mapToDouble(i -> i).toArray();
    Chart chart = Chart.of("Trajectory of theta").axes("iteration", "coefficient");
    for (int j = 0; j < NAMES.length; j++) {
      int k = j;
      chart.line(
          NAMES[j],
          t,
          IntStream.range(0, t.length).mapToDouble(i -> chain.get(i).theta()[k]).toArray());
    }
    return chart;
  }

  private static Chart fireflies(List<ToyFirefly.Step> chain) {
    List<double[]> lit = new ArrayList<>();
    for (int t = 0; t < shown(chain); t++) {
      for (int row : chain.get(t).bright()) {
        lit.add(new double[] {t, row + 1});
      }
    }
    return Chart.of("Trajectory of z")
        .axes("iteration", "row")
        .fromTo(0, shown(chain))
        .upTo(0, ROWS + 1)
        .points(
            new Curve(
                "bright",
                lit.stream().mapToDouble(p -> p[0]).toArray(),
                lit.stream().mapToDouble(p -> p[1]).toArray()));
  }

  private static int shown(List<ToyFirefly.Step> chain) {
    return Math.min(SHOWN, chain.size());
  }

  /** Returns the bright rows beside E[1 − B_n/L_n], over the chain's own θ. */
  private static String table(DataBlock rows, List<ToyFirefly.Step> chain) {
    double counted = 0;
    double expected = 0;
    for (int t = 0; t + 1 < chain.size(); t++) {
      counted += chain.get(t + 1).bright().size();
      for (int i = 0; i < ROWS; i++) {
        double gap =
            JaakkolaJordanBound.gap(rows.dot(i, chain.get(t).theta(), 0), ToyFirefly.ANCHOR, null);
        expected += StableMath.brightProbability(gap);
      }
    }
    double each = 1.0 / (chain.size() - 1);
    return Text.of(
        """
        # Firefly on %d rows

        | what | value |
        |---|--:|
        | iterations | %,d |
        | bright rows, mean | %.3f |
        | expected at the same θ | %.3f |
        """,
        ROWS, chain.size(), counted * each, expected * each);
  }
}
