package org.lampyris.samplers.program.moves;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lampyris.samplers.program.Distributions.inverseGamma;
import static org.lampyris.samplers.program.Distributions.normal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Program;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.mixture.PaperPrograms;
import org.lampyris.samplers.program.series.ParticleGibbs;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.testdata.LogisticTable;
import org.lampyris.samplers.testdata.MemoryRun;

/**
 * Moves by local sections against the posterior written down anew: with all sections, decision for
 * decision; with few of them, within what the test promises. Seeds are fixed.
 */
class SubsampledMhTest {
  private static final Streams STREAMS = new Streams(20141);
  private static final List<DataBlock> BLOCKS = LogisticTable.blocks(20, 107, false);

  private static List<double[]> draws(
      Trace trace, List<DataBlock> blocks, Move move, int steps, String node) {
    List<double[]> draws = new ArrayList<>();
    try (ProgramRows rows = new ProgramRows(trace, ProgramTable.inMemory(blocks), STREAMS, 1)) {
      ProgramState state = rows.begin(1);
      for (int i = 0; i < steps; i++) {
        state = move.apply(state, rows);
        draws.add(state.globals().value(trace.node(node), 0));
      }
    }
    return draws;
  }

  /** Metropolis, written down anew, by the same random numbers. */
  private static List<double[]> metropolis(
      double[] start, double drift, int steps, ToDoubleFunction<double[]> logPosterior) {
    return metropolis(start, drift, 1, steps, logPosterior);
  }

  private static List<double[]> metropolis(
      double[] start, double drift, int first, int steps, ToDoubleFunction<double[]> logPosterior) {
    List<double[]> draws = new ArrayList<>();
    double[] at = start;
    for (int i = first; i < first + steps; i++) {
      UniformRandomProvider rng = STREAMS.iteration(1, i);
      Noise noise = Noise.of(rng);
      double[] to = at.clone();
      for (int j = 0; j < to.length; j++) {
        to[j] += drift * noise.normal();
      }
      double ratio = logPosterior.applyAsDouble(to) - logPosterior.applyAsDouble(at);
      if (Math.log(rng.nextDouble()) < ratio) {
        at = to;
      }
      draws.add(at);
    }
    return draws;
  }

  private static int moves(List<double[]> draws) {
    int moves = 0;
    for (int i = 1; i < draws.size(); i++) {
      moves += java.util.Arrays.equals(draws.get(i), draws.get(i - 1)) ? 0 : 1;
    }
    return moves;
  }

  private static void assertSame(List<double[]> expected, List<double[]> actual, double off) {
    assertEquals(expected.size(), actual.size());
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.get(i), actual.get(i), off, "step " + (i + 1));
    }
  }

  private static double logPosterior(double[] w, double sd) {
    double sum = 0;
    for (double x : w) {
      sum -= 0.5 * x * x / (sd * sd);
    }
    for (DataBlock block : BLOCKS) {
      for (int row = 0; row < block.rows(); row++) {
        sum -= Math.log1p(Math.exp(-block.response(row) * block.dot(row, w, 0)));
      }
    }
    return sum;
  }

  private static double[] begin(Trace trace) {
    try (ProgramRows rows = new ProgramRows(trace, ProgramTable.inMemory(BLOCKS), STREAMS, 1)) {
      return rows.begin(1).globals().value(trace.node("w"), 0);
    }
  }

  @Test
  void allSectionsDecideAsAllRowsDo() {
    Trace trace = PaperPrograms.bayesLr(LogisticTable.D, 0.7);
    List<double[]> draws =
        draws(trace, BLOCKS, SubsampledMh.exact(trace, trace.node("w"), 0.2), 2000, "w");
    List<double[]> expected = metropolis(begin(trace), 0.2, 2000, w -> logPosterior(w, 0.7));
    assertSame(expected, draws, 0);
    assertTrue(moves(draws) > 300 && moves(draws) < 1900, moves(draws) + " moves");
  }

  /** Two chains of 20,000 and a third; five sigmas each: wrongly alarmed in 4 of a million runs. */
  @Test
  void allSectionsGiveThePosteriorOfTheAlgorithms() {
    Trace trace = PaperPrograms.bayesLr(LogisticTable.D, 0.7);
    List<double[]> draws =
        draws(trace, BLOCKS, SubsampledMh.exact(trace, trace.node("w"), 0.3), 40_000, "w")
            .subList(1000, 40_000);
    MemoryRun run =
        new MemoryRun(
            BLOCKS,
            List.of("(intercept)", "a", "b"),
            java.util.Map.of(
                "(intercept)", "normal(0, 0.7)", "a", "normal(0, 0.7)", "b", "normal(0, 0.7)"));
    double[] mode = run.fit().theta();
    // Importance weights from the mode's normal approximation would be as good; a grid is plainer.
    double[] mean = new double[3];
    double[] square = new double[3];
    double sum = 0;
    int nodes = 29;
    for (int i = 0; i < nodes * nodes * nodes; i++) {
      int[] index = {i % nodes, i / nodes % nodes, i / nodes / nodes};
      double[] w = new double[3];
      for (int j = 0; j < 3; j++) {
        w[j] = mode[j] + 1.6 * (2.0 * index[j] / (nodes - 1) - 1);
      }
      double p = Math.exp(logPosterior(w, 0.7) - logPosterior(mode, 0.7));
      sum += p;
      for (int j = 0; j < 3; j++) {
        mean[j] += p * w[j];
        square[j] += p * w[j] * w[j];
      }
    }
    for (int j = 0; j < 3; j++) {
      int at = j;
      double[][] one = {draws.stream().mapToDouble(w -> w[at]).toArray()};
      double[][] two = {draws.stream().mapToDouble(w -> w[at] * w[at]).toArray()};
      assertEquals(mean[j] / sum, mean(one[0]), 5 * Diagnostics.mcseMean(one));
      assertEquals(square[j] / sum, mean(two[0]), 5 * Diagnostics.mcseMean(two));
    }
  }

  private static double mean(double[] values) {
    return java.util.Arrays.stream(values).average().orElseThrow();
  }

  /**
   * A path to the border, a random sibling outside of the rows, and a deterministic node that needs
   * another one: the sum of the sections and the global section are the whole ratio.
   */
  @Test
  void globalAndLocalSectionsMakeUpTheRatio() {
    Program program = new Program();
    Node a = program.global("a", inverseGamma(3, 1));
    Node b = program.let("b", x -> Math.sqrt(x.of(a)));
    Node s = program.global("s", normal(b, x -> 0.5));
    program.perRow(
        row -> {
          Node m = row.let("m", x -> x.of(s) * x.feature(1));
          Node r = row.let("r", x -> (x.feature(2) - x.of(m)) / x.of(b));
          row.observe("y", normal(r, b), x -> x.response());
        });
    Trace trace = program.trace();
    assertEquals("b", trace.scaffold(a).border().name());
    List<double[]> draws = draws(trace, BLOCKS, SubsampledMh.exact(trace, a, 0.15), 600, "a");
    double fixed;
    double start;
    try (ProgramRows rows = new ProgramRows(trace, ProgramTable.inMemory(BLOCKS), STREAMS, 1)) {
      fixed = rows.begin(1).globals().value(s, 0)[0];
      start = rows.begin(1).globals().value(a, 0)[0];
    }
    List<double[]> expected =
        metropolis(
            new double[] {start},
            0.15,
            600,
            v -> {
              double sd = Math.sqrt(v[0]);
              double sum = v[0] > 0 ? -4 * Math.log(v[0]) - 1 / v[0] : Double.NEGATIVE_INFINITY;
              sum -= 2 * (fixed - sd) * (fixed - sd);
              for (DataBlock block : BLOCKS) {
                for (int n = 0; n < block.rows(); n++) {
                  double mean = (block.feature(n, 2) - fixed * block.feature(n, 1)) / sd;
                  double z = (block.response(n) - mean) / sd;
                  sum -= 0.5 * z * z + Math.log(sd);
                }
              }
              return sum;
            });
    assertSame(expected, draws, 0);
    assertTrue(moves(draws) > 50, moves(draws) + " moves");
  }

  /**
   * Of series of three, two and many: transitions one by one, and those of a series together. All
   * of them are looked at unless the proposal is below 0.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 40})
  void sectionsOfRowsDecideAsSectionsAlone(int series) {
    double[] x = Noise.of(STREAMS.iteration(9, 1)).normals(3 * series);
    List<DataBlock> blocks = List.of(new DenseBlock(0, 3, x, new double[series], null));
    Trace trace = PaperPrograms.volatility(3);
    Node variance = trace.node("sigma2");
    SubsampledMh move = SubsampledMh.exact(trace, variance, 0.01);
    assertEquals(3, move.scaffold().sections().size());
    try (ProgramRows rows = new ProgramRows(trace, ProgramTable.inMemory(blocks), STREAMS, 1)) {
      ProgramState state = new ParticleGibbs(trace, 5).apply(rows.begin(1), rows);
      double phi = state.globals().value(trace.node("phi"), 0)[0];
      double[] h = rows.latents().get(0)[0];
      int[] possible = {0};
      List<double[]> expected =
          metropolis(
              state.globals().value(variance, 0),
              0.01,
              2,
              400,
              v -> {
                if (v[0] <= 0) {
                  return Double.NEGATIVE_INFINITY;
                }
                double sum = -6 * Math.log(v[0]) - 0.05 / v[0];
                for (int i = 0; i < h.length; i++) {
                  double off = h[i] - (i % 3 == 0 ? 0 : phi * h[i - 1]);
                  sum -= 0.5 * (Math.log(v[0]) + off * off / v[0]);
                }
                possible[0]++;
                return sum;
              });
      List<double[]> draws = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        state = move.apply(state, rows);
        draws.add(state.globals().value(variance, 0));
      }
      assertSame(expected, draws, 0);
      assertTrue(moves(draws) > 50, moves(draws) + " moves");
      // The posterior is asked for twice a step, and the sections once.
      assertEquals(3L * series * (possible[0] - 400), state.counts().sections());
    }
  }

  /** Stale nodes that were not computed again, or not in time, would show at once. */
  @Test
  void lazyIsEagerToTheBit() {
    Trace trace = PaperPrograms.bayesLr(LogisticTable.D, 0.7);
    SubsampledMh lazy = SubsampledMh.sequential(trace, trace.node("w"), 0.2, 10, 0.05);
    List<double[]> draws = draws(trace, BLOCKS, lazy, 3000, "w");
    assertSame(draws(trace, BLOCKS, lazy.eager(), 3000, "w"), draws, 0);
    assertTrue(moves(draws) > 300, moves(draws) + " moves");
    SubsampledMh exact = SubsampledMh.exact(trace, trace.node("w"), 0.2);
    assertSame(
        draws(trace, BLOCKS, exact.eager(), 500, "w"), draws(trace, BLOCKS, exact, 500, "w"), 0);
  }

  /** What a move leaves stale is brought up to date by the next move, of another node too. */
  @Test
  void aNodeIsStaleByWhateverItFollowsFrom() {
    Program program = new Program();
    Node a = program.global("a", normal(0, x -> 1));
    Node b = program.global("b", normal(0, x -> 1));
    program.perRow(
        row -> {
          Node m = row.let("m", x -> x.of(a) + x.of(b) * x.feature(1));
          Node twice = row.let("twice", x -> 2 * x.of(m));
          row.observe("y", normal(twice, x -> 2), x -> x.response());
        });
    Trace trace = program.trace();
    SubsampledMh one = SubsampledMh.sequential(trace, a, 0.2, 20, 0.1);
    SubsampledMh two = SubsampledMh.sequential(trace, b, 0.2, 20, 0.1);
    List<double[]> lazy = draws(trace, BLOCKS, Move.cycle(one, two), 800, "a");
    assertSame(draws(trace, BLOCKS, Move.cycle(one.eager(), two.eager()), 800, "a"), lazy, 0);
    assertTrue(moves(lazy) > 100, moves(lazy) + " moves");
  }

  @Test
  void fewSectionsAreLookedAtAndTheMeanIsNear() {
    Trace trace = PaperPrograms.bayesLr(LogisticTable.D, 0.7);
    List<DataBlock> many = LogisticTable.blocks(500, 10_000, false);
    SubsampledMh move = SubsampledMh.sequential(trace, trace.node("w"), 0.05, 100, 0.02);
    SubsampledMh exact = SubsampledMh.exact(trace, trace.node("w"), 0.05);
    long[] looked = new long[2];
    double[][] means = new double[2][];
    for (int k = 0; k < 2; k++) {
      try (ProgramRows rows = new ProgramRows(trace, ProgramTable.inMemory(many), STREAMS, 1)) {
        ProgramState state = rows.begin(1);
        double[] sum = new double[3];
        for (int i = 0; i < 1500; i++) {
          state = (k == 0 ? move : exact).apply(state, rows);
          for (int j = 0; j < 3 && i >= 500; j++) {
            sum[j] += state.globals().value(trace.node("w"), 0)[j] / 1000;
          }
        }
        looked[k] = state.counts().sections();
        means[k] = sum;
      }
    }
    assertEquals(1500L * 10_000, looked[1]);
    assertTrue(looked[0] < 0.5 * looked[1], looked[0] + " of " + looked[1]);
    // The posterior's sds are about 0.022; both chains have some 60 effective draws.
    assertArrayEquals(means[1], means[0], 0.015);
  }

  @Test
  void aVectorThatDoesNotFitTheRowsIsRefused() {
    Trace trace = PaperPrograms.bayesLr(2, 1);
    UserException refused =
        assertThrows(
            UserException.class,
            () -> draws(trace, BLOCKS, SubsampledMh.exact(trace, trace.node("w"), 1), 1, "w"));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("w has 2 elements and a row has 3 columns"));
    assertThrows(UserException.class, () -> SubsampledMh.exact(trace, trace.node("w"), 0));
  }
}
