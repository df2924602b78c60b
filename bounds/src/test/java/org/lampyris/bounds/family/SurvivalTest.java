package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.model.JointLikelihood;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.Values;

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
      JointLikelihood.At at =
          new SurvivalFamily.TimeLikelihood(error(f[0])).at(Math.log(Double.parseDouble(f[2])));
      assertEquals(Double.parseDouble(f[4]), at.logLikelihood(eta, time), 1e-10, where);
      // R's 1 - p loses digits where p is nearly 1.
      double later = Double.parseDouble(f[5]);
      double lost = 1e-14 / Math.exp(later);
      assertEquals(later, at.logLikelihood(eta, -time), 1e-10 + lost, where);
    }
  }

  @Test
  void theLogLikelihoodOfATableIsThatOfSurvreg() {
    assertSurvreg("lung.csv", 1, "survreg.csv");
  }

  @Test
  void soItIsOfTimesInIntervals() {
    assertSurvreg("lung-intervals.csv", 2, "survreg-intervals.csv");
  }

  /** Also its gradient is 0 there, as the coefficients are the most likely ones. */
  private static void assertSurvreg(String table, int event, String references) {
    List<double[]> lung = Fixture.numbers(SurvivalTest.class, table);
    int n = lung.size();
    double[] x = new double[3 * n];
    double[] y = new double[n];
    double[] offset = new double[n];
    double[] weight = new double[n];
    Arrays.fill(weight, 1);
    for (int i = 0; i < n; i++) {
      double[] row = lung.get(i);
      y[i] = CensoredTime.response((int) row[event], row[0], row[1]);
      offset[i] = CensoredTime.offset((int) row[event], row[1]);
      x[3 * i] = 1;
      x[3 * i + 1] = row[event + 1];
      x[3 * i + 2] = row[event + 2];
    }
    DenseBlock block = new DenseBlock(0, 3, Values.of(x), y, weight, offset);
    for (String[] f : Fixture.read(SurvivalTest.class, references)) {
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
      assertEquals(Double.parseDouble(f[5]), sum[0], 1e-8, f[0]);
      for (double slope : gradient[0]) {
        assertEquals(0, slope, 0.05, f[0]);
      }
    }
  }

  @Test
  void timesAndWhatIsKnownOfThemComeBack() {
    for (double t : new double[] {CensoredTime.LEAST, 1e-3, 1, 7.3, 1e9, CensoredTime.MOST}) {
      for (int code = 0; code < 4; code++) {
        for (double factor : new double[] {1 + 0x1p-52, 1.5, 1e30}) {
          double u = factor * t;
          double response = CensoredTime.response(code, t, u);
          double offset = CensoredTime.offset(code, u);
          String where = code + " of " + t + " and " + u;
          assertEquals(code, CensoredTime.code(response), where);
          double expected = code == CensoredTime.BETWEEN ? t * Math.sqrt(factor) : t;
          assertEquals(expected, CensoredTime.time(response, offset), 1e-13 * expected, where);
        }
      }
    }
  }

  /** Log P(between) is an integral of the density, by Simpson's rule, also far out in a tail. */
  @Test
  void intervalsHaveTheProbabilityOfTheTimesInThem() {
    for (Response.Time.Residual error : Response.Time.Residual.values()) {
      JointLikelihood.At at = new SurvivalFamily.TimeLikelihood(error).at(Math.log(0.7));
      double tail = error == Response.Time.Residual.EXTREME ? -2 : -9;
      for (double eta : new double[] {tail, -1, 0, 0.4, 2, 12}) {
        for (double width : new double[] {1e-5, 0.01, 0.3, 1.5}) {
          int n = 4000;
          double most = Double.NEGATIVE_INFINITY;
          double[] log = new double[n + 1];
          for (int k = 0; k <= n; k++) {
            double x = width * k / n;
            log[k] = at.logLikelihood(eta, Math.exp(x)) + x;
            most = Math.max(most, log[k]);
          }
          double sum = 0;
          for (int k = 0; k <= n; k++) {
            sum += (k == 0 || k == n ? 1 : k % 2 == 1 ? 4 : 2) * Math.exp(log[k] - most);
          }
          double expected = most + Math.log(sum * width / n / 3);
          double u = Math.exp(width);
          double y = CensoredTime.response(CensoredTime.BETWEEN, 1, u);
          double found = at.logLikelihood(eta + CensoredTime.offset(CensoredTime.BETWEEN, u), y);
          String where = error + ", eta " + eta + ", width " + width;
          assertEquals(expected, found, 1e-8 * (1 + Math.abs(expected)), where);
          double before = at.logLikelihood(eta, CensoredTime.response(CensoredTime.BEFORE, u, 0));
          double after = at.logLikelihood(eta, -u);
          assertEquals(1, Math.exp(before) + Math.exp(after), 1e-12, where);
        }
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
