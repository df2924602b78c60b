package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.Optional;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.run.CollapsedBounds;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Lower bounds selected by the section {@code sampler.firefly}.
 *
 * @param bound the bound of a row
 * @param collapsed Σ_n log B_n
 * @param rule gives a block its anchors
 */
record FireflyBounds(LowerBound bound, CollapsedQuadratic collapsed, AnchorRule rule) {
  /** Gives a block its anchors: sent to the executors. */
  @FunctionalInterface
  interface AnchorRule extends Serializable {
    /** Returns the anchors of a block. */
    Anchors anchors(DataBlock block);
  }

  /**
   * Returns the bounds.
   *
   * @throws UserException (usage) if the family has none such; (data) if others were precomputed
   */
  static FireflyBounds of(SamplingContext context, FireflySettings settings) {
    if (!context.model().hasBound(context.laplace())) {
      throw SamplingAlgorithm.withoutBound(context.model().spec().name(), FireflyAlgorithm.NAME);
    }
    CollapsedBounds sums = context.bounds();
    Optional<LowerBound> local = context.model().localBound(sums.about(), sums.radius());
    double[] mode = sums.about().mode();
    return switch (settings.bound()) {
      case AUTO ->
          local.isPresent()
              ? tuned(mode, local.get(), sums.local().orElseThrow())
              : tuned(mode, everywhere(context), sums.tuned());
      case MAP_TUNED -> tuned(mode, everywhere(context), sums.tuned());
      case LOCAL -> {
        LowerBound inBall = local.orElseThrow(() -> withoutLocalBound(context));
        yield tuned(mode, inBall, sums.local().orElseThrow());
      }
      case UNTUNED -> untuned(context, settings, everywhere(context));
    };
  }

  private static FireflyBounds tuned(
      double[] mode, LowerBound bound, CollapsedQuadratic collapsed) {
    return new FireflyBounds(
        bound, bound.inItsCoordinates(collapsed), block -> bound.anchorsAt(block, mode));
  }

  private static FireflyBounds untuned(
      SamplingContext context, FireflySettings settings, LowerBound bound) {
    Anchors same = bound.untuned(settings.anchor()).orElseThrow(() -> withoutUntunedBound(context));
    CollapsedBounds sums = context.bounds();
    if (sums.untunedAnchor() != settings.anchor()) {
      throw UserException.data(
          ("the precomputed untuned bounds are for the anchor %s, and sampler.firefly.anchor is %s."
                  + " Run precompute again with precompute.anchor: %2$s.")
              .formatted(sums.untunedAnchor(), settings.anchor()));
    }
    return new FireflyBounds(bound, sums.untuned(), block -> same);
  }

  private static LowerBound everywhere(SamplingContext context) {
    return context
        .model()
        .bound(context.bounds().about())
        .orElseThrow(
            () ->
                UserException.usage(
                    "the family "
                        + context.model().spec().name()
                        + " has no bound that holds everywhere. Choose sampler.firefly.bound:"
                        + " local, or remove the key."));
  }

  private static UserException withoutUntunedBound(SamplingContext context) {
    return UserException.usage(
        "sampler.firefly.bound: untuned does not apply to the family "
            + context.model().spec().name()
            + " with these parameters, because its bound holds near the mode only. Choose"
            + " map-tuned.");
  }

  private static UserException withoutLocalBound(SamplingContext context) {
    return UserException.usage(
        "sampler.firefly.bound: local needs a bound that holds in a ball about the mode, which the"
            + " family "
            + context.model().spec().name()
            + " does not have. Choose map-tuned.");
  }
}
