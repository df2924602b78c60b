package org.lampyris.bounds.effects;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.lampyris.bounds.prior.UnivariatePrior;

/**
 * Effects of a grouping factor: coefficients b_j ~ N(0, Σ) for each group, Σ = DRD, with
 * independent standard deviations in D and correlations R ~ LKJ(η), p(R) ∝ |R|^(η−1), for the
 * columns on the input's scale.
 *
 * <p>Names follow brms, where the intercept is spelled {@code Intercept}.
 *
 * @param group the input's column whose equal values make a group
 * @param effects the coefficients that vary by group, named as coefficients are
 * @param sds the prior of each effect's standard deviation
 * @param correlation η, above 0
 */
public record GroupingEffects(
    String group, List<String> effects, List<UnivariatePrior> sds, double correlation)
    implements Serializable {
  private static final String INTERCEPT = "(Intercept)";

  /** Copies the lists, which have an element for every effect. */
  public GroupingEffects {
    effects = List.copyOf(effects);
    sds = List.copyOf(sds);
    if (sds.size() != effects.size()) {
      throw new IllegalArgumentException(
          sds.size() + " priors of standard deviations for " + effects.size() + " effects");
    }
  }

  /** Creates effects whose standard deviations all have the same prior. */
  public GroupingEffects(
      String group, List<String> effects, UnivariatePrior sd, double correlation) {
    this(group, effects, Collections.nCopies(effects.size(), sd), correlation);
  }

  /** Returns q, how many effects a group has. */
  public int size() {
    return effects.size();
  }

  /** Returns q + q(q − 1)/2: the number of standard deviations and correlations. */
  public int parameters() {
    return size() * (size() + 1) / 2;
  }

  /** Returns how an effect is spelled in names. */
  public String spelled(int effect) {
    return effects.get(effect).equals(INTERCEPT) ? "Intercept" : effects.get(effect);
  }

  /** Returns the names of the standard deviations, then of the correlations, row by row. */
  public List<String> names() {
    List<String> names = new ArrayList<>();
    for (int e = 0; e < size(); e++) {
      names.add("sd_" + group + "__" + spelled(e));
    }
    for (int e = 1; e < size(); e++) {
      for (int f = 0; f < e; f++) {
        names.add("cor_" + group + "__" + spelled(f) + "__" + spelled(e));
      }
    }
    return names;
  }

  /** Returns the priors of {@link #names}, as text. */
  public List<String> priors() {
    List<String> priors = new ArrayList<>();
    for (int k = 0; k < parameters(); k++) {
      priors.add(k < size() ? sds.get(k).toString() : "lkj(" + correlation + ")");
    }
    return priors;
  }

  /** Returns the name of an effect of a group. */
  public String name(String level, int effect) {
    return "r_" + group + "[" + level + "," + spelled(effect) + "]";
  }
}
