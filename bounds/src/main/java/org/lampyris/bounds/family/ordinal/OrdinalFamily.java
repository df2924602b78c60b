package org.lampyris.bounds.family.ordinal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.family.NamedFamily;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.prior.ConfiguredPrior;

/**
 * Cumulative logit regression, P(y ≤ r) = σ(Intercept[r] − xᵀβ): {@code order} lists the classes
 * from the lowest on, unless they are numbers. The cut points Intercept[1] &lt; Intercept[2] &lt; …
 * replace the intercept, whose coefficient is −Intercept[1]; their distances have the prior {@code
 * gaps}, and are sampled on the log scale.
 */
public final class OrdinalFamily extends NamedFamily {
  private static final String ORDER = "order";
  private static final String GAPS = "gaps";
  private static final String DEFAULT_GAPS = "exponential(1)";
  private static final String CUT = "Intercept";

  public OrdinalFamily() {
    super("ordinal", LabelKind.CLASSES, ORDER, GAPS);
  }

  @Override
  public Map<String, Object> read(Section model) {
    Map<String, Object> all = new HashMap<>();
    List<String> order = model.texts(ORDER);
    if (!order.isEmpty()) {
      all.put(ORDER, order);
    }
    all.put(GAPS, model.checked(GAPS, OrdinalFamily::gaps, model.text(GAPS, DEFAULT_GAPS)));
    return all;
  }

  private static ConfiguredPrior gaps(String text) {
    ConfiguredPrior prior = ConfiguredPrior.given(text);
    prior.ofLogarithm(); // refuses negative values
    return prior;
  }

  @Override
  public boolean takesEffects() {
    return true;
  }

  @Override
  public List<String> ownCoefficients() {
    return List.of(CUT);
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    requireColumns(!columns.isEmpty() && columns.get(0).equals(ModelOfTable.INTERCEPT), List.of());
    return new OrdinalModel(columns.size(), ranks(spec));
  }

  @Override
  public void requireColumns(boolean intercept, List<String> terms) {
    if (!intercept) {
      throw UserException.usage(
          "model.family: ordinal needs the intercept's column, because cut points replace it."
              + " Remove data.intercept: false, or 0 or -1 in model.formula, and prepare the table"
              + " again.");
    }
  }

  @Override
  public Optional<LowerBound> localBound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
    OrdinalModel model = new OrdinalModel(columns.size(), ranks(spec));
    return Optional.of(new LocalOrdinalBound(model, laplace, radius));
  }

  /** {@inheritDoc} Here those of {@code order}, so that classes without rows are kept. */
  @Override
  public List<String> classes(FamilySpec spec) {
    return spec.parameters().get(ORDER) instanceof List<?> order
        ? order.stream().map(String::valueOf).distinct().toList()
        : List.of();
  }

  /** Returns the place of each class in the order. */
  private static int[] ranks(FamilySpec spec) {
    List<String> classes = spec.classes();
    if (classes.size() < 2) {
      throw UserException.data(
          "the family ordinal needs a response with at least two classes, and the table has "
              + (classes.isEmpty() ? "none" : "only " + classes.get(0)));
    }
    Object given = spec.parameters().get(ORDER);
    if (!(given instanceof List<?> order)) {
      if (!classes.stream().allMatch(OrdinalFamily::isNumber)) {
        throw UserException.usage(
            "model.order is missing. The classes %s are not numbers, so the family ordinal needs their order from the lowest up. Write for instance order: [%1$s]."
                .formatted(String.join(", ", classes)));
      }
      return IntStream.range(0, classes.size()).toArray();
    }
    for (Object label : order) {
      if (!classes.contains(label)) {
        throw UserException.usage(
            "model.order: there is no class %s. Use the classes %s."
                .formatted(label, String.join(", ", classes)));
      }
    }
    int[] ranks = classes.stream().mapToInt(order::indexOf).toArray();
    for (int k = 0; k < ranks.length; k++) {
      if (ranks[k] < 0) {
        throw UserException.usage(
            "model.order does not list the class %s. Add it in its place."
                .formatted(classes.get(k)));
      }
    }
    if (order.size() > ranks.length) {
      throw UserException.usage("model.order lists a class twice: " + order);
    }
    return ranks;
  }

  private static boolean isNumber(String label) {
    try {
      Double.parseDouble(label);
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static String cut(int k) {
    return CUT + "[" + k + "]";
  }

  @Override
  public List<String> coefficients(FamilySpec spec, List<String> columns) {
    List<String> names = new ArrayList<>(columns);
    names.set(0, cut(1));
    for (int k = 2; k < spec.classes().size(); k++) {
      names.add(cut(k));
    }
    return names;
  }

  /** The intercept's prior is the first cut point's, mirrored. */
  @Override
  public List<ConfiguredPrior> priors(
      FamilySpec spec, List<String> columns, Function<String, ConfiguredPrior> priorOf) {
    List<ConfiguredPrior> priors = new ArrayList<>(columns.stream().map(priorOf).toList());
    priors.set(0, mirrored(priorOf.apply(cut(1))));
    ConfiguredPrior gaps = ConfiguredPrior.of(spec.prior(GAPS, DEFAULT_GAPS).ofLogarithm());
    for (int k = 2; k < spec.classes().size(); k++) {
      priors.add(gaps);
    }
    return priors;
  }

  @Override
  public List<ConfiguredPrior> reportedPriors(List<ConfiguredPrior> priors) {
    List<ConfiguredPrior> reported = new ArrayList<>(priors);
    reported.set(0, mirrored(priors.get(0)));
    return reported;
  }

  private static ConfiguredPrior mirrored(ConfiguredPrior prior) {
    try {
      return prior.isAuto() ? prior : ConfiguredPrior.of(prior.density().mirrored());
    } catch (IllegalArgumentException e) {
      throw UserException.usage("model.priors.\"" + cut(1) + "\": " + e.getMessage(), e);
    }
  }

  @Override
  public void report(FamilySpec spec, double[] theta, int from) {
    theta[0] = -theta[0];
    double cut = theta[0];
    for (int j = from; j < theta.length; j++) {
      cut += Math.exp(theta[j]);
      theta[j] = cut;
    }
  }

  @Override
  public void restore(FamilySpec spec, double[] theta, int from) {
    for (int j = theta.length - 1; j >= from; j--) {
      theta[j] = Math.log(theta[j] - (j == from ? theta[0] : theta[j - 1]));
    }
    theta[0] = -theta[0];
  }

  @Override
  public String link() {
    return "cumulative logit";
  }

  /** The probability of every class; η has the first cut point in it, with the sign of a slope. */
  @Override
  public Optional<Expectation> expectation(FamilySpec spec) {
    int[] ranks = ranks(spec);
    int cuts = ranks.length - 1;
    Expectation classes =
        (eta, theta, out) -> {
          double slopes = eta[0] - theta[0];
          double[] below = new double[cuts + 2];
          below[cuts + 1] = 1;
          for (int r = 0; r < cuts; r++) {
            double cut = r == 0 ? theta[0] : theta[theta.length - cuts + r];
            below[r + 1] = StableMath.sigmoid(cut - slopes);
          }
          for (int k = 0; k < ranks.length; k++) {
            out[k] = below[ranks[k] + 1] - below[ranks[k]];
          }
        };
    return Optional.of(classes.with(Expectation.Variance.OF_TRIAL));
  }

  @Override
  public FamilySpec canonical(FamilySpec spec) {
    return spec.canonical(GAPS);
  }
}
