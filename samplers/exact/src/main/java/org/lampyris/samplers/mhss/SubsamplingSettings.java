package org.lampyris.samplers.mhss;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.samplers.run.SamplingContext;

/**
 * The section {@code sampler.subsampling}: Metropolis–Hastings by Taylor proxies, mhss (Prado,
 * Nemeth and Sherlock 2024) and smh (Cornish et al. 2019).
 *
 * @param order of the proxies: 1 or 2
 * @param radius the radius, in posterior standard deviations, of the ball about the mode that the
 *     coefficients are confined to; null for no ball, where the family's derivatives are bounded
 */
public record SubsamplingSettings(int order, @Nullable Double radius) implements Serializable {
  static final OwnSection<SubsamplingSettings> SECTION =
      new OwnSection<>(
          "subsampling",
          SubsamplingSettings.class,
          (section, defaults) ->
              new SubsamplingSettings(
                  section.whole("order", 2, 1, 2), section.number("radius", Interval.POSITIVE)));

  /** Returns the proxies of a table's rows. */
  TaylorProxy proxy(SamplingContext context) {
    return new TaylorProxy(
        context.model().model(),
        order,
        context.laplace(),
        radius == null ? Double.POSITIVE_INFINITY : radius);
  }
}
