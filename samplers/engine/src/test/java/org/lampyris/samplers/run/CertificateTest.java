package org.lampyris.samplers.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.statistics.distribution.GammaDistribution;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LocalDispersedBound;
import org.lampyris.bounds.family.LocalLogisticBound;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.family.RobustFamily;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.DispersedModel;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.prior.InterceptShift;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.Predictors;
import org.lampyris.samplers.mode.MapFinder;
import org.lampyris.samplers.mode.MapFit;
import org.lampyris.samplers.mode.Objective;

/** What is certified to lie outside of a ball, against what lies there by quadrature. */
class CertificateTest {
  private static final int D = 2;
  private static final LinearModel MODEL = new LinearModel(new LogisticLikelihood(), D);
  private static final LinearModel CONCAVE = MODEL;

  /** A table of two columns: every label occurs at every feature, so that nothing is separated. */
  private static DenseBlock table(int rows, int oneInPositive) {
    double[] x = new double[rows * D];
    double[] y = new double[rows];
    for (int i = 0; i < rows; i++) {
      x[i * D] = 1;
      x[i * D + 1] = Math.sin(1.7 * i);
      y[i] = i % oneInPositive == 0 ? 1 : -1;
    }
    return new DenseBlock(0, D, x, y, null);
  }

  /** The intercept's prior about η where the column is so much. */
  private static InterceptShift at(double x) {
    return new InterceptShift(new double[] {0, x}, 0, Predictors.all(2, 1));
  }

  private record Masses(double certified, double outside) {}

  private static Masses masses(DenseBlock table, double radius, ProductPrior both) {
    MapFit fit = fit(table, both);
    return new Masses(
        certified(table, radius, both, 0),
        outside(table, both, fit.laplace(), fit.logPosterior(), radius));
  }

  private static ProductPrior both(String prior) {
    return ProductPrior.parse(List.of(prior, prior));
  }

  private static MapFit fit(DenseBlock table, ProductPrior prior) {
    return new MapFinder(prior, List.of("a", "b"), 1e-9, 200)
        .find(Objective.of(List.of(table), MODEL, 1), null, pass -> {});
  }

  private static double certified(DenseBlock table, double radius, String prior) {
    return certified(table, radius, both(prior), 0);
  }

  private static double certified(
      DenseBlock table, double radius, ProductPrior prior, double decrement) {
    MapFit fit = fit(table, prior);
    LaplaceApproximation laplace = fit.laplace();
    LocalLogisticBound bound = new LocalLogisticBound(laplace, radius);
    CollapsedQuadratic upper = new CollapsedQuadratic(fit.theta());
    bound.collapse(table, bound.upperAnchorsAt(table, fit.theta()).orElseThrow(), upper);
    return Certificate.outside(MODEL, laplace, radius, upper, prior, decrement);
  }

  /** Returns the posterior's mass beyond the radius, on a grid of the mode's coordinates. */
  private static double outside(
      DenseBlock table, ProductPrior prior, LaplaceApproximation laplace, double top, double r) {
    double[] lower = laplace.lower();
    double step = 0.2;
    double reach = 4 * r;
    double inside = 0;
    double outside = 0;
    for (double u = -reach; u <= reach; u += step) {
      for (double v = -reach; v <= reach; v += step) {
        double[] theta = {
          laplace.mode()[0] + lower[0] * u, laplace.mode()[1] + lower[2] * u + lower[3] * v
        };
        double[] sum = new double[1];
        MODEL.addLogLikelihoods(table, new double[][] {theta}, sum);
        double mass = Math.exp(prior.logDensity(theta) + sum[0] - top);
        if (u * u + v * v > r * r) {
          outside += mass;
        } else {
          inside += mass;
        }
      }
    }
    return outside / (inside + outside);
  }

  @Test
  void whatIsCertifiedIsAnUpperBound() {
    for (String prior :
        List.of("normal(0, 2.5)", "normal(1, 0.5)", "laplace(0, 1)", "cauchy(0, 2.5)", "flat")) {
      for (int[] table : new int[][] {{30, 3}, {200, 2}, {60, 15}}) {
        for (double radius : new double[] {3, 6.4}) {
          for (InterceptShift point : new InterceptShift[] {null, at(0.1), at(-3)}) {
            Masses masses = masses(table(table[0], table[1]), radius, both(prior).about(point));
            assertTrue(
                masses.certified() >= masses.outside(),
                prior + ", " + table[0] + " rows, radius " + radius + ": " + masses);
          }
        }
      }
    }
  }

  @Test
  void aLargeTableIsCertified() {
    assertTrue(certified(table(40_000, 2), 6.5, "normal(0, 2.5)") < 1e-7);
    assertTrue(certified(table(40_000, 2), 8, "cauchy(0, 2.5)") < 1e-10);
    assertEquals(1, certified(table(40_000, 2), 8, "horseshoe(2.5)"), "no density above a pole");
  }

  /** As the same posterior is, whose column is stored about the point. */
  @Test
  void thePointThatAnInterceptsPriorIsAboutMakesNoDifference() {
    for (String prior : List.of("normal(0.3, 0.1)", "student_t(3, 0, 2.5)")) {
      DenseBlock stored = table(400, 2);
      double[] x = new double[400 * D];
      double[] y = new double[400];
      for (int n = 0; n < y.length; n++) {
        x[n * D] = 1;
        x[n * D + 1] = stored.feature(n, 1) - 0.7;
        y[n] = stored.response(n);
      }
      double there = certified(stored, 6, both(prior).about(at(0.7)), 0);
      double here = certified(new DenseBlock(0, D, x, y, null), 6, both(prior), 0);
      assertTrue(here < 1e-3, "certified: " + here);
      assertEquals(1, there / here, 1e-5);
    }
  }

  /** By R times the decrement: the share is Q(d, Δ), from which Δ can be had. */
  @Test
  void aModeThatIsNotQuiteOneLessensTheFall() {
    DenseBlock table = table(400, 2);
    GammaDistribution gamma = GammaDistribution.of(D, 1);
    double at = gamma.inverseSurvivalProbability(certified(table, 6, both("normal(0, 2.5)"), 0));
    double near =
        gamma.inverseSurvivalProbability(certified(table, 6, both("normal(0, 2.5)"), 0.1));
    assertEquals(6 * 0.1, at - near, 1e-6);
  }

  /**
   * Residuals of a robust regression with a sampled scale about two places: of the quadratic above
   * the likelihood in the ball about the lesser mode 3 % and less would follow, and more than half
   * of the posterior is outside.
   */
  @Test
  void ofALikelihoodThatIsNotConcaveNothingIsCertified() {
    int rows = 60;
    double[] ones = new double[rows];
    Arrays.fill(ones, 1);
    double[] y = new double[rows];
    for (int i = 0; i < rows; i += 2) {
      y[i] = 0.5 * Math.sin(0.85 * i);
      y[i + 1] = 20 - y[i];
    }
    double[] weight = new double[rows];
    Arrays.fill(weight, 100);
    DenseBlock table = new DenseBlock(0, 1, ones, y, weight);
    RobustFamily.ScaleLikelihood likelihood = new RobustFamily.ScaleLikelihood(0.5);
    DispersedModel model = new DispersedModel(likelihood, 1);
    ProductPrior prior =
        ProductPrior.parse(List.of("normal(11, 10)", "log_scale(exponential(20))"));
    MapFit fit =
        new MapFinder(prior, List.of("a", "scale"), 1e-9, 200)
            .find(new double[] {0, -1}, Objective.of(List.of(table), model, 1), null, pass -> {});
    LaplaceApproximation laplace = fit.laplace();
    double radius = 6.4;
    LocalDispersedBound bound = new LocalDispersedBound(likelihood, laplace, radius);
    CollapsedQuadratic upper = new CollapsedQuadratic(fit.theta());
    bound.collapse(table, bound.upperAnchorsAt(table, fit.theta()).orElseThrow(), upper);
    double inside = 0;
    double outside = 0;
    double[] mode = fit.theta();
    for (int i = -40; i <= 40; i++) {
      for (int k = -40; k <= 40; k++) {
        double eta = mode[0] + 0.2 * i * laplace.sd(0);
        for (double there : new double[] {eta, 20 - eta}) {
          double[] theta = {there, mode[1] + 0.2 * k * laplace.sd(1)};
          double[] sum = new double[1];
          model.addLogLikelihoods(table, new double[][] {theta}, sum);
          double mass = Math.exp(prior.logDensity(theta) + sum[0] - fit.logPosterior());
          if (laplace.ball(radius).holds(theta)) {
            inside += mass;
          } else {
            outside += mass;
          }
        }
      }
    }
    assertTrue(outside > inside, inside + " inside and " + outside + " outside");
    double asIfConcave = Certificate.outside(CONCAVE, laplace, radius, upper, prior, 0);
    assertTrue(asIfConcave < 0.03, "a claim that would be wrong: " + asIfConcave);
    assertEquals(1, Certificate.outside(model, laplace, radius, upper, prior, 0));
  }

  /** A power of a heavy-tailed prior is one, and not taken for log-concave. */
  @Test
  void underTemperedHeavyTailsNothingIsCertified() {
    ProductPrior prior = both("cauchy(0, 2.5)");
    assertTrue(certified(table(40_000, 2), 8, prior, 0) < 1e-10);
    assertEquals(1, certified(table(40_000, 2), 8, prior.tempered(1), 0));
    assertTrue(certified(table(40_000, 2), 8, both("normal(0, 2.5)").tempered(0.5), 0) < 1e-10);
  }

  @Test
  void whereTheLikelihoodIsFlatNothingIsCertified() {
    assertEquals(1, certified(table(20, 20), 6.4, "cauchy(0, 2.5)"));
  }

  @Test
  void theUpperQuadraticTouchesAtTheEdgeOfARowsInterval() {
    LaplaceApproximation laplace =
        new LaplaceApproximation(new double[] {0.7}, new double[] {0.04});
    DenseBlock row = new DenseBlock(0, 1, new double[] {1}, new double[] {-1}, null);
    LinearModel model = new LinearModel(new LogisticLikelihood(), 1);
    for (double radius : new double[] {1e-3, 0.5, 3, 30}) {
      LocalLogisticBound bound = new LocalLogisticBound(laplace, radius);
      CollapsedQuadratic upper = new CollapsedQuadratic(laplace.mode());
      bound.collapse(row, bound.upperAnchorsAt(row, laplace.mode()).orElseThrow(), upper);
      double r = 0.2 * radius;
      for (int k = -20; k <= 20; k++) {
        double[] theta = {0.7 + r * k / 20};
        double excess = upper.value(theta) - model.logLikelihood(row, 0, theta);
        assertTrue(excess > -1e-14, "radius " + radius + ", at " + theta[0] + ": " + excess);
      }
      double[] edge = {0.7 + r};
      assertEquals(model.logLikelihood(row, 0, edge), upper.value(edge), 1e-13);
    }
  }
}
