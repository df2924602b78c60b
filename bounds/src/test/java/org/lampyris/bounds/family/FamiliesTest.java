package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.ConfiguredPrior;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.rows.DataBlock;

class FamiliesTest {

  private static final List<String> COLUMNS = List.of("(Intercept)", "age");
  private static final PriorConfig FLAT =
      PriorConfig.of("flat", Map.of(), PriorConfig.Scale.STANDARDIZED);
  private static final LaplaceApproximation LAPLACE =
      new LaplaceApproximation(new double[3], new double[] {1, 0, 0, 0, 1, 0, 0, 0, 1e-4});

  private static FamilySpec spec(String name, String... parameters) {
    FamilySpec spec = FamilySpec.of(name);
    for (int i = 0; i < parameters.length; i += 2) {
      spec = spec.with(parameters[i], parameters[i + 1]);
    }
    return spec;
  }

  private static FamilySpec softmax(String reference) {
    return new FamilySpec(
        "softmax", Map.of("reference_class", reference), List.of("bird", "cat", "dog"));
  }

  /** Returns a prior that no other name has. */
  private static String p(String name) {
    return "normal(" + name.hashCode() + ", 1)";
  }

  private static void assertFamily(
      FamilySpec spec, boolean collapses, List<String> coefficients, List<String> priors) {
    ModelProvider provider = Families.find().named(spec.name());
    Model model = provider.model(spec, COLUMNS);
    assertEquals(coefficients, provider.coefficients(spec, COLUMNS));
    assertEquals(coefficients.size(), model.dimension());
    assertEquals(
        priors,
        provider.priors(spec, COLUMNS, name -> ConfiguredPrior.of(p(name))).stream()
            .map(ConfiguredPrior::toString)
            .toList());
    var bound = provider.bound(spec, COLUMNS, LAPLACE);
    assertEquals(collapses, bound.isPresent());
    bound.ifPresent(b -> assertEquals(model.dimension(), b.dimension()));
    bound.ifPresent(b -> assertEquals(model.functionals(), b.functionals()));
  }

  private static void assertTwoColumns(FamilySpec spec, boolean collapses) {
    assertFamily(spec, collapses, COLUMNS, List.of(p("(Intercept)"), p("age")));
  }

  /** Models count what their likelihoods count, with parameters given, sampled and predicted. */
  @Test
  void dearLikelihoodsAreCounted() {
    assertExpense(1, spec("logistic"));
    assertExpense(1, spec("gamma"));
    assertExpense(6, spec("negative_binomial"));
    assertExpense(9, softmax("cat"));
    assertExpense(15, spec("cloglog"));
    assertExpense(15, spec("zero_inflated_poisson"));
    assertExpense(15, spec("zero_inflated_poisson", "zi", "0.3"));
    assertExpense(30, spec("beta"));
    assertExpense(30, spec("beta", "phi", "4"));
    assertExpense(40, spec("zero_inflated_negative_binomial"));
  }

  private static void assertExpense(double expected, FamilySpec spec) {
    Model model = Families.find().named(spec.name()).model(spec, COLUMNS);
    assertEquals(expected, model.expense(), spec.toString());
  }

  @Test
  void everyFamilyIsKnownByItsName() {
    assertTwoColumns(spec("logistic"), true);
    assertTwoColumns(spec("probit"), false);
    assertTwoColumns(spec("cloglog"), false);
    assertTwoColumns(spec("cauchit"), false);
    assertTwoColumns(spec("hurdle_poisson", "hu", "0.3"), false);
    assertFamily(
        spec("zero_inflated_poisson"),
        false,
        List.of("(Intercept)", "age", "zi"),
        List.of(p("(Intercept)"), p("age"), "logit_share(uniform(0.0, 1.0))"));
    assertTwoColumns(spec("hurdle_negative_binomial", "hu", "0.3", "shape", "2"), false);
    assertFamily(
        spec("zero_inflated_negative_binomial"),
        false,
        List.of("(Intercept)", "age", "zi", "shape"),
        List.of(
            p("(Intercept)"),
            p("age"),
            "logit_share(uniform(0.0, 1.0))",
            "log_scale(exponential(1.0))"));
    assertFamily(
        spec("robust", "df", "auto", "scale", "2"),
        false,
        List.of("(Intercept)", "age", "df"),
        List.of(p("(Intercept)"), p("age"), "log_scale(gamma(2.0, 0.1))"));
    assertFamily(
        spec("robust", "df", "exponential(0.1)"),
        false,
        List.of("(Intercept)", "age", "scale", "df"),
        List.of(
            p("(Intercept)"),
            p("age"),
            "log_scale(exponential(1.0))",
            "log_scale(exponential(0.1))"));
    assertTwoColumns(spec("exponential", "event", "died"), false);
    assertTwoColumns(spec("weibull", "event", "died", "scale", "0.5"), false);
    for (String family : List.of("weibull", "lognormal", "loglogistic")) {
      assertFamily(
          spec(family, "event", "died"),
          false,
          List.of("(Intercept)", "age", "scale"),
          List.of(p("(Intercept)"), p("age"), "log_scale(exponential(1.0))"));
    }
    assertTwoColumns(spec("binomial", "trials", "n"), true);
    assertTwoColumns(spec("robust", "df", "4", "scale", "14.5"), true);
    assertTwoColumns(spec("gaussian", "sigma", "2.0"), true);
    assertTwoColumns(spec("gamma", "shape", "50"), false);
    assertTwoColumns(spec("poisson"), false);
    assertTwoColumns(spec("poisson", "offset", "log_exposure"), false);
    List<String> sigma = List.of("(Intercept)", "age", "sigma");
    assertFamily(
        spec("gaussian"),
        true,
        sigma,
        List.of(p("(Intercept)"), p("age"), "log_scale(exponential(1.0))"));
    List<String> priors = List.of(p("(Intercept)"), p("age"), "log_scale(half_normal(0.0, 10.0))");
    assertFamily(spec("gaussian", "sigma", "half_normal(0, 10)"), true, sigma, priors);
    List<String> flat = List.of(p("(Intercept)"), p("age"), "flat");
    assertFamily(spec("gaussian", "sigma", "jeffreys"), true, sigma, flat);
    assertFamily(
        spec("robust", "df", "4"),
        false,
        List.of("(Intercept)", "age", "scale"),
        List.of(p("(Intercept)"), p("age"), "log_scale(exponential(1.0))"));
    assertFamily(
        spec("gamma", "shape", "half_cauchy(2)"),
        false,
        List.of("(Intercept)", "age", "shape"),
        List.of(p("(Intercept)"), p("age"), "log_scale(half_cauchy(0.0, 2.0))"));
    assertTwoColumns(spec("negative_binomial", "shape", "3", "offset", "e"), true);
    assertFamily(
        spec("negative_binomial"),
        false,
        List.of("(Intercept)", "age", "shape"),
        List.of(p("(Intercept)"), p("age"), "log_scale(exponential(1.0))"));
    assertTwoColumns(spec("beta", "phi", "20"), false);
    assertFamily(
        spec("beta", "phi", "half_cauchy(10)"),
        false,
        List.of("(Intercept)", "age", "phi"),
        List.of(p("(Intercept)"), p("age"), "log_scale(half_cauchy(0.0, 10.0))"));
    List<String> thetas = List.of("theta1", "theta2");
    assertFamily(spec("mixture", "sigma", "1.4"), true, thetas, List.of(p("theta1"), p("theta2")));
    List<String> matrix =
        IntStream.range(0, 9).mapToObj(i -> "w" + (1 + i / 3) + "_" + (1 + i % 3)).toList();
    assertFamily(spec("ica"), false, matrix, matrix.stream().map(w -> p(w)).toList());
    assertEquals(24, Families.find().names().size());
  }

  @Test
  void softmaxNamesItsClasses() {
    List<String> names = List.of("(Intercept)[bird]", "age[bird]", "(Intercept)[dog]", "age[dog]");
    List<String> priors = names.stream().map(n -> p(n)).toList();
    assertFamily(softmax("cat"), true, names, priors);
    assertEquals(6, Families.find().named("softmax").model(softmax("none"), COLUMNS).dimension());
    assertEquals(2, Families.find().named("softmax").predictors(softmax("cat")));
    assertEquals(3, Families.find().named("softmax").predictors(softmax("none")));
  }

  @Test
  void aSampledSigmaIsReportedOnItsScale() {
    double[] theta = {5, 6, Math.log(3)};
    FamilySpec spec = spec("gaussian", "sigma", "exponential(1)");
    Families.find().named("gaussian").report(spec, theta, 2);
    assertArrayEquals(new double[] {5, 6, 3}, theta, 1e-15);
    GaussianScaleModel.Bound bound =
        assertInstanceOf(
            GaussianScaleModel.Bound.class,
            Families.find().named("gaussian").bound(spec, COLUMNS, LAPLACE).orElseThrow());
    assertEquals(0.12, bound.region().orElseThrow().radius(), 1e-15);
  }

  @Test
  void whatSaysTheSameIsEqual() {
    assertSame(
        spec("robust").with("df", 4.0).with("scale", 14.5),
        spec("robust", "df", "4.0", "scale", "14.5"));
    assertSame(
        spec("gaussian", "sigma", "half_normal(0,10)"),
        spec("gaussian", "sigma", "half_normal(10.0)"));
    assertSame(softmax("none"), new FamilySpec("softmax", Map.of(), softmax("cat").classes()));
    ModelProvider robust = Families.find().named("robust");
    assertFalse(
        robust
            .canonical(spec("robust", "df", "4", "scale", "1"))
            .equals(robust.canonical(spec("robust", "df", "5", "scale", "1"))));
    assertEquals(
        "softmax(classes: bird, cat, dog, reference_class: cat)", softmax("cat").toString());
    assertEquals("logistic", spec("logistic").toString());
  }

  private static void assertSame(FamilySpec a, FamilySpec b) {
    assertEquals(
        ModelOfTable.of(a, COLUMNS, FLAT, null).spec(),
        ModelOfTable.of(b, COLUMNS, FLAT, null).spec());
  }

  private static void assertUsage(Executable call, String... parts) {
    UserException e = assertThrows(UserException.class, call);
    for (String part : parts) {
      assertTrue(String.valueOf(e.getMessage()).contains(part), e.getMessage());
    }
  }

  private static Executable model(FamilySpec spec) {
    return () -> ModelOfTable.of(spec, COLUMNS, FLAT, null);
  }

  @Test
  void wrongParametersAreExplained() {
    assertUsage(
        model(spec("robust", "df", "4", "scale", "normal(0, 1)")), "model.scale", "no negative");
    assertUsage(model(spec("robust", "df", "-4", "scale", "1")), "model.df", "above 0, not -4");
    assertUsage(model(spec("gamma", "shape", "five")), "model.shape", "no prior named \"five\"");
    assertUsage(model(spec("gamma", "shape", "5", "df", "4")), "model.df is no parameter", "shape");
    assertUsage(model(spec("logistic", "df", "4")), "model.df is no parameter", "has offset");
    assertUsage(model(spec("gaussian", "sigma", "normal(0, 1)")), "model.sigma", "no negative");
    assertUsage(model(spec("gaussian", "sigma", "half_norm(1)")), "no prior named");
    assertUsage(model(softmax("fish")), "no class fish", "bird, cat, dog");
    assertUsage(
        model(new FamilySpec("softmax", Map.of(), List.of("a"))), "at least two classes", "only a");
    assertUsage(() -> Families.find().named("logit"), "no family \"logit\"", "logistic, probit");
  }

  /** A user's family: Gaussian in η with σ = 2, with one element more than columns. */
  public static final class MyProvider implements ModelProvider {
    @Override
    public Model model(FamilySpec spec, List<String> columns) {
      return new Model() {
        private static final long serialVersionUID = 1L;

        @Override
        public int dimension() {
          return columns.size() + 1;
        }

        @Override
        public double logLikelihood(DataBlock block, int row, double[] theta) {
          return 0;
        }

        @Override
        public double addGradient(DataBlock block, int row, double[] theta, double[] gradient) {
          return 0;
        }

        @Override
        public double addHessian(
            DataBlock block, int row, double[] theta, double[] gradient, double[] hessian) {
          return 0;
        }
      };
    }
  }

  /** Has no constructor without parameters. */
  public static final class Unmakeable implements ModelProvider {
    private final String why;

    /** Takes something. */
    public Unmakeable(String why) {
      this.why = why;
    }

    @Override
    public Model model(FamilySpec spec, List<String> columns) {
      throw new IllegalStateException(why);
    }
  }

  @Test
  void aUsersFamilyIsLoadedByItsClassName() {
    String name = MyProvider.class.getName();
    assertFamily(
        spec(name, "anything", "goes"),
        false,
        List.of("theta1", "theta2", "theta3"),
        List.of(p("theta1"), p("theta2"), p("theta3")));
    assertUsage(() -> Families.find().named("com.acme.MyModel"), "com.acme.MyModel", "--jars");
    assertUsage(
        () -> Families.find().named("java.lang.String"), "does not implement", "ModelProvider");
    assertUsage(() -> Families.find().named(Unmakeable.class.getName()), "constructor");
  }

  /** Through the context class loader, as spark-submit's --jars need it. */
  @Test
  void theContextClassLoaderIsAsked() throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader empty = new URLClassLoader(new URL[0], null)) {
      thread.setContextClassLoader(empty);
      assertUsage(() -> Families.find().named(MyProvider.class.getName()), "--jars");
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
