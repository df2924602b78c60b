package org.lampyris.samplers.shards.combination;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.laplace.Cholesky;

/**
 * The normal distribution N(μ, Σ), and the coordinates z = L⁻¹(θ − μ), Σ = LLᵀ, in which it is
 * standard. Matrices are row-major d × d.
 *
 * @param precision Σ⁻¹
 * @param lower L
 */
record Gaussian(double[] mean, double[] covariance, double[] precision, double[] lower) {
  /** Returns N(mean, covariance); both are kept, and the covariance is positive definite. */
  static Gaussian of(double[] mean, double[] covariance) {
    int d = mean.length;
    Cholesky factor =
        Cholesky.scaled(covariance, d)
            .orElseThrow(() -> new IllegalArgumentException("the covariance is singular"));
    return new Gaussian(mean, covariance, factor.inverse(), Cholesky.lower(covariance, d));
  }

  /** Returns the normal distribution with the moments of each shard's draws. Cost O(S n d²). */
  static List<Gaussian> ofShards(Subposteriors draws) {
    return IntStream.range(0, draws.shards())
        .mapToObj(s -> ofDraws(draws.pooled(s), "shard " + (s + 1)))
        .toList();
  }

  /**
   * Returns the normal distribution with the moments of draws, n × d; divisor n − 1.
   *
   * @throws UserException (data) if their covariance is singular, or not finite
   */
  static Gaussian ofDraws(double[][] draws, String whose) {
    int d = draws[0].length;
    double[] mean = mean(Arrays.asList(draws));
    DMatrixRMaj centred = new DMatrixRMaj(draws);
    for (int i = 0; i < draws.length; i++) {
      for (int j = 0; j < d; j++) {
        centred.add(i, j, -mean[j]);
      }
    }
    DMatrixRMaj covariance = new DMatrixRMaj(d, d);
    CommonOps_DDRM.multInner(centred, covariance);
    CommonOps_DDRM.scale(1.0 / (draws.length - 1), covariance);
    if (draws.length <= d || Cholesky.scaled(covariance.getData(), d).isEmpty()) {
      throw UserException.data(
          ("the %d draws of %s do not determine a covariance matrix for %d coefficients, which"
                  + " combining the shards needs. Raise sampler.draws, and check that the chains of"
                  + " that shard move.")
              .formatted(draws.length, whose, d));
    }
    return of(mean, covariance.getData());
  }

  /** Returns Π N(μ_s, Σ_s), normalised: precision Σ Σ_s⁻¹, and Σ⁻¹μ = Σ Σ_s⁻¹μ_s. */
  static Gaussian product(List<Gaussian> factors) {
    int d = factors.get(0).mean.length;
    double[] precision = new double[d * d];
    double[] shift = new double[d];
    for (Gaussian factor : factors) {
      add(precision, factor.precision);
      add(shift, times(factor.precision, factor.mean));
    }
    double[] covariance = Cholesky.scaled(precision, d).orElseThrow().inverse();
    return of(times(covariance, shift), covariance);
  }

  /**
   * Returns N(mean of the means, mean of the covariances): the typical location and size of each.
   */
  static Gaussian average(List<Gaussian> all) {
    return of(
        mean(all.stream().map(Gaussian::mean).toList()),
        mean(all.stream().map(Gaussian::covariance).toList()));
  }

  /** Returns the mean of vectors. */
  static double[] mean(List<double[]> all) {
    double[] sum = new double[all.get(0).length];
    all.forEach(one -> add(sum, one));
    return Arrays.stream(sum).map(x -> x / all.size()).toArray();
  }

  private static void add(double[] sum, double[] more) {
    Arrays.setAll(sum, i -> sum[i] + more[i]);
  }

  /** Returns the product of row-major matrices of d columns, or of one and a vector of length d. */
  static double[] times(double[] matrix, double[] other) {
    int d = (int) Math.round(Math.sqrt(matrix.length));
    DMatrixRMaj product = new DMatrixRMaj(d, other.length / d);
    CommonOps_DDRM.mult(
        DMatrixRMaj.wrap(d, d, matrix), DMatrixRMaj.wrap(d, other.length / d, other), product);
    return product.getData();
  }

  /** Decomposes a symmetric matrix. Not modified. */
  static EigenDecomposition_F64<DMatrixRMaj> eigen(double[] matrix) {
    int d = (int) Math.round(Math.sqrt(matrix.length));
    EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(d, true, true);
    if (!eigen.decompose(new DMatrixRMaj(d, d, true, matrix.clone()))) {
      throw new IllegalArgumentException(
          "eigenvalues did not converge for " + Arrays.toString(matrix));
    }
    return eigen;
  }

  /** Returns the power of a symmetric positive definite matrix. Not modified. */
  static double[] power(double[] matrix, double exponent) {
    EigenDecomposition_F64<DMatrixRMaj> eigen = eigen(matrix);
    int d = eigen.getNumberOfEigenvalues();
    DMatrixRMaj power = new DMatrixRMaj(d, d);
    for (int k = 0; k < d; k++) {
      double value = Math.pow(eigen.getEigenvalue(k).getReal(), exponent);
      DMatrixRMaj vector = eigen.getEigenVector(k);
      CommonOps_DDRM.multAddTransB(value, vector, vector, power);
    }
    return power.getData();
  }

  /**
   * Returns the precision LᵀPL of another distribution in the coordinates where this one is
   * standard.
   */
  double[] whitenedPrecision(Gaussian other) {
    int d = mean.length;
    DMatrixRMaj whitened = new DMatrixRMaj(d, d);
    DMatrixRMaj half = DMatrixRMaj.wrap(d, d, times(other.precision, lower));
    CommonOps_DDRM.multTransA(DMatrixRMaj.wrap(d, d, lower), half, whitened);
    return whitened.getData();
  }

  /** Returns z = L⁻¹(θ − μ). Not modified. Cost O(d²). */
  double[] whitened(double[] theta) {
    double[] z = new double[theta.length];
    Arrays.setAll(z, j -> theta[j] - mean[j]);
    Cholesky.solveLower(lower, z);
    return z;
  }

  /** Returns each row whitened. */
  double[][] whitened(double[][] rows) {
    return Arrays.stream(rows).map(this::whitened).toArray(double[][]::new);
  }

  /** Returns θ = μ + Lz: a draw if z is standard normal. Not modified. Cost O(d²). */
  double[] unwhitened(double[] z) {
    double[] theta = times(lower, z);
    add(theta, mean);
    return theta;
  }

  /** Returns (θ − μ)ᵀΣ⁻¹(θ − μ). */
  double squaredDistance(double[] theta) {
    return Arrays.stream(whitened(theta)).map(z -> z * z).sum();
  }

  /** Returns |x − y|². */
  static double squaredDistance(double[] x, double[] y) {
    double sum = 0;
    for (int j = 0; j < x.length; j++) {
      sum += (x[j] - y[j]) * (x[j] - y[j]);
    }
    return sum;
  }
}
