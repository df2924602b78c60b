package org.lampyris.bounds.bound;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.laplace.Ball;
import org.lampyris.bounds.laplace.BentBall;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.model.JointLikelihood;
import org.lampyris.bounds.model.ThirdDerivatives;
import org.lampyris.bounds.numeric.Rounding;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Quadratic lower bound on a likelihood of K functionals of a row, a linear predictor η and others
 * τ, tight at the mode, in a ball about it: the Taylor polynomial of order 2, minus a quadratic
 * that exceeds the remainder.
 *
 * <p>With u_i the functionals' distances from the mode, |u_i| ≤ r_i = R·sd_i in the ball. Let M_ijk
 * bound the {@linkplain JointLikelihood#thirdDerivatives third derivatives} there. The remainder is
 * a mean of third derivatives along u, divided by 6, so that
 *
 * <pre>−ρ ≤ Σ_ijk M_ijk |u_i u_j u_k|/6 ≤ Σ_i D_i u_i²/2,
 * D_i = M_iii r_i/3 + Σ_j M_iij r_j + ⅔ Σ_jk M_ijk r_j r_k/r_i,</pre>
 *
 * <p>with j ≠ i, and pairs j &lt; k of others, as x₁x₂x₃ ≤ (x₁² + x₂² + x₃²)/3 for x_i = |u_i|/r_i
 * ≤ 1. The M are means over {@linkplain LocalBound#pieces pieces} of the box. D_i has the order of
 * r: bright rows and the loss by conditioning vanish like 1/√n, as in {@link LocalBound}. A gap is
 * taken as a difference, with an error of some units in the last place of log L.
 *
 * <p>If log L is flat as the last τ → ∞, and the ball reaches far into the flat, no quadratic in τ
 * is of use. That is taken to be so if R·sd(τ) is at least 1 and e^τ̂ at least 10, or R·sd(τ) at
 * least {@value #FAR}. The bound is then one in v = τ̂ + 1 − e^(τ̂ − τ), linear in e^−τ, for which
 * log L is {@linkplain JointLikelihood#byInverse smooth} up to its limit. u is the distance in v,
 * at most 1 for τ → ∞ and so in the box, and ∂²v = ∂²τ + ∂τ at the mode. The {@linkplain BentBall
 * region} has no end in this direction.
 *
 * <p>The anchor of a row is (η̂, τ̂, D_0, …, D_m). Source: ours.
 */
abstract class LocalJointBound implements LowerBound {
  /** Cached values of τ: more than the rules for candidates' rates need. */
  private static final int REMEMBERED = 64;

  /** A ball of τ that reaches as far has the flat in it, wherever its centre is. */
  private static final double FAR = 2.5;

  /** A shape, or degrees of freedom, as large are in the flat. */
  private static final double LARGE = Math.log(10);

  private final JointLikelihood likelihood;
  final LaplaceApproximation laplace;
  final double radius;
  final int count;

  /** The coordinate of the last τ; null if it is τ. */
  private final @Nullable Bend bend;

  /** In this coordinate. */
  private final ThirdDerivatives thirdDerivatives;

  /** A race of two threads writes the same, and records are seen whole. */
  private transient @Nullable Given @Nullable [] known;

  @SuppressWarnings("ArrayRecordComponent") // compared by its elements
  private record Given(double[] tau, JointLikelihood.At at) {}

  /**
   * Takes log L, N(θ̂, Σ̂) and R.
   *
   * @param predictors how many of (η, τ) have predictors of their own; the others are the last
   *     elements of θ
   */
  LocalJointBound(
      JointLikelihood likelihood, LaplaceApproximation laplace, double radius, int predictors) {
    if (!(radius > 0)) {
      throw new IllegalArgumentException("a ball of radius " + radius);
    }
    this.likelihood = likelihood;
    this.laplace = laplace;
    this.radius = radius;
    this.count = 1 + likelihood.parameters();
    int last = laplace.dimension() - 1;
    double reach = radius * laplace.sd(last);
    boolean isFlat = reach >= FAR || (reach >= 1 && laplace.mode()[last] >= LARGE);
    Optional<ThirdDerivatives> inverse =
        count > predictors && isFlat ? likelihood.byInverse() : Optional.empty();
    this.bend = inverse.isEmpty() ? null : new Bend(last, laplace.mode()[last]);
    this.thirdDerivatives =
        CellBounds.of(
            inverse.orElse(likelihood), predictors == 1 ? likelihood.alike() : Optional.empty());
  }

  /** Returns η of a row, with its offset, or τ_k. */
  abstract double number(DataBlock block, int row, int k, double[] theta);

  /** Returns the posterior standard deviations of the functionals of every row. */
  abstract double[][] sds(DataBlock block);

  /** Adds a row's derivatives in θ, given those in the functionals. */
  abstract void addSlopes(DataBlock block, int row, double[] slopes, double[] gradient);

  /**
   * Adds quadratics of all rows.
   *
   * @param second of each row the factors of δ_iδ_j, in the order of {@link JointLikelihood}
   * @param first of each row the factors of δ_i
   */
  abstract void add(DataBlock block, double[][] second, double[][] first, CollapsedQuadratic sum);

  private double[] numbers(DataBlock block, int row, double[] theta) {
    double[] numbers = new double[count];
    for (int k = 0; k < count; k++) {
      numbers[k] = number(block, row, k, theta);
    }
    return numbers;
  }

  @Override
  public final int dimension() {
    return laplace.dimension();
  }

  @Override
  public final int functionals() {
    return count;
  }

  /** Returns the place among (η, τ) of a functional: τ first, as then a rule has few of them. */
  final int place(int functional) {
    return (functional + 1) % count;
  }

  @Override
  public final int anchorWidth() {
    return 2 * count;
  }

  @Override
  public final Optional<Region> region() {
    Ball ball = laplace.ball(radius);
    return Optional.of(bend == null ? ball : new BentBall(ball));
  }

  @Override
  public final CollapsedQuadratic inItsCoordinates(CollapsedQuadratic sum) {
    return bend == null ? sum : sum.in(bend);
  }

  /** Returns the distance of two values of η or τ_k, in its coordinate. */
  private double apart(int k, double to, double from) {
    return bend != null && k == count - 1 ? bend.of(to) - bend.of(from) : to - from;
  }

  /**
   * Writes derivatives at an anchor in the bound's coordinates, and returns log L: with s = dτ/dv,
   * d²τ/dv² = s².
   */
  private double derivatives(double[] center, double y, double[] out) {
    double value = at(center).derivatives(center[0], y, out);
    if (bend != null) {
      int last = count - 1;
      double s = 1 / bend.slope(center[last]);
      out[JointLikelihood.place(count, last, last)] += out[last];
      out[last] *= s;
      for (int k = 0; k < count; k++) {
        out[JointLikelihood.place(count, k, last)] *= k == last ? s * s : s;
      }
    }
    return value;
  }

  @Override
  public final Anchors anchorsAt(DataBlock block, double[] reference) {
    return bothAnchorsAt(block, reference).lower();
  }

  /**
   * {@inheritDoc} With −D, because the remainder is bounded on both sides; none in v, as who asks
   * for one takes it for a quadratic in θ.
   */
  @Override
  public final Optional<Anchors> upperAnchorsAt(DataBlock block, double[] reference) {
    return bothAnchorsAt(block, reference).upper();
  }

  @Override
  public final BothAnchors bothAnchorsAt(DataBlock block, double[] reference) {
    int width = anchorWidth();
    double[] values = new double[width * block.rows()];
    double[] above = new double[values.length];
    double[][] sds = sds(block);
    double[] reach = new double[count];
    for (int row = 0; row < block.rows(); row++) {
      double[] center = numbers(block, row, reference);
      for (int k = 0; k < count; k++) {
        reach[k] = radius * sds[k][row];
      }
      double[] excess = excess(center, reach, block.response(row));
      for (int k = 0; k < count; k++) {
        values[width * row + k] = center[k];
        above[width * row + k] = center[k];
        values[width * row + count + k] = excess[k];
        above[width * row + count + k] = -excess[k];
      }
    }
    return new BothAnchors(
        Anchors.perRow(values, width),
        bend == null ? Optional.of(Anchors.perRow(above, width)) : Optional.empty());
  }

  /** Returns D. */
  private double[] excess(double[] center, double[] reach, double y) {
    double[] units = reach.clone();
    units[0] /= unit(center);
    int n = LocalBound.pieces(Arrays.stream(units).max().orElse(0));
    double[] third = new double[JointLikelihood.thirds(count)];
    double[] of = new double[third.length];
    double[] part = new double[count];
    double[] about = center.clone();
    double unit = bend == null ? 1 : Math.exp(-bend.center());
    for (int i = 1; i <= n; i++) {
      for (int k = 0; k < count; k++) {
        part[k] = reach[k] * i / n;
      }
      if (bend != null) {
        int last = count - 1;
        double at = Math.exp(-center[last]);
        double far = unit * part[last];
        // The inverse is not below 0: then the box is from there on.
        about[last] = far < at ? at : 0.5 * (at + far);
        part[last] = far < at ? far : about[last];
      }
      thirdDerivatives.thirdDerivatives(about, part, y, of);
      for (int k = 0; k < of.length; k++) {
        third[k] += LocalBound.weight(i, n) * of[k];
      }
    }
    double[] excess = new double[count];
    JointLikelihood.forThirds(
        count,
        third,
        (i, j, k, bound) -> {
          int last = count - 1;
          double m =
              bound * (i == last ? unit : 1) * (j == last ? unit : 1) * (k == last ? unit : 1);
          if (i == k) {
            excess[i] += m * reach[i] / 3;
          } else if (i == j || j == k) {
            int twice = j;
            excess[twice] += m * reach[i == j ? k : i];
          } else if (reach[i] > 0 && reach[j] > 0 && reach[k] > 0) {
            excess[i] += m * reach[j] * reach[k] / reach[i] * (2.0 / 3);
            excess[j] += m * reach[i] * reach[k] / reach[j] * (2.0 / 3);
            excess[k] += m * reach[i] * reach[j] / reach[k] * (2.0 / 3);
          }
        });
    return excess;
  }

  @Override
  public final double gap(DataBlock block, int row, double[] theta, Anchors anchors) {
    return block.weight(row)
        * gap(numbers(block, row, theta), block.response(row), anchors, row, null);
  }

  @Override
  public final double gapAt(DataBlock block, int row, double[] functionals, Anchors anchors) {
    double[] numbers = inOrder(functionals);
    numbers[0] += block.offset(row);
    return block.weight(row) * gap(numbers, block.response(row), anchors, row, null);
  }

  @Override
  public final boolean hasUsualGap() {
    return true;
  }

  /** Returns the unit of η, at the least, by the τ behind it. */
  private double unit(double[] numbers) {
    return likelihood.unit(0, Arrays.copyOfRange(numbers, 1, count));
  }

  @Override
  public final boolean isNear(double[] functionals, double[] spread) {
    double unit = unit(inOrder(functionals));
    boolean isNear = true;
    for (int k = 0; k < count; k++) {
      double of = place(k) == 0 ? unit : 1;
      isNear &= spread[k * (count + 1)] < NEAR * of * of;
    }
    return isNear;
  }

  private double[] inOrder(double[] functionals) {
    double[] numbers = new double[count];
    for (int k = 0; k < count; k++) {
      numbers[place(k)] = functionals[k];
    }
    return numbers;
  }

  @Override
  public final double usualGap(DataBlock block, int row, double[] spread, Anchors anchors) {
    double bent = 0;
    for (int k = count - 1; k >= 0; k--) {
      bent += anchors.get(row, count + place(k)) * spread[k * count + k];
    }
    return 0.5 * block.weight(row) * bent;
  }

  @Override
  public final double gapGradient(
      DataBlock block, int row, double[] theta, Anchors anchors, double[] gradient) {
    double[] slopes = new double[JointLikelihood.slopes(count)];
    double w = block.weight(row);
    double gap = gap(numbers(block, row, theta), block.response(row), anchors, row, slopes);
    for (int k = 0; k < count; k++) {
      slopes[k] *= w;
    }
    Arrays.fill(gradient, 0, dimension(), 0);
    addSlopes(block, row, slopes, gradient);
    return w * gap;
  }

  /**
   * Returns the gap of a row of weight 1.
   *
   * @param to η and τ. Not modified.
   * @param slopes whose first elements become the derivatives in η and τ; null if they are not
   *     wanted
   */
  private double gap(double[] to, double y, Anchors anchors, int row, double @Nullable [] slopes) {
    double[] center = new double[count];
    double[] u = new double[count];
    boolean same = true;
    for (int k = 0; k < count; k++) {
      center[k] = anchors.get(row, k);
      u[k] = apart(k, to[k], center[k]);
      same &= to[k] == center[k];
    }
    double[] about = new double[JointLikelihood.slopes(count)];
    double atMode = derivatives(center, y, about);
    double value =
        slopes == null ? at(to).logLikelihood(to[0], y) : at(to).gradient(to[0], y, slopes);
    double linear = 0;
    double quadratic = 0;
    for (int i = 0; i < count; i++) {
      double bent = anchors.get(row, count + i) * u[i];
      double in = 0;
      for (int j = 0; j < count; j++) {
        in += about[JointLikelihood.place(count, Math.min(i, j), Math.max(i, j))] * u[j];
      }
      if (slopes != null) {
        slopes[i] =
            bend != null && i == count - 1
                ? slopes[i] - (about[i] + in - bent) * bend.slope(to[i])
                : slopes[i] - about[i] - in + bent;
      }
      linear += about[i] * u[i];
      quadratic += u[i] * (in - bent);
    }
    double gap = value - atMode - linear - 0.5 * quadratic;
    if (same) {
      return 0;
    }
    return gap < 0 ? Rounding.notNegative(gap, largest(to, y, anchors, row, about)) : gap;
  }

  /** Returns the size of the largest term in a gap, to which its rounding is relative. */
  private double largest(double[] to, double y, Anchors anchors, int row, double[] about) {
    double[] center = new double[count];
    Arrays.setAll(center, k -> anchors.get(row, k));
    double most = Math.max(1, at(to).largestTerm(to[0], y));
    most = Math.max(most, at(center).largestTerm(center[0], y));
    for (int i = 0; i < count; i++) {
      double u = apart(i, to[i], center[i]);
      most = Math.max(most, Math.abs(about[i] * u));
      most = Math.max(most, Math.abs(anchors.get(row, count + i) * u * u));
      for (int j = i; j < count; j++) {
        double v = apart(j, to[j], center[j]);
        most = Math.max(most, Math.abs(about[JointLikelihood.place(count, i, j)] * u * v));
      }
    }
    return most;
  }

  /** Returns log L at the τ that follow η. */
  private JointLikelihood.At at(double[] numbers) {
    Given[] of = known;
    if (of == null) {
      of = new Given[REMEMBERED];
      known = of;
    }
    int hash = 0;
    for (int k = 1; k < count; k++) {
      hash = 31 * (hash + Double.hashCode(numbers[k]));
    }
    int place = Math.floorMod(hash >> 5, REMEMBERED);
    Given given = of[place];
    if (given == null || !Arrays.equals(given.tau, 0, count - 1, numbers, 1, count)) {
      double[] tau = Arrays.copyOfRange(numbers, 1, count);
      given = new Given(tau, likelihood.at(tau));
      of[place] = given;
    }
    return given.at;
  }

  /** Adds Σ_n w_n·log B_n, expanded about the sum's origin. */
  @Override
  public final void collapse(DataBlock block, Anchors anchors, CollapsedQuadratic sum) {
    double[] packed = sum.packed();
    double[][] second = new double[count * (count + 1) / 2][block.rows()];
    double[][] first = new double[count][block.rows()];
    double[] at = new double[JointLikelihood.slopes(count)];
    double[] center = new double[count];
    for (int row = 0; row < block.rows(); row++) {
      double w = block.weight(row);
      for (int k = 0; k < count; k++) {
        center[k] = anchors.get(row, k);
      }
      double value = derivatives(center, block.response(row), at);
      double[] u = numbers(block, row, sum.origin());
      for (int k = 0; k < count; k++) {
        u[k] = apart(k, u[k], center[k]);
        at[JointLikelihood.place(count, k, k)] -= anchors.get(row, count + k);
      }
      for (int i = 0; i < count; i++) {
        double in = 0;
        for (int j = 0; j < count; j++) {
          int of = JointLikelihood.place(count, Math.min(i, j), Math.max(i, j));
          in += at[of] * u[j];
          second[of - count][row] = 0.5 * w * at[of];
        }
        first[i][row] = w * (at[i] + in);
        value += at[i] * u[i] + 0.5 * in * u[i];
      }
      packed[packed.length - 1] += w * value;
    }
    add(block, second, first, sum);
  }
}
