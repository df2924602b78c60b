package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.algebra.DerivedJointLikelihood;
import org.lampyris.bounds.algebra.Term;
import org.lampyris.bounds.model.JointLikelihood;

/** Likelihoods of two parameters: values by other formulas, derivatives and their bounds. */
class JointLikelihoodTest {
  private static final double[] SHAPES = {1e-4, 0.03, 0.7, 2, 11, 300, 1e5, 1e9};

  @Test
  void studentIsRobustOfGivenParameters() {
    JointLikelihood likelihood = new StudentLikelihood();
    for (double df : SHAPES) {
      for (double y : new double[] {-1e6, -4, 0.3, 0.300001, 2, 60}) {
        double expected = new RobustFamily.RobustLikelihood(df, 1.7).logLikelihood(0.3, y);
        double found = likelihood.at(tau(1.7, df)).logLikelihood(0.3, y);
        assertEquals(expected, found, 1e-12 * (1 + Math.abs(expected)), df + ", " + y);
      }
    }
  }

  private static double[] tau(double first, double second) {
    return new double[] {Math.log(first), Math.log(second)};
  }

  /** With P(0) = q of the negative binomial count. */
  @Test
  void zerosAreMixedIn() {
    for (double shape : SHAPES) {
      for (double eta : new double[] {-30, -3, 0.4, 3, 9}) {
        double p = 0.3;
        double[] tau = {Math.log(p / (1 - p)), Math.log(shape)};
        var count = new NegativeBinomialFamily.GivenLikelihood(shape);
        var inflated = new ZeroFamily.OverdispersedLikelihood(false).at(tau);
        var hurdle = new ZeroFamily.OverdispersedLikelihood(true).at(tau);
        double q = Math.exp(count.logLikelihood(eta, 0));
        String where = shape + ", " + eta;
        assertEquals(Math.log(p + (1 - p) * q), inflated.logLikelihood(eta, 0), 1e-12, where);
        assertEquals(Math.log(p), hurdle.logLikelihood(eta, 0), 1e-14, where);
        double rest = Math.log(-Math.expm1(count.logLikelihood(eta, 0)));
        for (double y : new double[] {1, 2, 17, 4000}) {
          double of = count.logLikelihood(eta, y) + Math.log1p(-p);
          double size = 1e-13 * (1 + y) * (1 + Math.abs(tau[1])) + 1e-12 * Math.abs(of);
          assertEquals(of, inflated.logLikelihood(eta, y), size, where + ", " + y);
          assertEquals(of - rest, hurdle.logLikelihood(eta, y), size, where + ", " + y);
        }
      }
    }
  }

  /** Far on the side of Poisson counts and normal residuals the other family is the limit. */
  @Test
  void limitsAreTheFamiliesWithoutTheParameter() {
    double[] tau = {-0.4, Math.log(1e13)};
    double normal = new GaussianFamily.GaussianLikelihood(Math.exp(-0.4)).logLikelihood(0.2, 1.7);
    assertEquals(normal, new StudentLikelihood().at(tau).logLikelihood(0.2, 1.7), 1e-11);
    for (boolean hurdle : new boolean[] {false, true}) {
      var poisson = new ZeroFamily.ZeroLikelihood(hurdle).at(-0.4);
      var found = new ZeroFamily.OverdispersedLikelihood(hurdle).at(tau);
      for (double y : new double[] {0, 1, 30}) {
        assertEquals(poisson.logLikelihood(1.2, y), found.logLikelihood(1.2, y), 1e-10);
      }
    }
  }

  private static double real(RandomGenerator random) {
    return 3 * random.nextGaussian();
  }

  private static double count(RandomGenerator random) {
    return random.nextInt(3) == 0 ? 0 : Math.floor(Math.exp(2 * random.nextGaussian()));
  }

  /**
   * In small boxes a bound is hardly above the derivative, by differences of exact second ones; in
   * large boxes it holds at random points.
   */
  @Test
  void thirdDerivativesAreBounded() {
    assertBounded(new StudentLikelihood(), JointLikelihoodTest::real);
    assertBounded(new ZeroFamily.OverdispersedLikelihood(false), JointLikelihoodTest::count);
    assertBounded(new ZeroFamily.OverdispersedLikelihood(true), JointLikelihoodTest::count);
  }

  private static void assertBounded(
      JointLikelihood likelihood, java.util.function.ToDoubleFunction<RandomGenerator> label) {
    RandomGenerator random = RandomBlocks.random(12);
    for (int n = 0; n < 150; n++) {
      double y = label.applyAsDouble(random);
      double[] center = {random.nextGaussian(), random.nextGaussian(), 2 * random.nextGaussian()};
      double reach = new double[] {1e-3, 0.02, 0.1, 0.7}[n % 4];
      double[] bound = new double[10];
      double[] half = {reach, reach, reach};
      likelihood.thirdDerivatives(center, half, y, bound);
      double[] at = center.clone();
      for (int v = 0; v < 3; v++) {
        at[v] += reach * (2 * random.nextDouble() - 1);
      }
      double[] third = third(likelihood, at, y);
      double size = Arrays.stream(third).map(Math::abs).max().orElse(0);
      String where = y + " at " + Arrays.toString(at) + " by " + reach;
      for (int k = 0; k < 10; k++) {
        double least = Math.abs(third[k]) - 1e-6 * (1 + size);
        assertTrue(bound[k] >= least, where + ": " + k + ", " + bound[k] + " < " + third[k]);
        double close = 1.25 * Math.abs(third[k]) + 0.1 * (size + 0.1);
        assertTrue(reach > 1e-3 || bound[k] <= close, where + ": " + k + ", " + bound[k]);
      }
    }
  }

  /**
   * Terms in τ alone are kept for the next row. A row's value and derivatives are to the bit as
   * without that.
   */
  @Test
  void rowsShareWhatParametersAloneMake() {
    RandomGenerator random = RandomBlocks.random(13);
    var overdispersed = new ZeroFamily.OverdispersedLikelihood(true);
    for (JointLikelihood likelihood :
        new JointLikelihood[] {
          new StudentLikelihood(),
          new StudentLikelihood().given(1, Math.log(4)),
          new ZeroFamily.OverdispersedLikelihood(false),
          overdispersed,
          overdispersed.given(0, -0.7),
          new ZeroFamily.ZeroLikelihood(false),
          new BetaFamily.PrecisionLikelihood(),
          new OfConstants()
        }) {
      double[] tau = random.doubles(likelihood.parameters(), -1, 2).toArray();
      JointLikelihood.At shared = likelihood.at(tau);
      int k = 1 + likelihood.parameters();
      for (int n = 0; n < 60; n++) {
        boolean share = likelihood instanceof BetaFamily.PrecisionLikelihood;
        double y = share ? random.nextDouble(0.01, 0.99) : n % 3 == 0 ? 0 : n % 20 + 1;
        double eta = random.nextGaussian();
        double[] first = new double[JointLikelihood.slopes(k)];
        double[] both = first.clone();
        double[] alone = first.clone();
        double value = likelihood.at(tau).derivatives(eta, y, alone);
        String where = likelihood.getClass() + ", " + y + " at " + eta;
        assertEquals(value, shared.derivatives(eta, y, both), where);
        assertEquals(value, shared.gradient(eta, y, first), where);
        assertEquals(likelihood.at(tau).logLikelihood(eta, y), shared.logLikelihood(eta, y), where);
        assertArrayEquals(alone, both, where);
        assertArrayEquals(Arrays.copyOf(alone, k), Arrays.copyOf(first, k), where);
      }
    }
  }

  /** Terms in τ with many constants, which differ by rows. */
  private static final class OfConstants extends DerivedJointLikelihood {
    OfConstants() {
      super(2);
    }

    @Override
    protected Term logLikelihood(Term eta, Term[] tau, double y) {
      Term scales = tau[0].times(0.1 * y).exp().plus(tau[0].times(2)).plus(tau[1].plus(y).exp());
      return eta.times(scales.minus(tau[0].times(tau[1]))).plus(tau[0].plus(tau[1]).square());
    }

    @Override
    public double location(double y) {
      return y;
    }

    @Override
    public double response(double y) {
      return y;
    }

    @Override
    public double unit(double eta, double[] tau) {
      return 1;
    }
  }

  private static double[] third(JointLikelihood likelihood, double[] at, double y) {
    double step = 1e-4;
    double[] third = new double[10];
    double[][] second = new double[3][6];
    for (int v = 0; v < 3; v++) {
      for (int sign = -1; sign <= 1; sign += 2) {
        double[] there = at.clone();
        there[v] += sign * step;
        double[] out = new double[9];
        likelihood.at(Arrays.copyOfRange(there, 1, 3)).derivatives(there[0], y, out);
        for (int k = 0; k < 6; k++) {
          second[v][k] += sign * out[3 + k] / (2 * step);
        }
      }
    }
    JointLikelihood.forThirds(
        3,
        third,
        (i, j, k, m) -> third[place(i, j, k)] = second[k][JointLikelihood.place(3, i, j) - 3]);
    return third;
  }

  private static int place(int i, int j, int k) {
    int[] at = {0};
    int[] found = {-1};
    JointLikelihood.forThirds(
        3,
        new double[10],
        (a, b, c, m) -> {
          found[0] = a == i && b == j && c == k ? at[0] : found[0];
          at[0]++;
        });
    return found[0];
  }
}
