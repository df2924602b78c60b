package org.lampyris.samplers.shards.combination;

import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Draw i of chain c is the weighted mean (Σ_s W_s)⁻¹ Σ_s W_s θ_{s,c,i} of the shards' draws at that
 * place.
 *
 * <p>Exact where the subposteriors are normal and W_s are their precisions; elsewhere a mean of
 * draws is closer to a normal distribution than the posterior is. The draws are as autocorrelated
 * as the shards' are. Cost O(S n d²) for n draws a shard.
 *
 * <p>Source: Scott, Blocker, Bonassi, Chipman, George and McCulloch (2016), "Bayes and big data:
 * the consensus Monte Carlo algorithm", section 3.
 */
public abstract sealed class Consensus implements Combination {
  /** Returns a normal distribution whose precision is the weight. */
  abstract Gaussian weighing(Gaussian shard);

  @Override
  public final Combined combine(Subposteriors draws, Setting setting) {
    List<Gaussian> weights = Gaussian.ofShards(draws).stream().map(this::weighing).toList();
    double[] scale = Gaussian.product(weights).covariance();
    int d = draws.dimension();
    double[][][] out = new double[draws.chains()][][];
    for (int c = 0; c < out.length; c++) {
      DMatrixRMaj sum = new DMatrixRMaj(draws.perChain(), d);
      for (int s = 0; s < draws.shards(); s++) {
        double[] share = Gaussian.times(scale, weights.get(s).precision());
        CommonOps_DDRM.multAddTransB(
            new DMatrixRMaj(draws.draws()[s][c]), DMatrixRMaj.wrap(d, d, share), sum);
      }
      out[c] = sum.get2DData();
    }
    return draws.combined(out);
  }

  /** W_s is the inverse of the covariance of the shard's draws. */
  public static final class Matrix extends Consensus {
    @Override
    public String name() {
      return "consensus";
    }

    @Override
    Gaussian weighing(Gaussian shard) {
      return shard;
    }
  }

  /**
   * W_s is diagonal, 1/variance of each coefficient: for many coefficients and few draws. Exact for
   * normal subposteriors only where their covariances are diagonal or multiples of one another.
   */
  public static final class Scalar extends Consensus {
    @Override
    public String name() {
      return "consensus-scalar";
    }

    @Override
    Gaussian weighing(Gaussian shard) {
      int d = shard.mean().length;
      double[] diagonal = new double[d * d];
      for (int j = 0; j < d * d; j += d + 1) {
        diagonal[j] = shard.covariance()[j];
      }
      return Gaussian.of(shard.mean(), diagonal);
    }
  }
}
