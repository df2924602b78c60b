package org.lampyris.experiments.programs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.driver.report.Chart;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.mixture.DirichletMixture;
import org.lampyris.samplers.program.mixture.NormalInverseWishart;
import org.lampyris.samplers.program.mixture.PaperPrograms;
import org.lampyris.samplers.program.moves.Move;
import org.lampyris.samplers.program.moves.ProgramRows;
import org.lampyris.samplers.program.moves.ProgramState;
import org.lampyris.samplers.program.moves.ProgramTable;
import org.lampyris.samplers.program.moves.SubsampledMh;
import org.lampyris.samplers.random.Streams;

/**
 * Accuracy on 1000 test points of the mean prediction over the later half of JointDPM's chain so
 * far, by time. Draws of labels and tests of weights take equal time, as in the paper: the one with
 * less time so far is next, so faster tests are made more often. Time is processor time, and
 * includes the chains' start, in eight clusters.
 *
 * <p>Source: Chen, Mansinghka and Ghahramani (2014), section 4.2 and Figure 6d.
 *
 * @param seconds of a chain
 * @param seeds the number of chains for each ε; medians over them are reported
 */
record Mixture(long rows, double seconds, int seeds) implements Figure {
  private static final double[] EPSILONS = {0, 0.1, 0.3};
  private static final int FIRST_SEED = 61;

  /** Seconds of unreported chains to warm up the virtual machine. */
  private static final double WARMING = 3;

  private static final int TEST = 1000;
  private static final int BEGIN = 8;

  /** By how many sections of a cluster a test looks on. */
  private static final int BATCH = 25;

  /**
   * A step draws the labels of this share of the rows, or of this number, because it has a fixed
   * cost.
   */
  private static final int SHARE = 24;

  private static final int LABELS = 500;

  /**
   * Tests in a step. If timed alone, a test with ε = 0.3 takes 1.9 µs more, for the clock and other
   * overhead.
   */
  private static final int TESTS = 8;

  private static final double DRIFT = 1;
  private static final double SD = 4;

  /** Distances from the best possible accuracy at which times are reported. */
  private static final double[] OFF = {0.02, 0.005};

  /** Share of the rows from which a cluster's line is drawn, and half of the line's length. */
  private static final double LARGE = 0.02;

  private static final double LINE = 1.5;

  /** Number of records in which times double. */
  private static final int DOUBLING = 4;

  private static final double GROWTH = Math.pow(2, 1.0 / DOUBLING);
  private static final double SHORTEST = 0.002;

  private record Run(
      double epsilon,
      double[] seconds,
      double[] accuracy,
      ProgramState end,
      double testing,
      double labelling,
      Chart snapshot) {
    /** Returns when the accuracy was first there, and at all records after; the end if never. */
    double when(double wanted) {
      int k = accuracy.length;
      while (k > 0 && accuracy[k - 1] >= wanted) {
        k--;
      }
      return k == accuracy.length ? Double.POSITIVE_INFINITY : seconds[k];
    }

    double last() {
      return accuracy[accuracy.length - 1];
    }

    ProgramState.Counts counts() {
      return end.counts();
    }
  }

  @Override
  public Map<String, String> files() {
    List<DataBlock> data = MadeData.clusters(6, rows);
    chain(data, 0.3, FIRST_SEED - 1, Math.min(seconds, WARMING));
    chain(data, 0, FIRST_SEED - 1, Math.min(seconds, WARMING));
    StringBuilder csv = new StringBuilder("epsilon,seed,seconds,accuracy\n");
    StringBuilder table =
        new StringBuilder(
            Text.of(
                "# JointDPM: %,d rows, %.0f s a chain, medians of %d\n\nThe best possible accuracy"
                    + " is %.3f.\n\n| ε | tests | µs | sections | labels | µs | clusters |"
                    + " accuracy | %.3f after, s | %.3f after, s |\n"
                    + "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
                rows, seconds, seeds, best(), best() - OFF[0], best() - OFF[1]));
    Chart snapshot = Chart.of("");
    Chart chart =
        Chart.of("JointDPM: accuracy of the mean prediction").axes("seconds", "accuracy").logX();
    for (double epsilon : EPSILONS) {
      List<Run> runs = new ArrayList<>();
      for (int seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed++) {
        Run run = chain(data, epsilon, seed, seconds);
        for (int i = 0; i < run.seconds.length; i++) {
          csv.append(Text.of("%s,%d,%s,%s\n", epsilon, seed, run.seconds[i], run.accuracy[i]));
        }
        runs.add(run);
      }
      table.append(line(epsilon, runs));
      snapshot = runs.get(0).snapshot;
      double[] middle = new double[runs.get(0).seconds.length];
      Arrays.setAll(middle, i -> median(runs, r -> r.accuracy[i]));
      chart.line(epsilon == 0 ? "exact" : "epsilon " + epsilon, runs.get(0).seconds, middle);
    }
    List<DataBlock> shown = List.of(data.get(0).select(IntStream.range(0, TEST).toArray()));
    return Map.of(
        "table.md",
        table.toString(),
        "figure6b.svg",
        MadeData.classes("JointDPM: rows", shown, 1).file(),
        "figure6c.svg",
        snapshot.file(),
        "figure6d.csv",
        csv.toString(),
        "figure6d.svg",
        chart.file());
  }

  private static String line(double epsilon, List<Run> runs) {
    return Text.of(
        "| %s | %,.0f | %.1f | %,.0f | %,.0f | %.2f | %.0f | %.3f | %s | %s |\n",
        epsilon,
        median(runs, r -> r.counts().tests()),
        median(runs, r -> 1e6 * r.testing / r.counts().tests()),
        median(runs, r -> (double) r.counts().sections() / r.counts().tests()),
        median(runs, r -> r.counts().updates()),
        median(runs, r -> 1e6 * r.labelling / r.counts().updates()),
        median(runs, r -> r.end.globals().clusterCount()),
        median(runs, Run::last),
        after(runs, OFF[0]),
        after(runs, OFF[1]));
  }

  private static String after(List<Run> runs, double off) {
    double seconds = median(runs, r -> r.when(best() - off));
    return Double.isInfinite(seconds) ? "never" : Text.of("%.2f", seconds);
  }

  private static double median(List<Run> runs, ToDoubleFunction<Run> what) {
    double[] values = runs.stream().mapToDouble(what).sorted().toArray();
    return values[values.length / 2];
  }

  private Run chain(List<DataBlock> data, double epsilon, int seed, double length) {
    NormalInverseWishart base =
        new NormalInverseWishart(new double[2], 0.05, 5, new double[] {1.5, 0, 0, 1.5});
    Trace trace = PaperPrograms.jointDpm(base, SD);
    DirichletMixture mixture = new DirichletMixture(trace, Math.max(LABELS, rows / SHARE));
    Move weights =
        SubsampledMh.sequential(trace, trace.node("w"), DRIFT, BATCH, epsilon).times(TESTS);
    Records records = new Records(length);
    try (ProgramRows all =
        new ProgramRows(trace, ProgramTable.inMemory(data), new Streams(seed), 1, BEGIN)) {
      double begun = Figure.processorTime();
      ProgramState state = mixture.begin(all, 1);
      double beginning = Figure.processorTime() - begun;
      double testing = 0;
      double labelling = 0;
      while (!records.isFull()) {
        begun = Figure.processorTime();
        boolean test = testing <= labelling;
        state = (test ? weights : mixture).apply(state, all);
        double took = Figure.processorTime() - begun;
        testing += test ? took : 0;
        labelling += test ? 0 : took;
        records.see(trace, state.globals(), beginning + testing + labelling);
      }
      Chart snapshot = snapshot(trace, state.globals());
      return new Run(epsilon, records.times, records.accuracy, state, testing, labelling, snapshot);
    }
  }

  /** The accuracy at times that grow by a factor, of predictions since half of each time. */
  private static final class Records {
    private final double[] times;
    private final double[] accuracy;
    private final double[][] sums;
    private final double[][] test = test();
    private final double[] running = new double[TEST + 1];
    private double predicted;
    private int next;

    Records(double length) {
      int points = (int) Math.floor(Math.log(length / SHORTEST) / Math.log(GROWTH)) + 1;
      times = new double[points];
      Arrays.setAll(times, i -> length * Math.pow(GROWTH, i + 1.0 - points));
      accuracy = new double[points];
      sums = new double[points][];
    }

    boolean isFull() {
      return next == times.length;
    }

    /** Predicts, if the last time has passed by a fiftieth or a record's time has come. */
    void see(Trace trace, Globals globals, double spent) {
      if (spent > 1.02 * predicted || spent >= times[next]) {
        predicted = spent;
        predict(trace, globals, test, running);
      }
      while (next < times.length && spent >= times[next]) {
        sums[next] = running.clone();
        double[] before = next < DOUBLING ? new double[TEST + 1] : sums[next - DOUBLING];
        // A step that is longer than half of the time has left nothing new to tell.
        accuracy[next] =
            running[TEST] > before[TEST] ? accuracy(test, sums[next], before) : accuracy[next - 1];
        next++;
      }
    }
  }

  private static double[][] test() {
    DataBlock block = MadeData.clusters(66, TEST).get(0);
    double[][] test = new double[TEST][];
    for (int i = 0; i < TEST; i++) {
      test[i] = new double[] {1, block.feature(i, 1), block.feature(i, 2), block.response(i)};
    }
    return test;
  }

  /** Returns how often the more probable label is the right one, if all is known. */
  private static double best() {
    int right = 0;
    for (double[] x : test()) {
      right += MadeData.sign(x[1], x[2]) * x[3] > 0 ? 1 : 0;
    }
    return (double) right / TEST;
  }

  /** Adds p(y = 1 | x) of each test point: clusters by their sizes and densities there. */
  private static void predict(Trace trace, Globals globals, double[][] test, double[] sums) {
    int clusters = globals.clusterCount();
    double[] alone = new double[2];
    for (int i = 0; i < TEST; i++) {
      double[] x = test[i];
      alone[0] = 0;
      alone[1] = 0;
      double most = Double.NEGATIVE_INFINITY;
      double[] logs = new double[clusters];
      for (int k = 0; k < clusters; k++) {
        double[] c = globals.value(trace.node("c"), k);
        double a = c[2] * (x[1] - c[0]) + c[3] * (x[2] - c[1]);
        double b = c[4] * (x[1] - c[0]) + c[5] * (x[2] - c[1]);
        logs[k] = Math.log(globals.sums()[k][0]) + c[6] - 0.5 * (a * a + b * b);
        most = Math.max(most, logs[k]);
      }
      for (int k = 0; k < clusters; k++) {
        double[] w = globals.value(trace.node("w"), k);
        double weight = Math.exp(logs[k] - most);
        alone[0] += weight;
        alone[1] += weight * StableMath.sigmoid(w[0] + w[1] * x[1] + w[2] * x[2]);
      }
      sums[i] += alone[1] / alone[0];
    }
    sums[TEST]++;
  }

  /**
   * Returns a picture of one state's predictions: test points by the predicted label, those that
   * are wrong, and through each large cluster its line of equal probability.
   */
  private static Chart snapshot(Trace trace, Globals globals) {
    double[][] test = test();
    double[] predicted = new double[TEST + 1];
    predict(trace, globals, test, predicted);
    Chart chart = Chart.of("JointDPM: prediction of a state, ε = 0.3").axes("x1", "x2");
    for (int label : new int[] {1, -1}) {
      List<double[]> points = new ArrayList<>();
      for (int i = 0; i < TEST; i++) {
        if ((predicted[i] - 0.5) * label > 0) {
          points.add(new double[] {test[i][1], test[i][2]});
        }
      }
      chart.dots(MadeData.curve("predicted " + label, points));
    }
    List<double[]> wrong = new ArrayList<>();
    for (int i = 0; i < TEST; i++) {
      if ((predicted[i] - 0.5) * test[i][3] <= 0) {
        wrong.add(new double[] {test[i][1], test[i][2]});
      }
    }
    chart.points(MadeData.curve("wrong", wrong));
    List<double[]> lines = new ArrayList<>();
    double all = 0;
    for (int k = 0; k < globals.clusterCount(); k++) {
      all += globals.sums()[k][0];
    }
    for (int k = 0; k < globals.clusterCount(); k++) {
      if (globals.sums()[k][0] > LARGE * all) {
        double[] c = globals.value(trace.node("c"), k);
        double[] w = globals.value(trace.node("w"), k);
        // The foot of the centre on the line, and a step along it to either side.
        double square = w[1] * w[1] + w[2] * w[2];
        double off = (w[0] + w[1] * c[0] + w[2] * c[1]) / square;
        double x = c[0] - off * w[1];
        double y = c[1] - off * w[2];
        double along = LINE / Math.sqrt(square);
        lines.add(new double[] {x - along * w[2], y + along * w[1]});
        lines.add(new double[] {x + along * w[2], y - along * w[1]});
        lines.add(new double[] {Double.NaN, Double.NaN});
      }
    }
    return chart.dashed(MadeData.curve("equal probability in a cluster", lines));
  }

  private static double accuracy(double[][] test, double[] sums, double[] before) {
    double count = sums[TEST] - before[TEST];
    int right = 0;
    for (int i = 0; i < TEST; i++) {
      right += ((sums[i] - before[i]) / count - 0.5) * test[i][3] > 0 ? 1 : 0;
    }
    return (double) right / TEST;
  }
}
