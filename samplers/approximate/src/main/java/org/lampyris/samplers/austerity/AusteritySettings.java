package org.lampyris.samplers.austerity;

import java.io.Serializable;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.OwnSection;

/**
 * The section {@code sampler.austerity}.
 *
 * @param batch m, by how many rows a test's batch grows
 * @param epsilon ε, the error of one look at which a test ends; 0 for the exact decision
 * @param proxy whether Taylor proxies at the mode are control variates
 * @param design how m and ε are chosen
 * @param error Δ*, which the chosen test's error is to be at most
 * @param gradientRows how many rows the gradient of {@code sampler.kernel: mala} is taken from; 0
 *     for all
 */
public record AusteritySettings(
    long batch, double epsilon, Proxy proxy, Design design, double error, long gradientRows)
    implements Serializable {
  /** The design of the test. */
  public enum Design {
    /** m and ε as they are given. */
    FIXED,
    /** The cheapest ones whose acceptance probability is off by at most Δ* on average. */
    AVERAGE,
    /** The cheapest ones of whose decisions not even the hardest is wrong more often than Δ*. */
    WORST
  }

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
                  section.choice("design", Design.FIXED),
                  section.number("error", 0.01, Interval.OPEN_UNIT),
                  section.whole("gradient_rows", 0, 0, Integer.MAX_VALUE)));
}
