package org.lampyris.samplers.effects.rows;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The effects b_j of some groups of a grouping, and the ridge T_j of each: if the coefficients move
 * by δ, the effects that go with them best move by −T_jδ. Matrices are row-major. Immutable.
 */
public final class LevelEffects implements Serializable {
  private final int size;
  private final double[] values;
  private final int columns;
  private final float @Nullable [] ridge;

  private LevelEffects(int size, double[] values, int columns, float @Nullable [] ridge) {
    this.size = size;
    this.values = values;
    this.columns = columns;
    this.ridge = ridge;
  }

  /** Returns effects of 0 without a ridge, q of each group, where there are D coefficients. */
  public static LevelEffects zero(int groups, int size, int columns) {
    return new LevelEffects(size, new double[groups * size], columns, null);
  }

  /** Returns q, how many effects a group has. */
  public int size() {
    return size;
  }

  /** Returns how many groups there are. */
  public int groups() {
    return values.length / size;
  }

  /** Returns all effects, groups × q; not to be modified. */
  public double[] values() {
    return values;
  }

  /** Returns the ridge, groups × q × D, not to be modified; null where it is 0. */
  public float @Nullable [] ridge() {
    return ridge;
  }

  /** Returns other effects of the same groups; not copied. */
  public LevelEffects with(double[] others) {
    return new LevelEffects(size, others, columns, ridge);
  }

  /** Returns the same effects with another ridge; not copied. */
  public LevelEffects withRidge(float[] other) {
    return new LevelEffects(size, values, columns, other);
  }

  /** Writes b_j − T_jδ. */
  private void slid(int group, double[] delta, double[] out) {
    for (int e = 0; e < size; e++) {
      int i = group * size + e;
      double sum = values[i];
      if (ridge != null) {
        for (int k = 0; k < columns; k++) {
          sum -= ridge[i * columns + k] * delta[k];
        }
      }
      out[e] = sum;
    }
  }

  /** Returns the effects after a displacement. */
  public LevelEffects displaced(Displacement by) {
    double[] moved = new double[values.length];
    double[] slid = new double[size];
    for (int j = 0; j < groups(); j++) {
      slid(j, by.delta(), slid);
      moved(by, slid, moved, j * size);
    }
    return with(moved);
  }

  private void moved(Displacement by, double[] slid, double[] out, int at) {
    for (int e = 0; e < size; e++) {
      double sum = -by.shift()[e];
      for (int f = 0; f < size; f++) {
        sum += by.map()[e * size + f] * slid[f];
      }
      out[at + e] = sum;
    }
  }

  /** Returns how many numbers {@link Tally} takes. */
  public static int tally(int size, int columns) {
    return 1 + columns + 2 * size * size + size + 1;
  }

  /**
   * Sums over groups, by which the density after a displacement without a shift, its gradient, and
   * all moves that look at no row are known.
   *
   * @param sums Σ|u_j|², with u_j = L⁻¹(b_j − T_jδ); Σ T_jᵀ(L⁻ᵀu_j − Mᵀg_j), of length D; Σ g_ju_jᵀ
   *     and Σ b'_jb'_jᵀ, q × q; Σ b'_j; the number of groups
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Tally(int size, int columns, double[] sums, int from) {
    /** Returns Σ|u_j|². */
    public double squares() {
      return sums[from];
    }

    /** Returns element k of Σ T_jᵀ(L⁻ᵀu_j − Mᵀg_j). */
    public double slope(int k) {
      return sums[from + 1 + k];
    }

    /** Returns Σ g_ju_jᵀ. */
    public double[] factorSlope() {
      return part(1 + columns, size * size);
    }

    /** Returns Σ b'_jb'_jᵀ. */
    public double[] products() {
      return part(1 + columns + size * size, size * size);
    }

    /** Returns Σ b'_j. */
    public double[] total() {
      return part(1 + columns + 2 * size * size, size);
    }

    /** Returns the number of groups. */
    public double groups() {
      return sums[from + 1 + columns + 2 * size * size + size];
    }

    private double[] part(int at, int length) {
      double[] part = new double[length];
      System.arraycopy(sums, from + at, part, 0, length);
      return part;
    }
  }

  /**
   * Adds the {@link Tally} of these groups.
   *
   * @param by the displacement, its shift 0
   * @param factor L, of the prior N(0, LLᵀ) before the displacement
   * @param slopes g_j, the derivatives of the log-likelihood in b'_j, at {@code slopes[offset +
   *     j·stride …]}
   * @param out added to from {@code at} on. Modified.
   */
  public void addTally(
      Displacement by, double[] factor, double[] slopes, Stride stride, double[] out, int at) {
    double[] slid = new double[size];
    double[] u = new double[size];
    double[] moved = new double[size];
    double[] pull = new double[size];
    int slope = at + 1 + columns;
    int products = slope + size * size;
    int total = products + size * size;
    for (int j = 0; j < groups(); j++) {
      slid(j, by.delta(), slid);
      moved(by, slid, moved, 0);
      System.arraycopy(slid, 0, u, 0, size);
      SmallFactor.solve(factor, size, u);
      System.arraycopy(u, 0, pull, 0, size);
      SmallFactor.solveTransposed(factor, size, pull);
      int g = stride.offset + j * stride.step;
      for (int e = 0; e < size; e++) {
        out[at] += u[e] * u[e];
        out[total + e] += moved[e];
        for (int f = 0; f < size; f++) {
          pull[f] -= by.map()[e * size + f] * slopes[g + e];
          out[slope + e * size + f] += slopes[g + e] * u[f];
          out[products + e * size + f] += moved[e] * moved[f];
        }
      }
      if (ridge != null) {
        for (int e = 0; e < size; e++) {
          int i = (j * size + e) * columns;
          for (int k = 0; k < columns; k++) {
            out[at + 1 + k] += ridge[i + k] * pull[e];
          }
        }
      }
    }
    out[total + size] += groups();
  }

  /** Where the numbers of groups lie in an array. */
  public record Stride(int offset, int step) {}
}
