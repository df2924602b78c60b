package org.lampyris.samplers.baselines;

import java.util.List;
import java.util.Set;
import org.apache.commons.numbers.gamma.LogGamma;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.GeometricDistribution;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Model;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.estimate.Estimate;
import org.lampyris.samplers.estimate.EstimateAlgorithm;
import org.lampyris.samplers.minibatch.BatchRows;
import org.lampyris.samplers.minibatch.ChangeRange;
import org.lampyris.samplers.minibatch.MinibatchRun;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Pseudo-marginal Metropolis–Hastings by an unbiased estimate of the likelihood from unbiased ones
 * of its logarithm. With v_n of {@link Remainders} from θ̂ to θ, all of them at least −a, and
 * independent D_j = N/t Σ v + Na, of t rows drawn with replacement each,
 *
 * <pre>Y = e^(−Na) [1 + Σ_{k=1}^K (1 + ε)^k/k! Π_{j≤k} D_j], P(K ≥ k) = (1 + ε)^(−k)</pre>
 *
 * <p>is never negative, and E Y = Π_n e^(v_n): the target is the posterior. The relative variance
 * of Y grows exponentially with Na: without proxies chains hardly ever move, as this baseline
 * demonstrates. With proxies Na falls like N^(−1/2). If no a is known, Y is the likelihood itself,
 * from all rows.
 *
 * <p>Source: Rhee and Glynn (2015), Theorem 1; Jacob and Thiery (2015), section 3.1; Bardenet,
 * Doucet and Holmes (2017), section 4.2, equations 8 and 9.
 */
public final class RheeGlynn extends EstimateAlgorithm {
  @Override
  public String name() {
    return "rhee-glynn";
  }

  @Override
  public List<OwnSection<?>> sections() {
    return List.of(BaselineSettings.SECTION);
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.EXACT, Trait.FEW_ROWS);
  }

  @Override
  public List<String> warnings(OwnSettings own) {
    return List.of(
        name()
            + " is a baseline for comparison only: its draws are exact, but its chains get stuck"
            + " where its estimates vary much");
  }

  @Override
  protected Estimating estimating(
      SamplingContext context, OwnSettings own, ResidentRows<PlainBlock> rows) {
    BaselineSettings settings = own.of(BaselineSettings.class);
    LaplaceApproximation laplace = context.laplace();
    double radius = ChangeRange.radius(laplace);
    Model model = context.model().model();
    boolean proxies = settings.proxies();
    Remainders remainders =
        proxies ? Remainders.atMode(context, rows, radius) : Remainders.whole(model);
    ChangeRange range = ChangeRange.of(model, laplace, proxies, rows);
    MinibatchRun.Setup pass = MinibatchRun.Setup.ofPass(context);
    return new Estimating(
        new Series(remainders, range, laplace.mode(), settings.batch(), settings.truncation()),
        settings.batch() / settings.truncation(),
        proxies ? pass.and(pass) : pass);
  }

  /**
   * log Y, and the proxies.
   *
   * @param range a
   * @param mode θ̂
   * @param batch t
   * @param truncation ε
   */
  public record Series(
      Remainders remainders, ChangeRange range, double[] mode, long batch, double truncation)
      implements Estimate {
    @Override
    public Estimated of(
        double[][] thetas, long iteration, BatchRows rows, UniformRandomProvider rng) {
      double[] values = new double[thetas.length];
      long evaluations = 0;
      for (int i = 0; i < thetas.length; i++) {
        BatchRows.Term changes = remainders.changes(mode, thetas[i]);
        double least = range.of(remainders, mode, thetas[i]);
        boolean known = least < Double.POSITIVE_INFINITY;
        int terms =
            known
                ? GeometricDistribution.of(truncation / (1 + truncation))
                    .createSampler(rng)
                    .sample()
                : 0;
        values[i] =
            remainders.proxies(thetas[i])
                + (known
                    ? logSeries(changes, least, terms, iteration, rows, rng)
                    : rows.sum(iteration, 0, rows.rows(), changes)[0]);
        evaluations += 2 * (known ? terms * batch : rows.rows());
      }
      return new Estimated(values, evaluations);
    }

    /** Returns log Y, with K given. */
    private double logSeries(
        BatchRows.Term changes,
        double least,
        int terms,
        long iteration,
        BatchRows rows,
        UniformRandomProvider rng) {
      double all = rows.rows();
      int draws = Math.toIntExact(Math.multiplyExact(terms, batch));
      double[][] drawn = rows.withReplacement(iteration, draws, changes, rng);
      double logSum = 0;
      double logProduct = 0;
      for (int k = 1; k <= terms; k++) {
        double sum = 0;
        for (long i = (k - 1) * batch; i < k * batch; i++) {
          sum += drawn[(int) i][0] + least;
        }
        logProduct += Math.log(all / batch * sum);
        double term = logProduct + k * Math.log1p(truncation) - LogGamma.value(k + 1.0);
        double most = Math.max(logSum, term);
        logSum = most + Math.log(Math.exp(logSum - most) + Math.exp(term - most));
      }
      return logSum - all * least;
    }
  }
}
