package org.lampyris.samplers.sgld;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.GaussianFamily;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Mala;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.minibatch.BatchGradient;
import org.lampyris.samplers.minibatch.BatchRows;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.minibatch.StudentDecision;
import org.lampyris.samplers.minibatch.TrialKernel;
import org.lampyris.samplers.random.Streams;

/**
 * On a normal posterior of one coefficient, where the distribution of the draws is known: the mean
 * is the posterior's, and the variance too large by the step and the gradient's noise.
 */
class LangevinTest {
  private static final int ROWS = 40;
  private static final double[] X = new double[ROWS];
  private static final double[] Y = new double[ROWS];

  static {
    for (int i = 0; i < ROWS; i++) {
      X[i] = 0.5 + 0.05 * i;
      Y[i] = 0.7 * X[i] + Math.sin(7 * i);
    }
  }

  private static final DataBlock BLOCK = new DenseBlock(0, 1, X, Y, null);
  private static final LinearModel MODEL =
      new LinearModel(new GaussianFamily.GaussianLikelihood(1), 1);
  private static final ProductPrior PRIOR =
      ProductPrior.shared(new UnivariatePrior.Normal(0, 2), 1);
  private static final double PRECISION = Arrays.stream(X).map(x -> x * x).sum() + 1.0 / (2 * 2);
  private static final double MODE =
      IntStream.range(0, ROWS).mapToDouble(i -> X[i] * Y[i]).sum() / PRECISION;

  private static LangevinAlgorithm.Settings plain(
      long batch, boolean controlled, double step, double decay, double delay) {
    return settings(batch, controlled, step, decay, delay, "LANGEVIN", 1);
  }

  private static LangevinAlgorithm.Settings settings(
      long batch,
      boolean controlled,
      double step,
      double decay,
      double delay,
      String dynamics,
      double friction) {
    return new LangevinAlgorithm.Settings(
        batch,
        controlled,
        step,
        decay,
        delay,
        LangevinAlgorithm.Settings.Corrector.NONE,
        0,
        LangevinAlgorithm.Settings.Dynamics.valueOf(dynamics),
        friction);
  }

  /** Batches in another order in each iteration. */
  private static BatchRows rows() {
    return BatchRows.of(
        ROWS,
        (iteration, low, high, term) -> {
          int[] order = IntStream.range(0, ROWS).toArray();
          UniformRandomProvider rng =
              new Streams(8).stream(Streams.Purpose.SELECTION, 0, iteration, 0);
          for (int i = ROWS - 1; i > 0; i--) {
            int j = rng.nextInt(i + 1);
            int row = order[i];
            order[i] = order[j];
            order[j] = row;
          }
          double[] out = new double[term.length()];
          term.addTo(BLOCK, Arrays.copyOfRange(order, (int) low, (int) high), out);
          return out;
        });
  }

  private static ChainTrace run(LangevinAlgorithm.Settings settings, int draws) {
    double[] mode = {MODE};
    double[] slope = new double[1];
    MODEL.addGradients(BLOCK, new double[][] {mode}, new double[1], new double[][] {slope});
    BatchGradient gradient =
        new BatchGradient(
            MODEL,
            PRIOR,
            settings.batch(),
            settings.controlVariates() ? new BatchGradient.Mode(mode, slope) : null);
    boolean corrected = settings.corrector() == LangevinAlgorithm.Settings.Corrector.AUSTERITY;
    LaplaceApproximation laplace = new LaplaceApproximation(mode, new double[] {1 / PRECISION});
    ChainRunner runner =
        new ChainRunner(
            new ChainRunner.Length(50, draws, 1, 0.5), new Streams(3), (c, i, info) -> {});
    Mala mala = new Mala(Preconditioner.of(laplace), 1);
    if (corrected) {
      TrialKernel trial =
          new TrialKernel(
              rows(),
              Remainders.whole(MODEL),
              new StudentDecision(settings.batch(), settings.epsilon()),
              gradient,
              Remainders.Renewal.never(laplace));
      return runner.run(1, new CorrectedKernel(trial, settings), mala, mode);
    }
    TransitionKernel<?> kernel =
        switch (settings.dynamics()) {
          case LANGEVIN -> new LangevinKernel(gradient, rows(), settings);
          case HAMILTONIAN -> new HamiltonianKernel(gradient, rows(), settings);
          case FISHER -> new FisherKernel(gradient, rows(), settings);
        };
    return runner.run(1, kernel, mala, mode);
  }

  /** In the posterior's units: (mean − mode), variance. */
  private static double[] moments(ChainTrace trace) {
    double[] z =
        trace.draws().stream()
            .mapToDouble(theta -> (theta[0] - MODE) * Math.sqrt(PRECISION))
            .toArray();
    double mean = Arrays.stream(z).average().orElseThrow();
    return new double[] {
      mean, Arrays.stream(z).map(v -> (v - mean) * (v - mean)).average().orElseThrow()
    };
  }

  /**
   * θ ← θ − ε/2·θ + √ε z has the variance 1/(1 − ε/4). 60,000 draws with an autocorrelation of 0.75
   * are worth 8,500: the errors are 0.012 and 0.02; 4 of them.
   */
  @Test
  void ofAllRowsItsVarianceIsThatOfTheStep() {
    for (boolean controlled : new boolean[] {true, false}) {
      double[] found = moments(run(plain(ROWS, controlled, 0.5, 0, 1), 60_000));
      assertEquals(0, found[0], 0.05, "mean");
      assertEquals(1 / (1 - 0.125), found[1], 0.08, "variance");
    }
  }

  /**
   * With m of N rows the gradient's noise has the variance V = N²/m·(1 − m/N)·S² in the posterior's
   * units, S² that of the rows' gradients, and the draws' variance is (1 + εV/4)/(1 − ε/4). Without
   * control variates, where it is about the same for all θ: V = 0.26.
   */
  @Test
  void theNoiseOfTheGradientAddsToTheVariance() {
    int m = 10;
    double v = noise(m);
    double[] plain = moments(run(plain(m, false, 0.5, 0, 1), 60_000));
    double expected = (1 + 0.5 * v / 4) / (1 - 0.125);
    assertTrue(expected > 1.3, "nothing to see: " + expected);
    assertEquals(expected, plain[1], 0.12 * expected);
    double[] controlled = moments(run(plain(m, true, 0.5, 0, 1), 60_000));
    assertTrue(controlled[1] < 1 / (1 - 0.125) + 0.6 * (expected - 1 / (1 - 0.125)));
    assertEquals(0, controlled[0], 0.06);
  }

  /** Returns V, the variance of the gradient's noise in the posterior's units, at the mode. */
  private static double noise(int m) {
    double[] slopes = new double[ROWS];
    Arrays.setAll(slopes, i -> X[i] * (Y[i] - MODE * X[i]) / Math.sqrt(PRECISION));
    double mean = Arrays.stream(slopes).average().orElseThrow();
    double spread = Arrays.stream(slopes).map(s -> (s - mean) * (s - mean)).sum() / (ROWS - 1);
    return ROWS * (double) ROWS / m * (1 - (double) m / ROWS) * spread;
  }

  /**
   * With friction the variance is (1 + εV/(4α))/(1 − ε/(4(2 − α))): 1.07 by all rows at ε = 0.5,
   * and more by ten. Autocorrelations of about 0.9 leave 60,000 draws worth 4,000; the errors are
   * 0.016 and 0.022, 4 of them. A friction whose noise is √ε z, without α, is 1/α times too wide.
   */
  @Test
  void frictionsVarianceIsThatOfItsRecursion() {
    double friction = 0.4;
    double own = 1 / (1 - 0.5 / (4 * (2 - friction)));
    double[] all = moments(run(settings(ROWS, true, 0.5, 0, 1, "HAMILTONIAN", friction), 60_000));
    assertEquals(0, all[0], 0.06, "mean");
    assertEquals(own, all[1], 0.08, "variance");
    double[] ten = moments(run(settings(10, false, 0.5, 0, 1, "HAMILTONIAN", friction), 60_000));
    double expected = own * (1 + 0.5 * noise(10) / (4 * friction));
    assertTrue(expected > 1.3, "nothing to see: " + expected);
    assertEquals(expected, ten[1], 0.12 * expected);
  }

  /** With α = 1 the moves are those of Langevin steps, one iteration later. */
  @Test
  void frictionOfOneIsLangevin() {
    double[] found = moments(run(settings(ROWS, true, 0.5, 0, 1, "HAMILTONIAN", 1), 60_000));
    assertEquals(1 / (1 - 0.125), found[1], 0.08, "variance");
  }

  /**
   * Fisher scoring on a normal target: with F in place of the precision P, the variance is (C +
   * E)/(P(A − P)), with A = γF + E, E = 4F/ε and C = (γ − 1)F. It is about 1/P whatever ε is, where
   * Langevin steps have (1 + εV/4)/(1 − ε/4). F is the covariance of the rows' gradients, averaged
   * along the chain.
   */
  @Test
  void fisherScoringHasThePosteriorsVarianceWhateverTheStep() {
    int m = 10;
    // By the definition of V, in the posterior's units: F = V·m/(N − m).
    double fisher = noise(m) * m / (ROWS - m);
    for (double step : new double[] {0.5, 4}) {
      double[] found = moments(run(settings(m, false, step, 0, 1, "FISHER", 1), 60_000));
      double gamma = (double) ROWS / m;
      double a = gamma * fisher + 4 * fisher / step;
      double expected = ((gamma - 1) * fisher + 4 * fisher / step) / (a - 1);
      assertEquals(0, found[0], 0.08, "mean at " + step);
      assertEquals(expected, found[1], 0.1 * expected, "variance at " + step);
    }
  }

  /**
   * Each minibatch's proposal is on trial with its own way back: by all rows, the draws are those
   * of the posterior, with a step that without the test makes the variance a third too large. About
   * 20,000 of the draws are worth something: the errors are 0.007 and 0.01; 4 of them.
   */
  @Test
  void correctedByAllRowsItIsExact() {
    for (boolean controlled : new boolean[] {true, false}) {
      LangevinAlgorithm.Settings settings =
          new LangevinAlgorithm.Settings(
              10,
              controlled,
              0.5,
              0,
              1,
              LangevinAlgorithm.Settings.Corrector.AUSTERITY,
              0,
              LangevinAlgorithm.Settings.Dynamics.LANGEVIN,
              1);
      double[] found = moments(run(settings, 60_000));
      assertEquals(0, found[0], 0.03, "mean");
      assertEquals(1, found[1], 0.04, "variance");
    }
  }

  @Test
  void aStepFallsAsItsPowerSays() {
    LangevinAlgorithm.Settings settings = plain(10, true, 0.4, 0.5, 100);
    assertEquals(0.4, settings.stepAt(1));
    assertEquals(0.4 / Math.sqrt(2), settings.stepAt(101), 1e-15);
    assertEquals(0.2, settings.stepAt(301), 1e-15);
  }

  /** Averages over what is kept are those weighted by the step, to the size of a draw. */
  @Test
  void drawsAreKeptInProportionToTheirSteps() {
    LangevinAlgorithm.Settings settings = plain(10, true, 1, 1, 5);
    ChainTrace trace = new ChainTrace(1);
    int size = 400;
    double weighted = 0;
    double total = 0;
    for (int i = 0; i < size; i++) {
      double value = Math.cos(0.05 * i) + i * 0.01;
      StepInfo info = new StepInfo(1, 10, false);
      trace.add(new double[] {value}, i, new ChainTrace.Iteration(info, 0));
      double step = settings.stepAt(7 + 2 * (i + 1L));
      weighted += step * value;
      total += step;
    }
    ChainTrace kept = LangevinAlgorithm.inProportion(trace, settings, 7, 2);
    assertEquals(size, kept.size());
    double mean = kept.draws().stream().mapToDouble(draw -> draw[0]).average().orElseThrow();
    assertEquals(weighted / total, mean, 0.01);
    List<Double> places = new ArrayList<>(kept.logDensities());
    assertEquals(places.stream().sorted().toList(), places);
    ChainTrace same = LangevinAlgorithm.inProportion(trace, plain(10, true, 1, 0, 5), 7, 2);
    assertArrayEquals(trace.logDensities().toArray(), same.logDensities().toArray());
  }
}
