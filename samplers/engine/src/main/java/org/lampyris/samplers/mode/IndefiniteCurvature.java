package org.lampyris.samplers.mode;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/**
 * Eigenvalues of a symmetric matrix M that is not positive definite, scaled to a diagonal of ±1
 * first, and |M|, the matrix with the eigenvalues' absolute values.
 *
 * <p>|M|⁻¹g leads upwards for any curvature. If the log posterior falls like a heavy tail, as a
 * logarithm of the distance, it leads to the mode in one step. Source: Dauphin et al. (2014),
 * "Identifying and attacking the saddle point problem", section 4, absolute values kept off 0.
 */
final class IndefiniteCurvature {
  /** An eigenvalue this share of the largest is noise. */
  private static final double NOISE = 1e-10;

  /** Below this squared length of the step, in standard deviations, a point is stationary. */
  private static final double SADDLE = 1e-12;

  /** Smallest absolute eigenvalue, as a share of the largest. */
  private static final double FLOOR = 1e-4;

  /** Newton steps for μ at most, and the relative error of a radius. */
  private static final int ROUNDS = 50;

  private static final double NEARLY = 1e-3;

  private final int d;
  private final double[] scale;
  private final double[] values;
  private final double[][] vectors;
  private double largest;
  private int least;

  /** Decomposes M, row-major d × d; symmetric, finite. Not modified. */
  IndefiniteCurvature(double[] matrix, int d) {
    this.d = d;
    this.scale = scale(matrix, d);
    DMatrixRMaj scaled = new DMatrixRMaj(d, d);
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        scaled.set(i, j, matrix[i * d + j] / scale[i] / scale[j]);
      }
    }
    EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(d, true, true);
    if (!eigen.decompose(scaled)) {
      throw new ArithmeticException("the eigenvalues of the log posterior's curvature");
    }
    this.values = new double[d];
    this.vectors = new double[d][];
    for (int k = 0; k < d; k++) {
      values[k] = eigen.getEigenvalue(k).getReal();
      vectors[k] = eigen.getEigenVector(k).getData().clone();
      largest = Math.max(largest, Math.abs(values[k]));
      least = values[k] < values[least] ? k : least;
    }
  }

  /** Returns D: √|M_ii|, or a size from its neighbours if it vanishes. */
  static double[] scale(double[] matrix, int d) {
    double[] scale = new double[d];
    for (int i = 0; i < d; i++) {
      scale[i] = Math.sqrt(Math.abs(matrix[i * d + i]));
    }
    double[] filled = scale.clone();
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d && scale[i] == 0; j++) {
        if (scale[j] > 0) {
          filled[i] = Math.max(filled[i], Math.abs(matrix[i * d + j]) / scale[j]);
        }
      }
      filled[i] = filled[i] > 0 ? filled[i] : 1;
    }
    return filled;
  }

  /** Returns true if an eigenvalue is negative beyond rounding; if not, M is singular. */
  boolean isIndefinite() {
    return values[least] < -NOISE * largest;
  }

  /** Returns the direction of the least eigenvalue, in the units that M is scaled by. */
  double[] leastCurved() {
    return vectors[least].clone();
  }

  private double absolute(int k) {
    return Math.max(Math.abs(values[k]), FLOOR * largest);
  }

  /**
   * Returns |M|⁻¹g, which leads upwards. If that is nearly 0, at a saddle point, it returns the
   * direction of the most negative curvature, with length 1 in the norm of |M|.
   */
  double[] upwards(double[] gradient) {
    double[] along = alongVectors(gradient);
    double squared = 0;
    for (int k = 0; k < d; k++) {
      squared += along[k] * along[k] / absolute(k);
    }
    if (!(squared < SADDLE)) {
      return step(along, 0);
    }
    double[] direction = vectors[least].clone();
    for (int i = 0; i < d; i++) {
      direction[i] /= Math.sqrt(absolute(least)) * scale[i];
    }
    return direction;
  }

  /**
   * Returns v = (|M| + μD²)⁻¹g, D the scale, with μ ≥ 0 such that |Dv| is a radius; |M|⁻¹g if that
   * is no longer. The step bends towards the gradient as the radius falls, and loses first what
   * little curvature determines. Source: Nocedal and Wright (2006), algorithm 4.3.
   */
  double[] upwards(double[] gradient, double radius) {
    double[] along = alongVectors(gradient);
    double added = 0;
    for (int i = 0; i < ROUNDS; i++) {
      double squared = 0;
      double slope = 0;
      for (int k = 0; k < d; k++) {
        double own = along[k] / (absolute(k) + added);
        squared += own * own;
        slope += own * own / (absolute(k) + added);
      }
      double length = Math.sqrt(squared);
      if (length <= radius * (1 + NEARLY)) {
        break;
      }
      added += squared / slope * (length / radius - 1);
    }
    return step(along, added);
  }

  /** Returns UᵀD⁻¹g, for eigenvectors U. */
  private double[] alongVectors(double[] gradient) {
    double[] along = new double[d];
    for (int k = 0; k < d; k++) {
      for (int i = 0; i < d; i++) {
        along[k] += vectors[k][i] * gradient[i] / scale[i];
      }
    }
    return along;
  }

  private double[] step(double[] along, double added) {
    double[] result = new double[d];
    for (int k = 0; k < d; k++) {
      double own = along[k] / (absolute(k) + added);
      for (int i = 0; i < d; i++) {
        result[i] += own * vectors[k][i] / scale[i];
      }
    }
    return result;
  }
}
