package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.Values;

/** The bound of quantile regression: {@link ViolationSearchTest} searches it for violations. */
class AsymmetricLaplaceTest {
  private static final int ROWS = 200;
  private static final double RADIUS = 4;
  private static final List<String> COLUMNS = List.of("(Intercept)", "x");

  private final double[] mode = {0.4, -0.7, 0.2};
  private final double[] covariance = {0.05, 0.01, 0.002, 0.01, 0.03, -0.004, 0.002, -0.004, 0.02};
  private final RandomGenerator random = RandomBlocks.random(5);
  private final DataBlock block = block();

  private DataBlock block() {
    double[] x = new double[2 * ROWS];
    double[] y = new double[ROWS];
    double[] weight = new double[ROWS];
    double[] offset = new double[ROWS];
    for (int i = 0; i < ROWS; i++) {
      x[2 * i] = 1;
      x[2 * i + 1] = random.nextGaussian();
      y[i] = 2 * random.nextGaussian();
      weight[i] = random.nextDouble();
      offset[i] = 0.3 * random.nextGaussian();
    }
    return new DenseBlock(0, 2, Values.of(x), y, weight, offset);
  }

  /** A family with given or sampled sigma, about the mode. */
  private final class Case {
    final int d;
    final Model model;
    final LowerBound bound;
    final double[] theta;
    final double[] covariance;

    Case(boolean sampled) {
      FamilySpec plain = FamilySpec.of("asymmetric_laplace").with("quantile", 0.8);
      FamilySpec spec = plain.with("sigma", sampled ? "exponential(1)" : "1.2");
      ModelProvider family = Families.find().named(spec.name());
      d = sampled ? 3 : 2;
      theta = new double[d];
      covariance = new double[d * d];
      for (int i = 0; i < d; i++) {
        theta[i] = mode[i];
        for (int j = 0; j < d; j++) {
          covariance[i * d + j] = AsymmetricLaplaceTest.this.covariance[3 * i + j];
        }
      }
      model = family.model(spec, COLUMNS);
      LaplaceApproximation laplace = new LaplaceApproximation(theta, covariance);
      bound = family.localBound(spec, COLUMNS, laplace, RADIUS).orElseThrow();
    }

    double[] near(double sds) {
      double[] at = theta.clone();
      for (int j = 0; j < d; j++) {
        at[j] += sds * Math.sqrt(covariance[j * d + j]) * random.nextGaussian();
      }
      return at;
    }
  }

  /** About the mode, and where the anchors are another point's. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void theSumIsThatOfTheRowsAndGradientsAreDifferences(boolean sampled) {
    Case of = new Case(sampled);
    Anchors anchors = of.bound.anchorsAt(block, of.near(1));
    CollapsedQuadratic sum = new CollapsedQuadratic(of.theta);
    of.bound.collapse(block, anchors, sum);
    for (int k = 0; k < 20; k++) {
      double[] at = of.near(2);
      double expected = 0;
      for (int row = 0; row < ROWS; row++) {
        double[] gradient = new double[of.d];
        double gap = of.bound.gapGradient(block, row, at, anchors, gradient);
        assertEquals(gap, of.bound.gap(block, row, at, anchors));
        double[] functionals = new double[of.bound.functionals()];
        for (int f = 0; f < functionals.length; f++) {
          functionals[f] = of.bound.functional(block, row, f, at, 0);
        }
        assertEquals(gap, of.bound.gapAt(block, row, functionals, anchors), 1e-12);
        expected += of.model.logLikelihood(block, row, at) - gap;
        double r = block.response(row) - block.linearPredictor(row, at);
        for (int j = 0; j < of.d && gap > 0 && Math.abs(r) > 1e-4; j++) {
          double[] up = at.clone();
          double[] down = at.clone();
          up[j] += 1e-6;
          down[j] -= 1e-6;
          double change =
              of.bound.gap(block, row, up, anchors) - of.bound.gap(block, row, down, anchors);
          assertEquals(change / 2e-6, gradient[j], 1e-6);
        }
      }
      assertEquals(expected, sum.value(at), 1e-9 * Math.abs(expected));
    }
  }

  /** Rows out of the ball's reach have a gap of the third order; of others it is what it must. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void theUsualGapIsTheMean(boolean sampled) {
    Case of = new Case(sampled);
    Anchors anchors = of.bound.anchorsAt(block, of.theta);
    LaplaceApproximation laplace = new LaplaceApproximation(of.theta, of.covariance);
    double[] lower = laplace.lower();
    double usual = 0;
    double[] means = new double[1];
    int draws = 2000;
    for (int k = 0; k < draws; k++) {
      double[] z = RandomBlocks.normal(random, of.d, 1);
      double[] at = of.theta.clone();
      for (int i = 0; i < of.d; i++) {
        for (int j = 0; j <= i; j++) {
          at[i] += lower[of.d * i + j] * z[j];
        }
      }
      for (int row = 0; row < ROWS; row++) {
        means[0] += Math.max(0, of.bound.gap(block, row, at, anchors)) / draws;
      }
    }
    int inReach = 0;
    double[] sds = laplace.sds(block);
    for (int row = 0; row < ROWS; row++) {
      double[] spread = of.bound.spread(block, row, of.covariance);
      double one = of.bound.usualGap(block, row, spread, anchors);
      double r = Math.abs(block.response(row) - block.linearPredictor(row, of.theta));
      boolean reached = r < RADIUS * sds[row];
      inReach += reached ? 1 : 0;
      assertTrue(sampled || reached || one == 0, "a row without a kink in the ball has no gap");
      usual += one;
    }
    assertTrue(inReach > 20 && inReach < ROWS - 20, inReach + " rows");
    assertEquals(means[0], usual, 0.1 * usual);
  }
}
