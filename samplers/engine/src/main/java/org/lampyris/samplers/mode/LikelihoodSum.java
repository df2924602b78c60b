package org.lampyris.samplers.mode;

import java.util.Arrays;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.InterceptShift;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Sum Σ_n ℓ_n(θ), natural log, with its gradient and Hessian, packed into one vector for summing
 * over blocks: the value, then the gradient, then the lower triangle of the Hessian row by row.
 *
 * @param packed the sum; not copied
 */
public record LikelihoodSum(int dimension, double[] packed) {
  public LikelihoodSum {
    if (packed.length != packedLength(dimension)) {
      throw new IllegalArgumentException(
          packed.length + " packed values for dimension " + dimension);
    }
  }

  /** Returns the number of packed values in d dimensions: 1 + d + d(d+1)/2. */
  public static int packedLength(int dimension) {
    return 1 + dimension + dimension * (dimension + 1) / 2;
  }

  /** Adds a block's share at θ, which is not modified, to a packed sum. Modified. */
  public static void addTo(Model model, double[] theta, DataBlock block, double[] packed) {
    int d = model.dimension();
    double[] gradient = new double[d];
    double[] hessian = new double[d * d];
    double value = model.addHessians(block, theta, gradient, hessian);
    add(value, gradient, hessian, packed);
  }

  private static void add(double value, double[] gradient, double[] hessian, double[] packed) {
    int d = gradient.length;
    packed[0] += value;
    int k = 1;
    for (int j = 0; j < d; j++) {
      packed[k++] += gradient[j];
    }
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++) {
        packed[k++] += hessian[i * d + j];
      }
    }
  }

  /** Returns this sum plus {@code factor} times another one. */
  LikelihoodSum plus(double factor, LikelihoodSum other) {
    double[] result = packed.clone();
    for (int k = 0; k < result.length; k++) {
      result[k] += factor * other.packed[k];
    }
    return new LikelihoodSum(dimension, result);
  }

  /** Returns the same sum with its derivatives in γ: see {@link Objective#about}. */
  LikelihoodSum about(InterceptShift point) {
    int d = dimension;
    double[] gradient = gradient();
    double[] hessian = new double[d * d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        hessian[i * d + j] = hessian(i, j);
      }
    }
    point.gradientToPoint(gradient);
    point.hessianToPoint(hessian, d);
    double[] result = new double[packed.length];
    add(packed[0], gradient, hessian, result);
    return new LikelihoodSum(d, result);
  }

  /** Returns Σ_n ℓ_n(θ). */
  public double value() {
    return packed[0];
  }

  /** Returns the gradient of the sum. */
  double[] gradient() {
    return Arrays.copyOfRange(packed, 1, 1 + dimension);
  }

  /** Returns ∂/∂θ_j of the sum. */
  public double gradient(int j) {
    return packed[1 + j];
  }

  /** Returns ∂²/∂θ_i∂θ_j of the sum. */
  public double hessian(int i, int j) {
    int row = Math.max(i, j);
    return packed[1 + dimension + row * (row + 1) / 2 + Math.min(i, j)];
  }
}
