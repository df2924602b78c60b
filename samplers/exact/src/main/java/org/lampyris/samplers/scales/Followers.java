package org.lampyris.samplers.scales;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Optional;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.laplace.Cholesky;

/**
 * Coefficients o that follow those of a group, b, when a scale of the group moves: o′ = o + G(b′ −
 * b). With G = −A_oo⁻¹A_ob and A the posterior's precision near the mode, o goes along as its mean
 * given b does. Without that, b moves only as far as o leaves it: the parts of a smooth of two
 * columns then hold each other. The move is valid with any G.
 *
 * @param elements which elements of θ o is
 * @param follow G, row-major
 * @param curvature JᵀHJ, J = (I, G)
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Followers(int[] elements, double[] follow, double[] curvature) implements Serializable {
  /**
   * Returns the followers of a group; none if A_oo is singular.
   *
   * @param group the elements of θ that b is
   * @param elements those that follow
   * @param quadratic of curvature −H
   * @param precisions what priors add to the diagonal of H
   */
  static Optional<Followers> of(
      int[] group, int[] elements, CollapsedQuadratic quadratic, double[] precisions) {
    int s = group.length;
    int n = elements.length;
    double[] among = curvature(quadratic, elements, elements);
    double[] posterior = among.clone();
    for (int i = 0; i < n; i++) {
      posterior[i * n + i] += precisions[elements[i]];
    }
    Cholesky factor = n == 0 ? null : Cholesky.scaled(posterior, n).orElse(null);
    if (factor == null) {
      return Optional.empty();
    }
    double[] across = curvature(quadratic, elements, group);
    double[] follow = new double[n * s];
    for (int j = 0; j < s; j++) {
      double[] column = new double[n];
      for (int i = 0; i < n; i++) {
        column[i] = -across[i * s + j];
      }
      double[] solved = factor.solve(column);
      for (int i = 0; i < n; i++) {
        follow[i * s + j] = solved[i];
      }
    }
    double[] curvature = curvature(quadratic, group, group);
    for (int i = 0; i < n; i++) {
      for (int e = 0; e < s; e++) {
        double half = across[i * s + e];
        for (int k = 0; k < n; k++) {
          half += 0.5 * among[i * n + k] * follow[k * s + e];
        }
        for (int f = 0; f < s; f++) {
          curvature[e * s + f] += half * follow[i * s + f];
          curvature[f * s + e] += half * follow[i * s + f];
        }
      }
    }
    return Optional.of(new Followers(elements, follow, curvature));
  }

  private static double[] curvature(CollapsedQuadratic quadratic, int[] rows, int[] columns) {
    double[] packed = quadratic.packed();
    double[] part = new double[rows.length * columns.length];
    Arrays.setAll(
        part,
        ij ->
            MarginalMove.curvature(
                packed, rows[ij / columns.length], columns[ij % columns.length]));
    return part;
  }

  /** Returns JᵀHJ + GᵀKG, K a diagonal of precisions. */
  double[] curvature(double[] precisions) {
    double[] sum = curvature.clone();
    int s = follow.length / elements.length;
    for (int i = 0; i < elements.length; i++) {
      double k = precisions[elements[i]];
      for (int ef = 0; ef < sum.length && k != 0; ef++) {
        sum[ef] += k * follow[i * s + ef / s] * follow[i * s + ef % s];
      }
    }
    return sum;
  }

  /**
   * Adds Gᵀ(∇q − Ko) to slopes in b.
   *
   * @param gradient ∇q in o. Not modified.
   * @param slopes modified
   */
  void addSlopes(double[] theta, double[] gradient, double[] precisions, double[] slopes) {
    for (int i = 0; i < elements.length; i++) {
      double slope = gradient[i] - precisions[elements[i]] * theta[elements[i]];
      for (int e = 0; e < slopes.length; e++) {
        slopes[e] += follow[i * slopes.length + e] * slope;
      }
    }
  }

  /** Moves o in θ, which is modified, by G times what b has moved. */
  void move(double[] delta, double[] theta) {
    for (int i = 0; i < elements.length; i++) {
      for (int e = 0; e < delta.length; e++) {
        theta[elements[i]] += follow[i * delta.length + e] * delta[e];
      }
    }
  }
}
