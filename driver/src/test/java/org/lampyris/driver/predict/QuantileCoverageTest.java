package org.lampyris.driver.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.Families;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.rows.Predictors;

/** Labels x + (k + ½)/100, k = 0 … 99 in turn, so that the 0.9 quantile is x + 0.9. */
class QuantileCoverageTest {
  private static final int ROWS = 2_000;
  private static final double[] X =
      IntStream.range(0, ROWS).mapToDouble(i -> Math.floorDiv(i, 100)).toArray();
  private static final double[] Y =
      IntStream.range(0, ROWS).mapToDouble(i -> X[i] + (i % 100 + 0.5) / 100).toArray();

  private static List<Panel> coverage(
      double quantile, double intercept, double slope, double @Nullable [] weight) {
    FamilySpec family =
        new FamilySpec("asymmetric_laplace", Map.of("quantile", quantile), List.of());
    return of(
        family,
        // The mean of the draws is the quantile.
        new double[][] {{intercept - 0.001, slope, 0.2}, {intercept + 0.001, slope, 0.2}},
        weight);
  }

  private static List<Panel> of(FamilySpec family, double[][] draws, double @Nullable [] weight) {
    return QuantileCoverage.of(
        new PredictiveCheck.Fitted(
            PredictiveCheckTest.schema(LabelKind.REAL, List.of()),
            Families.find().named(family.name()).expectation(family).orElseThrow(),
            draws,
            Predictors.all(2, 1)),
        PredictiveCheckTest.rows(X, Y, weight));
  }

  @Test
  void aRightQuantileHasItsShareOfRowsEverywhere() {
    List<Panel> panels = coverage(0.9, 0.9, 1, null);
    assertEquals(
        List.of("the fitted quantile of y", "x"), panels.stream().map(Panel::what).toList());
    for (Panel panel : panels) {
      assertEquals(10, panel.groups().size());
      for (Panel.Group group : panel.groups()) {
        assertEquals(0.9, group.observed(), 1e-12);
        assertEquals(0.9, group.mean());
        assertEquals(200, group.rows());
        double half = 1.96 * Math.sqrt(0.9 * 0.1 / 200);
        assertEquals(0.9 - half, group.replicated().low(), 1e-12);
        assertEquals(0.9 + half, group.replicated().high(), 1e-12);
      }
    }
  }

  /** A line that is too flat has too many rows below where x is small, and too few elsewhere. */
  @Test
  void aMissingSlopeShows() {
    Panel by = coverage(0.5, 10, 0.4, null).get(1);
    assertEquals(1, by.groups().get(0).observed());
    assertEquals(0, by.groups().get(9).observed());
    assertTrue(by.groups().get(0).isOutside() && by.groups().get(9).isOutside());
  }

  @Test
  void aWeightIsThatManyRows() {
    double[] weight = IntStream.range(0, ROWS).mapToDouble(i -> i % 100 < 50 ? 3 : 1).toArray();
    Panel.Group group = coverage(0.5, 0.5, 1, weight).get(1).groups().get(0);
    assertEquals(0.75, group.observed(), 1e-12);
    assertEquals(0.5 - 1.96 * Math.sqrt(0.25 / 400), group.replicated().low(), 1e-12);
    Arrays.setAll(weight, i -> i % 100 < 50 ? 1.5 : 0.5);
    group = coverage(0.5, 0.5, 1, weight).get(1).groups().get(0);
    double squares = (1.5 * 1.5 + 0.5 * 0.5) / 2 * 200;
    assertEquals(0.5 - 1.96 * Math.sqrt(0.25 * squares) / 200, group.replicated().low(), 1e-12);
  }

  @Test
  void otherFamiliesHaveNoQuantile() {
    FamilySpec gaussian = FamilySpec.of("gaussian").with("sigma", 1.0);
    assertEquals(List.of(), of(gaussian, new double[][] {{0, 1}}, null));
  }
}
