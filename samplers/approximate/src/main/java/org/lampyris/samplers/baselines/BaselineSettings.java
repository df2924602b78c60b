package org.lampyris.samplers.baselines;

import java.io.Serializable;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.OwnSection;

/**
 * The section {@code sampler.baseline}.
 *
 * @param batch how many rows a decision of penalty and noise-exchange looks at, and each of the
 *     estimates that rhee-glynn multiplies
 * @param fraction λ, with what probability naive-subsampling looks at a row
 * @param scaled whether its sum is scaled by 1/λ, which makes the estimate unbiased
 * @param replacement whether noise-exchange draws its rows with replacement
 * @param truncation ε, how soon the series of rhee-glynn ends: it has about 1/ε terms
 * @param proxies whether rhee-glynn estimates what Taylor proxies at the mode leave over
 * @param variance of the log-likelihood's estimate, which difference-estimator chooses its batch by
 * @param blocks how many blocks the batch of difference-estimator has if a kernel moves θ given it
 */
public record BaselineSettings(
    long batch,
    double fraction,
    boolean scaled,
    boolean replacement,
    double truncation,
    boolean proxies,
    double variance,
    int blocks)
    implements Serializable {
  static final OwnSection<BaselineSettings> SECTION =
      new OwnSection<>(
          "baseline",
          BaselineSettings.class,
          (section, defaults) ->
              new BaselineSettings(
                  section.whole("batch", 500, 2, Integer.MAX_VALUE),
                  section.number("fraction", 0.1, Interval.PROBABILITY),
                  section.flag("scaled", true),
                  section.flag("replacement", false),
                  section.number("truncation", 0.1, Interval.POSITIVE),
                  section.flag("proxies", true),
                  section.number("variance", 1.5, Interval.POSITIVE),
                  section.whole("blocks", 10, 1, 1000)));

  /** Returns the warning for users of a baseline. */
  static String warning(String name) {
    return name + " is a baseline for comparison only: its draws are not from the posterior";
  }
}
