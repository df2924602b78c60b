package org.lampyris.samplers.baselines;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.estimate.Estimate;
import org.lampyris.samplers.estimate.EstimateAlgorithm;
import org.lampyris.samplers.estimate.RandomSubset;
import org.lampyris.samplers.minibatch.BatchRows;
import org.lampyris.samplers.minibatch.MinibatchRun;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Metropolis–Hastings by the log-likelihood of a random subset of the rows, in which each is with
 * probability λ. The target is a mixture of the subsets' posteriors, broader than the posterior.
 *
 * <p>Source: Bardenet, Doucet and Holmes (2017), section 6.1, equation 17, and 19 where the sum is
 * not scaled by 1/λ.
 */
public final class NaiveSubsampling extends EstimateAlgorithm {
  @Override
  public String name() {
    return "naive-subsampling";
  }

  @Override
  public List<OwnSection<?>> sections() {
    return List.of(BaselineSettings.SECTION);
  }

  @Override
  public String knob(OwnSettings own) {
    return "sampler.baseline.fraction: " + own.of(BaselineSettings.class).fraction();
  }

  @Override
  public List<String> warnings(OwnSettings own) {
    return List.of(BaselineSettings.warning(name()));
  }

  @Override
  protected Estimating estimating(
      SamplingContext context, OwnSettings own, ResidentRows<PlainBlock> rows) {
    BaselineSettings settings = own.of(BaselineSettings.class);
    return new Estimating(
        new SubsetSum(context.model().model(), settings.fraction(), settings.scaled()),
        RandomSubset.most(context.table().rows(), settings.fraction()),
        MinibatchRun.Setup.NONE);
  }

  /** Σ ℓ_n over a random subset, times 1/λ if it is scaled. */
  record SubsetSum(Model model, double fraction, boolean scaled) implements Estimate {
    @Override
    public Estimated of(
        double[][] thetas, long iteration, BatchRows rows, UniformRandomProvider rng) {
      int size = RandomSubset.size(rows.rows(), fraction, rng);
      double[] sums = rows.sum(iteration, 0, size, new Sums(model, thetas));
      double scale = scaled ? 1 / fraction : 1;
      return new Estimated(
          Arrays.stream(sums).map(sum -> scale * sum).toArray(), (long) size * thetas.length);
    }
  }

  /** Σ ℓ_n(θ_k) over a batch. */
  private record Sums(Model model, double[][] thetas) implements BatchRows.Term {
    @Override
    public int length() {
      return thetas.length;
    }

    @Override
    public void addTo(DataBlock block, int[] rows, double[] out) {
      model.addLogLikelihoods(block.select(rows), thetas, out);
    }
  }
}
