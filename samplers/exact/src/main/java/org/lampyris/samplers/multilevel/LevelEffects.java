package org.lampyris.samplers.multilevel;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.rows.Stored;

/**
 * The effects b_j of some groups of a grouping, and how they go with coefficients and covariance.
 *
 * <p>Each group has an approximation of its rows: log L_j(b) ≈ h_jᵀb − ½bᵀH_jb at the reference,
 * and the ridge T_j: if the coefficients move by Δ, the matching effects move by −T_jΔ. Given
 * coefficients and P = Σ⁻¹, b_j is therefore about N(m_j, A_j⁻¹), with A_j = H_j + P and m_j =
 * A_j⁻¹(h_j − (H_j + P̂)T_jΔ), P̂ the reference's P. When coefficients and covariance move, y_j =
 * K_jᵀ(b_j − m_j), A_j = K_jK_jᵀ, stays unchanged. Small groups are then non-centred and large ones
 * centred, in proportion to their own information. Without an approximation, H, h and T are 0. The
 * approximation only shapes moves, and need not be accurate.
 *
 * <p>Matrices are row-major. Immutable. Source: Papaspiliopoulos, Roberts and Sköld (2003), for
 * partially non-centred effects.
 */
public final class LevelEffects implements Stored {
  /** Largest distance of a mode from the effects, in standard deviations. */
  private static final double REACH = 4;

  private final int size;
  private final int columns;
  private final double[] values;
  private final @Nullable LevelShape shape;

  private LevelEffects(int size, int columns, double[] values, @Nullable LevelShape shape) {
    this.size = size;
    this.columns = columns;
    this.values = values;
    this.shape = shape;
  }

  /** Effects as they are stored; the last three are null without approximation. */
  private record Form(
      int size,
      int columns,
      double[] values,
      float @Nullable [] ridge,
      float @Nullable [] rows,
      double @Nullable [] precision)
      implements Stored {
    @Override
    public LevelEffects restored() {
      LevelShape shape =
          ridge == null || rows == null || precision == null
              ? null
              : new LevelShape(ridge, rows, precision);
      return new LevelEffects(size, columns, values, shape);
    }
  }

  @Override
  public Stored stored() {
    LevelShape of = shape;
    return of == null
        ? new Form(size, columns, values, null, null, null)
        : new Form(size, columns, values, of.ridge, of.rows, of.precision);
  }

  /** Returns the number of sums from the rows of a group for making its shape. */
  public static int shapeSums(int size, int columns) {
    return LevelShape.sums(size, columns);
  }

  /** Returns effects of 0 without approximation, q of each group; D coefficients. */
  public static LevelEffects zero(int groups, int size, int columns) {
    return new LevelEffects(size, columns, new double[groups * size], null);
  }

  /** Returns q, how many effects a group has. */
  public int size() {
    return size;
  }

  /** Returns the number of groups. */
  public int groups() {
    return values.length / size;
  }

  /** Returns all effects, groups × q; not to be modified. */
  public double[] values() {
    return values;
  }

  /** Returns D, the number of coefficients. */
  int columns() {
    return columns;
  }

  /** Returns the approximation of the groups; null if there is none. */
  @Nullable LevelShape shape() {
    return shape;
  }

  /** Returns the ridge, groups × q × D, not to be modified; null if it is 0. */
  public float @Nullable [] ridge() {
    return shape == null ? null : shape.ridge;
  }

  /** Returns other effects of the same groups; not copied. */
  public LevelEffects with(double[] others) {
    return new LevelEffects(size, columns, others, shape);
  }

  /**
   * Returns the same effects, with the approximation of groups from the rows' answer.
   *
   * @param sums of {@link EffectsQuestion.Shape}
   * @param at the effects at which the rows were asked
   */
  public LevelEffects shaped(double[] sums, LevelEffects at, double[] precision) {
    LevelShape made = LevelShape.of(sums, at.values, size, columns, precision);
    return new LevelEffects(size, columns, values, made);
  }

  /**
   * Returns the centres of each group's effects, m_j, limited to a few standard deviations from the
   * effects: the best points for the next question.
   */
  public LevelEffects modes(Displacement here) {
    double[] modes = values.clone();
    if (shape != null) {
      Normals normals = normals(here);
      for (int j = 0; j < groups(); j++) {
        LevelStep.About about = normals.of(j);
        for (int e = 0; e < size; e++) {
          double reach = REACH / about.factor()[e * size + e];
          int i = j * size + e;
          modes[i] = Math.max(values[i] - reach, Math.min(values[i] + reach, about.mode()[e]));
        }
      }
    }
    return with(modes);
  }

  /** Returns the normal approximations of each group's effects, in turn. */
  public Normals normals(Displacement here) {
    return new Normals(new LevelShape.Carrier(this, here));
  }

  /** Normal approximations of the groups' effects: the same object for each group, overwritten. */
  public static final class Normals {
    private final LevelShape.Carrier carrier;
    private final LevelStep.About about;

    private Normals(LevelShape.Carrier carrier) {
      this.carrier = carrier;
      this.about = carrier.about();
    }

    /** Returns a group's approximation. */
    public LevelStep.About of(int group) {
      carrier.begin(group);
      return about;
    }
  }

  /** Returns the effects after a displacement. */
  public LevelEffects displaced(Displacement by) {
    double[] moved = new double[values.length];
    LevelShape.Carrier carrier = new LevelShape.Carrier(this, by);
    for (int j = 0; j < groups(); j++) {
      carrier.begin(j);
      carrier.end(by.precisionTo(), moved, j * size);
      for (int e = 0; e < size; e++) {
        moved[j * size + e] -= by.shift()[e];
      }
    }
    return with(moved);
  }

  /**
   * Returns Σ_j log ∫ N(b; 0, P⁻¹) exp(h_jᵀb − ½bᵀH_jb) db, the approximation of all groups with
   * their effects integrated out, up to a constant; O(q³) a group.
   *
   * @param here the displacement that leaves the effects where they are
   */
  public double logMarginal(Displacement here, double[] precision) {
    LevelShape.Carrier carrier = new LevelShape.Carrier(this, here);
    double sum = groups() * halfLogDeterminant(precision);
    for (int j = 0; j < groups(); j++) {
      carrier.begin(j);
      sum += carrier.logMarginal(precision);
    }
    return sum;
  }

  /**
   * Sums over groups that determine the density after a displacement without a shift, its gradient,
   * and all moves that read no row.
   *
   * @param sums Σ log N(b'_j; 0, P⁻¹) − log det K_j, the first up to a constant; its derivatives,
   *     plus those of the log-likelihood through the effects, in the D coefficients and in φ; Σ
   *     b'_jb'_jᵀ, q × q; Σ b'_j; the number of groups
   */
  public record Tally(int size, int columns, double[] sums, int from) {
    /** Returns the first sum. */
    public double logDensity() {
      return sums[from];
    }

    /** Returns its derivative in a coefficient. */
    public double slope(int column) {
      return sums[from + 1 + column];
    }

    /** Returns its derivative in an element of φ. */
    public double covarianceSlope(int k) {
      return sums[from + 1 + columns + k];
    }

    /** Returns Σ b'_jb'_jᵀ. */
    public double[] products() {
      return Arrays.copyOfRange(sums, products(from), products(from) + size * size);
    }

    private int products(int start) {
      return start + 1 + columns + size * (size + 1) / 2;
    }

    /** Returns Σ b'_j. */
    public double[] total() {
      int at = products(from) + size * size;
      return Arrays.copyOfRange(sums, at, at + size);
    }

    /** Returns the number of groups. */
    public double groups() {
      return sums[products(from) + size * size + size];
    }
  }

  /** Returns how many numbers {@link Tally} takes. */
  public static int tally(int size, int columns) {
    return 1 + columns + size * (size + 1) / 2 + size * size + size + 1;
  }

  /** Layout of the groups' numbers in an array. */
  public record Stride(int offset, int step) {}

  /**
   * Adds the {@link Tally} of these groups.
   *
   * @param by the displacement, its shift 0
   * @param slopes the derivatives of the log-likelihood in b'_j, at {@code stride}
   * @param out added to from {@code at} on. Modified.
   */
  public void addTally(Displacement by, double[] slopes, Stride stride, double[] out, int at) {
    double[] there = new double[size];
    double[] near = new double[size];
    double[] along = new double[size];
    double[][] around = by.around() == null ? new double[0][] : by.around();
    double half = halfLogDeterminant(by.precisionTo());
    double[] halves = Arrays.stream(around).mapToDouble(this::halfLogDeterminant).toArray();
    int parameters = size * (size + 1) / 2;
    int products = at + 1 + columns + parameters;
    LevelShape.Carrier carrier = new LevelShape.Carrier(this, by);
    for (int j = 0; j < groups(); j++) {
      int g = stride.offset + j * stride.step;
      carrier.begin(j);
      for (int k = 0; k < around.length; k++) {
        double log = carrier.end(around[k], near, 0);
        double value = halves[k] - log - 0.5 * square(around[k], near);
        for (int e = 0; e < size; e++) {
          value += slopes[g + e] * near[e];
        }
        out[at + 1 + columns + k / 2] += (k % 2 == 0 ? value : -value) / (2 * Displacement.EPSILON);
      }
      double log = carrier.end(by.precisionTo(), there, 0);
      out[at] += half - log - 0.5 * square(by.precisionTo(), there);
      for (int e = 0; e < size; e++) {
        double pull = 0;
        for (int f = 0; f < size; f++) {
          pull += by.precisionTo()[e * size + f] * there[f];
          out[products + e * size + f] += there[e] * there[f];
        }
        along[e] = slopes[g + e] - pull;
        out[products + size * size + e] += there[e];
      }
      carrier.solve(along);
      carrier.addAlong(j, along, out, at + 1);
    }
    out[products + size * size + size] += groups();
  }

  private double halfLogDeterminant(double[] precision) {
    double[] factor = precision.clone();
    double sum = 0;
    if (!SmallFactor.factorise(factor, size)) {
      return Double.NaN;
    }
    for (int e = 0; e < size; e++) {
      sum += Math.log(factor[e * size + e]);
    }
    return sum;
  }

  private double square(double[] precision, double[] b) {
    double sum = 0;
    for (int e = 0; e < size; e++) {
      for (int f = 0; f < size; f++) {
        sum += precision[e * size + f] * b[e] * b[f];
      }
    }
    return sum;
  }

  /**
   * Adds the groups' information on coefficients and covariance, in addition to the rows' own
   * residuals: Σ TᵀPT, and ½ Σ tr(Q ∂Σ_k Q ∂Σ_l), with Q_j = P − PA_j⁻¹P the precision of the rows
   * of a group about its effects.
   *
   * @param derivatives ∂Σ/∂φ_k
   * @param out a matrix of p rows; its lower triangle is added to. Modified.
   * @param at where φ begins in it
   */
  public void addInformation(
      double[] precision, double[][] derivatives, double[] out, int p, int at) {
    LevelShape of = shape;
    if (of == null) {
      return;
    }
    Displacement here =
        new Displacement(
            new double[columns], new double[columns], precision, precision, new double[size], null);
    LevelShape.Carrier carrier = new LevelShape.Carrier(this, here);
    double[] v = new double[size];
    double[] q = new double[size * size];
    double[][] products = new double[derivatives.length][];
    for (int j = 0; j < groups(); j++) {
      carrier.begin(j);
      if (!carrier.possible()) {
        continue;
      }
      for (int f = 0; f < size; f++) {
        for (int e = 0; e < size; e++) {
          v[e] = precision[e * size + f];
        }
        carrier.solve(v);
        for (int e = 0; e < size; e++) {
          q[e * size + f] = precision[e * size + f];
          for (int h = 0; h < size; h++) {
            q[e * size + f] -= precision[e * size + h] * v[h];
          }
        }
      }
      for (int k = 0; k < derivatives.length; k++) {
        products[k] = SmallFactor.product(q, derivatives[k], size);
        for (int l = 0; l <= k; l++) {
          double trace = 0;
          for (int e = 0; e < size; e++) {
            for (int f = 0; f < size; f++) {
              trace += products[k][e * size + f] * products[l][f * size + e];
            }
          }
          out[(at + k) * p + at + l] += 0.5 * trace;
        }
      }
      of.addRidge(j, precision, size, columns, out, p);
    }
  }

  /**
   * Displacement of all effects of a grouping with coefficients and covariance, see {@link
   * LevelEffects}, followed by a move by −c. Matrices are row-major, q × q.
   *
   * @param from by how much the coefficients differ from the reference before; not copied
   * @param to by how much they do afterwards; not copied
   * @param precisionFrom P = Σ⁻¹ before; not copied
   * @param precisionTo P afterwards; not copied
   * @param shift c; not copied
   * @param around P at φ_k + {@value #EPSILON} and φ_k − {@value #EPSILON} for each k, afterwards;
   *     null where no derivatives are wanted
   */
  public record Displacement(
      double[] from,
      double[] to,
      double[] precisionFrom,
      double[] precisionTo,
      double[] shift,
      double @Nullable [][] around)
      implements Stored {
    /** The step of derivatives in φ. */
    public static final double EPSILON = 1e-4;

    /** Returns the same without data for derivatives. */
    public Displacement plain() {
      return new Displacement(from, to, precisionFrom, precisionTo, shift, null);
    }

    /** Returns the same followed by another shift, of one effect. */
    public Displacement shifted(int effect, double by) {
      double[] all = shift.clone();
      all[effect] += by;
      return new Displacement(from, to, precisionFrom, precisionTo, all, null);
    }
  }
}
