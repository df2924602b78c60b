package org.lampyris.bounds.family;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.prior.ConfiguredPrior;
import org.lampyris.bounds.prior.ExponentialPrior;
import org.lampyris.bounds.prior.LogScalePrior;
import org.lampyris.bounds.prior.LogitSharePrior;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.prior.TableScale;
import org.lampyris.bounds.prior.UnivariatePrior;

/**
 * Parameter of a family besides the columns' coefficients: a given number, or sampled on the log
 * scale, a share on the logit scale, under a prior. {@code jeffreys} is p(s) ∝ 1/s, flat in log s.
 *
 * @param key its key, and its name as a coefficient
 * @param byDefault what holds where the key is absent: a number, or {@link PriorConfig#AUTO}
 * @param isShare whether it lies in (0, 1)
 * @param auto its prior for any table; null for exponential(1/sd(y)), of one in the label's units
 * @param unspecific its prior where no table is known
 * @param isBounded whether the likelihood falls to 0 for large values, so that an improper prior
 *     may have a posterior
 */
record OwnParameter(
    String key,
    String byDefault,
    boolean isShare,
    @Nullable UnivariatePrior auto,
    UnivariatePrior unspecific,
    boolean isBounded)
    implements Serializable {
  private static final String JEFFREYS = "jeffreys";

  /** Returns a parameter above 0 in the label's units. */
  static OwnParameter inLabelUnits(String key) {
    return positive(key, null);
  }

  /** Returns a parameter above 0 with a default prior. */
  static OwnParameter positive(String key, @Nullable UnivariatePrior auto) {
    return new OwnParameter(key, PriorConfig.AUTO, false, auto, new ExponentialPrior(1), true);
  }

  /** Returns a share, a priori uniform. */
  static OwnParameter share(String key) {
    UnivariatePrior uniform = new UnivariatePrior.Uniform(0, 1);
    return new OwnParameter(key, PriorConfig.AUTO, true, uniform, uniform, false);
  }

  /**
   * Reads the key.
   *
   * @throws UserException (usage) if it is neither a number that the parameter may have nor a prior
   */
  Object read(Section model) {
    String text = model.text(key, byDefault);
    if (isPrior(text)) {
      return model.checked(key, this::prior, text);
    }
    Double number = model.number(key, isShare ? Interval.OPEN_UNIT : Interval.POSITIVE);
    return number == null ? Double.valueOf(text) : number;
  }

  private static boolean isPrior(String text) {
    return !text.isEmpty() && Character.isLetter(text.charAt(0));
  }

  /** Returns the prior that a text names; {@link #JEFFREYS} has no density of the parameter. */
  private Object prior(String text) {
    ConfiguredPrior prior = text.equals(JEFFREYS) ? null : ConfiguredPrior.of(text);
    boolean proper = prior != null && (prior.isAuto() || !isFlat(prior.density()));
    if (!isBounded && !isShare && !proper) {
      throw new IllegalArgumentException(
          "%s has no posterior with the prior %s: large values fit as well as larger ones. Set %s"
              .formatted(key, text, unspecific));
    }
    if (prior == null && isShare) {
      ofSampled(new UnivariatePrior.Flat());
    }
    if (prior == null) {
      return text;
    }
    if (!prior.isAuto()) {
      ofSampled(prior.density());
    }
    return prior;
  }

  private static boolean isFlat(UnivariatePrior prior) {
    return prior instanceof UnivariatePrior.Flat;
  }

  /** Returns the prior of what is sampled. */
  private UnivariatePrior ofSampled(UnivariatePrior prior) {
    if (!isShare) {
      return new LogScalePrior(prior);
    }
    if (prior instanceof UnivariatePrior.Uniform share) {
      return new LogitSharePrior(share);
    }
    throw new IllegalArgumentException(
        "the prior of a share must be uniform(a, b) within 0 … 1, not " + prior);
  }

  private String text(FamilySpec spec) {
    return spec.text(key).orElse(byDefault);
  }

  /** Returns whether the parameter depends on θ: as an element of it, or by a formula. */
  boolean isSampled(FamilySpec spec) {
    return isShared(spec) || formula(spec) != null;
  }

  /** Returns whether the parameter is an element of θ. */
  boolean isShared(FamilySpec spec) {
    return formula(spec) == null && isPrior(text(spec));
  }

  /** Returns the parameter's own linear predictor; null if it is the same for all rows. */
  @Nullable OwnFormula formula(FamilySpec spec) {
    return spec.parameters().get(key) instanceof OwnFormula formula ? formula : null;
  }

  /** Returns the parameter's given value. */
  double value(FamilySpec spec) {
    return spec.text(key).isEmpty() && !isPrior(byDefault)
        ? Double.parseDouble(byDefault)
        : spec.positive(key);
  }

  /** Returns the prior of what is sampled. */
  ConfiguredPrior ofSampled(FamilySpec spec) {
    if (text(spec).equals(JEFFREYS)) {
      return ConfiguredPrior.of(new UnivariatePrior.Flat());
    }
    ConfiguredPrior prior = spec.prior(key, PriorConfig.AUTO);
    return ConfiguredPrior.of(ofSampled(prior.isAuto() ? unspecific : prior.density()));
  }

  /** Returns the spec with what follows from the table in place of {@link PriorConfig#AUTO}. */
  FamilySpec on(FamilySpec spec, TableScale table) {
    OwnFormula formula = formula(spec);
    if (formula != null) {
      return autoPrior(table) instanceof ExponentialPrior usual
          ? spec.with(key, formula.about(sampled(1 / usual.rate())))
          : spec;
    }
    return text(spec).equals(PriorConfig.AUTO)
        ? spec.with(key, ConfiguredPrior.of(autoPrior(table)))
        : spec;
  }

  private UnivariatePrior autoPrior(TableScale table) {
    if (auto != null) {
      return auto;
    }
    Moments label = table.label();
    double sd = label != null && label.sd() > 0 ? label.sd() : 1;
    return new ExponentialPrior(1 / sd);
  }

  /** Returns the parameter, given what is sampled. */
  double reported(double tau) {
    return isShare ? StableMath.sigmoid(tau) : Math.exp(tau);
  }

  /** Undoes {@link #reported}. */
  double sampled(double parameter) {
    return isShare ? Math.log(parameter) - Math.log1p(-parameter) : Math.log(parameter);
  }
}
