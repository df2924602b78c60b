package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DenseBlock;

/** Times until an event, against the R package survival. */
class SurvivalTest {
  private static Response.Time.Residual error(String family) {
    return switch (family) {
      case "lognormal" -> Response.Time.Residual.NORMAL;
      case "loglogistic" -> Response.Time.Residual.LOGISTIC;
      default -> Response.Time.Residual.EXTREME;
    };
  }

  @Test
  void eventsAndCensoredTimesAgreeWithSurvival() {
    for (String[] f : Fixture.read(SurvivalTest.class, "survival.csv")) {
      double eta = Double.parseDouble(f[1]);
      double time = Double.parseDouble(f[3]);
      String where = String.join(", ", f);
      DispersedLikelihood.At at =
          new SurvivalFamily.TimeLikelihood(error(f[0])).at(Math.log(Double.parseDouble(f[2])));
      assertEquals(Double.parseDouble(f[4]), at.logLikelihood(eta, time), 1e-10, where);
      // R's 1 - p loses digits where p is nearly 1.
      double later = Double.parseDouble(f[5]);
      double lost = 1e-14 / Math.exp(later);
      assertEquals(later, at.logLikelihood(eta, -time), 1e-10 + lost, where);
    }
  }

  /** Also its gradient is 0 there, as the coefficients are the most likely ones. */
  @Test
  void theLogLikelihoodOfATableIsThatOfSurvreg() {
    List<double[]> lung = Fixture.numbers(SurvivalTest.class, "lung.csv");
    int n = lung.size();
    double[] x = new double[3 * n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      double[] row = lung.get(i);
      y[i] = row[1] == 1 ? row[0] : -row[0];
      x[3 * i] = 1;
      x[3 * i + 1] = row[2];
      x[3 * i + 2] = row[3];
    }
    DenseBlock block = new DenseBlock(0, 3, x, y, null);
    for (String[] f : Fixture.read(SurvivalTest.class, "survreg.csv")) {
      boolean scaled = !f[0].equals("exponential");
      FamilySpec spec = new FamilySpec(f[0], Map.of("event", "status"), List.of());
      Model model = Families.find().named(f[0]).model(spec, List.of("(Intercept)", "age", "ecog"));
      double[] theta = new double[scaled ? 4 : 3];
      for (int j = 0; j < 3; j++) {
        theta[j] = Double.parseDouble(f[1 + j]);
      }
      if (scaled) {
        theta[3] = Math.log(Double.parseDouble(f[4]));
      }
      double[] sum = new double[1];
      double[][] gradient = new double[1][theta.length];
      model.addGradients(block, new double[][] {theta}, sum, gradient);
      assertEquals(Double.parseDouble(f[5]), sum[0], 1e-8 * Math.abs(sum[0]), f[0]);
      for (double slope : gradient[0]) {
        assertEquals(0, slope, 0.05, f[0]);
      }
    }
  }

  /** Means, variances and distributions of times are those of 200,000 quantiles. */
  @Test
  void expectationsAreMeansOfQuantiles() {
    for (String family : List.of("weibull", "lognormal", "loglogistic", "exponential")) {
      double scale = family.equals("exponential") ? 1 : 0.2;
      FamilySpec spec =
          family.equals("exponential")
              ? FamilySpec.of(family)
              : new FamilySpec(family, Map.of("scale", scale), List.of());
      Expectation expectation = Families.find().named(family).expectation(spec).orElseThrow();
      double[] mean = new double[1];
      expectation.write(new double[] {0.7}, new double[0], mean);
      int n = 200_000;
      double sum = 0;
      double squares = 0;
      for (int i = 0; i < n; i++) {
        double u = (i + 0.5) / n;
        double z =
            switch (error(family)) {
              case EXTREME -> Math.log(-Math.log1p(-u));
              case NORMAL ->
                  -Math.sqrt(2) * org.apache.commons.numbers.gamma.InverseErfc.value(2 * u);
              case LOGISTIC -> Math.log(u / (1 - u));
            };
        double t = Math.exp(0.7 + scale * z);
        sum += t;
        squares += t * t;
      }
      assertEquals(sum / n, mean[0], 1e-4 * mean[0], family);
      double variance = squares / n - sum / n * (sum / n);
      assertEquals(variance, expectation.variance(mean[0], new double[0]), 5e-3 * variance, family);
      Response.Time of = (Response.Time) expectation.response(mean[0], new double[0]).orElseThrow();
      assertEquals(0.7, of.location(), 1e-12, family.toUpperCase(Locale.ROOT));
      assertEquals(scale, of.scale());
    }
    double none = new LoglogisticFamily().squaredVariation(0.5);
    assertTrue(none == Double.POSITIVE_INFINITY, "the variance of " + none);
  }
}
