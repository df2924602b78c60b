package org.lampyris.bounds.family;

import java.util.List;
import java.util.Optional;
import org.lampyris.bounds.bound.LocalTaylorBound;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;

/** Family with one linear predictor and no parameter; its local bound follows from log L‴. */
abstract class LinkedFamily extends NamedFamily {
  private final String link;
  private final Likelihood likelihood;
  private final Expectation expectation;

  /** Describes a family by its link and log L(η; y), too. */
  LinkedFamily(
      String name,
      LabelKind label,
      String link,
      Likelihood likelihood,
      Expectation expectation,
      String... keys) {
    super(name, label, keys);
    this.link = link;
    this.likelihood = likelihood;
    this.expectation = expectation;
  }

  @Override
  public final String link() {
    return link;
  }

  @Override
  public final Optional<Expectation> expectation(FamilySpec spec) {
    return Optional.of(expectation);
  }

  @Override
  public final Model model(FamilySpec spec, List<String> columns) {
    return new LinearModel(likelihood, columns.size());
  }

  @Override
  public Optional<LowerBound> localBound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
    return Optional.of(new LocalTaylorBound(likelihood, laplace, radius));
  }
}
