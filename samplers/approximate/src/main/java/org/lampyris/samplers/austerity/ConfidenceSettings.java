package org.lampyris.samplers.austerity;

import java.io.Serializable;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.OwnSection;

/**
 * The section {@code sampler.confidence}.
 *
 * @param delta δ, at most how often a decision is wrong
 * @param growth γ, by what factor a batch grows
 * @param batch how many rows the first look takes
 * @param proxy where Taylor proxies, the control variates, are expanded
 * @param dropEvery α, after how many iterations dropped proxies are expanded anew
 */
public record ConfidenceSettings(
    double delta, double growth, long batch, Proxy proxy, long dropEvery) implements Serializable {
  /** Control variates. */
  public enum Proxy {
    /** None: batches of the log-likelihoods' changes themselves. */
    NONE,
    /** Taylor proxies of order 2 at the mode. */
    MODE,
    /** The same, expanded anew every α iterations where the chain is. */
    DROPPED
  }

  static final OwnSection<ConfidenceSettings> SECTION =
      new OwnSection<>(
          "confidence",
          ConfidenceSettings.class,
          (section, defaults) ->
              new ConfidenceSettings(
                  section.number("delta", 0.1, Interval.OPEN_UNIT),
                  section.number("growth", 2, Interval.above(1)),
                  section.whole("batch", 32, 1, Integer.MAX_VALUE),
                  section.choice("proxy", Proxy.MODE),
                  section.whole("drop_every", 10, 1, Integer.MAX_VALUE)));
}
