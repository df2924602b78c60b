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
   * Returns the bounds. A sum that was not precomputed takes a pass over the rows.
   *
   * @throws UserException (usage) if the family has none such
   */
  static FireflyBounds of(SamplingContext context, FireflySettings settings) {
    if (!context.model().hasBound(context.laplace())) {
      throw SamplingAlgorithm.withoutBound(context.model().spec().name(), FireflyAlgorithm.NAME);
    }
    CollapsedBounds sums = context.bounds();
    Optional<LowerBound> local = context.model().localBound(sums.about(), sums.radius());
    return switch (settings.bound()) {
      case AUTO ->
          local.isPresent()
              ? tuned(context, local.get(), true)
              : tuned(context, everywhere(context), false);
      case MAP_TUNED -> tuned(context, everywhere(context), false);
      case LOCAL -> tuned(context, local.orElseThrow(() -> withoutLocalBound(context)), true);
      case UNTUNED -> {
        LowerBound bound = everywhere(context);
        Anchors same =
            bound.untuned(settings.anchor()).orElseThrow(() -> withoutUntunedBound(context));
        yield summed(context, bound, block -> same);
      }
    };
  }

  private static FireflyBounds tuned(SamplingContext context, LowerBound bound, boolean isLocal) {
    CollapsedBounds sums = context.bounds();
    double[] mode = sums.about().mode();
    AnchorRule rule = block -> bound.anchorsAt(block, mode);
    return sums.isLocal() == isLocal
        ? new FireflyBounds(bound, bound.inItsCoordinates(sums.collapsed()), rule)
        : summed(context, bound, rule);
  }

  private static FireflyBounds summed(SamplingContext context, LowerBound bound, AnchorRule rule) {
    double[] origin = context.bounds().about().mode();
    double[] packed =
        context.sampledSum(
            context.table().blocks(),
            CollapsedQuadratic.packedLength(origin.length),
            (block, out) ->
                bound.collapse(block, rule.anchors(block), new CollapsedQuadratic(origin, out)));
    return new FireflyBounds(
        bound, bound.inItsCoordinates(new CollapsedQuadratic(origin, packed)), rule);
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
