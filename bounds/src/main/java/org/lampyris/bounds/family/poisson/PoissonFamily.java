package org.lampyris.bounds.family.poisson;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.NamedFamily;
import org.lampyris.bounds.family.Response;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.Moments;

/**
 * Poisson regression: y has mean exp(xᵀθ + offset), where {@code offset} names a column, which the
 * table's blocks hold.
 */
public final class PoissonFamily extends NamedFamily {
  private static final String OFFSET = "offset";

  public PoissonFamily() {
    super("poisson", LabelKind.COUNT, OFFSET);
  }

  @Override
  public Map<String, Object> read(Section model) {
    String offset = model.text(OFFSET);
    return offset == null ? Map.of() : Map.of(OFFSET, offset);
  }

  @Override
  public Optional<String> offset(FamilySpec spec) {
    return spec.text(OFFSET);
  }

  @Override
  public Moments predictorScale(FamilySpec spec, Moments label) {
    return label.mean() == 0 ? Moments.STANDARD : new Moments(Math.log(label.mean()), 1);
  }

  @Override
  public String link() {
    return "log";
  }

  @Override
  public Optional<Expectation> expectation(FamilySpec spec) {
    return Optional.of(
        Expectation.of(Math::exp)
            .with((mean, theta) -> mean, (mean, theta) -> new Response.Poisson(mean)));
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    return new LinearModel(new PoissonLikelihood(), columns.size());
  }

  @Override
  public Optional<LowerBound> localBound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
    return Optional.of(new LocalPoissonBound(laplace, radius));
  }

  /** Returns the family without the offset: that is the table's, and part of its fingerprint. */
  @Override
  public FamilySpec canonical(FamilySpec spec) {
    return FamilySpec.of(name());
  }
}
