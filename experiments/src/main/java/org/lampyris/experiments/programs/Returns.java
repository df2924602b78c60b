package org.lampyris.experiments.programs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.mixture.PaperPrograms;
import org.lampyris.samplers.program.moves.Move;
import org.lampyris.samplers.program.moves.ProgramRows;
import org.lampyris.samplers.program.moves.ProgramState;
import org.lampyris.samplers.program.moves.ProgramTable;
import org.lampyris.samplers.program.moves.SubsampledMh;
import org.lampyris.samplers.program.series.ParticleGibbs;
import org.lampyris.samplers.random.Streams;

/**
 * Stochastic volatility of daily returns, one long series: log returns less their mean, over their
 * standard deviation.
 *
 * @param x the returns
 * @param seconds of a chain
 */
record Returns(double[] x, double seconds) implements Figure {
  private static final int PARTICLES = 20;
  private static final int BATCH = 100;
  private static final double EPSILON = 0.01;
  private static final double WARMUP = 0.2;

  static Returns read(String folder, double seconds) throws IOException {
    List<Double> closes = new ArrayList<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(
                    Files.newInputStream(Path.of(folder, "sp500_daily_2000_2020.csv.gz"))),
                StandardCharsets.UTF_8))) {
      in.readLine();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        closes.add(Double.valueOf(line.split(",", -1)[1]));
      }
    }
    double[] x = new double[closes.size() - 1];
    Arrays.setAll(x, t -> Math.log(closes.get(t + 1) / closes.get(t)));
    double mean = Arrays.stream(x).average().orElseThrow();
    double square = Arrays.stream(x).map(r -> (r - mean) * (r - mean)).average().orElseThrow();
    Arrays.setAll(x, t -> (x[t] - mean) / Math.sqrt(square));
    return new Returns(x, seconds);
  }

  @Override
  public Map<String, String> files() {
    Trace trace = PaperPrograms.volatility(x.length);
    List<DataBlock> data = List.of(new DenseBlock(0, x.length, x, new double[1], null));
    StringBuilder csv = new StringBuilder("epsilon,phi,sigma2\n");
    StringBuilder table =
        new StringBuilder(
            Text.of(
                "# Daily returns of the S&P 500, %,d days, %.0f s a chain\n\n| ε | steps | sections"
                    + " of a test | φ | its sd | σ | its sd | effective draws of φ, σ² |\n"
                    + "|--:|--:|--:|--:|--:|--:|--:|--:|\n",
                x.length, seconds));
    for (double epsilon : new double[] {0, EPSILON}) {
      Move parameters =
          Move.cycle(
              SubsampledMh.sequential(trace, trace.node("phi"), 0.006, BATCH, epsilon),
              SubsampledMh.sequential(trace, trace.node("sigma2"), 0.002, BATCH, epsilon));
      Move move = Move.cycle(new ParticleGibbs(trace, PARTICLES), parameters.times(3));
      List<double[]> draws = new ArrayList<>();
      try (ProgramRows rows =
          new ProgramRows(trace, ProgramTable.inMemory(data), new Streams(12), 1)) {
        ProgramState state = rows.begin(1);
        long begun = System.nanoTime();
        while (Figure.since(begun) < seconds) {
          state = move.apply(state, rows);
          draws.add(
              new double[] {
                state.globals().value(trace.node("phi"), 0)[0],
                state.globals().value(trace.node("sigma2"), 0)[0]
              });
        }
        List<double[]> kept = draws.subList((int) (WARMUP * draws.size()), draws.size());
        kept.forEach(d -> csv.append(Text.of("%s,%s,%s\n", epsilon, d[0], d[1])));
        double[][] phi = {kept.stream().mapToDouble(d -> d[0]).toArray()};
        double[][] variance = {kept.stream().mapToDouble(d -> d[1]).toArray()};
        double[] sigma = Arrays.stream(variance[0]).map(Math::sqrt).toArray();
        table.append(
            Text.of(
                "| %s | %,d | %,.0f | %.4f | %.4f | %.3f | %.3f | %,.0f, %,.0f |\n",
                epsilon,
                draws.size(),
                (double) state.counts().sections() / state.counts().tests(),
                mean(phi[0]),
                sd(phi[0]),
                mean(sigma),
                sd(sigma),
                Diagnostics.essMean(phi),
                Diagnostics.essMean(variance)));
      }
    }
    return Map.of("table.md", table.toString(), "sp500.csv", csv.toString());
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private static double sd(double[] values) {
    double mean = mean(values);
    return Math.sqrt(
        Arrays.stream(values).map(v -> (v - mean) * (v - mean)).average().orElseThrow());
  }
}
