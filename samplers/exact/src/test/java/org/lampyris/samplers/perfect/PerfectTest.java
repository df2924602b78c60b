package org.lampyris.samplers.perfect;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.model.BoundException;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Checkpoint;
import org.lampyris.samplers.chain.Checkpoints;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowStates;
import org.lampyris.samplers.run.RunInputs;
import org.lampyris.samplers.run.RunProgress;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;
import org.lampyris.samplers.testdata.MemoryRun;
import org.lampyris.samplers.testdata.StoppingCheckpoints;

/** Perfect draws and the evidence against quadrature: see {@link PerfectCase}. */
class PerfectTest {
  private static final Map<String, ?> MANY = Map.of("chains", 4, "draws", 10_000);

  private static double log2(double p) {
    return Math.log(p);
  }

  /** Returns the count below which a Poisson variable of a mean falls with probability u. */
  private static double poisson(double mean, double u) {
    double p = Math.exp(-mean);
    double sum = p;
    int count = 0;
    while (u > sum && count < 1000) {
      count++;
      p *= mean / count;
      sum += p;
    }
    return count;
  }

  private static Arguments of(String name, FamilySpec family, DoubleBinaryOperator respond) {
    return Arguments.of(name, family, respond);
  }

  static Stream<Arguments> families() {
    return Stream.of(
        of(
            "logistic",
            FamilySpec.of("logistic"),
            (eta, u) -> u < 1 / (1 + Math.exp(-eta)) ? 1 : -1),
        of("probit", FamilySpec.of("probit"), (eta, u) -> u < 1 / (1 + Math.exp(-eta)) ? 1 : -1),
        of("binomial", FamilySpec.of("binomial"), (eta, u) -> 0.25 * Math.floor(5 * u)),
        of("poisson", FamilySpec.of("poisson"), (eta, u) -> poisson(Math.exp(eta), u)),
        of(
            "negative_binomial",
            FamilySpec.of("negative_binomial").with("shape", 2.0),
            (eta, u) -> poisson(Math.exp(eta), u * u)),
        of(
            "gamma",
            FamilySpec.of("gamma").with("shape", 2.0),
            (eta, u) -> -Math.exp(eta) * log2(1 - 0.999 * u)),
        of(
            "softmax",
            new FamilySpec("softmax", Map.of("reference_class", "a"), List.of("a", "b")),
            (eta, u) -> u < 1 / (1 + Math.exp(-eta)) ? 1 : 0));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("families")
  void drawsAndEvidenceAreThoseOfTheQuadrature(
      String name, FamilySpec family, DoubleBinaryOperator respond) {
    PerfectCase table = PerfectCase.of(family, 400, true, Map.of(), respond);
    RunResult result = table.drawn(MANY);
    table.assertDrawn(result);
    Map<String, Double> found = PerfectCase.figures(result, Decision.INDEPENDENT);
    assertEquals(
        PerfectCase.figure(found, "predicted_acceptance"),
        PerfectCase.figure(found, "acceptance"),
        0.1,
        found::toString);
    assertTrue(PerfectCase.figure(found, "acceptance") > 0.3, found::toString);
    assertForeseen(table, found);
    assertTrue(PerfectCase.figure(found, "outside") < 1e-4, found::toString);
  }

  /** What few rows, here all, foresee is what a run finds. */
  private static void assertForeseen(PerfectCase table, Map<String, Double> found) {
    Prediction foreseen = PerfectCost.predicted(table.run().context(MANY));
    double predicted = PerfectCase.figure(found, "predicted_acceptance");
    assertEquals(predicted, foreseen.acceptance(), 0.1, found::toString);
    double evaluations = PerfectCase.figure(found, "evaluations_per_draw");
    assertEquals(1, foreseen.evaluations() / evaluations, 0.5, found + " " + foreseen);
  }

  /**
   * A small ball, beyond which a seventh of the posterior lies: the tail's envelope and all rows
   * decide there, and its mass is part of the evidence.
   */
  @ParameterizedTest
  @ValueSource(doubles = {1.9, 2.5, 3.2})
  void whatLiesBeyondTheBallIsDrawnToo(double radius) {
    PerfectCase table = PerfectCase.logistic(150, Map.of()).inBall(radius);
    RunResult result = table.drawn(MANY);
    table.assertDrawn(result);
    Map<String, Double> found = PerfectCase.figures(result, Decision.INDEPENDENT);
    assertTrue(PerfectCase.figure(found, "evaluations_per_draw") > 2);
    assertForeseen(table, found);
    double outside =
        result.chains().stream()
            .flatMap(chain -> chain.draws().stream())
            .filter(theta -> table.run().fit().laplace().distance(theta) > radius)
            .count();
    double expected = 40_000 * Math.exp(-0.5 * radius * radius);
    assertEquals(expected, outside, 0.5 * expected);
  }

  /** Ended after each of its batches, and resumed: the same draws, figures and evidence. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void whatIsResumedIsTheSame(int chains) {
    PerfectCase table = PerfectCase.logistic(150, Map.of()).inBall(2.5);
    Map<String, Object> keys = Map.of("algorithm", "perfect", "chains", chains, "draws", 300);
    RunResult whole = run(table, keys, new Checkpoints.None());
    int ends =
        StoppingCheckpoints.endEach(
            first -> run(table, keys, first),
            first -> {
              RunResult resumed = run(table, keys, first.resumed(0));
              assertEquals(whole.decisions(), resumed.decisions());
              for (int c = 0; c < chains; c++) {
                ChainTrace one = whole.chains().get(c);
                ChainTrace other = resumed.chains().get(c);
                assertEquals(one.size(), other.size());
                for (int i = 0; i < one.size(); i++) {
                  assertArrayEquals(one.draws().get(i), other.draws().get(i), "draw " + i);
                }
                assertEquals(proposals(one), proposals(other));
              }
            });
    assertTrue(ends >= 2, ends + " ends");
  }

  /** Returns of each draw how many proposals and evaluations it took. */
  private static List<String> proposals(ChainTrace trace) {
    List<String> all = new ArrayList<>();
    for (ChainTrace.Iteration one : trace.iterationsFrom(false, 0)) {
      all.add(one.info().columns() + " " + one.info().likelihoodEvaluations());
    }
    return all;
  }

  private static RunResult run(
      PerfectCase table, Map<String, Object> keys, Checkpoints checkpoints) {
    SamplerSettings settings = MemoryRun.settings(keys);
    RunInputs.Outlets outlets =
        new RunInputs.Outlets(
            new RunProgress.Silent(), (random, key, effect, statistics, draws) -> {}, checkpoints);
    return settings
        .type()
        .orElseThrow()
        .run(table.run().context(settings, outlets), settings.own());
  }

  static Stream<Map<String, String>> priors() {
    return Stream.of(
        Map.of("x", "laplace(0, 0.1)"),
        Map.of("x", "laplace(0.3, 0.02)", "(Intercept)", "normal(-1, 0.3)"),
        Map.of("x", "half_normal(1)"),
        Map.of("(Intercept)", "uniform(-3, 3)"));
  }

  @ParameterizedTest
  @MethodSource("priors")
  void priorsNeedOnlyBeLogConcave(Map<String, String> priors) {
    PerfectCase table = PerfectCase.logistic(300, priors);
    table.assertDrawn(table.drawn(MANY));
  }

  /** Nothing is left to chance but the draws: no row is read, and the evidence is a closed form. */
  @Test
  void aNormalRegressionIsItsOwnEnvelope() {
    PerfectCase table =
        PerfectCase.of(
            FamilySpec.of("gaussian").with("sigma", "0.7"),
            200,
            false,
            Map.of("x", "normal(0.1, 0.2)"),
            (eta, u) -> eta + u - 0.5);
    RunResult result = table.drawn(MANY);
    table.assertDrawn(result);
    Map<String, Double> found = PerfectCase.figures(result, Decision.INDEPENDENT);
    assertEquals(1, PerfectCase.figure(found, "acceptance"));
    assertEquals(0, PerfectCase.figure(found, "evaluations_per_draw"));
    Map<String, Double> evidence = PerfectCase.figures(result, Decision.EVIDENCE);
    assertEquals(0, evidence.get(Decision.STANDARD_ERROR));
    double[] lower = table.run().fit().laplace().lower();
    double closed =
        table.run().logPosterior(table.run().fit().theta())
            + Math.log(2 * Math.PI * lower[0] * lower[3]);
    assertEquals(closed, PerfectCase.figure(evidence, Decision.LOG_EVIDENCE), 1e-7);
  }

  /**
   * Of two proposals at the same θ, both pass with the square of the probability of one: points are
   * fresh for each. With one set of points for both, they always agree.
   */
  @Test
  void proposalsOfABatchHavePointsOfTheirOwn() {
    PerfectCase table = PerfectCase.logistic(100, Map.of());
    PerfectBlock.Rule rule = rule(table, 5, bound -> bound);
    double[] theta = table.run().fit().theta().clone();
    theta[1] += 2.5 * table.run().fit().laplace().sd(1);
    double height = Math.pow(table.run().fit().laplace().distance(theta), 2);
    PerfectBlock.Points points = new PerfectBlock.Points(rule, new Streams(5));
    List<PerfectBlock> blocks = blocks(rule);
    int batches = 10_000;
    int passed = 0;
    int both = 0;
    for (int batch = 1; batch <= batches; batch++) {
      int[] read =
          points
              .add(
                  Place.whole(blocks),
                  List.of(
                      new PerfectBlock.Batch(
                          batch,
                          new int[2],
                          new double[][] {theta, theta},
                          new double[] {height, height})))
              .get(0);
      passed += (read[0] >= 0 ? 1 : 0) + (read[1] >= 0 ? 1 : 0);
      both += read[0] >= 0 && read[1] >= 0 ? 1 : 0;
    }
    double p = passed / (2.0 * batches);
    double excess = 0;
    for (PerfectBlock block : blocks) {
      for (int row = 0; row < block.data().rows(); row++) {
        excess += rule.excess(block, 0, row, theta, block.constant(0, row) * height);
      }
    }
    double exact = Math.exp(-excess);
    assertTrue(exact > 0.2 && exact < 0.9, exact + " is no case");
    assertEquals(exact, p, 5 * Math.sqrt(exact * (1 - exact) / (2.0 * batches)));
    double joint = exact * exact;
    double error = Math.sqrt(joint * (1 - joint) / batches);
    assertEquals(joint, (double) both / batches, 5 * error);
    assertTrue(exact - joint > 10 * error, "one set of points would not be found out");
  }

  @Test
  void placesChangeNothing() {
    PerfectCase table = PerfectCase.logistic(400, Map.of());
    PerfectBlock.Rule rule = rule(table, 6, bound -> bound);
    List<PerfectBlock> blocks = blocks(rule, 400);
    PerfectBlock.Points points = new PerfectBlock.Points(rule, new Streams(5));
    double[][] thetas = new double[100][];
    double[] heights = new double[100];
    for (int i = 0; i < 100; i++) {
      thetas[i] = table.run().fit().theta().clone();
      thetas[i][0] += 0.03 * i * table.run().fit().laplace().sd(0);
      heights[i] = Math.pow(table.run().fit().laplace().distance(thetas[i]), 2);
    }
    PerfectBlock.Batch batch = new PerfectBlock.Batch(3, new int[100], thetas, heights);
    int[] whole = points.merge(batch, points.add(Place.whole(blocks), List.of(batch)));
    List<int[]> shares = new ArrayList<>();
    for (int k = 0; k < blocks.size(); k += 3) {
      int to = Math.min(blocks.size(), k + 3);
      Place<PerfectBlock> place = new Place<>(k, to, blocks.subList(k, to));
      shares.add(points.add(place, List.of(batch)).get(0));
    }
    assertArrayEquals(whole, points.merge(batch, shares));
    assertTrue(Arrays.stream(whole).anyMatch(read -> read < 0));
  }

  /** Envelope and rows must speak of one quadratic: found by the evidence, and by the draws. */
  @Test
  void anEnvelopeOfAnotherCurvatureIsFoundOut() {
    PerfectCase table = PerfectCase.logistic(400, Map.of());
    for (double factor : new double[] {0.99, 1.01}) {
      RunResult result = drawn(table, 6, bound -> new Planted(bound, factor, 1));
      assertThrows(AssertionError.class, () -> table.assertDrawn(result), "factor " + factor);
    }
    table.assertDrawn(drawn(table, 6, bound -> new Planted(bound, 1, 1)));
  }

  @Test
  void constantsThatAreTooSmallAreFoundOut() {
    PerfectCase table = PerfectCase.logistic(400, Map.of());
    for (double factor : new double[] {0.5, 0.9}) {
      assertThrows(
          BoundException.class, () -> drawn(table, 6, bound -> new Planted(bound, 1, factor)));
    }
  }

  /** The mass of the tail, of a shell, or the share of tries: each shows in the evidence. */
  @Test
  void aMassThatTheConstantForgetsIsFoundOut() {
    PerfectCase table = PerfectCase.logistic(150, Map.of()).inBall(2.5);
    Map<String, Object> keys = new HashMap<>(MANY);
    keys.put("algorithm", "perfect");
    SamplingContext context = table.run().context(keys);
    double[] radii = {1.5, 2.5};
    List<LowerBound> bounds = PerfectRun.boundsOf(context, radii);
    PerfectBlock.Rule rule =
        new PerfectBlock.Rule(table.run().model().model(), context.laplace(), bounds);
    double[] sums = context.resident(rule).sum(rule.sumLength(), rule::addTo);
    List<CollapsedQuadratic> uppers = PerfectRun.uppers(context, sums);
    Envelope envelope =
        Envelope.of(context.laplace(), radii, uppers, table.run().model().prior()).orElseThrow();
    Envelope.Tries tries =
        envelope.tries(context.streams().stream(Streams.Purpose.THETA, 0, 0, 0), 40_000);
    RunResult result =
        PerfectRun.run(context, new PerfectAlgorithm.Settings(10_000_000), radii, bounds);
    table.assertDrawn(result);
    Map<String, Double> evidence = PerfectCase.figures(result, Decision.EVIDENCE);
    double error = PerfectCase.figure(evidence, Decision.STANDARD_ERROR);
    double off =
        Math.abs(PerfectCase.figure(evidence, Decision.LOG_EVIDENCE) - table.logEvidence());
    double tail = -Math.log1p(-Math.exp(envelope.logTailMass() - envelope.logMass()));
    double share = -Math.log(tries.share());
    assertTrue(tail - off > 5 * error, "the tail: " + tail + " ± " + error);
    assertTrue(share - off > 5 * error, "the share of tries: " + share + " ± " + error);
  }

  private static PerfectBlock.Rule rule(
      PerfectCase table, double radius, java.util.function.UnaryOperator<LowerBound> fault) {
    LowerBound bound =
        table.run().model().localBound(table.run().fit().laplace(), radius).orElseThrow();
    return new PerfectBlock.Rule(
        table.run().model().model(), table.run().fit().laplace(), List.of(fault.apply(bound)));
  }

  private static List<PerfectBlock> blocks(PerfectBlock.Rule rule) {
    return blocks(rule, 100);
  }

  private static List<PerfectBlock> blocks(PerfectBlock.Rule rule, int rows) {
    List<DataBlock> blocks =
        PerfectCase.blocks(rows, false, (eta, u) -> u < 1 / (1 + Math.exp(-eta)) ? 1 : -1);
    return blocks.stream().map(rule::resident).toList();
  }

  private static RunResult drawn(
      PerfectCase table, double radius, java.util.function.UnaryOperator<LowerBound> fault) {
    Map<String, Object> keys = new HashMap<>(Map.of("chains", 4, "draws", 25_000));
    keys.put("algorithm", "perfect");
    return PerfectRun.run(
        table.run().context(keys),
        new PerfectAlgorithm.Settings(10_000_000),
        new double[] {radius},
        rule(table, radius, fault).bounds());
  }

  @Test
  void theBallAndTheShellsChangeNoPosterior() {
    PerfectCase table = PerfectCase.logistic(400, Map.of());
    table.assertDrawn(drawn(table, 4, bound -> bound));
    table.assertDrawn(table.inBall(9).drawn(MANY));
  }

  /** Draws are numbered: how many are wanted, and by how many chains, changes none of them. */
  @Test
  void drawsAreDealtToTheChainsInTurn() {
    PerfectCase table = PerfectCase.logistic(150, Map.of());
    ChainTrace one = table.drawn(Map.of("chains", 1, "draws", 300)).chains().get(0);
    List<ChainTrace> three = table.drawn(Map.of("chains", 3, "draws", 70)).chains();
    for (int k = 0; k < 210; k++) {
      assertArrayEquals(one.draws().get(k), three.get(k % 3).draws().get(k / 3));
    }
    assertEquals(0, one.warmup().size());
  }

  @Test
  void aRunEndsWithTheDrawsOfItsProposals() {
    PerfectCase table = PerfectCase.logistic(150, Map.of());
    Map<String, ?> some =
        Map.of("draws", 500, "perfect", MemoryRun.mapping(Map.of("max_proposals", 200)));
    RunResult result = table.drawn(some);
    int draws = result.chains().get(0).size();
    assertTrue(draws > 10 && draws <= 50, draws + " draws");
    assertTrue(
        result.decisions().stream()
            .anyMatch(
                one ->
                    one.topic().equals(Decision.FOUND)
                        && one.text().contains("sampler.perfect.max_proposals: 200")),
        result.decisions().toString());
    assertEquals(64, PerfectRun.size(1));
    assertEquals(0, PerfectRun.before(1));
    long before = 0;
    for (long batch = 1; batch < 20; batch++) {
      assertEquals(before, PerfectRun.before(batch));
      assertEquals(Math.min(4096, 64L << (batch - 1)), PerfectRun.size(batch));
      before += PerfectRun.size(batch);
    }
  }

  /** Checkpoints of a run that is faster than the first is due. */
  private record NeverDue(StoppingCheckpoints kept) implements Checkpoints {
    @Override
    public boolean isKept() {
      return true;
    }

    @Override
    public boolean isDue() {
      return false;
    }

    @Override
    public Optional<Resumed> resumed() {
      return Optional.empty();
    }

    @Override
    public void keep(
        long iteration,
        Function<RowStates.Store, Checkpoint> made,
        List<ChainTrace> traces,
        List<String> beyond) {
      kept.keep(iteration, made, traces, beyond);
    }
  }

  /** More proposals make a resumed run what it would have been with them from the first. */
  @Test
  void aRunThatEndedByItsProposalsIsResumed() {
    PerfectCase table = PerfectCase.logistic(150, Map.of());
    Map<String, Object> all = Map.of("algorithm", "perfect", "chains", 2, "draws", 300);
    Map<String, Object> few = new HashMap<>(all);
    few.put("perfect", MemoryRun.mapping(Map.of("max_proposals", 200)));
    StoppingCheckpoints kept = StoppingCheckpoints.after(Integer.MAX_VALUE);
    RunResult some = run(table, few, new NeverDue(kept));
    assertTrue(some.chains().get(0).size() < 300, some.decisions()::toString);
    RunResult resumed = run(table, all, kept.resumed(Integer.MAX_VALUE));
    RunResult whole = run(table, all, new Checkpoints.None());
    assertEquals(whole.decisions(), resumed.decisions());
    for (int i = 0; i < 300; i++) {
      assertArrayEquals(
          whole.chains().get(1).draws().get(i), resumed.chains().get(1).draws().get(i));
    }
  }

  static Stream<Arguments> refused() {
    FamilySpec logistic = FamilySpec.of("logistic");
    return Stream.of(
        Arguments.of(
            logistic, 100, Map.of("x", "cauchy(0, 1)"), Map.of(), "the prior of x is cauchy"),
        Arguments.of(
            logistic,
            6,
            Map.of("x", "normal(0, 500)", "(Intercept)", "normal(0, 500)"),
            Map.of(),
            "likelihood evaluations for a draw"),
        Arguments.of(
            FamilySpec.of("gaussian").with("sigma", "exponential(1)"),
            100,
            Map.of(),
            Map.of(),
            "Set sampler.algorithm: auto, or give sigma as a number."),
        Arguments.of(
            FamilySpec.of("robust").with("df", 4.0).with("scale", 1.0),
            100,
            Map.of(),
            Map.of(),
            "concave"),
        Arguments.of(
            logistic,
            100,
            Map.of(),
            Map.of(
                "draws",
                10,
                "chains",
                1000,
                "perfect",
                MemoryRun.mapping(Map.of("max_proposals", 64))),
            "1000 chains need one each"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatItCannotDrawIsRefused(
      FamilySpec family, int rows, Map<String, String> priors, Map<String, ?> keys, String words) {
    PerfectCase table = PerfectCase.of(family, rows, false, priors, (eta, u) -> u < 0.8 ? 1 : -1);
    UserException refused = assertThrows(UserException.class, () -> table.drawn(keys));
    assertTrue(String.valueOf(refused.getMessage()).contains(words), refused.getMessage());
  }

  /** 400 rows of 21 columns: the sentence has the predicted rate. */
  @Test
  void aLowAcceptanceIsRefusedWithItsFigure() {
    UniformRandomProvider rng = new Streams(3).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    double[] x = new double[400 * 21];
    double[] y = new double[400];
    Arrays.setAll(x, i -> rng.nextDouble(-1.7, 1.7));
    Arrays.setAll(y, i -> rng.nextDouble() < 1 / (1 + Math.exp(-x[21 * i])) ? 1 : -1);
    List<String> names = IntStream.range(0, 21).mapToObj(j -> "x" + j).toList();
    MemoryRun run = new MemoryRun(List.of(new DenseBlock(0, 21, x, y, null)), names, Map.of());
    UserException refused =
        assertThrows(
            UserException.class, () -> run.inBallByDefault().run(Map.of("algorithm", "perfect")));
    String message = String.valueOf(refused.getMessage());
    assertTrue(
        message.matches(".* would accept a share of [0-9.e-]+ of its proposals,.* auto\\."),
        message);
  }

  /**
   * Savage and Dickey: the Bayes factor of a coefficient of 0 is the ratio of its posterior to its
   * prior density there. The posterior density is the mean of the exact conditional one, given the
   * intercept of draws of the larger model; within 4 standard errors.
   */
  @Test
  void theBayesFactorOfANestedModelIsARatioOfDensities() {
    PerfectCase table = PerfectCase.logistic(60, Map.of());
    Map<String, ?> keys = Map.of("algorithm", "perfect", "chains", 1, "draws", 10_000);
    RunResult large = table.run().run(keys);
    MemoryRun nested =
        new MemoryRun(
            PerfectCase.blocks(60, false, (eta, u) -> u < 1 / (1 + Math.exp(-eta)) ? 1 : -1)
                .stream()
                .<DataBlock>map(PerfectTest::interceptAlone)
                .toList(),
            List.of("(Intercept)"),
            Map.of());
    double[] densities =
        large.chains().get(0).draws().stream()
            .limit(5_000)
            .mapToDouble(theta -> atZero(table.run(), theta[0]))
            .toArray();
    double mean = Arrays.stream(densities).average().orElseThrow();
    double squares = Arrays.stream(densities).map(p -> p * p).average().orElseThrow();
    double ratio = Math.log(mean) - table.run().model().prior().factors().get(1).logDensity(0);
    Map<String, Double> ofLarge = PerfectCase.figures(large, Decision.EVIDENCE);
    Map<String, Double> ofSmall = PerfectCase.figures(nested.run(keys), Decision.EVIDENCE);
    double factor =
        PerfectCase.figure(ofSmall, Decision.LOG_EVIDENCE)
            - PerfectCase.figure(ofLarge, Decision.LOG_EVIDENCE);
    double error =
        Math.sqrt(
            Math.pow(PerfectCase.figure(ofSmall, Decision.STANDARD_ERROR), 2)
                + Math.pow(PerfectCase.figure(ofLarge, Decision.STANDARD_ERROR), 2)
                + (squares / mean / mean - 1) / densities.length);
    System.out.printf(
        "proof | Savage-Dickey | log Bayes factor %.4f, ratio %.4f, error %.4f%n",
        factor, ratio, error);
    assertEquals(ratio, factor, 4 * error);
    assertTrue(error < 0.05, "error " + error);
  }

  private static DataBlock interceptAlone(DataBlock block) {
    double[] ones = new double[block.rows()];
    Arrays.fill(ones, 1);
    return new DenseBlock(block.id(), 1, ones, block.responses(), null);
  }

  /** Returns the density of a slope of 0 given the intercept, by a trapezoid rule. */
  private static double atZero(MemoryRun run, double intercept) {
    double centre = run.fit().theta()[1];
    double step = 0.2 * run.fit().laplace().sd(1);
    double peak = run.logPosterior(new double[] {intercept, centre});
    double sum = 0;
    for (int i = -50; i <= 50; i++) {
      sum += Math.exp(run.logPosterior(new double[] {intercept, centre + i * step}) - peak);
    }
    return Math.exp(run.logPosterior(new double[] {intercept, 0}) - peak) / (sum * step);
  }

  @Test
  void anImproperPriorHasNoEvidence() {
    RunResult result = PerfectCase.logistic(150, Map.of("x", "flat")).drawn(Map.of("draws", 50));
    assertTrue(PerfectCase.figures(result, Decision.EVIDENCE).isEmpty());
    assertTrue(
        result.decisions().stream().anyMatch(one -> one.text().contains("prior of x is improper")),
        result.decisions().toString());
  }
}
