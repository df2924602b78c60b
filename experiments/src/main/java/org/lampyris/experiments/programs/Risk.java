package org.lampyris.experiments.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.block.DenseBlock;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.driver.chart.Chart;
import org.lampyris.experiments.risk.NumberFile;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.paper.PaperPrograms;
import org.lampyris.samplers.program.run.ProgramRows;
import org.lampyris.samplers.program.run.ProgramState;
import org.lampyris.samplers.program.run.ProgramTable;
import org.lampyris.samplers.program.run.SubsampledMh;
import org.lampyris.samplers.random.Streams;

/**
 * The risk of the predictive mean of MNIST 7 against 9 by the time that BayesLR takes: the mean
 * over test rows of the squared difference of the running mean of p(y = 1 | x, w) from the truth.
 * Chains begin at the mode; what the predictions take is not counted.
 *
 * <p>Source: Chen, Mansinghka and Ghahramani (2014), section 4.1 and Figure 4.
 *
 * @param seconds of a chain
 */
record Risk(NumberFile train, NumberFile test, NumberFile truth, double[] mode, double seconds)
    implements Figure {
  private static final double[] EPSILONS = {0, 0.01, 0.05, 0.1};
  private static final int CHAINS = 2;
  private static final int BATCH = 100;
  private static final double DRIFT = 0.01;
  private static final int BLOCK_ROWS = 1024;
  private static final int EVERY = 10;
  private static final double GROWTH = 1.25;

  static Risk read(String folder, double seconds) throws IOException {
    return new Risk(
        NumberFile.read(folder + "/mnist79_train.csv.gz"),
        NumberFile.read(folder + "/mnist79_test.csv.gz"),
        NumberFile.read(folder + "/mnist79_test_predictive.csv"),
        mode(Path.of(folder, "mnist79_reference.csv")),
        seconds);
  }

  /** Reads the last column. */
  private static double[] mode(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .skip(1)
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(',') + 1)))
        .toArray();
  }

  @Override
  public Map<String, String> files() {
    Chart chart = Chart.of("Risk of the predictive mean").axes("seconds", "risk").logX().logY();
    StringBuilder csv = new StringBuilder("epsilon,seconds,risk\n");
    StringBuilder table =
        new StringBuilder(
            Text.of(
                "# BayesLR: risk of the predictive mean, %.0f s a chain\n\n| ε | steps | sections of"
                    + " a step | accepted | risk at the end |\n|--:|--:|--:|--:|--:|\n",
                seconds));
    for (double epsilon : EPSILONS) {
      Curve curve = curve(epsilon);
      chart.line(epsilon == 0 ? "exact" : "epsilon " + epsilon, curve.seconds, curve.risk);
      for (int i = 0; i < curve.risk.length; i++) {
        csv.append(Text.of("%s,%s,%s\n", epsilon, curve.seconds[i], curve.risk[i]));
      }
      table.append(
          Text.of(
              "| %s | %,.0f | %,.0f | %.2f | %.2e |\n",
              epsilon,
              curve.steps,
              curve.sections,
              curve.accepted,
              curve.risk[curve.risk.length - 1]));
    }
    return Map.of(
        "table.md", table.toString(), "figure4.csv", csv.toString(), "figure4.svg", chart.file());
  }

  private record Curve(
      double[] seconds, double[] risk, double steps, double sections, double accepted) {}

  private List<DataBlock> blocks() {
    List<DataBlock> blocks = new ArrayList<>();
    double[][] rows = train.rows();
    int d = train.header().size();
    for (int first = 0; first < rows.length; first += BLOCK_ROWS) {
      int count = Math.min(BLOCK_ROWS, rows.length - first);
      double[] x = new double[count * d];
      double[] y = new double[count];
      for (int i = 0; i < count; i++) {
        y[i] = rows[first + i][0] > 0.5 ? 1 : -1;
        System.arraycopy(rows[first + i], 1, x, i * d, d - 1);
        x[i * d + d - 1] = 1;
      }
      blocks.add(new DenseBlock(first / BLOCK_ROWS, d, x, y, null));
    }
    return blocks;
  }

  private Curve curve(double epsilon) {
    int d = train.header().size();
    Trace trace = PaperPrograms.bayesLr(d, Math.sqrt(0.1));
    SubsampledMh move = SubsampledMh.sequential(trace, trace.node("w"), DRIFT, BATCH, epsilon);
    int points = (int) Math.floor(Math.log(seconds / 0.05) / Math.log(GROWTH)) + 1;
    double[] times = new double[points];
    Arrays.setAll(times, i -> seconds * Math.pow(GROWTH, i + 1.0 - points));
    double[] risk = new double[points];
    double[] totals = new double[3];
    for (int chain = 1; chain <= CHAINS; chain++) {
      try (ProgramRows rows =
          new ProgramRows(trace, ProgramTable.inMemory(blocks()), new Streams(4), CHAINS)) {
        ProgramState state = rows.begin(chain);
        state = state.with(trace.with(state.globals(), trace.node("w"), 0, mode));
        double[] sums = new double[test.rows().length];
        long predicted = 0;
        double spent = 0;
        for (int point = 0; point < points; ) {
          long begun = System.nanoTime();
          for (int i = 0; i < EVERY; i++) {
            state = move.apply(state, rows);
          }
          spent += Figure.since(begun);
          predicted++;
          predict(state.globals().value(trace.node("w"), 0), sums);
          while (point < points && spent >= times[point]) {
            risk[point++] += risk(sums, predicted) / CHAINS;
          }
        }
        totals[0] += (double) state.step() / CHAINS;
        totals[1] += (double) state.counts().sections() / state.step() / CHAINS;
        totals[2] += (double) state.counts().accepted() / state.step() / CHAINS;
      }
    }
    return new Curve(times, risk, totals[0], totals[1], totals[2]);
  }

  private void predict(double[] w, double[] sums) {
    double[][] rows = test.rows();
    for (int i = 0; i < rows.length; i++) {
      double eta = w[w.length - 1];
      for (int j = 0; j + 1 < w.length; j++) {
        eta += w[j] * rows[i][j + 1];
      }
      sums[i] += StableMath.sigmoid(eta);
    }
  }

  private double risk(double[] sums, long count) {
    double squares = 0;
    for (int i = 0; i < sums.length; i++) {
      double off = sums[i] / count - truth.rows()[i][1];
      squares += off * off;
    }
    return squares / sums.length;
  }
}
