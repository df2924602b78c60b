package org.lampyris.samplers.baselines;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.estimate.Estimate;
import org.lampyris.samplers.estimate.EstimateAlgorithm;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.minibatch.BatchRows;
import org.lampyris.samplers.minibatch.ChangeRange;
import org.lampyris.samplers.minibatch.MinibatchRun;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Pseudo-marginal Metropolis–Hastings by the difference estimator. With T_n the Taylor proxies at
 * the mode, R_n = ℓ_n − T_n what they leave over, and t rows drawn without replacement,
 *
 * <pre>l̂(θ) = Σ_n T_n(θ) + N·R̄ − σ̂²/2, σ̂² = N²·s²/t·(1 − t/N),</pre>
 *
 * <p>R̄ and s² being the mean and variance of R over the t rows. Were N·R̄ normal, and σ² known,
 * e^l̂ would be unbiased: the target is p(θ)·E e^l̂(θ), which is nearer to the posterior the larger
 * t is. The t is chosen so that σ² is what {@code sampler.baseline.variance} says, on average under
 * the Laplace approximation: large variances make chains stick.
 *
 * <p>A kernel without a separate proposal, such as {@code sampler.kernel: hmc}, moves θ given the
 * batch: {@link EnergyConserving}.
 *
 * <p>Cost: 2t evaluations an iteration, of the row at θ and at the mode; s² takes a pass with as
 * many for each of {@value #DRAWS} θ. Source: Quiroz, Kohn, Villani and Tran (2019), sections 3 and
 * 4; Bardenet, Doucet and Holmes (2017), section 6.2.1.
 */
public final class DifferenceEstimator extends EstimateAlgorithm {
  /** How many θ the variance is averaged over. */
  private static final int DRAWS = 10;

  @Override
  public String name() {
    return "difference-estimator";
  }

  @Override
  public List<OwnSection<?>> sections() {
    return List.of(BaselineSettings.SECTION);
  }

  @Override
  public String knob(OwnSettings own) {
    return "sampler.baseline.variance: " + own.of(BaselineSettings.class).variance();
  }

  @Override
  public List<String> warnings(OwnSettings own) {
    return List.of(
        name()
            + " draws from an approximation of the posterior. Its error falls with"
            + " sampler.baseline.variance, for more rows an iteration");
  }

  /** {@inheritDoc} Here none: a kernel without a proposal moves θ given the batch. */
  @Override
  public Set<Need> needs() {
    return Set.of();
  }

  @Override
  public RunResult run(SamplingContext context, OwnSettings own) {
    ThetaKernel kernel = context.thetaKernel();
    return kernel instanceof ProposalKernel
        ? super.run(context, own)
        : MinibatchRun.run(
            context, name(), kernel.targetAcceptance(), rows -> conserving(context, own, rows));
  }

  private MinibatchRun.Plan<EnergyConserving.State> conserving(
      SamplingContext context, OwnSettings own, ResidentRows<PlainBlock> rows) {
    int blocks = own.of(BaselineSettings.class).blocks();
    Batch batch = batch(context, own, rows, blocks);
    Remainders remainders = batch.remainders();
    long ofBlock = batch.rows();
    Prior prior = context.model().prior();
    return new MinibatchRun.Plan<>(
        (chain, rowsOfChain) ->
            new EnergyConserving(prior, rowsOfChain, remainders, ofBlock, blocks),
        ofBlock * blocks,
        batch.setup(),
        null,
        true);
  }

  @Override
  protected Estimating estimating(
      SamplingContext context, OwnSettings own, ResidentRows<PlainBlock> rows) {
    Batch batch = batch(context, own, rows, 1);
    return new Estimating(
        new Difference(batch.remainders(), context.laplace().mode(), batch.rows()),
        batch.rows(),
        batch.setup());
  }

  /** Proxies, the rows t of each of some independent batches, and the work that chose them. */
  private record Batch(Remainders remainders, long rows, MinibatchRun.Setup setup) {}

  private static Batch batch(
      SamplingContext context, OwnSettings own, ResidentRows<PlainBlock> rows, int batches) {
    double wanted = own.of(BaselineSettings.class).variance();
    LaplaceApproximation laplace = context.laplace();
    double all = context.table().rows();
    Remainders remainders = Remainders.atMode(context, rows, ChangeRange.radius(laplace));
    double ofRow = varianceOfRow(remainders, draws(context), laplace.mode(), rows);
    // N²s²(1/t − 1/N)/G = σ² for G batches; two rows at least, for their variance.
    double batch = Math.ceil(all * all * ofRow / (batches * wanted + all * ofRow));
    long t = (long) Math.min(all, Math.max(2, batch));
    double variance = all * all * ofRow * (1 / (double) t - 1 / all) / batches;
    Decision chosen =
        Decision.of(
            "batch",
            Map.of("batch", (double) t, "batches", (double) batches, "variance", variance),
            Text.of(
                "batches of %,d rows%s: the estimate of the log-likelihood has a variance of %.3g",
                t, batches == 1 ? "" : " in each of %d blocks".formatted(batches), variance));
    return new Batch(
        remainders,
        t,
        MinibatchRun.Setup.ofPass(context)
            .and(new MinibatchRun.Setup(1, (long) (2 * DRAWS * all), List.of(chosen))));
  }

  private static double[][] draws(SamplingContext context) {
    LaplaceApproximation laplace = context.laplace();
    Preconditioner factor = Preconditioner.of(laplace);
    Noise noise = Noise.of(context.streams().stream(Streams.Purpose.THETA, 0, 0, 0));
    double[][] draws = new double[DRAWS][];
    for (int k = 0; k < DRAWS; k++) {
      draws[k] = laplace.mode().clone();
      factor.addTo(noise.normals(draws[k].length), 1, draws[k]);
    }
    return draws;
  }

  /** Returns the variance of R_n over all rows, on average over some θ. */
  private static double varianceOfRow(
      Remainders remainders, double[][] thetas, double[] mode, ResidentRows<PlainBlock> rows) {
    double[] sums =
        rows.sum(
            2 * thetas.length + 1,
            (block, out) -> {
              int[] every = IntStream.range(0, block.data().rows()).toArray();
              double[] moments = new double[2];
              for (int k = 0; k < thetas.length; k++) {
                moments[0] = 0;
                moments[1] = 0;
                remainders.changes(mode, thetas[k]).addTo(block.data(), every, moments);
                out[2 * k] += moments[0];
                out[2 * k + 1] += moments[1];
              }
              out[2 * thetas.length] += every.length;
            });
    double all = sums[sums.length - 1];
    double variance = 0;
    for (int k = 0; k < thetas.length; k++) {
      double mean = sums[2 * k] / all;
      variance += Math.max(0, sums[2 * k + 1] / all - mean * mean) / thetas.length;
    }
    return variance;
  }

  /**
   * l̂, by the first rows of an iteration's permutation.
   *
   * @param mode θ̂, where R_n is 0 but for rounding
   * @param batch t
   */
  record Difference(Remainders remainders, double[] mode, long batch) implements Estimate {
    @Override
    public Estimated of(
        double[][] thetas, long iteration, BatchRows rows, UniformRandomProvider rng) {
      double all = rows.rows();
      double t = batch;
      double[] values = new double[thetas.length];
      for (int i = 0; i < thetas.length; i++) {
        double[] sums = rows.sum(iteration, 0, batch, remainders.changes(mode, thetas[i]));
        double half = halfVariance(sums, all, t, 1 - t / all);
        values[i] = remainders.proxies(thetas[i]) + all * (sums[0] / t) - half;
      }
      return new Estimated(values, 2 * batch * thetas.length);
    }

    /**
     * Returns M²·s²/(2t)·(1 − t/N): half the variance of M·R̄ from a batch of t rows of N.
     *
     * @param sums Σ R and Σ R². Not modified.
     * @param share M: N, or N/G for one of G batches
     * @param rest 1 − t/N
     */
    static double halfVariance(double[] sums, double share, double t, double rest) {
      double mean = sums[0] / t;
      double variance = rest == 0 ? 0 : Math.max(0, sums[1] - sums[0] * mean) / (t - 1);
      return 0.5 * share * share * variance / t * rest;
    }
  }
}
