package org.lampyris.samplers.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.HorseshoeScales;
import org.lampyris.bounds.effects.LevelScales;
import org.lampyris.bounds.effects.ScaleGroup;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.bounds.prior.HalfPrior;
import org.lampyris.bounds.prior.InterceptShift;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.SharedHorseshoe;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.Predictors;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.random.Streams;

/**
 * Draws from priors against their moments and quantiles. Each test compares with four standard
 * errors of 40,000 independent draws: a false alarm happens to one comparison in 16,000, and there
 * are 46. The seed is fixed.
 */
class PriorDrawsTest {
  private static final int DRAWS = 10_000;
  private static final ChainSettings SETTINGS =
      new ChainSettings(4, 0, DRAWS, 46, 1, StartingPoint.Init.LAPLACE, true);

  private static List<double[]> draws(ProductPrior prior) {
    List<double[]> all = new ArrayList<>();
    for (ChainTrace chain : PriorDraws.of(prior, SETTINGS, new Streams(46)).chains()) {
      all.addAll(chain.draws());
    }
    return all;
  }

  /** Holds the mean of a function of the draws against what it is expected to be. */
  private static void holds(double expected, List<double[]> draws, ToDoubleFunction<double[]> of) {
    double[] values = draws.stream().mapToDouble(of).toArray();
    double mean = Arrays.stream(values).average().orElseThrow();
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    double error = Math.sqrt(squares) / values.length;
    assertEquals(expected, mean, 4 * error, "standard error " + error);
  }

  @Test
  void everyPriorHasItsQuantiles() {
    // The text, and its 25 % and 90 % quantiles, from R.
    Object[][] priors = {
      {"normal(1, 2)", -0.3489795003921633, 3.563103131089201},
      {"laplace(1, 2)", -0.3862943611198906, 4.218875824868201},
      {"cauchy(1, 2)", -1.0, 7.155367074350506},
      {"student_t(3, 1, 2)", -0.5297846566186596, 4.275488704807652},
      {"uniform(-1, 3)", 0.0, 2.6},
      {"half_normal(0, 2)", 0.6372787281924035, 3.289707253902945},
      {"half_cauchy(0, 2)", 0.8284271247461902, 12.627503029350075},
      {"half_student_t(3, 0, 2)", 0.698436177483477, 4.706726869603649},
      {"exponential(0.5)", 0.5753641449035617, 4.605170185988092},
      {"log_scale(exponential(0.5))", -0.5527521431472932, 1.5271796258079011}
    };
    List<UnivariatePrior> factors =
        Arrays.stream(priors).map(one -> PriorParser.parse((String) one[0])).toList();
    List<double[]> draws = draws(ProductPrior.of(factors));
    for (int j = 0; j < priors.length; j++) {
      int at = j;
      double quarter = (double) priors[j][1];
      double most = (double) priors[j][2];
      holds(0.25, draws, theta -> theta[at] <= quarter ? 1 : 0);
      holds(0.9, draws, theta -> theta[at] <= most ? 1 : 0);
    }
  }

  @Test
  void effectsHaveTheirScalesAndCorrelations() {
    UnivariatePrior sd = new HalfPrior(new UnivariatePrior.Normal(0, 1));
    GroupingEffects effects = new GroupingEffects("g", List.of("(Intercept)", "x", "z"), sd, 2);
    LevelScales group = new LevelScales(effects, 1, 2);
    List<double[]> draws = draws(prior(7, List.of(group)));
    for (int k = 0; k < 3; k++) {
      int at = k;
      holds(Math.sqrt(2 / Math.PI), draws, theta -> reported(group, theta)[at]);
      holds(1, draws, theta -> Math.pow(reported(group, theta)[at], 2));
      // Each correlation is 2B − 1, B ~ Beta(a, a), a = η − 1 + q/2 = 2.5: variance 1/(2a + 1).
      holds(0, draws, theta -> reported(group, theta)[3 + at]);
      holds(1.0 / 6, draws, theta -> Math.pow(reported(group, theta)[3 + at], 2));
      // An effect given its standard deviation s has the variance s², and E[s²] = 1.
      holds(1, draws, theta -> Math.pow(theta[1 + at], 2));
      holds(1, draws, theta -> Math.pow(theta[4 + at], 2));
    }
    // E[b_e b_f | s, r] = r s_e s_f, of which the mean is 0; its share of b_e b_f is 1.
    holds(
        0,
        draws,
        theta -> {
          double[] r = reported(group, theta);
          return theta[1] * theta[2] - r[3] * r[0] * r[1];
        });
    holds(0, draws, theta -> theta[1] * theta[4]);
  }

  @Test
  void aRegularisedHorseshoeHasItsSlab() {
    SharedHorseshoe prior =
        new SharedHorseshoe(
            new HalfPrior(new UnivariatePrior.Cauchy(0, 0.5)), new SharedHorseshoe.Slab(2, 4));
    HorseshoeScales group = new HorseshoeScales(prior, new int[] {0, 1}, new double[] {1, 1});
    List<double[]> draws = draws(prior(2, List.of(group)));
    // τ has the median 0.5; 1/c² is gamma(2, rate 8): mean 1/4, variance 1/32.
    holds(0.5, draws, theta -> Math.exp(theta[2]) < 0.5 ? 1 : 0);
    holds(0.5, draws, theta -> theta[3] < 0 ? 1 : 0);
    holds(0.25, draws, theta -> Math.exp(-2 * theta[5]));
    holds(0.25 * 0.25 + 1.0 / 32, draws, theta -> Math.exp(-4 * theta[5]));
    // b given its scales is normal: within one sd in 68.27 %.
    holds(
        0.682689492137086,
        draws,
        theta -> Math.abs(theta[0]) < group.sds(Arrays.copyOfRange(theta, 2, 6))[0] ? 1 : 0);
  }

  @Test
  void interceptsHaveTheirPriorAtTheColumnsMeans() {
    ProductPrior at =
        ProductPrior.of(
                List.of(
                    new UnivariatePrior.Normal(1, 0.5),
                    new UnivariatePrior.Normal(0, 2),
                    new UnivariatePrior.Normal(0, 3)))
            .about(new InterceptShift(new double[] {0, 2, -1}, 0, Predictors.all(3, 1)));
    List<double[]> draws = draws(at);
    InterceptShift point = Objects.requireNonNull(at.point());
    holds(1, draws, theta -> point.toPoint(theta)[0]);
    holds(1.25, draws, theta -> Math.pow(point.toPoint(theta)[0], 2));
    holds(0, draws, theta -> point.toPoint(theta)[0] * theta[1]);
    holds(4, draws, theta -> theta[1] * theta[1]);
  }

  @Test
  void flatPriorsAreRefusedAndSeedsRepeat() {
    ProductPrior flat = ProductPrior.of(List.of(new UnivariatePrior.Flat()));
    UserException e = assertThrows(UserException.class, () -> draws(flat));
    assertTrue(String.valueOf(e.getMessage()).contains("needs proper priors"), e::getMessage);
    ProductPrior normal = ProductPrior.of(List.of(new UnivariatePrior.Normal(0, 1)));
    List<double[]> once = draws(normal);
    List<double[]> again = draws(normal);
    assertEquals(once.get(7)[0], again.get(7)[0]);
    double lp =
        PriorDraws.of(normal, SETTINGS, new Streams(46)).chains().get(0).logDensities().get(7);
    assertEquals(normal.logDensity(once.get(7)), lp);
  }

  /** Returns a prior whose coefficients, from the second on if there are others, have scales. */
  private static ProductPrior prior(int known, List<ScaleGroup> groups) {
    int scales = groups.stream().mapToInt(ScaleGroup::parameters).sum();
    List<UnivariatePrior> factors =
        new ArrayList<>(Collections.nCopies(known + scales, new UnivariatePrior.Flat()));
    boolean own = groups.stream().allMatch(one -> one.coefficients()[0] > 0);
    if (own) {
      factors.set(0, new UnivariatePrior.Normal(0, 1));
    }
    return ProductPrior.of(factors)
        .times(new ScaledPrior(known, groups, new double[scales], new double[scales]));
  }

  private static double[] reported(ScaleGroup group, double[] theta) {
    return group.reported(
        Arrays.copyOfRange(theta, theta.length - group.parameters(), theta.length));
  }
}
