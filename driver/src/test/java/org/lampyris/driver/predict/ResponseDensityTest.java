package org.lampyris.driver.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.family.OwnFormula;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.rows.Predictors;
import org.lampyris.executors.table.TableSchema;

/** Log predictive densities of cells, each against its formula in two draws. */
class ResponseDensityTest {
  private static final double[][] ETA = {{0.3, -0.2}, {-0.5, 0.4}};

  private static ResponseDensity density(FamilySpec spec, LabelKind kind, double[][] draws) {
    TableSchema schema = PredictiveCheckTest.schema(kind, List.of());
    PriorConfig flat = PriorConfig.of("flat", Map.of(), PriorConfig.Scale.INPUT);
    return new ResponseDensity(
        ModelOfTable.of(spec, schema.columnNames(), flat, null), schema, draws);
  }

  private static double of(ResponseDensity density, double cell, double trials) {
    return Objects.requireNonNull(density.of(cell, trials, ETA, new double[1][2]));
  }

  /** P(t > T), p(T) and P(t &lt; T) of a Weibull time, by the codes 0, 1 and 2 of events. */
  @Test
  void censoredTimes() {
    double[][] draws = {{0, 0, 0.7}, {0, 0, 1.4}};
    FamilySpec weibull =
        FamilySpec.of("weibull").with("event", "e").with("scale", "exponential(1)");
    ResponseDensity density = density(weibull, LabelKind.TIME, draws);
    double t = 1.7;
    double after = 0;
    double at = 0;
    for (int s = 0; s < 2; s++) {
      double shape = 1 / draws[s][2];
      double u = Math.pow(t / Math.exp(ETA[0][s]), shape);
      after += Math.exp(-u) / 2;
      at += shape / t * u * Math.exp(-u) / 2;
    }
    assertEquals(Math.log(after), of(density, t, 0), 1e-12);
    assertEquals(Math.log(at), of(density, t, 1), 1e-12);
    assertEquals(Math.log(1 - after), of(density, t, 2), 1e-12);
    assertNull(density.of(t, 3, ETA, new double[1][2]));
  }

  /** With a sigma, and a share of zeros, that have linear predictors of their own. */
  @Test
  void twoPredictors() {
    OwnFormula formula = new OwnFormula("~ x", Predictors.all(2, 2), 0);
    double[][] draws = new double[2][4];
    FamilySpec gaussian = FamilySpec.of("gaussian").with("sigma", formula);
    FamilySpec zeros = FamilySpec.of("zero_inflated_poisson").with("zi", formula);
    double y = 1.1;
    double normal = 0;
    double zero = 0;
    double two = 0;
    for (int s = 0; s < 2; s++) {
      double sigma = Math.exp(ETA[1][s]);
      double z = (y - ETA[0][s]) / sigma;
      normal += Math.exp(-0.5 * z * z) / sigma / Math.sqrt(2 * Math.PI) / 2;
      double share = 1 / (1 + Math.exp(-ETA[1][s]));
      double mean = Math.exp(ETA[0][s]);
      zero += (share + (1 - share) * Math.exp(-mean)) / 2;
      two += (1 - share) * Math.exp(-mean) * mean * mean / 2 / 2;
    }
    ResponseDensity real = density(gaussian, LabelKind.REAL, draws);
    ResponseDensity count = density(zeros, LabelKind.COUNT, draws);
    assertEquals(Math.log(normal), of(real, y, 1), 1e-12);
    assertEquals(Math.log(zero), of(count, 0, 1), 1e-12);
    assertEquals(Math.log(two), of(count, 2, 1), 1e-12);
  }
}
