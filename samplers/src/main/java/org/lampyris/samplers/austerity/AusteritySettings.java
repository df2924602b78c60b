package org.lampyris.samplers.austerity;

import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.OwnSection;

/**
 * The section {@code sampler.austerity}.
 *
 * @param batch m, by how many rows a test's batch grows
 * @param epsilon ε, the error of one look at which a test ends; 0 for the exact decision
 * @param proxy whether Taylor proxies at the mode are control variates
 * @param gradientRows how many rows the gradient of {@code sampler.kernel: mala} is taken from; 0
 *     for all
 */
public record AusteritySettings(long batch, double epsilon, Proxy proxy, long gradientRows) {
  /** Control variates. */
  public enum Proxy {
    /** None: the paper's test. */
    NONE,
    /** Taylor proxies of order 2 at the mode. */
    MODE
  }

  static final OwnSection<AusteritySettings> SECTION =
      new OwnSection<>(
          "austerity",
          AusteritySettings.class,
          (section, defaults) ->
              new AusteritySettings(
                  section.whole("batch", 500, 2, Integer.MAX_VALUE),
                  section.number("epsilon", 0.05, new Interval(0, true, 0.5, false)),
                  section.choice("proxy", Proxy.NONE),
                  section.whole("gradient_rows", 0, 0, Integer.MAX_VALUE)));
}
