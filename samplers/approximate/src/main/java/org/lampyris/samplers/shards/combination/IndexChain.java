package org.lampyris.samplers.shards.combination;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.apache.commons.rng.UniformRandomProvider;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.lampyris.samplers.random.Noise;

/**
 * The Markov chain over the components of {@link KernelProduct}, from a uniformly chosen one on:
 * its state is which draw of each shard is chosen.
 */
final class IndexChain implements Supplier<double[]> {
  /** Sweeps for a draw. */
  static final int SWEEPS = 10;

  private final Components components;
  private final UniformRandomProvider rng;
  private final IntToDoubleFunction bandwidth;
  private final Noise noise;
  private final int[] chosen;
  private final double[] sum;
  private final double[] proposed;
  private int drawn;
  private long accepted;

  /**
   * Begins a chain.
   *
   * @param bandwidth h of draw i, from 1
   */
  IndexChain(Components components, UniformRandomProvider rng, IntToDoubleFunction bandwidth) {
    this.components = components;
    this.rng = rng;
    this.bandwidth = bandwidth;
    noise = Noise.of(rng);
    chosen = components.points.stream().mapToInt(shard -> rng.nextInt(shard.length)).toArray();
    sum = new double[components.precision.length];
    proposed = sum.clone();
  }

  /** Returns t; not a copy. */
  int[] chosen() {
    return chosen;
  }

  /** Returns the share of proposals that were accepted. */
  double acceptance() {
    return (double) accepted / drawn / SWEEPS / chosen.length;
  }

  @Override
  public double[] get() {
    double h = bandwidth.applyAsDouble(++drawn);
    double[] shared = components.shared(h);
    for (int i = 0; i < SWEEPS; i++) {
      sweep(h, shared);
    }
    return draw(h);
  }

  /** Proposes another draw for each shard. Cost O(S d). */
  private void sweep(double h, double[] shared) {
    Arrays.fill(sum, 0); // anew, so that rounding does not pile up over sweeps
    double own = 0;
    for (int s = 0; s < chosen.length; s++) {
      double[] point = components.points.get(s)[chosen[s]];
      Arrays.setAll(sum, j -> sum[j] + point[j]);
      own += components.logOwn(s, chosen[s], h);
    }
    double logWeight = own + weighed(sum, shared);
    for (int s = 0; s < chosen.length; s++) {
      int other = rng.nextInt(components.points.get(s).length);
      double[] from = components.points.get(s)[chosen[s]];
      double[] to = components.points.get(s)[other];
      for (int j = 0; j < sum.length; j++) {
        proposed[j] = sum[j] + to[j] - from[j];
      }
      double newOwn = own + components.logOwn(s, other, h) - components.logOwn(s, chosen[s], h);
      double newWeight = newOwn + weighed(proposed, shared);
      if (Math.log(rng.nextDouble()) < newWeight - logWeight) {
        accepted++;
        chosen[s] = other;
        System.arraycopy(proposed, 0, sum, 0, sum.length);
        own = newOwn;
        logWeight = newWeight;
      }
    }
  }

  private static double weighed(double[] sum, double[] shared) {
    double weighed = 0;
    for (int j = 0; j < sum.length; j++) {
      weighed += shared[j] * sum[j] * sum[j];
    }
    return weighed;
  }

  /** Draws from the component that is chosen: N(μ_t, Σ_t). */
  private double[] draw(double h) {
    double kernel = 1 / (h * h);
    double[] z = noise.normals(sum.length);
    for (int j = 0; j < z.length; j++) {
      double precision = chosen.length * kernel + components.precision[j];
      z[j] = kernel * sum[j] / precision + z[j] / Math.sqrt(precision);
    }
    return components.theta(z);
  }

  /**
   * Mixture components in coordinates z, θ = μ̂ + LVz. There the average covariance of the
   * subposteriors, LLᵀ, is I, the mean μ̂ of their normal product is 0, and its precision is
   * diagonal: a weight then costs O(d) for any h.
   *
   * @param origin N(μ̂, LLᵀ)
   * @param axes V, orthogonal
   * @param points of each shard, draws × d
   * @param squares |z|² of them
   * @param logFit log N(z | μ̂_s, Σ̂_s) of them up to a constant a shard; 0 for kernels alone
   * @param precision the diagonal of the normal product's; 0 for kernels alone
   */
  record Components(
      Gaussian origin,
      DMatrixRMaj axes,
      List<double[][]> points,
      double[][] squares,
      double[][] logFit,
      double[] precision) {

    /**
     * Creates the components from draws, with kernels alone or with kernels that correct normal
     * fits.
     */
    static Components of(Subposteriors draws, boolean normalFits) {
      List<Gaussian> fits = Gaussian.ofShards(draws);
      Gaussian product = Gaussian.product(fits);
      Gaussian origin = Gaussian.of(product.mean(), Gaussian.average(fits).covariance());
      EigenDecomposition_F64<DMatrixRMaj> eigen = Gaussian.eigen(origin.whitenedPrecision(product));
      int d = draws.dimension();
      DMatrixRMaj axes = new DMatrixRMaj(d, d);
      double[] precision = new double[d];
      for (int j = 0; j < d; j++) {
        CommonOps_DDRM.insert(eigen.getEigenVector(j), axes, 0, j);
        precision[j] = normalFits ? eigen.getEigenvalue(j).getReal() : 0;
      }
      List<double[][]> points = new ArrayList<>();
      double[][] squares = new double[fits.size()][];
      double[][] logFit = new double[fits.size()][];
      for (int s = 0; s < squares.length; s++) {
        Gaussian fit = fits.get(s);
        double[][] rows = draws.pooled(s);
        DMatrixRMaj whitened = new DMatrixRMaj(origin.whitened(rows));
        points.add(CommonOps_DDRM.mult(whitened, axes, null).get2DData());
        squares[s] = each(points.get(s), z -> Arrays.stream(z).map(x -> x * x).sum());
        logFit[s] = each(rows, theta -> normalFits ? -fit.squaredDistance(theta) / 2 : 0);
      }
      return new Components(origin, axes, points, squares, logFit, precision);
    }

    private static double[] each(double[][] rows, ToDoubleFunction<double[]> f) {
      return Arrays.stream(rows).mapToDouble(f).toArray();
    }

    /** Returns the part of log W_t that is a sum over shards. */
    double logOwn(int shard, int draw, double h) {
      return -squares[shard][draw] / (2 * h * h) - logFit[shard][draw];
    }

    /** Returns c, with log W_t = … + Σ_j c_j (Σ_s z_{t_s,j})², up to a constant in t. */
    double[] shared(double h) {
      double shards = points.size();
      double kernel = shards / (h * h);
      // With no normal fit, 1/0 is infinite and the second term 0.
      return Arrays.stream(precision)
          .map(p -> (kernel - 1 / (1 / p + 1 / kernel)) / (2 * shards * shards))
          .toArray();
    }

    double[] theta(double[] z) {
      DMatrixRMaj rotated = new DMatrixRMaj(z.length, 1);
      CommonOps_DDRM.mult(axes, DMatrixRMaj.wrap(z.length, 1, z), rotated);
      return origin.unwhitened(rotated.getData());
    }
  }
}
