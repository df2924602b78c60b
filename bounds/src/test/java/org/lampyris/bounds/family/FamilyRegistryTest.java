package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.error.UserException;
import org.lampyris.bounds.lowerbound.ExactGaussianBound;
import org.lampyris.bounds.lowerbound.GaussianScaleBound;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.LogisticLikelihood;
import org.lampyris.bounds.model.RobustLikelihood;
import org.lampyris.bounds.model.SoftmaxModel;
import org.lampyris.bounds.scale.CoefficientScale;

class FamilyRegistryTest {
  private static final FamilyTable TABLE =
      new FamilyTable(List.of("(Intercept)", "age"), List.of("cat", "dog", "emu"), 400);

  /** The columns have centres 0 and 10 and scales 1 and 4. */
  private static final CoefficientScale SCALE =
      new CoefficientScale(new double[] {0, 10}, new double[] {1, 4}, 0);

  private static Family family(String name, String... parameters) {
    return FamilyRegistry.family(spec(name, parameters), TABLE);
  }

  private static FamilySpec spec(String name, String... parameters) {
    return new FamilySpec(
        name, parameters.length == 0 ? Map.of() : Map.of(parameters[0], parameters[1]));
  }

  /** A family of the user's. */
  public static final class Own implements FamilyFactory {
    @Override
    public Family create(FamilyTable table, Map<String, String> options) {
      if (!options.containsKey("knots")) {
        throw new IllegalArgumentException("model.options.knots is missing");
      }
      return Family.of(new LinearModel(new LogisticLikelihood(), 2), Coefficients.of(table));
    }
  }

  private static String refused(String name, String... parameters) {
    UserException e = assertThrows(UserException.class, () -> family(name, parameters));
    assertEquals(UserException.Kind.USAGE, e.kind());
    return String.valueOf(e.getMessage());
  }

  private static void assertSays(String message, String... parts) {
    for (String part : parts) {
      assertTrue(message.contains(part), message);
    }
  }

  @Test
  void softmaxNamesEveryClassButTheReference() {
    Family all = family("softmax");
    assertEquals(
        List.of(
            "(Intercept)[cat]",
            "age[cat]",
            "(Intercept)[dog]",
            "age[dog]",
            "(Intercept)[emu]",
            "age[emu]"),
        all.coefficients().names());
    Family four = family("softmax", "reference_class", "dog");
    assertEquals(
        List.of("(Intercept)[cat]", "age[cat]", "(Intercept)[emu]", "age[emu]"),
        four.coefficients().names());
    assertEquals(1, ((SoftmaxModel) four.model()).reference());
    assertArrayEquals(
        new double[] {1 - 2 * 10.0 / 4, 2 / 4.0, 3 - 8 * 10.0 / 4, 8 / 4.0},
        four.coefficients().toInput(new double[] {1, 2, 3, 8}, SCALE));
    assertSays(refused("softmax", "reference_class", "fox"), "\"fox\"", "no row", "cat, dog, emu");
  }

  @Test
  void parametersReachTheLikelihood() {
    FamilySpec spec = new FamilySpec("robust", Map.of("df", "4", "scale", "14.5"));
    LinearModel model = (LinearModel) FamilyRegistry.family(spec, TABLE).model();
    RobustLikelihood robust = (RobustLikelihood) model.likelihood();
    assertEquals(4, robust.df());
    assertEquals(14.5, robust.scale());
    assertEquals("robust {df=4, scale=14.5}", spec.toString());
    assertSays(refused("robust", "df", "4"), "model.scale");
  }

  @Test
  void aSampledSigmaIsReportedOnItsNaturalScale() {
    Family known = family("gaussian", "sigma", "2.5");
    assertEquals(ExactGaussianBound.class, known.bound().orElseThrow().getClass());
    assertEquals(TABLE.columns(), known.coefficients().names());
    Family sampled = family("gaussian");
    assertEquals(List.of("(Intercept)", "age", "sigma"), sampled.coefficients().names());
    assertArrayEquals(
        new double[] {1 - 2 * 10.0 / 4, 0.5, Math.exp(-3)},
        sampled.coefficients().toInput(new double[] {1, 2, -3}, SCALE));
    GaussianScaleBound bound = (GaussianScaleBound) sampled.bound().orElseThrow();
    assertEquals(12 / Math.sqrt(800), bound.radius());
    FamilyTable sigma = new FamilyTable(List.of("sigma"), List.of(), 4);
    assertThrows(
        UserException.class, () -> FamilyRegistry.family(FamilySpec.of("gaussian"), sigma));
  }

  @Test
  void familiesWithoutABoundSayWhatApplies() {
    for (Family family : List.of(family("gamma", "shape", "3"), family("poisson"))) {
      UserException e = assertThrows(UserException.class, () -> family.requireBound("firefly"));
      assertSays(
          String.valueOf(e.getMessage()),
          family.spec().name(),
          "sampler.algorithm: firefly",
          "choose sampler.algorithm: metropolis");
    }
    Family logistic = family("logistic");
    assertSame(logistic.bound().orElseThrow(), logistic.requireBound("firefly"));
  }

  @Test
  void aClassOfTheUsersIsLoadedByName() {
    String name = Own.class.getName();
    Family own = family(name, "knots", "3");
    assertEquals(spec(name, "knots", "3"), own.spec());
    assertEquals(2, own.model().dimension());
    assertSays(refused(name), name, "model.options.knots is missing");
    assertSays(refused("com.acme.None"), "com.acme.None", "not on the class path", "--jars");
    assertSays(refused("java.lang.String"), "java.lang.String", "does not implement");
    assertSays(refused(FamilyFactory.class.getName()), "cannot be made", "public");
  }

  @Test
  void namesAndModelMustFit() {
    LinearModel model = new LinearModel(new LogisticLikelihood(), 3);
    assertThrows(IllegalArgumentException.class, () -> Family.of(model, Coefficients.of(TABLE)));
    assertThrows(IllegalArgumentException.class, () -> new Coefficients(List.of("a", "a"), 1, 0));
  }
}
