package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Differences;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.prior.ColumnCenters;
import org.lampyris.bounds.prior.HalfPrior;
import org.lampyris.bounds.prior.InterceptShift;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.prior.PriorConfig.InterceptAt;
import org.lampyris.bounds.prior.PriorConfig.Scale;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.TableScale;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.Predictors;

class TablePriorsTest {
  private static final List<String> COLUMNS = List.of("(Intercept)", "a", "b", "c", "d");

  private static final Map<String, String> PRIORS =
      Map.of(
          "(Intercept)", "cauchy(3, 10)",
          "a", "normal(1, 2)",
          "b", "laplace(0, 0.5)",
          "c", "student_t(4, 0, 3)",
          "d", "flat");

  /** Columns of which one is stored as it is, though its mean is 7. */
  private static final ColumnCenters STORED = new ColumnCenters(new double[] {0, 5, -3, 40, 0}, 0);

  private static final List<Double> SCALES = List.of(1.0, 0.25, 8.0, 100.0, 1.0);

  private static final double[] MEAN = {1, 5, -3, 40, 7};

  private static final TableScale TABLE =
      new TableScale(
          STORED,
          SCALES,
          Arrays.stream(MEAN).mapToObj(mean -> new Moments(mean, mean == 1 ? 0 : 2)).toList(),
          List.of(0.0, 2.0, 2.0, 2.0, 2.0),
          new Moments(1000, 50),
          "b",
          null);

  private static ModelOfTable model(String family, PriorConfig priors) {
    FamilySpec spec =
        family.equals("softmax")
            ? new FamilySpec(family, Map.of(), List.of("p", "q"))
            : family.equals("robust")
                ? FamilySpec.of(family).with("df", "4").with("scale", "1")
                : FamilySpec.of(family);
    return ModelOfTable.of(spec, COLUMNS, priors, TABLE);
  }

  /** log p(θ) is that of the coefficients that priors speak of, the intercept's at a point. */
  @Test
  void densitiesAreThoseOfTheCoefficientsSpokenOfAndOfTheInterceptAtAPoint() {
    for (InterceptAt at : InterceptAt.values()) {
      for (Scale scale : Scale.values()) {
        requireDensity(at, scale);
      }
    }
    assertNotEquals(
        model("logistic", PriorConfig.of("flat", Map.of(), Scale.INPUT)).spec(),
        model("logistic", at(InterceptAt.ZERO, Map.of(), Scale.INPUT)).spec());
  }

  private static PriorConfig at(InterceptAt at, Map<String, String> priors, Scale scale) {
    PriorConfig of = PriorConfig.of("flat", priors, scale);
    return new PriorConfig(of.prior(), of.priors(), scale, at);
  }

  private static void requireDensity(InterceptAt at, Scale scale) {
    ProductPrior prior = model("logistic", at(at, PRIORS, scale)).prior();
    for (int seed = 1; seed < 4; seed++) {
      double[] theta = RandomBlocks.normal(RandomBlocks.random(seed), 5, 2);
      double[] beta = STORED.toInput(theta);
      double jacobian = 0;
      for (int j = 1; j < 5; j++) {
        beta[0] += at == InterceptAt.CENTERS ? beta[j] * MEAN[j] : 0;
        // The prior of d is flat: improper, and the same on each scale.
        double s = scale == Scale.INPUT || j == 4 ? 1 : SCALES.get(j);
        beta[j] *= s;
        jacobian += Math.log(s);
      }
      double expected =
          ProductPrior.parse(COLUMNS.stream().map(PRIORS::get).toList()).logDensity(beta);
      String where = at + " " + scale + " seed " + seed;
      assertEquals(expected + jacobian, prior.logDensity(theta), 1e-10, where);
      double[] gradient = new double[5];
      prior.addGradient(theta, gradient);
      for (int j = 0; j < 5; j++) {
        double difference = Differences.central(prior::logDensity, theta, j, 1e-4);
        assertEquals(difference, gradient[j], 1e-6 * (1 + Math.abs(difference)), where);
      }
    }
  }

  @Test
  void aShiftAndItsInverseCarryPointsGradientsAndCovariances() {
    InterceptShift shift = new InterceptShift(new double[] {0, 2, -3}, 0, Predictors.all(3, 2));
    double[] theta = {1, 2, 3, 4, 5, 6, 7};
    double[] point = {1 + 4 - 9, 2, 3, 4 + 10 - 18, 5, 6, 7};
    assertArrayEquals(point, shift.toPoint(theta));
    assertArrayEquals(theta, shift.toStored(point));
    // g in γ, aᵀγ = (Aᵀa)ᵀθ.
    double[] gradient = {1, 1, 1, 2, 0, 0, 5};
    shift.gradientToStored(gradient);
    assertArrayEquals(new double[] {1, 3, -2, 2, 4, -6, 5}, gradient);
    shift.gradientToPoint(gradient);
    assertArrayEquals(new double[] {1, 1, 1, 2, 0, 0, 5}, gradient);
    // With C = I the covariance of θ is A⁻¹A⁻ᵀ, and its inverse, as a Hessian, goes back to I.
    double[] identity = new double[49];
    double[] hessian = new double[49];
    for (int i = 0; i < 7; i++) {
      identity[8 * i] = 1;
      double[] row = new double[7];
      row[i] = 1;
      row = shift.toPoint(row);
      shift.gradientToStored(row);
      System.arraycopy(row, 0, hessian, 7 * i, 7);
    }
    double[] stored = hessian.clone();
    shift.hessianToPoint(hessian, 7);
    assertArrayEquals(identity, hessian);
    shift.hessianToStored(hessian, 7);
    assertArrayEquals(stored, hessian);
    double[] covariance = shift.covarianceToStored(identity, 7);
    assertArrayEquals(new double[] {14, -2, 3}, Arrays.copyOf(covariance, 3));
    assertArrayEquals(new double[] {14, -2, 3}, Arrays.copyOfRange(covariance, 24, 27));
  }

  @Test
  void theDefaultFollowsFromTheTable() {
    PriorConfig auto = PriorConfig.of("auto", Map.of("b", "flat"), Scale.STANDARDIZED);
    ModelOfTable robust = model("robust", auto);
    assertEquals(
        List.of(
            "normal(1000.0, 125.0)",
            "normal(0.0, 62.5)",
            "flat",
            "normal(0.0, 62.5)",
            "normal(0.0, 62.5)"),
        robust.inputPriors());
    assertEquals(
        robust.inputPriors(), robust.priors().stream().map(UnivariatePrior::toString).toList());
    assertEquals(
        "[normal(0.0, 2.5), normal(0.0, 1.25), flat, normal(0.0, 1.25), normal(0.0, 1.25)]",
        model("logistic", auto).inputPriors().toString());
    assertEquals(
        "normal(" + Math.log(1000) + ", 2.5)", model("poisson", auto).inputPriors().get(0));
  }

  @Test
  void scalesAndTheReferenceFollowFromTheTable() {
    PriorConfig flat = PriorConfig.of("flat", Map.of(), Scale.STANDARDIZED);
    ModelOfTable robust =
        ModelOfTable.of(FamilySpec.of("robust").with("df", "4"), COLUMNS, flat, TABLE);
    assertEquals("log_scale(exponential(0.02))", robust.priors().get(5).toString());
    assertEquals("scale", robust.coefficients().get(5));
    FamilySpec softmax =
        new FamilySpec("softmax", Map.of("reference_class", "auto"), List.of("a", "b", "c"));
    assertEquals(
        "(Intercept)[c]", ModelOfTable.of(softmax, COLUMNS, flat, TABLE).coefficients().get(5));
    assertEquals(
        15,
        ModelOfTable.of(
                new FamilySpec("softmax", Map.of("reference_class", "none"), softmax.classes()),
                COLUMNS,
                flat,
                TABLE)
            .coefficients()
            .size());
  }

  /** Another unit of label and columns scales every default prior of a scale with it. */
  @Test
  void defaultPriorsOfScalesHaveTheUnitOfLabelAndColumn() {
    double label = 1e-3;
    double column = 60;
    List<Moments> rescaled =
        TABLE.columns().stream()
            .map(of -> new Moments(column * of.mean(), column * of.sd()))
            .toList();
    TableScale other =
        new TableScale(
            STORED,
            SCALES,
            rescaled,
            rescaled.stream().map(Moments::sd).toList(),
            new Moments(label * 1000, label * 50),
            "b",
            null);
    PriorConfig auto = PriorConfig.of("auto", Map.of(), Scale.STANDARDIZED);
    for (String family : List.of("gaussian", "robust", "logistic", "poisson", "gamma")) {
      FamilySpec spec = FamilySpec.of(family);
      FamilySpec of = family.equals("robust") ? spec.with("df", "4") : spec;
      ModelOfTable here = ModelOfTable.of(of, COLUMNS, auto, TABLE);
      ModelOfTable there = ModelOfTable.of(of, COLUMNS, auto, other);
      boolean inUnit = family.equals("gaussian") || family.equals("robust");
      double unit = inUnit ? label : 1;
      double s = inUnit ? 50 : 2.5;
      assertEquals(half(s), here.effectPrior(-1), family);
      assertEquals(half(s / 2), here.effectPrior(3), family);
      assertEquals(half(s * unit), there.effectPrior(-1), family);
      assertEquals(half(s * unit / (2 * column)), there.effectPrior(3), family);
      if (inUnit) {
        assertEquals(
            "log_scale(exponential(" + 1 / (label * 50) + "))",
            there.priors().get(5).toString(),
            family);
      }
    }
  }

  /**
   * Counts with an exposure: in another unit of it the coefficients' prior is the same, moved by as
   * much as the likelihood moves the intercept. Without one, or where it is not known, as ever.
   */
  @Test
  void anotherUnitOfTheExposureMovesTheInterceptsPriorWithIt() {
    PriorConfig auto = PriorConfig.of("auto", Map.of(), Scale.STANDARDIZED);
    for (String family : List.of("poisson", "negative_binomial")) {
      FamilySpec spec = FamilySpec.of(family);
      FamilySpec rate = spec.with("offset", "days");
      ModelOfTable days = ModelOfTable.of(rate, COLUMNS, auto, exposed(365.25 * 2));
      ModelOfTable years = ModelOfTable.of(rate, COLUMNS, auto, exposed(2));
      assertEquals("normal(" + Math.log(1000 / 2.0) + ", 2.5)", years.priors().get(0).toString());
      assertEquals(years.priors().subList(1, 5), days.priors().subList(1, 5), family);
      double[] inYears =
          RandomBlocks.normal(RandomBlocks.random(3), years.coefficients().size(), 2);
      double[] inDays = inYears.clone();
      inDays[0] -= Math.log(365.25);
      double expected = years.prior().logDensity(inYears);
      assertEquals(expected, days.prior().logDensity(inDays), 1e-10 * Math.abs(expected), family);
      assertEquals(
          "normal(" + Math.log(1000) + ", 2.5)",
          ModelOfTable.of(spec, COLUMNS, auto, TABLE).priors().get(0).toString());
      assertEquals(
          "normal(0.0, 2.5)",
          ModelOfTable.of(rate, COLUMNS, auto, TABLE).priors().get(0).toString());
    }
  }

  private static TableScale exposed(double exposure) {
    return new TableScale(
        STORED, SCALES, TABLE.columns(), TABLE.sizes(), TABLE.label(), "b", exposure);
  }

  private static HalfPrior half(double scale) {
    return new HalfPrior(new UnivariatePrior.StudentT(3, 0, scale));
  }
}
