package org.lampyris.samplers.selection;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.OwnSection;

/**
 * The section {@code sampler.variable_selection}.
 *
 * @param test how many rows decide
 * @param epsilon ε of the sequential test, the error of one look at which it ends
 * @param batch by how many rows its batch grows
 * @param size λ, about how many features are expected to be in
 * @param maxSize K, how many features may be in; 0 for all
 * @param start which features are in at the beginning
 * @param slab the prior of a coefficient that is in
 * @param leastScale a, the least scale of {@link SharedScale}
 * @param largestScale b, the largest
 * @param proxies whether the sequential test uses the remainders of Taylor proxies at the mode
 */
public record SelectionSettings(
    Test test,
    double epsilon,
    long batch,
    double size,
    int maxSize,
    Start start,
    Slab slab,
    double leastScale,
    double largestScale,
    boolean proxies)
    implements Serializable {
  /** Number of rows that decide. */
  public enum Test {
    /** All. */
    EXACT,
    /** As many as a sequential t-test needs. */
    SEQUENTIAL
  }

  /** Features that are in at the start. */
  public enum Start {
    /** Features whose coefficient at the mode is at least twice its standard deviation. */
    MODE,
    /** All. */
    ALL,
    /** None. */
    NONE
  }

  /** Prior of a coefficient that is in. */
  public enum Slab {
    /** Its prior in {@code model.prior} and {@code model.priors}. */
    PRIOR,
    /** {@link SharedScale}. */
    SHARED_SCALE
  }

  static final OwnSection<SelectionSettings> SECTION =
      new OwnSection<>(
          "variable_selection",
          SelectionSettings.class,
          (section, defaults) ->
              new SelectionSettings(
                  section.choice("test", Test.EXACT),
                  section.number("epsilon", 0.05, new Interval(0, true, 0.5, false)),
                  section.whole("batch", 500L, 2, Integer.MAX_VALUE),
                  section.number("size", 1, Interval.POSITIVE),
                  section.whole("max_size", 0, 0, Integer.MAX_VALUE),
                  section.choice("start", Start.MODE),
                  section.choice("slab", Slab.PRIOR),
                  section.number("least_scale", 0.001, Interval.POSITIVE),
                  section.number("largest_scale", 100, Interval.POSITIVE),
                  section.flag("proxies", true)));

  /** Returns the prior of all coefficients that are in; null for {@link Slab#PRIOR}. */
  @Nullable SharedScale shared() {
    return slab == Slab.PRIOR ? null : new SharedScale(leastScale, largestScale);
  }
}
