package org.lampyris.samplers.multilevel;

import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.lampyris.bounds.effects.EffectCovariance;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.samplers.kernel.LogDensity;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.Slice;
import org.lampyris.samplers.random.Noise;

/**
 * Moves of two nested groupings that leave every row's predictor unchanged and so read no rows.
 * Levels j of the inner grouping lie in one level l of the outer grouping each. Replace b_j by b_j
 * − E c_l and u_l by u_l + F c_l, with E and F selecting the effects of the common columns. The
 * rows determine the sums and not c: they carry little information on the split of the variance,
 * and steps given one of the two are short. Here both covariances move with all c integrated out,
 * and c is drawn given them.
 *
 * <p>The density in (φ, c) along these shifts, from the present b and u, is p(φ) Π_l N(u_l + F c_l;
 * 0, Σ_u) Π_{j∈l} N(b_j − E c_l; 0, Σ_b). With P = Σ⁻¹, A_l = n_l EᵀP_bE + FᵀP_uF and r_l = EᵀP_b
 * Σ_{j∈l} b_j − FᵀP_uu_l, c_l is N(A_l⁻¹r_l, A_l⁻¹), and the marginal density is p(φ) |P_b|^(J/2)
 * |P_u|^(L/2) exp(−½ Σ b_jᵀP_bb_j − ½ Σ u_lᵀP_uu_l) Π_l |A_l|^(−1/2) exp(½ r_lᵀA_l⁻¹r_l).
 *
 * <p>Sources: Liu and Sabatti (2000) for moves along a group of shifts; Papaspiliopoulos, Roberts
 * and Sköld (2003) for the centred form.
 */
final class NestedMoves implements LogDensity {
  private static final int SWEEPS = 2;
  private static final double WIDTH = 1;
  private static final int BRACKET = 20;

  /**
   * Two nested groupings.
   *
   * @param inner the inner grouping
   * @param outer the outer grouping
   * @param levels the outer level of each inner level. Not copied
   */
  record Nesting(int inner, int outer, int[] levels) implements Serializable {}

  /** One of the two groupings. */
  private static final class Side {
    private final EffectCovariance covariance;
    private final int size;
    private final double[] values;

    /** The effects that the other grouping has as well. */
    private final int[] common;

    /** Σ b_jb_jᵀ. */
    private final double[] products;

    Side(EffectCovariance covariance, double[] values, int[] common) {
      this.covariance = covariance;
      this.size = covariance.size();
      this.values = values.clone();
      this.common = common;
      this.products = new double[size * size];
      for (int j = 0; j < values.length; j += size) {
        for (int e = 0; e < size; e++) {
          for (int f = 0; f < size; f++) {
            products[e * size + f] += values[j + e] * values[j + f];
          }
        }
      }
    }

    /** Returns log p(φ) + J/2·log|P| − ½ Σ b_jᵀPb_j. */
    double logDensity(double[] phi, double[] precision) {
      double[] factor = covariance.factor(phi);
      double sum = covariance.logPrior(phi);
      for (int e = 0; e < size; e++) {
        sum -= (double) values.length / size * Math.log(factor[e * size + e]);
        for (int f = 0; f < size; f++) {
          sum -= 0.5 * precision[e * size + f] * products[e * size + f];
        }
      }
      return sum;
    }

    double[] precision(double[] phi) {
      return SmallFactor.precision(covariance.factor(phi), size);
    }

    /** Adds n·EᵀPE. */
    void addPrecision(double[] precision, double n, double[] out) {
      int k = common.length;
      for (int c = 0; c < k; c++) {
        for (int d = 0; d < k; d++) {
          out[c * k + d] += n * precision[common[c] * size + common[d]];
        }
      }
    }

    /** Adds sign·EᵀP times effects, at {@code of[at …]}. */
    void addPull(double[] precision, double sign, double[] of, int at, double[] out) {
      for (int c = 0; c < common.length; c++) {
        for (int e = 0; e < size; e++) {
          out[c] += sign * precision[common[c] * size + e] * of[at + e];
        }
      }
    }
  }

  private final Nesting nesting;
  private final Side inner;
  private final Side outer;

  /** n_l. */
  private final int[] counts;

  /** Σ_{j∈l} b_j, one level after the other. */
  private final double[] totals;

  /** Takes the effects of both groupings. */
  NestedMoves(Structure structure, Nesting nesting, LevelEffects b, LevelEffects u) {
    this.nesting = nesting;
    TableEffects ofInner = structure.groupings().get(nesting.inner);
    TableEffects ofOuter = structure.groupings().get(nesting.outer);
    this.inner =
        new Side(structure.covariance(nesting.inner), b.values(), common(ofInner, ofOuter));
    this.outer =
        new Side(structure.covariance(nesting.outer), u.values(), common(ofOuter, ofInner));
    this.counts = new int[u.groups()];
    int q = inner.size;
    this.totals = new double[counts.length * q];
    for (int j = 0; j < nesting.levels.length; j++) {
      int l = nesting.levels[j];
      counts[l]++;
      for (int e = 0; e < q; e++) {
        totals[l * q + e] += inner.values[j * q + e];
      }
    }
  }

  /**
   * Returns the effects of one grouping whose columns have an effect of another, too, by column.
   */
  static int[] common(TableEffects of, TableEffects other) {
    return IntStream.range(0, of.size())
        .filter(e -> IntStream.range(0, other.size()).anyMatch(f -> of.isSame(e, other, f)))
        .boxed()
        .sorted((e, f) -> Integer.compare(of.column()[e], of.column()[f]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /**
   * Moves both covariances, and then the effects.
   *
   * @param phi of all groupings. Modified.
   * @param effects of all groupings. Modified.
   */
  void step(double[][] phi, LevelEffects[] effects, Noise noise) {
    int split = phi[nesting.inner].length;
    double[] both = Arrays.copyOf(phi[nesting.inner], dimension());
    System.arraycopy(phi[nesting.outer], 0, both, split, both.length - split);
    Slice slice =
        new Slice(
            Preconditioner.identity(both.length), WIDTH, Slice.Directions.COORDINATE, 1, BRACKET);
    Point point = Point.at(both);
    for (int s = 0; s < SWEEPS; s++) {
      point = slice.step(this, point, noise).point();
    }
    phi[nesting.inner] = Arrays.copyOf(point.theta(), split);
    phi[nesting.outer] = Arrays.copyOfRange(point.theta(), split, both.length);
    shift(phi[nesting.inner], phi[nesting.outer], noise);
    effects[nesting.inner] = effects[nesting.inner].with(inner.values);
    effects[nesting.outer] = effects[nesting.outer].with(outer.values);
  }

  /** Draws every c_l, and moves the effects by it. */
  private void shift(double[] phiInner, double[] phiOuter, Noise noise) {
    Conditional at = new Conditional(inner.precision(phiInner), outer.precision(phiOuter));
    int k = inner.common.length;
    double[][] shifts = new double[counts.length][];
    for (int l = 0; l < counts.length; l++) {
      shifts[l] = noise.normals(k);
      if (!at.level(l)) {
        Arrays.fill(shifts[l], 0);
        continue;
      }
      for (int c = 0; c < k; c++) {
        shifts[l][c] += at.pull[c];
      }
      SmallFactor.solveTransposed(at.factor, k, shifts[l]);
      for (int c = 0; c < k; c++) {
        outer.values[l * outer.size + outer.common[c]] += shifts[l][c];
      }
    }
    for (int j = 0; j < nesting.levels.length; j++) {
      for (int c = 0; c < k; c++) {
        inner.values[j * inner.size + inner.common[c]] -= shifts[nesting.levels[j]][c];
      }
    }
  }

  /** Conditional distribution of c given the covariances, one level after the other. */
  private final class Conditional {
    private final double[] inInner;
    private final double[] inOuter;

    /** K with A_l = KKᵀ. */
    private final double[] factor = new double[inner.common.length * inner.common.length];

    /** K⁻¹r_l. */
    private final double[] pull = new double[inner.common.length];

    Conditional(double[] inInner, double[] inOuter) {
      this.inInner = inInner;
      this.inOuter = inOuter;
    }

    /** Goes to a level; false if rounding leaves it without a factor. */
    boolean level(int l) {
      Arrays.fill(factor, 0);
      Arrays.fill(pull, 0);
      inner.addPrecision(inInner, counts[l], factor);
      outer.addPrecision(inOuter, 1, factor);
      inner.addPull(inInner, 1, totals, l * inner.size, pull);
      outer.addPull(inOuter, -1, outer.values, l * outer.size, pull);
      if (!SmallFactor.factorise(factor, pull.length)) {
        return false;
      }
      SmallFactor.solve(factor, pull.length, pull);
      return true;
    }
  }

  @Override
  public int dimension() {
    return inner.covariance.parameters() + outer.covariance.parameters();
  }

  @Override
  public void values(double[][] phis, double[] out) {
    for (int k = 0; k < phis.length; k++) {
      double value = logMarginal(phis[k]);
      out[k] = Double.isNaN(value) ? Double.NEGATIVE_INFINITY : value;
    }
  }

  private double logMarginal(double[] both) {
    double[] phiInner = Arrays.copyOf(both, inner.covariance.parameters());
    double[] phiOuter = Arrays.copyOfRange(both, phiInner.length, both.length);
    Conditional at = new Conditional(inner.precision(phiInner), outer.precision(phiOuter));
    double sum = inner.logDensity(phiInner, at.inInner) + outer.logDensity(phiOuter, at.inOuter);
    int k = at.pull.length;
    for (int l = 0; l < counts.length; l++) {
      if (!at.level(l)) {
        return Double.NEGATIVE_INFINITY;
      }
      for (int c = 0; c < k; c++) {
        sum += 0.5 * at.pull[c] * at.pull[c] - Math.log(at.factor[c * k + c]);
      }
    }
    return sum;
  }
}
