package org.lampyris.bounds.family.ordinal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.model.ModelContract;
import org.lampyris.bounds.prior.ColumnCenters;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

class OrdinalModelTest extends ModelContract {
  private static final List<String> COLUMNS_OF_TABLE = List.of("(Intercept)", "x");

  /** The classes 0 … 3 are the third, the first, the fourth and the second. */
  @Override
  protected Model model(int columns) {
    return new OrdinalModel(columns, 2, 0, 3, 1);
  }

  @Override
  protected List<DataBlock> blocks() {
    return RandomBlocks.withOffset(44, ROWS, COLUMNS, random -> random.nextInt(4));
  }

  /** Cut points that are not e¹⁰⁰ apart: there differences say nothing. */
  @Override
  protected double[][] thetas(Model model) {
    double[][] thetas = super.thetas(model);
    for (int k = 2; k < 4; k++) {
      thetas[k][COLUMNS] = 1.5 - k;
      thetas[k][COLUMNS + 1] = 0.3 * k;
    }
    return thetas;
  }

  @Test
  void agreesWithReferencesFarIntoTheTails() {
    OrdinalModel model = new OrdinalModel(1, 0, 1, 2, 3);
    for (String[] f : Fixture.read(OrdinalModelTest.class, "ordinal.csv")) {
      double[] v = Arrays.stream(f).mapToDouble(Double::parseDouble).toArray();
      String where = String.join(", ", List.of(f).subList(0, 4));
      DataBlock row = new DenseBlock(0, 1, new double[] {1}, new double[] {v[3]}, null);
      double[] gradient = new double[3];
      double[] hessian = new double[9];
      double value = model.addHessian(row, 0, new double[] {v[0], v[1], v[2]}, gradient, hessian);
      // An ulp of a cut point, or of η, is one in every exponent.
      double width = Math.exp(v[1]) + Math.exp(v[2]);
      double relative = 4e-16 * (4 + Math.abs(v[0]) + width);
      double[] found = {
        value,
        gradient[0],
        gradient[1],
        gradient[2],
        hessian[0],
        hessian[3],
        hessian[6],
        hessian[4],
        hessian[7],
        hessian[8]
      };
      // Probabilities on either side of a class, and terms of its width, may nearly cancel.
      double[] size = {0, 1, 1, 1, 0, 0, 0, 1, 1, 1};
      for (int k = 0; k < found.length; k++) {
        double tolerance = relative * (Math.abs(v[4 + k]) + 0.1 * size[k]) + Double.MIN_NORMAL;
        assertEquals(v[4 + k], found[k], tolerance, where + ": " + k);
      }
    }
  }

  @Test
  void probabilitiesAddUpToOne() {
    OrdinalModel model = new OrdinalModel(1, 0, 1, 2, 3, 4);
    Likelihood likelihood = model.given(new double[] {7, -1, 0.5, 1});
    for (double eta = -30; eta < 30; eta += 0.37) {
      double at = eta;
      double sum =
          IntStream.range(0, 5).mapToDouble(y -> Math.exp(likelihood.logLikelihood(at, y))).sum();
      assertEquals(1, sum, 1e-14);
    }
  }

  /** With two classes it is a logistic regression. */
  @Test
  void twoClassesAreLogistic() {
    Model two = new OrdinalModel(COLUMNS, 0, 1);
    Model logistic = new LinearModel(new LogisticLikelihood(), COLUMNS);
    double[] theta = RandomBlocks.normal(RandomBlocks.random(3), COLUMNS, 0.7);
    DataBlock signs = RandomBlocks.inEveryLayout(45, ROWS, COLUMNS).get(0);
    DataBlock indices =
        RandomBlocks.inEveryLayout(45, ROWS, COLUMNS, random -> random.nextBoolean() ? 1 : 0)
            .get(0);
    double[] expected = new double[COLUMNS];
    double[] gradient = new double[COLUMNS];
    double[] expectedHessian = new double[COLUMNS * COLUMNS];
    double[] hessian = new double[COLUMNS * COLUMNS];
    double value = logistic.addHessians(signs, theta, expected, expectedHessian);
    assertEquals(value, two.addHessians(indices, theta, gradient, hessian), 1e-12);
    assertArrayEquals(expected, gradient, 1e-12);
    assertArrayEquals(expectedHessian, hessian, 1e-12);
  }

  private static FamilySpec ordinal(List<String> classes, Object... order) {
    Map<String, Object> parameters = order.length == 0 ? Map.of() : Map.of("order", List.of(order));
    return new FamilySpec("ordinal", parameters, classes);
  }

  private static ModelOfTable on(FamilySpec spec, Map<String, String> priors) {
    return ModelOfTable.of(
        spec,
        COLUMNS_OF_TABLE,
        PriorConfig.of("normal(0, 2)", priors, PriorConfig.Scale.STANDARDIZED),
        null);
  }

  @Test
  void cutPointsTakeThePlaceOfTheIntercept() {
    ModelOfTable model =
        on(ordinal(List.of("1", "2", "3", "4")), Map.of("Intercept[1]", "normal(-1, 3)"));
    assertEquals(
        List.of("Intercept[1]", "x", "Intercept[2]", "Intercept[3]"), model.coefficients());
    String gaps = "log_scale(exponential(1.0))";
    assertEquals(
        List.of("normal(1.0, 3.0)", "normal(0.0, 2.0)", gaps, gaps),
        model.priors().stream().map(UnivariatePrior::toString).toList());
    assertEquals(List.of("normal(-1.0, 3.0)", "normal(0, 2)", gaps, gaps), model.inputPriors());
    double[] theta = {0.5, 7, Math.log(2), Math.log(3)};
    ColumnCenters asItIs = new ColumnCenters(new double[2], 0);
    assertArrayEquals(new double[] {-0.5, 7, 1.5, 4.5}, model.toInput(theta, asItIs), 1e-15);
    assertArrayEquals(theta, model.fromInput(new double[] {-0.5, 7, 1.5, 4.5}, asItIs), 1e-15);
    ColumnCenters centers = new ColumnCenters(new double[] {0, 3}, 0);
    assertArrayEquals(theta, model.fromInput(model.toInput(theta, centers), centers), 1e-14);
  }

  @Test
  void theOrderIsThatOfNumbersOrGiven() {
    FamilySpec text = ordinal(List.of("high", "low", "mid"));
    assertUsage(text, "model.order is missing", "high, low, mid");
    DataBlock high = new DenseBlock(0, 2, new double[] {1, 0}, new double[] {0}, null);
    double[] theta = {3, 0, 0};
    Model model =
        on(ordinal(List.of("high", "low", "mid"), "low", "mid", "high"), Map.of()).model();
    assertEquals(
        new OrdinalModel(2, 2, 0, 1).logLikelihood(high, 0, theta),
        model.logLikelihood(high, 0, theta));
    assertUsage(ordinal(List.of("a", "b"), "a", "c"), "no class c", "a, b");
    assertUsage(ordinal(List.of("a", "b", "c"), "c", "b"), "does not list the class a");
    assertUsage(ordinal(List.of("a", "b"), "a", "b", "a"), "twice");
    assertUsage(ordinal(List.of("a")), "only a");
    UserException e =
        assertThrows(
            UserException.class,
            () -> on(ordinal(List.of("1", "2")), Map.of("Intercept[1]", "exponential(1)")));
    assertTrue(String.valueOf(e.getMessage()).contains("Intercept[1]"), e.getMessage());
    UserException none =
        assertThrows(
            UserException.class,
            () ->
                ModelOfTable.of(
                    ordinal(List.of("1", "2")),
                    List.of("x"),
                    PriorConfig.of("flat", Map.of(), PriorConfig.Scale.STANDARDIZED),
                    null));
    assertTrue(String.valueOf(none.getMessage()).contains("data.intercept"), none.getMessage());
  }

  /** From what is reported, the probabilities that the model has. */
  @Test
  void everyClassIsExpectedAsTheModelSays() {
    ModelOfTable model = on(ordinal(List.of("high", "low", "mid"), "low", "mid", "high"), Map.of());
    double[] theta = {0.5, 0.8, Math.log(2)};
    double[] reported = {-0.5, 0.8, 1.5};
    double x = 0.7;
    double[] expected = new double[3];
    model.expectation().orElseThrow().write(new double[] {-0.5 + 0.8 * x}, reported, expected);
    for (int k = 0; k < 3; k++) {
      DataBlock row = new DenseBlock(0, 2, new double[] {1, x}, new double[] {k}, null);
      assertEquals(Math.exp(model.model().logLikelihood(row, 0, theta)), expected[k], 1e-15);
    }
  }

  private static void assertUsage(FamilySpec spec, String... parts) {
    UserException e = assertThrows(UserException.class, () -> on(spec, Map.of()));
    for (String part : parts) {
      assertTrue(String.valueOf(e.getMessage()).contains(part), e.getMessage());
    }
  }
}
