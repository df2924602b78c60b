package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.block.DenseBlock;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;

/** The expected response is the mean of the distribution that the likelihood is of. */
class ExpectationTest {
  private static final double[] AT = {-1.7, -0.2, 0, 0.9, 2.1};

  private static double expected(FamilySpec spec, double eta) {
    ModelProvider family = Families.find().named(spec.name());
    double[] out = new double[1];
    family.expectation(spec).orElseThrow().write(new double[] {eta}, new double[] {eta}, out);
    return out[0];
  }

  private static double density(FamilySpec spec, double eta, double y) {
    LinearModel model = (LinearModel) Families.find().named(spec.name()).model(spec, List.of("x"));
    return Math.exp(model.given(new double[1]).logLikelihood(eta, y));
  }

  @Test
  void logistic() {
    FamilySpec spec = FamilySpec.of("logistic");
    for (double eta : AT) {
      assertEquals(density(spec, eta, 1), expected(spec, eta), 1e-15);
    }
  }

  @Test
  void poisson() {
    FamilySpec spec = FamilySpec.of("poisson");
    for (double eta : AT) {
      double mean = 0;
      for (int y = 0; y < 100; y++) {
        mean += y * density(spec, eta, y);
      }
      assertEquals(mean, expected(spec, eta), 1e-12 * mean);
    }
  }

  /** By the trapezoid rule in log y; the density's constants are part of it or cancel. */
  @Test
  void gamma() {
    FamilySpec spec = new FamilySpec("gamma", Map.of("shape", 2.5), List.of());
    for (double eta : AT) {
      double sum = 0;
      double mean = 0;
      for (double u = -25; u < 8; u += 0.01) {
        double y = Math.exp(u);
        double p = density(spec, eta, y) * y;
        sum += p;
        mean += y * p;
      }
      assertEquals(mean / sum, expected(spec, eta), 1e-9 * mean / sum);
    }
  }

  /** By the trapezoid rule. A Student-t distribution of four degrees of freedom has a mean. */
  @Test
  void gaussianAndRobust() {
    for (FamilySpec spec :
        List.of(
            new FamilySpec("gaussian", Map.of("sigma", 0.7), List.of()),
            new FamilySpec("robust", Map.of("df", 4.0, "scale", 0.5), List.of()))) {
      for (double eta : AT) {
        double sum = 0;
        double mean = 0;
        for (double y = eta - 500; y < eta + 500; y += 0.01) {
          double p = density(spec, eta, y);
          sum += p;
          mean += y * p;
        }
        assertEquals(mean / sum, expected(spec, eta), 1e-6, spec.name());
      }
    }
  }

  /** The probability of a class is the likelihood of a row of that class. */
  @Test
  void softmax() {
    List<String> classes = List.of("a", "b", "c");
    for (String reference : List.of("none", "b")) {
      FamilySpec spec = new FamilySpec("softmax", Map.of("reference_class", reference), classes);
      ModelProvider family = Families.find().named("softmax");
      Model model = family.model(spec, List.of("x"));
      double[] theta = reference.equals("none") ? new double[] {0.4, -1, 2} : new double[] {0.4, 2};
      double[] out = new double[3];
      family.expectation(spec).orElseThrow().write(theta, theta, out);
      for (int c = 0; c < 3; c++) {
        DenseBlock row = new DenseBlock(0, 1, new double[] {1}, new double[] {c}, null);
        assertEquals(Math.exp(model.logLikelihood(row, 0, theta)), out[c], 1e-15);
      }
    }
  }

  @Test
  void whoseMeanIsNoFunctionOfPredictorsPredictsNothing() {
    ModelProvider mixture = Families.find().named("mixture");
    assertTrue(mixture.expectation(FamilySpec.of("mixture")).isEmpty());
  }
}
