package org.lampyris.samplers.baseline;

import java.io.Serializable;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.OwnSection;

/**
 * The section {@code sampler.baseline}.
 *
 * @param batch how many rows a decision of penalty and noise-exchange looks at
 * @param fraction λ, with what probability naive-subsampling looks at a row
 * @param scaled whether its sum is scaled by 1/λ, which makes the estimate unbiased
 */
public record BaselineSettings(long batch, double fraction, boolean scaled)
    implements Serializable {
  static final OwnSection<BaselineSettings> SECTION =
      new OwnSection<>(
          "baseline",
          BaselineSettings.class,
          (section, defaults) ->
              new BaselineSettings(
                  section.whole("batch", 500, 2, Integer.MAX_VALUE),
                  section.number("fraction", 0.1, Interval.PROBABILITY),
                  section.flag("scaled", true)));

  /** Returns what users of a baseline are told. */
  static String warning(String name) {
    return name + " is a baseline, to compare with: its draws are not those of the posterior";
  }
}
