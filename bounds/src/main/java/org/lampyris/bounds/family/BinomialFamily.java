package org.lampyris.bounds.family;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.bound.OnePredictorBound;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Binomial regression: the label is how many of {@code trials}, a column of the input, succeed,
 * each with probability σ(xᵀθ). The table's blocks hold the share, and weights with the trials in
 * them.
 */
public final class BinomialFamily extends LinkedFamily {
  private static final String TRIALS = "trials";

  public BinomialFamily() {
    super(
        "binomial",
        LabelKind.SUCCESSES,
        "logit",
        new BinomialLikelihood(),
        Expectation.ofTrial(StableMath::sigmoid),
        TRIALS);
  }

  @Override
  public Map<String, Object> read(Section model) {
    String trials = model.text(TRIALS);
    if (trials == null) {
      throw ModelProvider.missing(
          model,
          name(),
          TRIALS,
          "the column with the number of trials, for instance trials: n, or k | trials(n) in"
              + " model.formula");
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
  public Optional<LowerBound> bound(FamilySpec spec, List<String> columns) {
    return Optional.of(new BinomialBound(columns.size()));
  }

  /** Returns the family without the column: that is the table's, and part of its fingerprint. */
  @Override
  public FamilySpec canonical(FamilySpec spec) {
    return FamilySpec.of(name());
  }

  /**
   * Binomial regression, by trial: k of m trials succeed, each with probability σ(η). The response
   * is the share y = k/m, and m is a factor of the row's weight, so that a row has the
   * log-likelihood
   *
   * <pre>m·log L(η; y) = k log σ(η) + (m − k) log σ(−η), natural log,</pre>
   *
   * <p>This is the likelihood of its trials in any order: the logarithm of the binomial
   * coefficient, the same for every θ, is left out. d log L/dη = y·σ(−η) − (1 − y)·σ(η) and d² log
   * L/dη² = −σ(η)·σ(−η).
   */
  public static final class BinomialLikelihood implements Likelihood {
    private static final LogisticLikelihood TRIAL = new LogisticLikelihood();

    /** {@inheritDoc} Here d²log L/dη² = −σ(η)σ(−η) for a trial. */
    @Override
    public boolean isConcave() {
      return true;
    }

    @Override
    public double logLikelihood(double eta, double y) {
      double e = StableMath.exp(-Math.abs(eta));
      return value(eta, y, e);
    }

    /** The share of the less probable outcome, times −|η|, and log max(σ(η), σ(−η)). */
    private static double value(double eta, double y, double e) {
      double against = eta < 0 ? y : 1 - y;
      return -against * Math.abs(eta) - StableMath.log1pSmall(e);
    }

    private static double slope(double eta, double y, double e) {
      double success = eta < 0 ? e : 1;
      double failure = eta < 0 ? 1 : e;
      return (y * failure - (1 - y) * success) / (1 + e);
    }

    @Override
    public double derivative(double eta, double y) {
      return slope(eta, y, StableMath.exp(-Math.abs(eta)));
    }

    @Override
    public double secondDerivative(double eta, double y) {
      return TRIAL.secondDerivative(eta, 1);
    }

    /** {@inheritDoc} Here by one exponential a row. */
    @Override
    public double slopes(DataBlock block, int from, int to, double[] eta) {
      double sum = 0;
      for (int row = from; row < to; row++) {
        int i = row - from;
        double y = block.response(row);
        double w = block.weight(row);
        double e = StableMath.exp(-Math.abs(eta[i]));
        sum += w * value(eta[i], y, e);
        eta[i] = w * slope(eta[i], y, e);
      }
      return sum;
    }

    /** {@inheritDoc} Here by one exponential a row. */
    @Override
    public void derivatives(
        DataBlock block, int from, int to, double[] eta, double[] value, double[] curvature) {
      for (int row = from; row < to; row++) {
        int i = row - from;
        double y = block.response(row);
        double w = block.weight(row);
        double e = StableMath.exp(-Math.abs(eta[i]));
        value[i] = w * value(eta[i], y, e);
        curvature[i] = -w * (e / ((1 + e) * (1 + e)));
        eta[i] = w * slope(eta[i], y, e);
      }
    }

    /** {@inheritDoc} Here for one trial, with either outcome. */
    @Override
    public double derivativeBound(int order, double y, double low, double high) {
      return TRIAL.derivativeBound(order, 1, low, high);
    }
  }

  /**
   * Quadratic lower bound on a trial's binomial likelihood, tight at η = ±ξ. As log L = (y − ½)η −
   * log(2 cosh(η/2)) has the logistic second term, the {@linkplain JaakkolaJordanBound logistic
   * bound} applies, with the same gap for any share y.
   *
   * <p>Cost O(d) per row. Source: Jaakkola and Jordan (1997), as in Maclaurin and Adams (2014),
   * section 3.1.
   */
  public static final class BinomialBound extends OnePredictorBound {
    private static final BinomialLikelihood LIKELIHOOD = new BinomialLikelihood();

    /** Returns the bound for rows of {@code columns} features. */
    public BinomialBound(int columns) {
      super(columns);
    }

    /** Returns ξ = |η| for every row. */
    @Override
    public Anchors anchorsAt(DataBlock block, double[] reference) {
      return anchorsAt(block, reference, (eta, y) -> Math.abs(eta));
    }

    @Override
    protected double gapAt(
        double eta, double y, Anchors anchors, int row, double @Nullable [] slope) {
      return JaakkolaJordanBound.gap(eta, anchors.get(row, 0), slope);
    }

    /** With a = −λ(ξ)/2: a, the slope of log B at η₀, and log B(η₀). */
    @Override
    protected void expand(double eta0, double y, Anchors anchors, int row, double[] coefficients) {
      double xi = anchors.get(row, 0);
      double[] slope = new double[1];
      double gap = JaakkolaJordanBound.gap(eta0, xi, slope);
      coefficients[0] = -0.5 * JaakkolaJordanBound.curvature(xi);
      coefficients[1] = LIKELIHOOD.derivative(eta0, y) - slope[0];
      coefficients[2] = LIKELIHOOD.logLikelihood(eta0, y) - gap;
    }
  }
}
