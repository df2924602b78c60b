package org.lampyris.experiments.programs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.driver.report.Chart;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.mixture.PaperPrograms;
import org.lampyris.samplers.program.moves.BoundedMh;
import org.lampyris.samplers.program.moves.ProgramRows;
import org.lampyris.samplers.program.moves.ProgramState;
import org.lampyris.samplers.program.moves.ProgramTable;
import org.lampyris.samplers.program.moves.SubsampledMh;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;

/**
 * Rows and time of a step of BayesLR by the size of the table: 300 proposals from the same w, m =
 * 100, ε = 0.01, a drift of 0.1. The theory is the Gaussian random walk of the test's statistics,
 * followed along 200 paths for each of some of these proposals, with μ and σ from at most 100,000
 * rows. Steps by bounds come from a chain, with Crank–Nicolson proposals of β = 0.9.
 *
 * <p>Source: Chen, Mansinghka and Ghahramani (2014), section 4.1.1 and Figure 5; Korattikara, Chen
 * and Welling (2014), section 5.1.
 */
record Scaling(int largest) implements Figure {
  /** Rows of the first picture. */
  private static final int SHOWN = 1000;

  private static final int PROPOSALS = 300;

  /** Steps by bounds: some windows of points. */
  private static final int BOUNDED = 10_000;

  private static final int FOLLOWED = 30;
  private static final int PATHS = 200;
  private static final int BATCH = 100;
  private static final double EPSILON = 0.01;
  private static final double DRIFT = 0.1;
  private static final long SEED = 5;
  private static final double[] W = {2, 2};

  /** Result for a size. */
  private record Row(
      long rows,
      double looked,
      double theory,
      double micros,
      double exactMicros,
      double bounded,
      double boundedMicros) {}

  @Override
  public Map<String, String> files() {
    List<Row> rows = new ArrayList<>();
    for (int power = 3; power <= largest; power++) {
      rows.add(row(Math.round(Math.pow(10, power))));
    }
    StringBuilder csv =
        new StringBuilder("rows,looked,theory,micros,exact_micros,bounded,bounded_micros\n");
    StringBuilder table =
        new StringBuilder(
            "# BayesLR: rows and time of a step\n\n| rows | looked at | by the random walk | µs |"
                + " all rows, µs | by bounds | µs |\n|--:|--:|--:|--:|--:|--:|--:|\n");
    for (Row r : rows) {
      csv.append(
          Text.of(
              "%d,%s,%s,%s,%s,%s,%s\n",
              r.rows, r.looked, r.theory, r.micros, r.exactMicros, r.bounded, r.boundedMicros));
      table.append(
          Text.of(
              "| %,d | %,.0f | %,.0f | %,.0f | %,.0f | %,.2f | %,.1f |\n",
              r.rows, r.looked, r.theory, r.micros, r.exactMicros, r.bounded, r.boundedMicros));
    }
    double[] n = rows.stream().mapToDouble(Row::rows).toArray();
    return Map.of(
        "table.md",
        table.toString(),
        "figure5.csv",
        csv.toString(),
        "figure5a.svg",
        MadeData.classes("Rows of two features", MadeData.twoFeatures(SEED, SHOWN), 0).file(),
        "figure5b.svg",
        Chart.of("BayesLR: local sections of a step")
            .axes("rows", "looked at")
            .logX()
            .logY()
            .line("measured", n, rows.stream().mapToDouble(Row::looked).toArray())
            .line("random walk", n, rows.stream().mapToDouble(Row::theory).toArray())
            .line("bounds", n, rows.stream().mapToDouble(Row::bounded).toArray())
            .line("all rows", n, n)
            .file(),
        "figure5c.svg",
        Chart.of("BayesLR: time of a step")
            .axes("rows", "microseconds")
            .logX()
            .logY()
            .line("sequential", n, rows.stream().mapToDouble(Row::micros).toArray())
            .line("bounds", n, rows.stream().mapToDouble(Row::boundedMicros).toArray())
            .line("exact", n, rows.stream().mapToDouble(Row::exactMicros).toArray())
            .file());
  }

  private static Row row(long size) {
    Trace trace = PaperPrograms.bayesLr(2, 1);
    List<DataBlock> blocks = MadeData.twoFeatures(SEED, size);
    Streams streams = new Streams(SEED);
    SubsampledMh move = SubsampledMh.sequential(trace, trace.node("w"), DRIFT, BATCH, EPSILON);
    SubsampledMh exact = SubsampledMh.exact(trace, trace.node("w"), DRIFT);
    try (ProgramRows rows = new ProgramRows(trace, ProgramTable.inMemory(blocks), streams, 1)) {
      ProgramState begun = rows.begin(1);
      Globals at = trace.with(begun.globals(), trace.node("w"), 0, W);
      ProgramState state = steps(begun.with(at), move, rows, PROPOSALS);
      long before = state.counts().sections();
      long begin = System.nanoTime();
      state = steps(state, move, rows, PROPOSALS);
      double micros = 1e6 * Figure.since(begin) / PROPOSALS;
      double looked = (double) (state.counts().sections() - before) / PROPOSALS;
      int few = size > 1_000_000 ? 2 : 10;
      begin = System.nanoTime();
      state = steps(state, exact, rows, few);
      double exactMicros = 1e6 * Figure.since(begin) / few;
      double[] bounded = bounded(state, trace, rows);
      return new Row(
          size, looked, theory(blocks, streams, size), micros, exactMicros, bounded[0], bounded[1]);
    }
  }

  /** Returns the sections and the time of a step by bounds, in a chain that begins at the mode. */
  private static double[] bounded(ProgramState from, Trace trace, ProgramRows rows) {
    double beta = 0.9;
    try (BoundedMh move = BoundedMh.crankNicolson(rows, trace.node("w"), beta)) {
      ProgramState state = from.with(trace.with(from.globals(), trace.node("w"), 0, move.mode()));
      state = move.times(BOUNDED).apply(state, rows);
      long before = state.counts().sections();
      long begin = System.nanoTime();
      state = move.times(BOUNDED).apply(state, rows);
      return new double[] {
        (double) (state.counts().sections() - before) / BOUNDED, 1e6 * Figure.since(begin) / BOUNDED
      };
    }
  }

  /** Makes steps that all start at the same values. */
  private static ProgramState steps(
      ProgramState from, SubsampledMh move, ProgramRows rows, int count) {
    Globals at = from.globals();
    ProgramState state = from;
    for (int i = 0; i < count; i++) {
      state = move.apply(state, rows).with(at);
    }
    return state;
  }

  private static double theory(List<DataBlock> blocks, Streams streams, long size) {
    UniformRandomProvider walk = streams.stream(Streams.Purpose.INITIAL, 2, 0, 0);
    double sum = 0;
    for (int p = 1; p <= FOLLOWED; p++) {
      Noise noise = Noise.of(streams.iteration(1, PROPOSALS + p));
      double[] to = W.clone();
      for (int j = 0; j < to.length; j++) {
        to[j] += DRIFT * noise.normal();
      }
      double rest = 0.5 * (square(W) - square(to));
      double[] moments = moments(blocks, to);
      for (int path = 0; path < PATHS; path++) {
        double threshold = (Math.log(walk.nextDouble()) - rest) / size;
        sum += looked((moments[0] - threshold) * Math.sqrt(size - 1.0) / moments[1], size, walk);
      }
    }
    return sum / FOLLOWED / PATHS;
  }

  private static double square(double[] v) {
    return Arrays.stream(v).map(x -> x * x).sum();
  }

  /** Returns the mean and the sd of l_i. */
  private static double[] moments(List<DataBlock> blocks, double[] to) {
    long count = 0;
    double sum = 0;
    double squares = 0;
    for (DataBlock block : blocks.subList(0, Math.min(blocks.size(), 25))) {
      for (int row = 0; row < block.rows(); row++) {
        double y = block.response(row);
        double l =
            StableMath.logSigmoid(y * block.dot(row, to, 0))
                - StableMath.logSigmoid(y * block.dot(row, W, 0));
        count++;
        sum += l;
        squares += l * l;
      }
    }
    double mean = sum / count;
    return new double[] {mean, Math.sqrt(squares / count - mean * mean)};
  }

  /** Follows the statistics of one test: Brownian motion with drift in r = n/(N − n). */
  private static double looked(double standardized, long size, UniformRandomProvider rng) {
    Noise noise = Noise.of(rng);
    double boundary = NormalDistribution.of(0, 1).inverseSurvivalProbability(EPSILON);
    double y = 0;
    double r = 0;
    for (long n = BATCH; n < size; n += BATCH) {
      double next = (double) n / (size - n);
      y += standardized * (next - r) + Math.sqrt(next - r) * noise.normal();
      r = next;
      if (Math.abs(y) > boundary * Math.sqrt(r)) {
        return n;
      }
    }
    return size;
  }
}
