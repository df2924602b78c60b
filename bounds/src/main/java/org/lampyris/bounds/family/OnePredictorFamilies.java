package org.lampyris.bounds.family;

import java.util.List;
import java.util.Optional;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.lowerbound.JaakkolaJordanBound;
import org.lampyris.bounds.lowerbound.LocalLogisticBound;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.bounds.lowerbound.StudentBound;
import org.lampyris.bounds.model.GammaLikelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.LogisticLikelihood;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.model.PoissonLikelihood;
import org.lampyris.bounds.model.RobustLikelihood;

/** Families with one linear predictor whose parameters are all fixed. */
final class OnePredictorFamilies {

  private OnePredictorFamilies() {}

  /** No parameter. */
  static final class Logistic implements ModelProvider {
    @Override
    public Model model(FamilySpec spec, List<String> columns) {
      spec.requireOnly();
      return new LinearModel(new LogisticLikelihood(), columns.size());
    }

    @Override
    public Optional<LowerBound> bound(FamilySpec spec, List<String> columns) {
      return Optional.of(new JaakkolaJordanBound(columns.size()));
    }

    @Override
    public Optional<LowerBound> localBound(
        FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
      return Optional.of(new LocalLogisticBound(laplace, radius));
    }
  }

  /** {@code df} and {@code scale}. */
  static final class Robust implements ModelProvider {
    private static RobustLikelihood likelihood(FamilySpec spec) {
      spec.requireOnly("df", "scale");
      return new RobustLikelihood(spec.positive("df"), spec.positive("scale"));
    }

    @Override
    public Model model(FamilySpec spec, List<String> columns) {
      return new LinearModel(likelihood(spec), columns.size());
    }

    @Override
    public Optional<LowerBound> bound(FamilySpec spec, List<String> columns) {
      return Optional.of(new StudentBound(likelihood(spec), columns.size()));
    }

    @Override
    public FamilySpec canonical(FamilySpec spec) {
      return spec.canonical("df").canonical("scale");
    }
  }

  /** {@code shape}. */
  static final class Gamma implements ModelProvider {
    @Override
    public Model model(FamilySpec spec, List<String> columns) {
      spec.requireOnly("shape");
      return new LinearModel(new GammaLikelihood(spec.positive("shape")), columns.size());
    }

    @Override
    public FamilySpec canonical(FamilySpec spec) {
      return spec.canonical("shape");
    }
  }

  /** {@code offset}, the name of a column, which the table's blocks hold. */
  static final class Poisson implements ModelProvider {
    @Override
    public Model model(FamilySpec spec, List<String> columns) {
      spec.requireOnly("offset");
      return new LinearModel(new PoissonLikelihood(), columns.size());
    }
  }
}
