package org.lampyris.samplers.multilevel;

import java.io.Serializable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Approximation of each group: T, groups × q × D; the lower triangle of H_j, row by row, then h_j;
 * and P̂.
 */
final class LevelShape implements Serializable {
  /** T, groups × q × D. */
  final float[] ridge;

  /** H and h, a group after the other. */
  final float[] rows;

  /** P̂, q × q. */
  final double[] precision;

  LevelShape(float[] ridge, float[] rows, double[] precision) {
    this.ridge = ridge;
    this.rows = rows;
    this.precision = precision;
  }

  /** Returns how many numbers {@link #of} needs of a group. */
  static int sums(int size, int columns) {
    return size * (size + 1) / 2 + size + size * columns;
  }

  /**
   * Creates the approximation.
   *
   * @param sums of each group the lower triangle of H, the derivatives of the log-likelihood in b,
   *     and Σ w_n·z_n(x_n − Σ T′ᵀz′_n)ᵀ, q × D
   * @param b the effects there
   */
  static LevelShape of(double[] sums, double[] b, int q, int columns, double[] precision) {
    int step = sums(q, columns);
    int triangle = q * (q + 1) / 2;
    int groups = sums.length / step;
    float[] ridge = new float[groups * q * columns];
    float[] rows = new float[groups * (triangle + q)];
    double[] a = new double[q * q];
    double[] v = new double[q];
    for (int j = 0; j < groups; j++) {
      int at = j * step;
      int to = j * (triangle + q);
      for (int k = 0; k < triangle + q; k++) {
        rows[to + k] = (float) sums[at + k];
      }
      int k = at;
      for (int e = 0; e < q; e++) {
        for (int f = 0; f <= e; f++) {
          double h = sums[k++];
          a[e * q + f] = h + precision[e * q + f];
          rows[to + triangle + e] += (float) (h * b[j * q + f]);
          if (f < e) {
            rows[to + triangle + f] += (float) (h * b[j * q + e]);
          }
        }
      }
      if (!SmallFactor.factorise(a, q)) {
        continue;
      }
      for (int c = 0; c < columns; c++) {
        for (int e = 0; e < q; e++) {
          v[e] = sums[at + triangle + q + e * columns + c];
        }
        SmallFactor.solve(a, q, v);
        SmallFactor.solveTransposed(a, q, v);
        for (int e = 0; e < q; e++) {
          ridge[(j * q + e) * columns + c] = (float) v[e];
        }
      }
    }
    return new LevelShape(ridge, rows, precision);
  }

  /** Adds TᵀPT of a group to the lower triangle of a matrix of p rows, {@code out}. Modified. */
  void addRidge(int j, double[] precision, int size, int columns, double[] out, int p) {
    for (int e = 0; e < size; e++) {
      for (int f = 0; f < size; f++) {
        double c = precision[e * size + f];
        int left = (j * size + e) * columns;
        int right = (j * size + f) * columns;
        for (int k = 0; k < columns; k++) {
          for (int l = 0; l <= k; l++) {
            out[k * p + l] += c * ridge[left + k] * ridge[right + l];
          }
        }
      }
    }
  }

  /**
   * Carries the groups along with a displacement, one after the other.
   *
   * <p>Rounding can leave H_j + P without a Cholesky factor at some P. The group is then taken for
   * unknown at this P: H, h and T are 0. Whether the approximation applies depends on P alone. A
   * displacement between a P where it applies and one where it does not is refused: y_j would be
   * another function of b_j than in the reverse move, which would not be reversible.
   */
  static final class Carrier {
    private final int size;
    private final int columns;
    private final double[] values;
    private final @Nullable LevelShape shape;
    private final LevelEffects.Displacement by;
    private final double[] rows;
    private final double[] pullFrom;
    private final double[] pullTo;
    private final double[] factor;
    private final double[] stays;
    private final double[] mode;
    private boolean isKnown;
    private boolean possible;

    Carrier(LevelEffects of, LevelEffects.Displacement by) {
      size = of.size();
      columns = of.columns();
      values = of.values();
      shape = of.shape();
      this.by = by;
      rows = new double[size * size];
      pullFrom = new double[size];
      pullTo = new double[size];
      factor = new double[size * size];
      stays = new double[size];
      mode = new double[size];
    }

    /** Starts a group: y_j. */
    void begin(int j) {
      if (shape != null) {
        known(j, shape);
      }
      isKnown = isKnownAt(by.precisionFrom());
      possible = isKnown || factorise(by.precisionFrom(), false);
      start(pullFrom, isKnown);
      SmallFactor.solve(factor, size, mode);
      SmallFactor.solveTransposed(factor, size, mode);
      for (int e = 0; e < size; e++) {
        stays[e] = 0;
        for (int f = e; f < size; f++) {
          stays[e] += factor[f * size + e] * (values[j * size + f] - mode[f]);
        }
      }
    }

    /** Finds H, and h − (H + P̂)TΔ before and after. */
    private void known(int j, LevelShape of) {
      int at = j * (size * (size + 1) / 2 + size);
      for (int e = 0; e < size; e++) {
        for (int f = 0; f <= e; f++) {
          double h = of.rows[at++];
          rows[e * size + f] = h;
          rows[f * size + e] = h;
        }
      }
      for (int e = 0; e < size; e++) {
        pullFrom[e] = of.rows[at];
        pullTo[e] = of.rows[at++];
      }
      for (int f = 0; f < size; f++) {
        int k = (j * size + f) * columns;
        double slidFrom = 0;
        double slidTo = 0;
        for (int c = 0; c < columns; c++) {
          slidFrom += of.ridge[k + c] * by.from()[c];
          slidTo += of.ridge[k + c] * by.to()[c];
        }
        for (int e = 0; e < size; e++) {
          double a = rows[e * size + f] + of.precision[e * size + f];
          pullFrom[e] -= a * slidFrom;
          pullTo[e] -= a * slidTo;
        }
      }
    }

    /** Returns whether the group's approximation can be used at a P; factorises H + P. */
    private boolean isKnownAt(double[] precision) {
      return shape != null && factorise(precision, true);
    }

    private boolean factorise(double[] precision, boolean withRows) {
      for (int i = 0; i < factor.length; i++) {
        factor[i] = withRows ? rows[i] + precision[i] : precision[i];
      }
      return SmallFactor.factorise(factor, size);
    }

    private void start(double[] pull, boolean known) {
      for (int e = 0; e < size; e++) {
        mode[e] = known ? pull[e] : 0;
      }
    }

    /** Writes b'_j for a P, and returns log det K; NaN if the displacement is refused. */
    double end(double[] precision, double[] out, int at) {
      if (!possible
          || isKnownAt(precision) != isKnown
          || !(isKnown || factorise(precision, false))) {
        Arrays.fill(out, at, at + size, Double.NaN);
        return Double.NaN;
      }
      start(pullTo, isKnown);
      SmallFactor.solve(factor, size, mode);
      double logDeterminant = 0;
      for (int e = 0; e < size; e++) {
        mode[e] += stays[e];
        logDeterminant += Math.log(factor[e * size + e]);
      }
      SmallFactor.solveTransposed(factor, size, mode);
      System.arraycopy(mode, 0, out, at, size);
      return logDeterminant;
    }

    /** Returns −log det K + ½|K⁻¹h|² for a P, with h the rest of h_j at the coefficients. */
    double logMarginal(double[] precision) {
      boolean knownThere = isKnownAt(precision);
      if (!knownThere && !factorise(precision, false)) {
        return Double.NaN;
      }
      start(pullTo, knownThere);
      SmallFactor.solve(factor, size, mode);
      double sum = 0;
      for (int e = 0; e < size; e++) {
        sum += 0.5 * mode[e] * mode[e] - Math.log(factor[e * size + e]);
      }
      return sum;
    }

    /** Replaces v by A⁻¹v, with A from the last {@link #end}. */
    void solve(double[] v) {
      SmallFactor.solve(factor, size, v);
      SmallFactor.solveTransposed(factor, size, v);
    }

    /** Adds −Tᵀ(H + P̂)v, the derivative of the effects along A⁻¹v in the coefficients. */
    void addAlong(int j, double[] v, double[] out, int at) {
      LevelShape of = shape;
      if (of == null || !isKnown) {
        return;
      }
      for (int e = 0; e < size; e++) {
        double pull = 0;
        for (int f = 0; f < size; f++) {
          pull += (rows[e * size + f] + of.precision[e * size + f]) * v[f];
        }
        int k = (j * size + e) * columns;
        for (int c = 0; c < columns; c++) {
          out[at + c] -= of.ridge[k + c] * pull;
        }
      }
    }

    /** Returns m_j and K_j of the group, one object for all groups, overwritten. */
    LevelStep.About about() {
      return new LevelStep.About(mode, factor);
    }

    /** Returns whether the group has a K_j. */
    boolean possible() {
      return possible;
    }
  }
}
