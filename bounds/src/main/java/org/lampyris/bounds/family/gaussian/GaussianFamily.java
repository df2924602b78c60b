package org.lampyris.bounds.family.gaussian;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.NamedFamily;
import org.lampyris.bounds.family.ScaleParameter;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.LogScalePrior;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.scale.Moments;
import org.lampyris.bounds.scale.TableScale;

/**
 * Linear regression: {@code sigma} is a number, or a prior, and then σ is sampled on the log scale
 * and reported as {@code sigma}; the default is exponential(1/sd(y)). {@code sigma: jeffreys} is
 * p(σ) ∝ 1/σ, flat in log σ, the prior of the running examples of Bardenet, Doucet and Holmes
 * (2017).
 */
public final class GaussianFamily extends NamedFamily {
  private static final String SIGMA = "sigma";
  private static final ScaleParameter SCALE = new ScaleParameter(SIGMA);
  private static final String JEFFREYS = "jeffreys";

  public GaussianFamily() {
    super("gaussian", LabelKind.REAL, SIGMA);
  }

  @Override
  public Map<String, Object> read(Section model) {
    String text = model.text(SIGMA, PriorConfig.AUTO);
    if (!text.equals(JEFFREYS)) {
      if (isNumber(text)) {
        model.number(SIGMA, Interval.POSITIVE);
      } else {
        PriorConfig.requirePrior(model, SIGMA, text);
      }
    }
    return Map.of(SIGMA, text);
  }

  private static boolean isNumber(String text) {
    try {
      Double.parseDouble(text);
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  @Override
  public List<String> ownCoefficients() {
    return List.of(SIGMA);
  }

  private static boolean isSampled(FamilySpec spec) {
    return SCALE.isSampled(spec);
  }

  /** Returns the prior of log σ. */
  private static String priorOfLogSigma(FamilySpec spec) {
    String text = SCALE.on(spec, "exponential(1)").text(SIGMA).orElseThrow();
    if (text.equals(JEFFREYS)) {
      return "flat";
    }
    try {
      return new LogScalePrior(PriorParser.parse(text)).toString();
    } catch (IllegalArgumentException e) {
      throw UserException.usage("model.sigma: " + e.getMessage(), e);
    }
  }

  @Override
  public Moments predictorScale(FamilySpec spec, Moments label) {
    return label;
  }

  @Override
  public FamilySpec on(FamilySpec spec, TableScale table) {
    return SCALE.on(spec, ScaleParameter.ofLabel(table));
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    if (isSampled(spec)) {
      priorOfLogSigma(spec);
      return new GaussianScaleModel(columns.size());
    }
    return new LinearModel(new GaussianLikelihood(spec.positive(SIGMA)), columns.size());
  }

  @Override
  public Optional<LowerBound> bound(FamilySpec spec, List<String> columns) {
    return isSampled(spec)
        ? Optional.empty()
        : Optional.of(
            new ExactGaussianBound(new GaussianLikelihood(spec.positive(SIGMA)), columns.size()));
  }

  @Override
  public Optional<LowerBound> bound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace) {
    if (!isSampled(spec)) {
      return bound(spec, columns);
    }
    GaussianScaleModel model = new GaussianScaleModel(columns.size());
    return Optional.of(GaussianScaleBound.of(model, laplace));
  }

  @Override
  public List<String> coefficients(FamilySpec spec, List<String> columns) {
    return SCALE.coefficients(spec, columns);
  }

  @Override
  public List<String> priors(FamilySpec spec, List<String> columns, UnaryOperator<String> priorOf) {
    List<String> priors = new ArrayList<>(columns.stream().map(priorOf).toList());
    if (isSampled(spec)) {
      priors.add(priorOfLogSigma(spec));
    }
    return priors;
  }

  @Override
  public void report(FamilySpec spec, double[] theta, int from) {
    ScaleParameter.report(theta, from);
  }

  @Override
  public FamilySpec canonical(FamilySpec spec) {
    return spec.canonical(SIGMA);
  }
}
