package org.lampyris.driver.sample;

import java.util.Optional;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.lowerbound.Anchors;
import org.lampyris.bounds.lowerbound.CollapsedQuadratic;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.dataprep.precompute.BoundsArtefact;
import org.lampyris.dataprep.precompute.Family;
import org.lampyris.executors.firefly.BoundTable;
import org.lampyris.samplers.firefly.FireflySettings;

/**
 * The lower bounds that the section {@code sampler.firefly} asks for.
 *
 * @param bound the bound of a row
 * @param collapsed Σ_n log B_n
 * @param rule gives a block its anchors
 */
record FireflyBounds(LowerBound bound, CollapsedQuadratic collapsed, BoundTable.AnchorRule rule) {

  /**
   * Returns the bounds.
   *
   * @throws UserException (usage) if the family has none such; (data) if others were precomputed
   */
  static FireflyBounds of(BoundsArtefact artefact, Family family, FireflySettings firefly) {
    LowerBound everywhere = family.requireBound(artefact.fit(), "firefly");
    Optional<LowerBound> local = family.localBound(artefact.fit(), artefact.radius());
    return switch (firefly.bound()) {
      case AUTO ->
          local.isPresent()
              ? tuned(artefact, local.get(), artefact.local().orElseThrow())
              : tuned(artefact, everywhere, artefact.tuned());
      case MAP_TUNED -> tuned(artefact, everywhere, artefact.tuned());
      case LOCAL -> {
        LowerBound inBall = local.orElseThrow(() -> withoutLocalBound(family));
        yield tuned(artefact, inBall, artefact.local().orElseThrow());
      }
      case UNTUNED -> untuned(artefact, family, firefly, everywhere);
    };
  }

  private static FireflyBounds tuned(
      BoundsArtefact artefact, LowerBound bound, CollapsedQuadratic collapsed) {
    double[] mode = artefact.theta();
    return new FireflyBounds(bound, collapsed, block -> bound.anchorsAt(block, mode));
  }

  private static FireflyBounds untuned(
      BoundsArtefact artefact, Family family, FireflySettings firefly, LowerBound bound) {
    Anchors same = bound.untuned(firefly.anchor()).orElseThrow(() -> withoutUntunedBound(family));
    if (artefact.untunedAnchor() != firefly.anchor()) {
      throw UserException.data(
          "the precomputed untuned bounds are for the anchor "
              + artefact.untunedAnchor()
              + ", and sampler.firefly.anchor is "
              + firefly.anchor()
              + ": run precompute again with precompute.anchor: "
              + firefly.anchor());
    }
    return new FireflyBounds(bound, artefact.untuned(), block -> same);
  }

  private static UserException withoutUntunedBound(Family family) {
    return UserException.usage(
        "sampler.firefly.bound: untuned does not apply to the family "
            + family.spec().name()
            + " with these parameters, whose bound holds near the mode only; choose map-tuned.");
  }

  private static UserException withoutLocalBound(Family family) {
    return UserException.usage(
        "sampler.firefly.bound: local needs a bound that holds in a ball about the mode, which the"
            + " family "
            + family.spec().name()
            + " does not have; choose map-tuned.");
  }
}
