package org.lampyris.bounds.family;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.error.UserException;
import org.lampyris.bounds.lowerbound.BohningBound;
import org.lampyris.bounds.lowerbound.ExactGaussianBound;
import org.lampyris.bounds.lowerbound.GaussianScaleBound;
import org.lampyris.bounds.lowerbound.JaakkolaJordanBound;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.bounds.lowerbound.StudentBound;
import org.lampyris.bounds.model.GammaLikelihood;
import org.lampyris.bounds.model.GaussianLikelihood;
import org.lampyris.bounds.model.GaussianScaleModel;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.LogisticLikelihood;
import org.lampyris.bounds.model.PoissonLikelihood;
import org.lampyris.bounds.model.RobustLikelihood;
import org.lampyris.bounds.model.SoftmaxModel;

/** Makes families by name. */
public final class FamilyRegistry {
  /** The parameter of the softmax family: the class without coefficients; absent for none. */
  public static final String REFERENCE_CLASS = "reference_class";

  /** The parameter of the robust family that is ν. */
  public static final String DF = "df";

  /** The parameter of the robust family that is σ. */
  public static final String SCALE = "scale";

  /**
   * The parameter of the gaussian family that is σ; absent where σ is sampled. Also the name that a
   * sampled σ is reported under.
   */
  public static final String SIGMA = "sigma";

  /** The parameter of the gamma family that is α. */
  public static final String SHAPE = "shape";

  private FamilyRegistry() {}

  /**
   * Returns a family for a table.
   *
   * @param spec the family's name and parameters
   * @param table what is known of the table
   * @throws UserException (usage) if there is no such family or it cannot be made
   */
  public static Family family(FamilySpec spec, FamilyTable table) {
    return switch (spec.name()) {
      case "logistic" ->
          linear(
              spec,
              table,
              new LogisticLikelihood(),
              new JaakkolaJordanBound(table.columns().size()));
      case "softmax" -> softmax(spec, table);
      case "robust" -> {
        RobustLikelihood robust = new RobustLikelihood(number(spec, DF), number(spec, SCALE));
        yield linear(spec, table, robust, new StudentBound(robust, table.columns().size()));
      }
      case "gaussian" -> gaussian(spec, table);
      case "gamma" -> linear(spec, table, new GammaLikelihood(number(spec, SHAPE)), null);
      case "poisson" -> linear(spec, table, new PoissonLikelihood(), null);
      default -> own(spec, table);
    };
  }

  private static double number(FamilySpec spec, String parameter) {
    String text = spec.parameters().get(parameter);
    if (text == null) {
      throw UserException.usage(
          "the family " + spec.name() + " needs model." + parameter + ", which is missing.");
    }
    return Double.parseDouble(text);
  }

  private static Family linear(
      FamilySpec spec, FamilyTable table, Likelihood likelihood, @Nullable LowerBound bound) {
    return new Family(
        spec,
        new LinearModel(likelihood, table.columns().size()),
        Optional.ofNullable(bound),
        Coefficients.of(table));
  }

  private static Family softmax(FamilySpec spec, FamilyTable table) {
    List<String> classes = table.classes();
    String reference = spec.parameters().get(REFERENCE_CLASS);
    int index = SoftmaxModel.NO_REFERENCE;
    if (reference != null) {
      index = classes.indexOf(reference);
      if (index < 0) {
        throw UserException.usage(
            "model.reference_class is \""
                + reference
                + "\", which no row of the prepared table has; its classes are "
                + shortened(classes)
                + ".");
      }
    }
    SoftmaxModel model = new SoftmaxModel(table.columns().size(), classes.size(), index);
    List<String> names = new ArrayList<>();
    for (int k = 0; k < model.functionals(); k++) {
      for (String column : table.columns()) {
        names.add(column + "[" + classes.get(model.classAt(k)) + "]");
      }
    }
    return new Family(
        spec,
        model,
        Optional.of(new BohningBound(model)),
        new Coefficients(names, model.functionals(), 0));
  }

  private static String shortened(List<String> names) {
    return String.join(", ", names.subList(0, Math.min(12, names.size())))
        + (names.size() > 12 ? ", …" : "");
  }

  private static Family gaussian(FamilySpec spec, FamilyTable table) {
    int columns = table.columns().size();
    if (spec.parameters().containsKey(SIGMA)) {
      GaussianLikelihood known = new GaussianLikelihood(number(spec, SIGMA));
      return linear(spec, table, known, new ExactGaussianBound(known, columns));
    }
    GaussianScaleModel model = new GaussianScaleModel(columns);
    if (table.columns().contains(SIGMA)) {
      throw UserException.usage(
          "the table has a column \""
              + SIGMA
              + "\", which is also what the noise's standard deviation is reported as; rename the"
              + " column in data.query.");
    }
    return new Family(
        spec,
        model,
        Optional.of(GaussianScaleBound.forRows(model, table.totalWeight())),
        Coefficients.of(table).withLogScale(SIGMA));
  }

  private static Family own(FamilySpec spec, FamilyTable table) {
    FamilyFactory factory = factory(spec.name());
    Family made;
    try {
      made = factory.create(table, spec.parameters());
    } catch (IllegalArgumentException e) {
      throw UserException.usage("model.family " + spec.name() + ": " + e.getMessage(), e);
    }
    return new Family(spec, made.model(), made.bound(), made.coefficients());
  }

  /** Loads a class of the user's, which may be in a jar that was added to the running program. */
  private static FamilyFactory factory(String name) {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = context == null ? FamilyRegistry.class.getClassLoader() : context;
    try {
      Class<?> type = Class.forName(name, true, loader);
      if (!FamilyFactory.class.isAssignableFrom(type)) {
        throw UserException.usage(
            "model.family names the class "
                + name
                + ", which does not implement "
                + FamilyFactory.class.getName()
                + ".");
      }
      return (FamilyFactory) type.getConstructor().newInstance();
    } catch (ClassNotFoundException | NoClassDefFoundError e) {
      throw UserException.usage(
          "model.family names the class "
              + name
              + ", which is not on the class path ("
              + e.getMessage()
              + "); add its jar with --jars, before the command's name.",
          e);
    } catch (ReflectiveOperationException e) {
      throw UserException.usage(
          "model.family names the class "
              + name
              + ", which cannot be made: it must be public, with a public constructor without"
              + " arguments that does not fail.",
          e);
    }
  }
}
