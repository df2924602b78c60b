package org.lampyris.bounds.family.softmax;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.NamedFamily;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.prior.TableScale;

/**
 * Softmax regression: {@code reference_class} is a label, {@code auto} for the most frequent one,
 * or {@code none}. Coefficients are named {@code column[class]}.
 */
public final class SoftmaxFamily extends NamedFamily {
  private static final String REFERENCE = "reference_class";
  private static final String NONE = "none";

  public SoftmaxFamily() {
    super("softmax", LabelKind.CLASSES, REFERENCE);
  }

  /** {@inheritDoc} It is added for every class but the reference class. */
  @Override
  protected boolean takesOffset() {
    return true;
  }

  @Override
  public Map<String, Object> read(Section model) {
    String reference = model.text(REFERENCE, PriorConfig.AUTO);
    if (reference.equals(NONE) && model.text(OFFSET) != null) {
      throw UserException.usage(
          "model.offset: %s does nothing with model.reference_class: none, because it is added for every class. Name a reference class, or remove the offset."
              .formatted(model.text(OFFSET)));
    }
    return Map.of(REFERENCE, reference);
  }

  @Override
  public FamilySpec on(FamilySpec spec, TableScale table) {
    String frequent = table.frequentClass();
    boolean auto = spec.text(REFERENCE).orElse(NONE).equals(PriorConfig.AUTO);
    return auto && frequent != null ? spec.with(REFERENCE, frequent) : spec;
  }

  private static SoftmaxModel softmax(FamilySpec spec, int columns) {
    List<String> classes = spec.classes();
    if (classes.size() < 2) {
      throw UserException.data(
          "the family softmax needs a response with at least two classes, and the table has "
              + (classes.isEmpty() ? "none" : "only " + classes.get(0)));
    }
    return new SoftmaxModel(columns, classes.size(), reference(spec));
  }

  private static int reference(FamilySpec spec) {
    String label = spec.text(REFERENCE).orElse(NONE);
    int index = spec.classes().indexOf(label);
    // A class may be called "none".
    if (index < 0 && !label.equals(NONE)) {
      throw UserException.usage(
          ("model.reference_class: there is no class %s. Choose one of %s, or none for no reference"
                  + " class.")
              .formatted(label, String.join(", ", spec.classes())));
    }
    return index < 0 ? SoftmaxModel.NO_REFERENCE : index;
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    return softmax(spec, columns.size());
  }

  @Override
  public Optional<LowerBound> bound(FamilySpec spec, List<String> columns) {
    return Optional.of(new BohningBound(softmax(spec, columns.size())));
  }

  @Override
  public Optional<LowerBound> localBound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
    return Optional.of(new LocalSoftmaxBound(softmax(spec, columns.size()), laplace, radius));
  }

  @Override
  public int predictors(FamilySpec spec) {
    return softmax(spec, 1).functionals();
  }

  @Override
  public List<String> coefficients(FamilySpec spec, List<String> columns) {
    SoftmaxModel model = softmax(spec, columns.size());
    List<String> names = new ArrayList<>();
    for (int k = 0; k < model.functionals(); k++) {
      for (String column : columns) {
        names.add(column + "[" + spec.classes().get(model.classAt(k)) + "]");
      }
    }
    return names;
  }

  @Override
  public String link() {
    return "multinomial logit";
  }

  /** The probability of every class. */
  @Override
  public Optional<Expectation> expectation(FamilySpec spec) {
    int reference = reference(spec);
    Expectation classes =
        (eta, theta, out) -> {
          double most = reference < 0 ? Double.NEGATIVE_INFINITY : 0;
          for (double e : eta) {
            most = Math.max(most, e);
          }
          double sum = 0;
          int k = 0;
          for (int c = 0; c < out.length; c++) {
            out[c] = Math.exp((c == reference ? 0 : eta[k++]) - most);
            sum += out[c];
          }
          for (int c = 0; c < out.length; c++) {
            out[c] /= sum;
          }
        };
    return Optional.of(classes.with(Expectation.Variance.OF_TRIAL));
  }

  @Override
  public FamilySpec canonical(FamilySpec spec) {
    return spec.with(REFERENCE, spec.text(REFERENCE).orElse(NONE));
  }
}
