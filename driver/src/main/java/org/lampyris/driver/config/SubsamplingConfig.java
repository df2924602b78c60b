package org.lampyris.driver.config;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.Section;

/**
 * The section {@code sampler.subsampling}: Metropolis–Hastings by Taylor proxies, mhss (Prado,
 * Nemeth and Sherlock 2024) and smh (Cornish et al. 2019).
 *
 * @param order of the proxies: 1 or 2
 * @param radius the radius, in posterior standard deviations, of the ball about the mode that the
 *     coefficients are confined to; null for no ball, where the family's derivatives are bounded
 */
public record SubsamplingConfig(int order, @Nullable Double radius) {

  static SubsamplingConfig read(Section sampler) {
    Section section = sampler.section("subsampling", "order", "radius");
    return new SubsamplingConfig(
        section.whole("order", 2, 1, 2), section.number("radius", Interval.POSITIVE));
  }
}
