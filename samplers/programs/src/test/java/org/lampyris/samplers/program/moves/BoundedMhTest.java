package org.lampyris.samplers.program.moves;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lampyris.samplers.program.Distributions.bernoulli;
import static org.lampyris.samplers.program.Distributions.inverseGamma;
import static org.lampyris.samplers.program.Distributions.normal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.GammaDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.model.BoundException;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.mhss.RowDecision;
import org.lampyris.samplers.program.Density;
import org.lampyris.samplers.program.Distributions;
import org.lampyris.samplers.program.Given;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.PredictorDensity;
import org.lampyris.samplers.program.Program;
import org.lampyris.samplers.program.Term;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.mixture.NormalInverseWishart;
import org.lampyris.samplers.program.mixture.PaperPrograms;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.testdata.LogisticTable;

/**
 * Moves by bounded sections against a posterior that is enumerated, against moves by all sections,
 * and what they refuse. Seeds are fixed.
 */
class BoundedMhTest {
  private static final Streams STREAMS = new Streams(20241);
  private static final double[] X = {2.5, -1, 1.5, 3, 2};
  private static final double[] Y = {1, 1, -1, 1, 1};

  /** Share of visits below which a node's standard error is not known. */
  private static final double RARE = 1e-3;

  /** The lattice of w, a ring. */
  private static final double LOW = -0.6;

  private static final double STEP = 0.3;
  private static final int NODES = 11;

  /** Alarms wrongly at one of 11 nodes once in a hundred thousand runs. */
  private static final double SIGMAS = 5;

  private static List<DataBlock> fiveRows() {
    return List.of(new DenseBlock(0, 1, X, Y, null));
  }

  /** One to either side on a ring. */
  private record Ring() implements ProposalKernel {
    @Override
    public double[] propose(double[] theta, Noise noise) {
      long node = Math.round((theta[0] - LOW) / STEP) + (noise.flip(0.5) ? 1 : -1);
      return new double[] {LOW + STEP * Math.floorMod(node, NODES)};
    }

    @Override
    public double correction(double[] theta, double[] proposal) {
      return 0;
    }

    @Override
    public double stepSize() {
      return 1;
    }

    @Override
    public Ring withStepSize(double size) {
      return this;
    }

    @Override
    public double targetAcceptance() {
      return 0.5;
    }
  }

  private static double[] ring(RowDecision test, int steps) {
    return ring(
        PaperPrograms.bayesLr(1, 1.5),
        fiveRows(),
        (eta, y) -> -Math.log1p(Math.exp(-y * eta)),
        test,
        steps);
  }

  /**
   * Returns by how many standard errors the worst frequency is off, and sections a step.
   *
   * @param trace whose w has the prior N(0, 1.5²)
   */
  private static double[] ring(
      Trace trace, List<DataBlock> blocks, DoubleBinaryOperator logL, RowDecision test, int steps) {
    Node w = trace.node("w");
    DataBlock block = blocks.get(0);
    double[][] at = new double[NODES][steps];
    double sections;
    try (ProgramRows rows = new ProgramRows(trace, ProgramTable.inMemory(blocks), STREAMS, 1);
        BoundedMh move = new BoundedMh(rows, w, laplace -> new Ring(), test)) {
      ProgramState state = rows.begin(1);
      state = state.with(trace.with(state.globals(), w, 0, new double[] {LOW + 3 * STEP}));
      for (int i = 0; i < steps; i++) {
        state = move.apply(state, rows);
        at[(int) Math.round((state.globals().value(w, 0)[0] - LOW) / STEP)][i] = 1;
      }
      sections = (double) state.counts().sections() / steps;
    }
    double[] expected = new double[NODES];
    for (int k = 0; k < NODES; k++) {
      double v = LOW + STEP * k;
      double log = -v * v / 4.5;
      for (int n = 0; n < block.rows(); n++) {
        log += logL.applyAsDouble(block.feature(n, 0) * v, block.response(n));
      }
      expected[k] = Math.exp(log);
    }
    double total = Arrays.stream(expected).sum();
    double worst = 0;
    for (int k = 0; k < NODES; k++) {
      double[][] one = {at[k]};
      double share = Arrays.stream(at[k]).average().orElseThrow();
      double off = share - expected[k] / total;
      if (expected[k] < RARE * total) {
        assertTrue(share < 10 * RARE, "node " + k + ": " + share);
        continue; // too few visits for a standard error
      }
      worst = Math.max(worst, Math.abs(off) / Diagnostics.mcseMean(one));
    }
    return new double[] {worst, sections};
  }

  @Test
  void theFrequenciesAreThoseOfTheEnumeratedPosterior() {
    for (boolean proxiesFirst : new boolean[] {true, false}) {
      double[] found = ring(new RowDecision.Scalable(proxiesFirst), 60_000);
      assertTrue(found[0] < SIGMAS, found[0] + " standard errors");
      assertTrue(found[1] > 0.02 && found[1] < 2, found[1] + " of 5 sections a step");
    }
  }

  private static double studentT(double z, double df) {
    return -0.5 * (df + 1) * Math.log1p(z * z / df);
  }

  /** Densities of families, written a second time. */
  static Stream<Arguments> families() {
    double[] real = {1.3, -1.4, 0.5, 2.5, 1.2};
    double[] count = {2, 0, 1, 3, 1};
    double[] positive = {2, 0.4, 1.1, 3, 1.2};
    return Stream.of(
        Arguments.of(
            FamilySpec.of("robust").with("df", 4.0).with("scale", 0.7),
            real,
            (DoubleBinaryOperator) (eta, y) -> studentT((y - eta) / 0.7, 4)),
        Arguments.of(
            FamilySpec.of("gaussian").with("sigma", 0.8),
            real,
            (DoubleBinaryOperator) (eta, y) -> -0.5 * (y - eta) * (y - eta) / 0.64),
        Arguments.of(
            FamilySpec.of("poisson"),
            count,
            (DoubleBinaryOperator) (eta, y) -> y * eta - Math.exp(eta)),
        Arguments.of(
            FamilySpec.of("gamma").with("shape", 2.0),
            positive,
            (DoubleBinaryOperator) (eta, y) -> -2 * (eta + y * Math.exp(-eta))),
        Arguments.of(
            FamilySpec.of("cloglog"),
            Y,
            (DoubleBinaryOperator)
                (eta, y) -> y > 0 ? Math.log(-Math.expm1(-Math.exp(eta))) : -Math.exp(eta)));
  }

  private static Trace ofFamily(FamilySpec spec, double sd) {
    Program program = new Program();
    Node w = program.global("w", normal(1, 0, sd));
    program.perRow(row -> row.observe("y", Distributions.family(spec, w.dot()), v -> v.response()));
    return program.trace();
  }

  private static List<DataBlock> narrow(double[] y) {
    return List.of(new DenseBlock(0, 1, new double[] {1, -0.4, 0.6, 1.2, 0.8}, y, null));
  }

  /** Bounds that are given, derived from a formula, or of a ball alone; 0 for a normal density. */
  @ParameterizedTest
  @MethodSource("families")
  void everyFamilyWithABoundHasTheEnumeratedPosterior(
      FamilySpec spec, double[] y, DoubleBinaryOperator logL) {
    double[] found =
        ring(ofFamily(spec, 1.5), narrow(y), logL, new RowDecision.Scalable(true), 40_000);
    assertTrue(found[0] < SIGMAS, found[0] + " standard errors");
    assertTrue(found[1] < 5, found[1] + " of 5 sections a step");
  }

  /** A chain that begins beyond the ball comes in by the decisions of the exact test. */
  @Test
  void beyondTheBallAllRowsDecide() {
    Trace trace = ofFamily(FamilySpec.of("poisson"), 4);
    Node w = trace.node("w");
    List<DataBlock> blocks = narrow(new double[] {2, 0, 1, 3, 1});
    double[][] first = new double[2][];
    for (int k = 0; k < 2; k++) {
      try (ProgramRows rows = new ProgramRows(trace, ProgramTable.inMemory(blocks), STREAMS, 1)) {
        Move move = k == 0 ? BoundedMh.drift(rows, w, 0.3) : SubsampledMh.exact(trace, w, 0.3);
        ProgramState state = rows.begin(1);
        state = state.with(trace.with(state.globals(), w, 0, new double[] {5}));
        double[] path = new double[80];
        for (int i = 0; i < path.length; i++) {
          state = move.apply(state, rows);
          path[i] = state.globals().value(w, 0)[0];
        }
        first[k] = path;
      }
    }
    int outside = 0;
    while (first[1][outside] > 3.2) {
      assertEquals(first[1][outside], first[0][outside], 1e-12);
      outside++;
    }
    assertTrue(outside > 2, outside + " steps beyond the ball");
    assertTrue(first[0][79] < 3, "it comes in: " + first[0][79]);
  }

  @Test
  void familiesThatSampleParametersAreNoDensities() {
    UserException refused =
        assertThrows(UserException.class, () -> ofFamily(FamilySpec.of("robust"), 1));
    assertTrue(String.valueOf(refused.getMessage()).contains("samples parameters of its own"));
    UserException drawn =
        assertThrows(
            UserException.class,
            () ->
                new Program().global("n", Distributions.family(FamilySpec.of("poisson"), v -> 0)));
    assertTrue(
        String.valueOf(drawn.getMessage()).contains("families are for observe"),
        drawn.getMessage());
  }

  @Test
  void aCorrectionThatIsDroppedIsFoundOut() {
    RowDecision dropped =
        new RowDecision() {
          @Override
          public Factor begin() {
            return new Factor() {
              @Override
              public boolean point(double relative, double u) {
                return true;
              }

              @Override
              public double log() {
                return 0;
              }
            };
          }

          @Override
          public boolean proxiesFirst() {
            return true;
          }
        };
    double[] found = ring(dropped, 60_000);
    assertTrue(found[0] > 2 * SIGMAS, found[0] + " standard errors");
  }

  /** A density whose derivatives are said to be a tenth of what they are. */
  private record TooLow(Density of, Term predictor) implements PredictorDensity {
    private static final class Low implements Likelihood {
      private final Likelihood right = new LogisticLikelihood();

      @Override
      public double logLikelihood(double eta, double y) {
        return right.logLikelihood(eta, y);
      }

      @Override
      public double derivative(double eta, double y) {
        return right.derivative(eta, y);
      }

      @Override
      public double secondDerivative(double eta, double y) {
        return right.secondDerivative(eta, y);
      }

      @Override
      public double derivativeBound(int order, double y, double low, double high) {
        return 0.1 * right.derivativeBound(order, y, low, high);
      }
    }

    @Override
    public Likelihood likelihood() {
      return new Low();
    }

    @Override
    public boolean bounds(double value) {
      return true;
    }

    @Override
    public List<Term> parameters() {
      return of.parameters();
    }

    @Override
    public double logDensity(Given given, double[] x, int at) {
      return of.logDensity(given, x, at);
    }

    @Override
    public void sample(Given given, UniformRandomProvider rng, double[] out, int at) {
      of.sample(given, rng, out, at);
    }
  }

  @Test
  void aBoundThatIsTooLowIsFoundOut() {
    Program program = new Program();
    Node w = program.global("w", normal(1, 0, 1.5));
    program.perRow(
        row -> row.observe("y", new TooLow(bernoulli(w.dot()), w.dot()), v -> v.response()));
    BoundException found =
        assertThrows(
            BoundException.class,
            () -> draws(program.trace(), fiveRows(), rows -> BoundedMh.drift(rows, w, 1), 200));
    assertTrue(String.valueOf(found.getMessage()).contains("block 0"), found.getMessage());
  }

  private static List<double[]> draws(
      Trace trace, List<DataBlock> blocks, Function<ProgramRows, Move> how, int steps) {
    List<double[]> draws = new ArrayList<>();
    try (ProgramRows rows = new ProgramRows(trace, ProgramTable.inMemory(blocks), STREAMS, 1)) {
      Move move = how.apply(rows);
      ProgramState state = rows.begin(1);
      for (int i = 0; i < steps; i++) {
        state = move.apply(state, rows);
        draws.add(state.globals().value(trace.node("w"), 0));
      }
      draws.add(new double[] {state.counts().sections()});
    }
    return draws;
  }

  /** So many points are to be expected of long steps that all rows are looked at instead. */
  @Test
  void whereAllRowsDecideTheDecisionsAreThoseOfTheExactTest() {
    Trace trace = PaperPrograms.bayesLr(LogisticTable.D, 5);
    List<DataBlock> few = LogisticTable.blocks(3, 7, false);
    Node w = trace.node("w");
    List<double[]> bounded = draws(trace, few, rows -> BoundedMh.drift(rows, w, 6), 400);
    List<double[]> exact = draws(trace, few, rows -> SubsampledMh.exact(trace, w, 6), 400);
    int moves = 0;
    for (int i = 0; i < 400; i++) {
      assertArrayEquals(exact.get(i), bounded.get(i), 1e-12, "step " + (i + 1));
      moves += i > 0 && !Arrays.equals(exact.get(i), exact.get(i - 1)) ? 1 : 0;
    }
    assertTrue(moves > 3, moves + " moves");
  }

  /** The prior's variance is a node that moves as well. */
  @Test
  void theMomentsAreThoseOfMovesByAllSections() {
    Program program = new Program();
    Node variance = program.global("variance", inverseGamma(3, 1));
    Node sd = program.let("sd", v -> Math.sqrt(v.of(variance)));
    Node w = program.global("w", normal(0, sd));
    program.perRow(
        row -> {
          Node eta = row.let("eta", w.dot());
          row.observe("y", bernoulli(eta), v -> v.response());
        });
    Trace trace = program.trace();
    DataBlock block =
        new DenseBlock(
            0,
            1,
            new double[] {2.5, -1, 1.5, 3, 2, 0.5, -2, 1, 1, -0.3},
            new double[] {1, 1, -1, 1, 1, -1, -1, 1, -1, 1},
            null);
    Move prior =
        (from, rows) -> {
          // The variance given w, by its own inverse gamma distribution.
          Globals globals = from.globals();
          double at = globals.value(w, 0)[0];
          double drawn =
              (1 + 0.5 * at * at)
                  / GammaDistribution.of(3.5, 1)
                      .createSampler(
                          rows.streams().stream(Streams.Purpose.LEVELS, 1, from.step(), 0))
                      .sample();
          return from.with(rows.trace().with(globals, variance, 0, new double[] {drawn}));
        };
    List<double[]> bounded =
        draws(
            trace,
            List.of(block),
            rows -> Move.cycle(BoundedMh.drift(rows, w, 0.4), prior),
            60_000);
    List<double[]> exact =
        draws(
            trace,
            List.of(block),
            rows -> Move.cycle(SubsampledMh.exact(trace, w, 0.4), prior),
            60_000);
    double sections = bounded.remove(60_000)[0];
    exact.remove(60_000);
    assertTrue(sections < 0.5 * 10 * 60_000, sections + " sections");
    for (int power = 1; power <= 2; power++) {
      int p = power;
      double[][] a = {bounded.stream().mapToDouble(v -> Math.pow(v[0], p)).toArray()};
      double[][] b = {exact.stream().mapToDouble(v -> Math.pow(v[0], p)).toArray()};
      double off =
          Arrays.stream(a[0]).average().orElseThrow() - Arrays.stream(b[0]).average().orElseThrow();
      double error = Math.hypot(Diagnostics.mcseMean(a), Diagnostics.mcseMean(b));
      assertTrue(Math.abs(off) < SIGMAS * error, off + " ± " + error);
    }
  }

  /** Ten times as many rows, with steps as short as the posterior is narrow. */
  @Test
  void theSectionsOfAStepDoNotGrowWithTheRows() {
    Trace trace = PaperPrograms.bayesLr(LogisticTable.D, 0.7);
    double[] sections = new double[2];
    for (int k = 0; k < 2; k++) {
      int size = k == 0 ? 2000 : 20_000;
      List<double[]> draws =
          draws(
              trace,
              LogisticTable.blocks(500, size, false),
              rows -> {
                BoundedMh move = BoundedMh.crankNicolson(rows, trace.node("w"), 0.9);
                // The first step is to the mode: on the way from the prior there are many points.
                return (from, of) ->
                    move.apply(
                        from.step() > 0
                            ? from
                            : from.with(
                                trace.with(from.globals(), trace.node("w"), 0, move.mode())),
                        of);
              },
              4000);
      sections[k] = draws.get(4000)[0] / 4000;
    }
    assertTrue(sections[1] < sections[0] && sections[0] < 20, Arrays.toString(sections));
  }

  private static String refusal(Trace trace, String node, List<DataBlock> blocks) {
    UserException refused =
        assertThrows(
            UserException.class,
            () -> draws(trace, blocks, rows -> BoundedMh.drift(rows, trace.node(node), 1), 1));
    return String.valueOf(refused.getMessage());
  }

  private static Trace program(Function<Node, Density> how) {
    Program program = new Program();
    Node w = program.global("w", normal(LogisticTable.D, 0, 1));
    program.perRow(row -> row.observe("y", how.apply(w), v -> v.response()));
    return program.trace();
  }

  @Test
  void whatHasNoBoundIsRefusedWithTheNodeThatPreventsIt() {
    List<DataBlock> blocks = LogisticTable.blocks(20, 107, false);
    String code = refusal(program(w -> bernoulli(v -> v.dot(w))), "w", blocks);
    assertTrue(code.contains("a parent of y is computed by code"), code);
    String density = refusal(program(w -> normal(w.dot(), v -> 1)), "w", blocks);
    assertTrue(density.contains("the derivatives of y's density have no known bound"), density);
    NormalInverseWishart base =
        new NormalInverseWishart(new double[2], 1, 4, new double[] {1, 0, 0, 1});
    String cluster = refusal(PaperPrograms.jointDpm(base, 1), "w", blocks);
    assertTrue(cluster.contains("rows of a cluster change with z"), cluster);
    String series = refusal(PaperPrograms.volatility(3), "phi", blocks);
    assertTrue(series.contains("h[3] depends on it as well as h[1]"), series);
    String border = refusal(PaperPrograms.volatility(3), "sigma2", blocks);
    assertTrue(border.contains("rows read sigma and not sigma2 itself"), border);
    Trace plain = PaperPrograms.bayesLr(LogisticTable.D, 1);
    String weights = refusal(plain, "w", LogisticTable.blocks(20, 107, true));
    assertTrue(weights.contains("weights or offsets"), weights);
    Program other = new Program();
    Node w = other.global("w", normal(LogisticTable.D, 0, 1));
    other.perRow(row -> row.observe("y", bernoulli(w.dot()), v -> -v.response()));
    String data = refusal(other.trace(), "w", blocks);
    assertTrue(data.contains("in row 0 of block 0"), data);
  }
}
