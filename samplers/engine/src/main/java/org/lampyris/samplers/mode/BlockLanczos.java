package org.lampyris.samplers.mode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.SharedStateContinuousSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.lampyris.bounds.laplace.LowRankFactor;
import org.lampyris.samplers.random.Streams;

/**
 * Block Lanczos method for the eigenvalues farthest from 1, at both ends, of A = D^-½PD^-½ for a
 * precision matrix P with the diagonal D, by products with P: Rayleigh–Ritz in the Krylov space of
 * a random block of vectors.
 *
 * <p>A has the trace d. Large eigenvalues belong to similar columns, small ones to columns that
 * cancel, along which the posterior is wide. With m categorical columns and an intercept, m of them
 * are about the share of rows with a reference level, and one is m + 1. The block, {@value #BLOCK}
 * vectors wide, finds as many that are alike; every step is one pass over the data. Steps end when
 * all eigenvalues that are more than a factor {@value #FAR} from 1 are settled, with at most
 * {@value #MOST} vectors.
 *
 * <p>Source: Golub and Underwood (1977), block Lanczos with all vectors kept orthogonal; Musco and
 * Musco (2015), algorithm 2, for a random start. Cost O(dm²) on the driver for m vectors, memory 8
 * dm bytes. The start is keyed, so that results are the same everywhere.
 */
final class BlockLanczos {
  private static final int BLOCK = 32;
  private static final int MOST = 256;

  /** Eigenvalues nearer to 1 cost hmc next to nothing: decision 0019 has figures. */
  private static final double FAR = 2;

  /**
   * Coupling |r|/√λ of a direction to the omitted ones, r the residual: approximately the error for
   * a unit ellipsoid.
   */
  private static final double SETTLED = 0.1;

  /** A vector that loses all but this share of its length lies in the space already. */
  private static final double DEPENDENT = 1e-8;

  /** An eigenvalue below is 0. */
  private static final double SINGULAR = 1e-12;

  /** Multiplies with P: several vectors, d × count, side by side. */
  @FunctionalInterface
  interface Products {
    double[] of(int count, double[] vectors);
  }

  private final double[] diagonal;
  private final double[] roots;
  private final List<double[]> basis = new ArrayList<>();
  private final List<double[]> projected = new ArrayList<>();
  private double[] values = new double[0];
  private double[][] vectors = new double[0][];

  private BlockLanczos(double[] diagonal) {
    this.diagonal = diagonal;
    this.roots = Arrays.stream(diagonal).map(Math::sqrt).toArray();
  }

  /**
   * Finds the eigenvalues. D is not modified; where it has an element that is not above 0, none.
   */
  static BlockLanczos of(double[] diagonal, Products products) {
    BlockLanczos lanczos = new BlockLanczos(diagonal);
    if (Arrays.stream(diagonal).allMatch(x -> x > 0 && x < Double.POSITIVE_INFINITY)) {
      lanczos.run(products);
    }
    return lanczos;
  }

  private void run(Products products) {
    int d = diagonal.length;
    UniformRandomProvider rng = new Streams(0).stream(Streams.Purpose.CURVATURE, 0, 0, 0);
    SharedStateContinuousSampler normal = ZigguratSampler.NormalizedGaussian.of(rng);
    List<double[]> next = new ArrayList<>();
    for (int k = 0; k < Math.min(BLOCK, d); k++) {
      next.add(normal.samples(d).toArray());
    }
    next = orthonormal(next);
    while (!next.isEmpty()) {
      int from = basis.size();
      basis.addAll(next);
      List<double[]> images = multiply(products, next);
      project(images, from);
      List<double[]> beyond = orthonormal(images.stream().map(double[]::clone).toList());
      Ritz ritz = ritz(beyond, images, from);
      boolean last = ritz.settled || basis.size() + beyond.size() > MOST;
      next = last ? List.of() : beyond;
      if (next.isEmpty()) {
        keep(ritz.eigen);
      }
    }
  }

  /** Adds the products vᵀAw of the basis with its latest vectors w to A within the space. */
  private void project(List<double[]> images, int from) {
    for (int a = from; a < basis.size(); a++) {
      double[] image = images.get(a - from);
      double[] row = new double[a + 1];
      for (int b = 0; b <= a; b++) {
        row[b] = dot(basis.get(b), image);
      }
      projected.add(row);
    }
  }

  /** Returns Av of several v. */
  private List<double[]> multiply(Products products, List<double[]> of) {
    int d = diagonal.length;
    int count = of.size();
    double[] packed = new double[d * count];
    for (int k = 0; k < count; k++) {
      for (int j = 0; j < d; j++) {
        packed[j * count + k] = of.get(k)[j] / roots[j];
      }
    }
    double[] result = products.of(count, packed);
    List<double[]> images = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      double[] image = new double[d];
      for (int j = 0; j < d; j++) {
        image[j] = result[j * count + k] / roots[j];
      }
      images.add(image);
    }
    return images;
  }

  /** Returns the orthonormal vectors that extend the basis: two passes are enough. Modified. */
  private List<double[]> orthonormal(List<double[]> vectors) {
    List<double[]> found = new ArrayList<>();
    for (double[] v : vectors) {
      double before = norm(v);
      for (int twice = 0; twice < 2; twice++) {
        basis.forEach(q -> subtract(v, q));
        found.forEach(q -> subtract(v, q));
      }
      double after = norm(v);
      if (after > DEPENDENT * before) {
        for (int j = 0; j < v.length; j++) {
          v[j] /= after;
        }
        found.add(v);
      }
    }
    return found;
  }

  private static void subtract(double[] v, double[] q) {
    double product = dot(v, q);
    for (int j = 0; j < v.length; j++) {
      v[j] -= product * q[j];
    }
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int j = 0; j < a.length; j++) {
      sum += a[j] * b[j];
    }
    return sum;
  }

  private static double norm(double[] v) {
    return Math.sqrt(dot(v, v));
  }

  /**
   * The eigenvectors of A within the space.
   *
   * @param settled whether those far from 1 are nearly A's own
   */
  private record Ritz(EigenDecomposition_F64<DMatrixRMaj> eigen, boolean settled) {}

  /**
   * Takes the eigenvectors of A within the space. Their images under A lie in the space, except for
   * those of its latest vectors.
   *
   * @param beyond what the images of the latest vectors add to the space
   */
  private Ritz ritz(List<double[]> beyond, List<double[]> images, int from) {
    int m = basis.size();
    DMatrixRMaj matrix = new DMatrixRMaj(m, m);
    for (int a = 0; a < m; a++) {
      for (int b = 0; b <= a; b++) {
        matrix.set(a, b, projected.get(a)[b]);
        matrix.set(b, a, projected.get(a)[b]);
      }
    }
    EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(m, true, true);
    if (!eigen.decompose(matrix)) {
      throw new ArithmeticException("the eigenvalues of the log posterior's curvature");
    }
    double[][] leaving = new double[beyond.size()][images.size()];
    for (int a = 0; a < beyond.size(); a++) {
      for (int b = 0; b < images.size(); b++) {
        leaving[a][b] = dot(beyond.get(a), images.get(b));
      }
    }
    boolean settled = from > 0 || beyond.isEmpty();
    for (int k = 0; k < m; k++) {
      double value = value(eigen, k);
      if (isFar(value)) {
        double[] weights = Arrays.copyOfRange(eigen.getEigenVector(k).getData(), from, m);
        double residual = 0;
        for (double[] row : leaving) {
          double rest = dot(row, weights);
          residual += rest * rest;
        }
        settled &= Math.sqrt(residual) <= SETTLED * Math.sqrt(Math.max(0, value));
      }
    }
    return new Ritz(eigen, settled);
  }

  /** Keeps the eigenvalues far from 1, ascending, and their vectors. */
  private void keep(EigenDecomposition_F64<DMatrixRMaj> eigen) {
    int[] order =
        IntStream.range(0, basis.size())
            .filter(k -> isFar(value(eigen, k)) || basis.size() == diagonal.length)
            .boxed()
            .sorted(Comparator.comparing(k -> value(eigen, k)))
            .mapToInt(k -> k)
            .toArray();
    values = Arrays.stream(order).mapToDouble(k -> value(eigen, k)).toArray();
    vectors =
        Arrays.stream(order)
            .mapToObj(k -> combined(basis, eigen.getEigenVector(k).getData()))
            .toArray(double[][]::new);
  }

  private static double value(EigenDecomposition_F64<DMatrixRMaj> eigen, int k) {
    return eigen.getEigenvalue(k).getReal();
  }

  private static boolean isFar(double value) {
    return value > FAR || value < 1 / FAR;
  }

  private static double[] combined(List<double[]> vectors, double[] weights) {
    double[] sum = new double[vectors.get(0).length];
    for (int k = 0; k < weights.length; k++) {
      double[] vector = vectors.get(k);
      double weight = weights[k];
      for (int j = 0; j < sum.length; j++) {
        sum[j] += weight * vector[j];
      }
    }
    return sum;
  }

  /** Returns the direction of the least eigenvalue, in θ, if an eigenvalue is far from 1. */
  double[] flattest() {
    double[] flattest = vectors.length == 0 ? new double[0] : vectors[0].clone();
    for (int j = 0; j < flattest.length; j++) {
      flattest[j] /= roots[j];
    }
    return flattest;
  }

  /** Returns the factor of P⁻¹; empty if P is found not positive definite. */
  Optional<LowRankFactor> factor() {
    return basis.isEmpty() || Arrays.stream(values).anyMatch(value -> value < SINGULAR)
        ? Optional.empty()
        : Optional.of(new LowRankFactor(diagonal, values, vectors));
  }
}
