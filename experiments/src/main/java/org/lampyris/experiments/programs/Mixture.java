package org.lampyris.experiments.programs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.driver.chart.Chart;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.mixture.DirichletMixture;
import org.lampyris.samplers.program.mixture.NormalInverseWishart;
import org.lampyris.samplers.program.paper.PaperPrograms;
import org.lampyris.samplers.program.run.Move;
import org.lampyris.samplers.program.run.ProgramRows;
import org.lampyris.samplers.program.run.ProgramState;
import org.lampyris.samplers.program.run.ProgramTable;
import org.lampyris.samplers.program.run.SubsampledMh;
import org.lampyris.samplers.random.Streams;

/**
 * Accuracy on 1000 test points of the mean prediction over the later half of JointDPM's chain so
 * far, by time. A step tests weights as often as there are clusters, about, and then draws so many
 * labels that both take about as long, as in the paper: of a cluster's rows where tests look at all
 * of them, else as many as these tests look at, or a quarter of a cluster's rows where that is
 * more, as a step has costs of its own. All chains begin with labels at random among eight.
 *
 * <p>Source: Chen, Mansinghka and Ghahramani (2014), section 4.2 and Figure 6d.
 *
 * @param seconds of a chain
 */
record Mixture(long rows, double seconds) implements Figure {
  private static final double[] EPSILONS = {0, 0.1, 0.3};
  private static final int TEST = 1000;
  private static final int BEGIN = 8;

  /** How many clusters are usual, and how many tests of weights come between draws of labels. */
  private static final int USUAL = 6;

  private static final int BATCH = 100;

  /** Of many rows, subsampled chains draw this part of the labels that exact ones do, in a step. */
  private static final int SHARE = 4;

  private static final double DRIFT = 0.5;
  private static final double SD = 4;

  /** The records' times grow by this, so that three of them make twice. */
  private static final double GROWTH = Math.cbrt(2);

  private record Curve(
      double epsilon, double[] seconds, double[] accuracy, ProgramState end, long labels) {
    /** Returns when the accuracy was first there, and at all records after; the end if never. */
    double when(double wanted) {
      int k = accuracy.length;
      while (k > 0 && accuracy[k - 1] >= wanted) {
        k--;
      }
      return k == accuracy.length ? Double.POSITIVE_INFINITY : seconds[k];
    }
  }

  @Override
  public Map<String, String> files() {
    List<DataBlock> data = MadeData.clusters(6, rows);
    List<Curve> curves = new ArrayList<>();
    for (double epsilon : EPSILONS) {
      curves.add(curve(data, epsilon));
    }
    double last = curves.get(0).accuracy[curves.get(0).accuracy.length - 1];
    StringBuilder csv = new StringBuilder("epsilon,seconds,accuracy\n");
    StringBuilder table =
        new StringBuilder(
            Text.of(
                "# JointDPM: %,d rows, %.0f s a chain\n\nThe best possible accuracy is %.3f.\n\n"
                    + "| ε | labels of a step | steps | sections of a test | clusters | accuracy |"
                    + " %.3f after, s | %.3f after, s |\n|--:|--:|--:|--:|--:|--:|--:|--:|\n",
                rows, seconds, best(), last - 0.02, last - 0.005));
    for (Curve c : curves) {
      for (int i = 0; i < c.seconds.length; i++) {
        csv.append(Text.of("%s,%s,%s\n", c.epsilon, c.seconds[i], c.accuracy[i]));
      }
      ProgramState.Counts counts = c.end.counts();
      table.append(
          Text.of(
              "| %s | %,d | %,d | %,.0f | %d | %.3f | %.2f | %.2f |\n",
              c.epsilon,
              c.labels,
              c.end.step(),
              (double) counts.sections() / counts.tests(),
              c.end.globals().clusterCount(),
              c.accuracy[c.accuracy.length - 1],
              c.when(last - 0.02),
              c.when(last - 0.005)));
    }
    Chart chart =
        Chart.of("JointDPM: accuracy of the mean prediction").axes("seconds", "accuracy").logX();
    curves.forEach(
        c -> chart.line(c.epsilon == 0 ? "exact" : "epsilon " + c.epsilon, c.seconds, c.accuracy));
    return Map.of(
        "table.md", table.toString(), "figure6d.csv", csv.toString(), "figure6d.svg", chart.file());
  }

  private Curve curve(List<DataBlock> data, double epsilon) {
    NormalInverseWishart base =
        new NormalInverseWishart(new double[2], 0.05, 5, new double[] {1.5, 0, 0, 1.5});
    Trace trace = PaperPrograms.jointDpm(base, SD);
    long few = Math.max((long) USUAL * BATCH, rows / USUAL / SHARE);
    long labels = Math.max(20, epsilon == 0 ? rows / USUAL : few);
    DirichletMixture mixture = new DirichletMixture(trace, labels);
    Move move =
        Move.cycle(
            mixture,
            SubsampledMh.sequential(trace, trace.node("w"), DRIFT, BATCH, epsilon).times(USUAL));
    int points = (int) Math.floor(Math.log(seconds / 0.02) / Math.log(GROWTH)) + 1;
    double[] times = new double[points];
    Arrays.setAll(times, i -> seconds * Math.pow(GROWTH, i + 1.0 - points));
    double[] accuracy = new double[points];
    double[][] sums = new double[points][];
    double[][] test = test();
    double[] running = new double[TEST + 1];
    try (ProgramRows all =
        new ProgramRows(trace, ProgramTable.inMemory(data), new Streams(61), 1, BEGIN)) {
      ProgramState state = mixture.begin(all, 1);
      double spent = 0;
      double predicted = 0;
      for (int point = 0; point < points; ) {
        long begun = System.nanoTime();
        state = move.apply(state, all);
        spent += Figure.since(begun);
        if (spent > 1.02 * predicted || spent >= times[point]) {
          predicted = spent;
          predict(trace, state.globals(), test, running);
        }
        while (point < points && spent >= times[point]) {
          sums[point] = running.clone();
          double[] before = point < 3 ? new double[TEST + 1] : sums[point - 3];
          accuracy[point] = accuracy(test, sums[point], before);
          point++;
        }
      }
      return new Curve(epsilon, times, accuracy, state, labels);
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

  private static double accuracy(double[][] test, double[] sums, double[] before) {
    double count = sums[TEST] - before[TEST];
    int right = 0;
    for (int i = 0; i < TEST; i++) {
      right += ((sums[i] - before[i]) / count - 0.5) * test[i][3] > 0 ? 1 : 0;
    }
    return (double) right / TEST;
  }
}
