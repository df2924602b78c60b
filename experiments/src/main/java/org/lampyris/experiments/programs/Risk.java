package org.lampyris.experiments.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.driver.report.Chart;
import org.lampyris.experiments.study.NumberFile;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.mixture.PaperPrograms;
import org.lampyris.samplers.program.moves.BoundedMh;
import org.lampyris.samplers.program.moves.Move;
import org.lampyris.samplers.program.moves.ProgramRows;
import org.lampyris.samplers.program.moves.ProgramState;
import org.lampyris.samplers.program.moves.ProgramTable;
import org.lampyris.samplers.program.moves.SubsampledMh;
import org.lampyris.samplers.random.Streams;

/**
 * Risk of the predictive mean of MNIST 7 against 9, or of generated rows, by the time of BayesLR:
 * the mean over test rows of the squared difference between the running mean of p(y = 1 | x, w) and
 * the truth. Chains start at the mode. The time of predictions is not counted, nor a move's set-up,
 * which the table reports.
 *
 * <p>Source: Chen, Mansinghka and Ghahramani (2014), section 4.1 and Figure 4.
 *
 * @param blocks the rows
 * @param test the test rows' features
 * @param truth p(y = 1 | x) of each test row
 * @param mode where chains begin
 * @param drift of w's elements
 * @param seconds of a chain
 */
record Risk(
    List<DataBlock> blocks,
    double[][] test,
    double[] truth,
    double[] mode,
    double drift,
    double seconds)
    implements Figure {
  /** Kind of move of w: its name, and its constructor. */
  private record Way(String name, Moves moves) {}

  private interface Moves {
    Move of(ProgramRows rows, Node w, double drift);
  }

  private static Way sequential(double epsilon) {
    return new Way(
        epsilon == 0 ? "all rows" : "ε = " + epsilon,
        (rows, w, drift) -> SubsampledMh.sequential(rows.trace(), w, drift, BATCH, epsilon));
  }

  private static final double BETA = 0.3;
  private static final int CHAINS = 2;
  private static final int BATCH = 100;
  private static final double DRIFT = 0.01;

  /** The drift of made rows, times the root of their number: about half are accepted. */
  private static final double MADE_DRIFT = 3;

  private static final int TEST = 1000;
  private static final int TRUTH_STEPS = 100_000;
  private static final int BLOCK_ROWS = 1024;
  private static final int EVERY = 10;
  private static final double GROWTH = 1.25;

  private static final List<Way> WAYS =
      List.of(
          sequential(0),
          sequential(0.01),
          sequential(0.05),
          sequential(0.1),
          new Way("by bounds", BoundedMh::drift),
          new Way("by bounds, pCN", (rows, w, drift) -> BoundedMh.crankNicolson(rows, w, BETA)));

  static Risk read(String folder, double seconds) throws IOException {
    double[][] truth = NumberFile.read(folder + "/mnist79_test_predictive.csv").rows();
    return new Risk(
        blocks(NumberFile.read(folder + "/mnist79_train.csv.gz")),
        Arrays.stream(NumberFile.read(folder + "/mnist79_test.csv.gz").rows())
            .map(row -> withIntercept(Arrays.copyOfRange(row, 1, row.length)))
            .toArray(double[][]::new),
        Arrays.stream(truth).mapToDouble(row -> row[1]).toArray(),
        mode(Path.of(folder, "mnist79_reference.csv")),
        DRIFT,
        seconds);
  }

  /**
   * Takes generated rows with two features; the truth comes from a chain of 100,000 nearly
   * independent steps by bounds, with another seed.
   */
  static Risk made(long rows, double seconds) {
    List<DataBlock> blocks = MadeData.twoFeatures(5, rows);
    double[][] test = MadeData.rows(MadeData.twoFeatures(55, TEST));
    Trace trace = trace(2);
    Node w = trace.node("w");
    double[] sums = new double[TEST];
    try (ProgramRows all =
            new ProgramRows(trace, ProgramTable.inMemory(blocks), new Streams(44), 1);
        BoundedMh move = BoundedMh.crankNicolson(all, w, 0.9)) {
      ProgramState state = all.begin(1);
      state = state.with(trace.with(state.globals(), w, 0, move.mode()));
      for (int i = 0; i < TRUTH_STEPS; i++) {
        state = move.apply(state, all);
        predict(test, state.globals().value(w, 0), sums);
      }
      return new Risk(
          blocks,
          test,
          Arrays.stream(sums).map(sum -> sum / TRUTH_STEPS).toArray(),
          move.mode(),
          MADE_DRIFT / Math.sqrt((double) rows),
          seconds);
    }
  }

  private static Trace trace(int columns) {
    return PaperPrograms.bayesLr(columns, Math.sqrt(0.1));
  }

  private static double[] withIntercept(double[] features) {
    double[] x = Arrays.copyOf(features, features.length + 1);
    x[features.length] = 1;
    return x;
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
    StringBuilder csv = new StringBuilder("test,seconds,risk\n");
    StringBuilder table =
        new StringBuilder(
            Text.of(
                "# BayesLR: risk of the predictive mean, %.0f s a chain\n\n"
                    + "| test | set-up, s | steps | sections of a step | accepted | risk at the end"
                    + " |\n"
                    + "|---|--:|--:|--:|--:|--:|\n",
                seconds));
    for (Way way : WAYS) {
      Curve curve = curve(way);
      chart.line(way.name, curve.seconds, curve.risk);
      for (int i = 0; i < curve.risk.length; i++) {
        csv.append(Text.of("\"%s\",%s,%s\n", way.name, curve.seconds[i], curve.risk[i]));
      }
      table.append(
          Text.of(
              "| %s | %.2f | %,.0f | %,.0f | %.2f | %.2e |\n",
              way.name,
              curve.setUp,
              curve.steps,
              curve.sections,
              curve.accepted,
              curve.risk[curve.risk.length - 1]));
    }
    return Map.of(
        "table.md", table.toString(), "figure4.csv", csv.toString(), "figure4.svg", chart.file());
  }

  private record Curve(
      double[] seconds,
      double[] risk,
      double setUp,
      double steps,
      double sections,
      double accepted) {}

  private static List<DataBlock> blocks(NumberFile train) {
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

  private Curve curve(Way way) {
    Trace trace = trace(mode.length);
    int points = (int) Math.floor(Math.log(seconds / 0.05) / Math.log(GROWTH)) + 1;
    double[] times = new double[points];
    Arrays.setAll(times, i -> seconds * Math.pow(GROWTH, i + 1.0 - points));
    double[] risk = new double[points];
    double[] totals = new double[4];
    for (int chain = 1; chain <= CHAINS; chain++) {
      try (ProgramRows rows =
          new ProgramRows(trace, ProgramTable.inMemory(blocks), new Streams(4), CHAINS)) {
        ProgramState state = rows.begin(chain);
        long making = System.nanoTime();
        Move move = way.moves.of(rows, trace.node("w"), drift);
        totals[3] += Figure.since(making) / CHAINS;
        state = state.with(trace.with(state.globals(), trace.node("w"), 0, mode));
        double[] sums = new double[test.length];
        long predicted = 0;
        double spent = 0;
        for (int point = 0; point < points; ) {
          long begun = System.nanoTime();
          for (int i = 0; i < EVERY; i++) {
            state = move.apply(state, rows);
          }
          spent += Figure.since(begun);
          predicted++;
          predict(test, state.globals().value(trace.node("w"), 0), sums);
          while (point < points && spent >= times[point]) {
            risk[point++] += risk(sums, predicted) / CHAINS;
          }
        }
        totals[0] += (double) state.step() / CHAINS;
        totals[1] += (double) state.counts().sections() / state.step() / CHAINS;
        totals[2] += (double) state.counts().accepted() / state.step() / CHAINS;
      }
    }
    return new Curve(times, risk, totals[3], totals[0], totals[1], totals[2]);
  }

  private static void predict(double[][] test, double[] w, double[] sums) {
    for (int i = 0; i < test.length; i++) {
      double eta = 0;
      for (int j = 0; j < w.length; j++) {
        eta += w[j] * test[i][j];
      }
      sums[i] += StableMath.sigmoid(eta);
    }
  }

  private double risk(double[] sums, long count) {
    double squares = 0;
    for (int i = 0; i < sums.length; i++) {
      double off = sums[i] / count - truth[i];
      squares += off * off;
    }
    return squares / sums.length;
  }
}
