package org.lampyris.samplers.metropolis;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.estimate.Estimate;
import org.lampyris.samplers.estimate.RandomSubset;
import org.lampyris.samplers.minibatch.BatchRows;

/**
 * With I = ∫ B_n dy, the same for all rows, z_n ~ Bernoulli(1 − I) independent of everything, and
 * L̃ = L/B − 1,
 *
 * <pre>log γ̂(θ) = Σ_n log B_n(θ) + Σ_{z_n = 1} log L̃_n(θ) − |z| log(1 − I) − (N − |z|) log I,
 * </pre>
 *
 * <p>whose exponential is Π_n L_n(θ) on average. Only bright rows are evaluated. Its variance is
 * I(1 − I) Σ log²(I/(1 − I)·L̃_n): of order 1, as chains need it, only where nearly all bounds are
 * tight.
 *
 * <p>Source: Bardenet, Doucet and Holmes (2017), section 4.3, equation 13 and Proposition 4.2.
 *
 * @param anchors the same for all rows
 * @param collapsed Σ_n log B_n
 * @param logDark log I
 */
record BrightEstimate(
    LowerBound bound, Anchors anchors, CollapsedQuadratic collapsed, double logDark)
    implements Estimate {
  /** Returns the estimate with bounds at an anchor, before it knows the rows' sum. */
  static BrightEstimate of(LowerBound bound, double anchor, CollapsedQuadratic none) {
    return new BrightEstimate(
        bound, bound.untuned(anchor).orElseThrow(), none, bound.logIntegral(anchor).orElseThrow());
  }

  BrightEstimate with(CollapsedQuadratic sum) {
    return new BrightEstimate(bound, anchors, sum, logDark);
  }

  /** Returns 1 − I, the probability that a row is bright. */
  double probability() {
    return -Math.expm1(logDark);
  }

  /** Adds Σ_n log B_n over a block, packed. */
  void collapse(DataBlock block, double[] out) {
    CollapsedQuadratic sum = new CollapsedQuadratic(collapsed.origin());
    bound.collapse(block, anchors, sum);
    double[] packed = sum.packed();
    for (int i = 0; i < packed.length; i++) {
      out[i] += packed[i];
    }
  }

  /** Returns Σ_n log²(I/(1 − I)·L̃_n(θ)) over a block. */
  double spread(DataBlock block, double[] theta) {
    double logOdds = logDark - Math.log(probability());
    double[] ratios = new double[block.rows()];
    int[] all = new int[block.rows()];
    Arrays.setAll(all, row -> row);
    bound.logRatios(block, all, 0, all.length, theta, anchors, null, ratios, null);
    return Arrays.stream(ratios).map(ratio -> (logOdds + ratio) * (logOdds + ratio)).sum();
  }

  @Override
  public Estimated of(
      double[][] thetas, long iteration, BatchRows rows, UniformRandomProvider rng) {
    int bright = RandomSubset.size(rows.rows(), probability(), rng);
    double[] values = rows.sum(iteration, 0, bright, new Brightness(bound, anchors, thetas));
    double noise = bright * Math.log(probability()) + (rows.rows() - (double) bright) * logDark;
    Arrays.setAll(values, i -> values[i] + collapsed.value(thetas[i]) - noise);
    return new Estimated(values, (long) bright * thetas.length);
  }

  /** Σ log L̃_n(θ_k) over a batch. */
  private record Brightness(LowerBound bound, Anchors anchors, double[][] thetas)
      implements BatchRows.Term {
    @Override
    public int length() {
      return thetas.length;
    }

    @Override
    public void addTo(DataBlock block, int[] rows, double[] out) {
      double[] ratios = new double[rows.length];
      for (int k = 0; k < thetas.length; k++) {
        bound.logRatios(block, rows, 0, rows.length, thetas[k], anchors, null, ratios, null);
        for (double ratio : ratios) {
          out[k] += ratio;
        }
      }
    }
  }
}
