package org.lampyris.bounds.family.binomial;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.ModelProvider;
import org.lampyris.bounds.family.NamedFamily;
import org.lampyris.bounds.family.Response;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.numeric.StableMath;

/**
 * Binomial regression: the label is how many of {@code trials}, a column of the input, succeed,
 * each with probability σ(xᵀθ). The table's blocks hold the share, and weights with the trials in
 * them.
 */
public final class BinomialFamily extends NamedFamily {
  private static final String TRIALS = "trials";

  public BinomialFamily() {
    super("binomial", LabelKind.SUCCESSES, TRIALS);
  }

  @Override
  public Map<String, Object> read(Section model) {
    String trials = model.text(TRIALS);
    if (trials == null) {
      throw ModelProvider.missing(
          model, name(), TRIALS, "the column of the trials' numbers, for instance trials: n");
    }
    return Map.of(TRIALS, trials);
  }

  @Override
  public Optional<String> trials(FamilySpec spec) {
    return spec.text(TRIALS);
  }

  @Override
  public double anchor() {
    return 1.5;
  }

  @Override
  public String link() {
    return "logit";
  }

  @Override
  public Optional<Expectation> expectation(FamilySpec spec) {
    return Optional.of(
        Expectation.of(StableMath::sigmoid)
            .with(Expectation.Variance.OF_TRIAL, Response.Of.TRIALS));
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    return new LinearModel(new BinomialLikelihood(), columns.size());
  }

  @Override
  public Optional<LowerBound> bound(FamilySpec spec, List<String> columns) {
    return Optional.of(new BinomialBound(columns.size()));
  }

  @Override
  public Optional<LowerBound> localBound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
    return Optional.of(new LocalBinomialBound(laplace, radius));
  }

  /** Returns the family without the column: that is the table's, and part of its fingerprint. */
  @Override
  public FamilySpec canonical(FamilySpec spec) {
    return FamilySpec.of(name());
  }
}
