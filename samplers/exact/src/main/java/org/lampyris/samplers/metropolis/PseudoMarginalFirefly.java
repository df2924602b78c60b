package org.lampyris.samplers.metropolis;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.algorithm.Foreseen;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.estimate.EstimateAlgorithm;
import org.lampyris.samplers.estimate.RandomSubset;
import org.lampyris.samplers.minibatch.MinibatchRun;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.SamplingContext;

/** Pseudo-marginal Metropolis–Hastings with the brightness for noise: {@link BrightEstimate}. */
public final class PseudoMarginalFirefly extends EstimateAlgorithm {
  /** Anchors that are tried: powers of 2^¼ from 10⁻⁶ to 10⁶, about. */
  private static final int ANCHORS = 80;

  @Override
  public String name() {
    return "pseudo-marginal-firefly";
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.EXACT, Trait.FEW_ROWS);
  }

  @Override
  protected Estimating estimating(
      SamplingContext context, OwnSettings own, ResidentRows<PlainBlock> rows) {
    String family = context.model().spec().name();
    LowerBound bound =
        context
            .model()
            .bound(context.laplace())
            .orElseThrow(() -> SamplingAlgorithm.withoutBound(family, name()));
    double anchor = anchor(bound, family);
    double[] mode = context.laplace().mode();
    BrightEstimate about = BrightEstimate.of(bound, anchor, new CollapsedQuadratic(mode));
    int length = CollapsedQuadratic.packedLength(mode.length);
    double[] sums =
        rows.sum(
            length + 2,
            (block, out) -> {
              about.collapse(block.data(), out);
              out[length] = about.spread(block.data(), mode);
              out[length + 1] = block.data().isWeighted() ? 1 : 0;
            });
    requireNoWeights(sums[length + 1] > 0);
    double bright = about.probability();
    double sd = Math.sqrt(bright * (1 - bright) * sums[length]);
    Decision estimate =
        Decision.of(
            name(),
            Map.of("bright_share", bright, "estimate_sd", sd),
            Text.of(
                "%s: %.3g %% of the rows are bright. The log-likelihood estimate has a standard"
                    + " deviation of %.3g at the mode. Chains get stuck if it exceeds about 2.",
                name(), 100 * bright, sd));
    return new Estimating(
        about.with(new CollapsedQuadratic(mode, Arrays.copyOf(sums, length))),
        RandomSubset.most(context.table().rows(), bright),
        MinibatchRun.Setup.ofPass(context).and(new MinibatchRun.Setup(0, 0, List.of(estimate))));
  }

  @Override
  public void require(Foreseen model, SamplerSettings settings) {
    super.require(model, settings);
    requireNoWeights(model.isWeighted());
    if (!model.mayHaveBound()) {
      throw SamplingAlgorithm.withoutBound(model.family(), name());
    }
  }

  private void requireNoWeights(boolean weighted) {
    if (weighted) {
      throw UserException.usage(
          "sampler.algorithm: %s needs rows of weight 1. Remove data.weight, or choose firefly."
              .formatted(name()));
    }
  }

  /** Returns the anchor with the largest integral: the fewest rows are bright. */
  private static double anchor(LowerBound bound, String family) {
    return IntStream.rangeClosed(-ANCHORS, ANCHORS)
        .mapToObj(i -> Math.pow(2, 0.25 * i))
        .filter(anchor -> bound.logIntegral(anchor).isPresent())
        .max(Comparator.comparingDouble(a -> bound.logIntegral(a).orElseThrow()))
        .orElseThrow(
            () ->
                UserException.usage(
                    ("sampler.algorithm: pseudo-marginal-firefly needs a lower bound with the same"
                            + " integral over the label for all rows. The family %s has none;"
                            + " robust with model.scale: <number> has one. Choose firefly.")
                        .formatted(family)));
  }
}
