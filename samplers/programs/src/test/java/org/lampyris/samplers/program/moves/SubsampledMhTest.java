package org.lampyris.samplers.program.moves;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lampyris.samplers.program.Distributions.inverseGamma;
import static org.lampyris.samplers.program.Distributions.normal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Program;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.mixture.NormalInverseWishart;
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

  /** A program, its rows, and the moves of its latent values. */
  private record Model(
      Trace trace, List<DataBlock> blocks, Move latents, Map<String, Double> drifts) {
    static Model of(String name) {
      double[] x = Noise.of(STREAMS.iteration(9, 2)).normals(3 * 300);
      List<DataBlock> series =
          List.of(
              new DenseBlock(0, 3, Arrays.copyOf(x, 480), new double[160], null),
              new DenseBlock(1, 3, Arrays.copyOfRange(x, 480, 900), new double[140], null));
      return switch (name) {
        case "regression" ->
            new Model(PaperPrograms.bayesLr(3, 0.7), BLOCKS, Move.none(), Map.of("w", 0.2));
        case "volatility" -> of(PaperPrograms.volatility(3), series);
        case "one series" -> of(PaperPrograms.volatility(3), List.of(one(x)));
        default -> of(PaperPrograms.volatilityByInnovations(3), series);
      };
    }

    private static DataBlock one(double[] x) {
      return new DenseBlock(0, 3, Arrays.copyOf(x, 6), new double[2], null);
    }

    private static Model of(Trace trace, List<DataBlock> blocks) {
      Move latents = new ParticleGibbs(trace, 3, 1 + blocks.get(0).rows() / 8);
      return new Model(trace, blocks, latents, new TreeMap<>(Map.of("phi", 0.1, "sigma2", 0.01)));
    }

    ProgramRows rows() {
      return new ProgramRows(trace, ProgramTable.inMemory(blocks), STREAMS, 1);
    }

    /** All moves; with proxies about a state if there is one. */
    Move moves(long batch, double epsilon, @Nullable ProgramState about) {
      List<Move> moves = new ArrayList<>(List.of(latents));
      drifts.forEach(
          (name, drift) -> {
            SubsampledMh move =
                SubsampledMh.sequential(trace, trace.node(name), drift, batch, epsilon);
            moves.add(about == null ? move : move.about(trace, about.globals()));
          });
      return Move.cycle(moves.toArray(new Move[0]));
    }

    ProgramState burntIn(ProgramRows rows) {
      ProgramState state = rows.begin(1);
      Move move = moves(1, 0, null);
      for (int i = 0; i < 600; i++) {
        state = move.apply(state, rows);
      }
      return state;
    }
  }

  /**
   * With all sections the decision is the same by proxies, whatever becomes of latent values: sums
   * and what is subtracted are the same polynomials. A sum of the time before the last change would
   * decide otherwise.
   */
  @ParameterizedTest
  @ValueSource(strings = {"regression", "volatility", "innovations", "one series"})
  void proxiesDecideAsAllSectionsDo(String name) {
    Model model = Model.of(name);
    List<List<double[]>> chains = new ArrayList<>();
    for (boolean proxies : new boolean[] {false, true}) {
      List<double[]> draws = new ArrayList<>();
      try (ProgramRows rows = model.rows()) {
        ProgramState state = model.burntIn(rows);
        Move move = model.moves(1, 0, proxies ? state : null);
        for (int i = 0; i < 900; i++) {
          state = move.apply(state, rows);
          draws.add(state.globals().values());
        }
        assertTrue(state.counts().sections() > 0);
      }
      chains.add(draws);
    }
    assertSame(chains.get(0), chains.get(1), 0);
    assertTrue(moves(chains.get(1)) > 100, moves(chains.get(1)) + " moves");
  }

  /**
   * The mean of what the test looks at, and the sum beside it, make up the mean of l_i. So all
   * sections decide by the same margin, to rounding. In two of the programs, what is looked at
   * varies far less.
   */
  @ParameterizedTest
  @ValueSource(strings = {"regression", "volatility", "innovations", "one series"})
  void proxiesLeaveTheMeanAndTakeTheVariance(String name) {
    Model model = Model.of(name);
    try (ProgramRows rows = model.rows()) {
      ProgramState state = model.burntIn(rows);
      Globals center = state.globals();
      double[] spread = new double[2];
      int compared = 0;
      for (int i = 0; i < 100; i++) {
        state = model.latents.apply(state, rows);
        for (Map.Entry<String, Double> drift : model.drifts.entrySet()) {
          SubsampledMh without =
              SubsampledMh.exact(model.trace, model.trace.node(drift.getKey()), drift.getValue());
          SubsampledMh with = without.about(model.trace, center);
          SubsampledMh.Proposed proposed = without.propose(state, rows);
          if (proposed != null) {
            SubsampledMh.Looks plain = without.new Looks(state, rows, proposed);
            plain.at(plain.count());
            SubsampledMh.Looks by = with.new Looks(plain.state(), rows, proposed);
            by.at(by.count());
            double margin = plain.seen().sum() - plain.count() * plain.threshold();
            assertEquals(margin, by.seen().sum() - by.count() * by.threshold(), 1e-9);
            spread[0] += plain.seen().variance(false);
            spread[1] += by.seen().variance(false);
            state = by.state();
            compared++;
          }
          state = without.apply(state, rows);
        }
      }
      assertTrue(compared > 60, compared + " proposals");
      // Transitions of h are no quadratic of a variance as uncertain as it is here.
      double most = Map.of("regression", 0.01, "innovations", 0.2).getOrDefault(name, 100.0);
      assertTrue(spread[1] < most * spread[0], spread[1] + " of " + spread[0]);
    }
  }

  /** Latent values of series change all the time. The two chains use the same numbers. */
  @ParameterizedTest
  @ValueSource(strings = {"regression", "innovations"})
  void proxiesNeedFewSections(String name) {
    Model model = Model.of(name);
    long[] looked = new long[2];
    for (int k = 0; k < 2; k++) {
      try (ProgramRows rows = model.rows()) {
        ProgramState state = model.burntIn(rows);
        long before = state.counts().sections();
        Move move = model.moves(20, 0.01, k == 1 ? state : null);
        for (int i = 0; i < 900; i++) {
          state = move.apply(state, rows);
        }
        looked[k] = state.counts().sections() - before;
      }
    }
    assertTrue(looked[1] < 0.5 * looked[0], looked[1] + " of " + looked[0]);
  }

  @Test
  void proxiesOfClustersAreRefused() {
    Trace trace =
        PaperPrograms.jointDpm(new NormalInverseWishart(new double[1], 1, 3, new double[] {1}), 1);
    SubsampledMh move = SubsampledMh.exact(trace, trace.node("w"), 0.1);
    UserException refused =
        assertThrows(UserException.class, () -> move.about(trace, trace.globals()));
    assertTrue(
        String.valueOf(refused.getMessage())
            .contains("w has no proxies, because rows depend on w"));
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
