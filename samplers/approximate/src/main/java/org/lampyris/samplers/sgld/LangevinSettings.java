package org.lampyris.samplers.sgld;

import java.io.Serializable;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.OwnSection;

/**
 * The section {@code sampler.sgld}.
 *
 * @param batch m, how many rows a gradient is taken from
 * @param controlVariates whether the gradients at the mode are control variates
 * @param step ε_1, in the units of the preconditioner: with {@code laplace}, of the posterior's
 *     variances
 * @param decay with which power ε falls, see {@link #stepAt}; 0 for a constant step
 * @param delay after how many iterations ε has fallen by 2 to that power
 * @param corrector whether a test decides on the steps
 * @param epsilon of the test
 */
public record LangevinSettings(
    long batch,
    boolean controlVariates,
    double step,
    double decay,
    double delay,
    Corrector corrector,
    double epsilon)
    implements Serializable {
  /** What decides on a step. */
  public enum Corrector {
    /** Nothing: each is made. */
    NONE,
    /** The sequential t-test of austerity, with batches of the gradient's size. */
    AUSTERITY
  }

  static final OwnSection<LangevinSettings> SECTION =
      new OwnSection<>(
          "sgld",
          LangevinSettings.class,
          (section, defaults) ->
              new LangevinSettings(
                  section.whole("batch", 500, 1, Integer.MAX_VALUE),
                  section.flag("control_variates", true),
                  section.number("step", 0.1, Interval.POSITIVE),
                  section.number("decay", 0, new Interval(0, true, 1, true)),
                  section.number("delay", 100, Interval.POSITIVE),
                  section.choice("corrector", Corrector.NONE),
                  section.number("epsilon", 0.05, new Interval(0, true, 0.5, false))));

  /** Returns ε_k = ε_1·(1 + (k − 1)/delay)^(−decay), of iteration k from 1. */
  double stepAt(long iteration) {
    return step * Math.pow(1 + (iteration - 1) / delay, -decay);
  }
}
