package org.lampyris.driver.config;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.Section;
import org.lampyris.dataprep.precompute.PrecomputeSpec;

/**
 * The section {@code precompute}.
 *
 * @param tolerance the mode is found when the next Newton step would move no coefficient by more
 *     than this many of its posterior standard deviations
 * @param maxPasses after how many passes over the data the search for the mode gives up
 * @param anchor the anchor of the untuned bounds, the same for every row: ξ of logistic and robust
 *     regression, every ψ_k of softmax regression. By default 1.5 for logistic regression and 0 for
 *     the others, as in the paper
 * @param radius of the ball about the mode in which the local bounds hold, in posterior standard
 *     deviations; null for the default of {@link PrecomputeSpec}
 */
public record PrecomputeConfig(
    double tolerance, int maxPasses, double anchor, @Nullable Double radius) {

  static PrecomputeConfig read(Section root, ModelConfig model) {
    Section section = root.section("precompute", "tolerance", "max_passes", "anchor", "radius");
    return new PrecomputeConfig(
        section.number("tolerance", PrecomputeSpec.DEFAULT_TOLERANCE, Interval.OPEN_UNIT),
        section.whole("max_passes", 50, 1, Integer.MAX_VALUE),
        section.number("anchor", FamilyKeys.anchor(model.family()), Interval.NON_NEGATIVE),
        section.number("radius", Interval.POSITIVE));
  }
}
