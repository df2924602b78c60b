package org.lampyris.bounds.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.family.GammaFamily;
import org.lampyris.bounds.family.GaussianFamily;
import org.lampyris.bounds.family.GaussianScaleModel;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.family.PoissonFamily;
import org.lampyris.bounds.family.RobustFamily;
import org.lampyris.bounds.family.softmax.SoftmaxModel;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

/**
 * Taylor proxies of one row, from the tails and into them, against references of high precision:
 * the polynomial, the remainder, and that the remainder is within its bound where both are huge.
 */
class TaylorReferenceTest {

  /** Rounding of a sum, and of the exponentials that it is made of, in shares of its terms. */
  private static final double ROUNDING = 4e-15;

  private record Reference(
      String where,
      Model model,
      double y,
      int order,
      double[] center,
      double[] theta,
      double polynomial,
      double remainder,
      double size) {
    @Override
    public String toString() {
      return where;
    }

    DataBlock row() {
      return new DenseBlock(0, 1, new double[] {1}, new double[] {y}, null);
    }

    /** Returns the proxy on the smallest ball that θ is in, each of its elements a unit away. */
    TaylorProxy proxy() {
      int d = center.length;
      double[] covariance = new double[d * d];
      for (int j = 0; j < d; j++) {
        double distance = Math.max(Math.abs(theta[j] - center[j]), 1e-6);
        covariance[j * d + j] = distance * distance;
      }
      LaplaceApproximation laplace = new LaplaceApproximation(center, covariance);
      double radius = Math.max(laplace.distance(theta), 1e-300);
      return new TaylorProxy(model, order, laplace, radius);
    }
  }

  static Stream<Reference> references() {
    return Fixture.read(TaylorReferenceTest.class, "taylor.csv").stream()
        .map(
            f ->
                new Reference(
                    String.join(",", List.of(f).subList(0, 7)),
                    model(f),
                    Double.parseDouble(f[3]),
                    Integer.parseInt(f[4]),
                    numbers(f[5]),
                    numbers(f[6]),
                    Double.parseDouble(f[7]),
                    Double.parseDouble(f[8]),
                    Double.parseDouble(f[9])));
  }

  private static double[] numbers(String text) {
    return Arrays.stream(text.split(";", -1)).mapToDouble(Double::parseDouble).toArray();
  }

  private static Model model(String[] f) {
    double[] p =
        Stream.of(f[1], f[2]).filter(t -> !t.isEmpty()).mapToDouble(Double::parseDouble).toArray();
    return switch (f[0]) {
      case "logistic" -> new LinearModel(new LogisticLikelihood(), 1);
      case "robust" -> new LinearModel(new RobustFamily.RobustLikelihood(p[0], p[1]), 1);
      case "gaussian" -> new LinearModel(new GaussianFamily.GaussianLikelihood(p[0]), 1);
      case "gamma" -> new LinearModel(new GammaFamily.GammaLikelihood(p[0]), 1);
      case "poisson" -> new LinearModel(new PoissonFamily.PoissonLikelihood(), 1);
      case "softmax" -> new SoftmaxModel(1, 3, SoftmaxModel.NO_REFERENCE);
      case "gaussian-scale" -> new GaussianScaleModel(1);
      default -> throw new IllegalArgumentException(f[0]);
    };
  }

  @ParameterizedTest
  @MethodSource("references")
  void thePolynomialAndTheRemainderAgreeWithReferences(Reference r) {
    TaylorProxy proxy = r.proxy();
    double value = proxy.value(r.row(), 0, r.theta());
    assertEquals(r.polynomial(), value, rounding(r));
    double logL = Math.abs(r.polynomial() + r.remainder());
    assertEquals(
        r.remainder(), proxy.remainder(r.row(), 0, r.theta()), rounding(r) + ROUNDING * logL);
    CollapsedQuadratic sum = proxy.emptySum();
    proxy.collapse(r.row(), sum);
    assertEquals(r.polynomial(), sum.value(r.theta()), rounding(r), "collapsed");
  }

  /** e^η of an η of the size 700 is known to 700 units in the last place. */
  private static double rounding(Reference r) {
    double eta = Arrays.stream(r.center()).map(Math::abs).max().orElseThrow();
    boolean exponential =
        !(r.model() instanceof LinearModel) || r.where().matches("(gamma|pois).*");
    return ROUNDING * r.size() * (exponential ? 1 + eta / 16 : 1);
  }

  /** |R| ≤ c‖δ‖^(m+1)/(m+1)!, with the remainder as it is and not as it is computed. */
  @ParameterizedTest
  @MethodSource("references")
  void theRemainderStaysWithinItsBound(Reference r) {
    TaylorProxy proxy = r.proxy();
    double bound = proxy.constants(r.row())[0] * proxy.factor(r.theta());
    assertTrue(proxy.holdsAt(r.theta()));
    assertTrue(
        Math.abs(r.remainder()) <= bound * (1 + 1e-12), r.remainder() + " is beyond " + bound);
  }
}
