package org.lampyris.bounds.bound;

import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Lower bound of rows with one linear predictor η = x_nᵀθ + o_n, quadratic in η: the passes that
 * all such bounds share. A row's anchor is one number unless the bound says otherwise.
 *
 * <p>Cost O(d) for a gap and its gradient, O(d²) a row to collapse.
 */
public abstract class OnePredictorBound implements LowerBound {
  private final int columns;

  /** Returns the bound for rows of some columns, at least 1. */
  protected OnePredictorBound(int columns) {
    if (columns < 1) {
      throw new IllegalArgumentException(columns + " columns");
    }
    this.columns = columns;
  }

  /**
   * Returns the gap, log L(η; y) − log B(η; y), and writes its derivative: never negative in the
   * region, see {@link #gap}.
   *
   * @param slope d gap / dη is written to its first element; null if only the gap is wanted.
   *     Modified.
   */
  protected abstract double gapAt(
      double eta, double y, Anchors anchors, int row, double @Nullable [] slope);

  /**
   * Writes a, b and c of log B(η₀ + ε; y) = aε² + bε + c, natural log, to {@code coefficients},
   * which is modified.
   */
  protected abstract void expand(
      double eta0, double y, Anchors anchors, int row, double[] coefficients);

  @Override
  public final int dimension() {
    return columns;
  }

  @Override
  public final int functionals() {
    return 1;
  }

  @Override
  public final double functional(DataBlock block, int row, int k, double[] u, int from) {
    return block.dot(row, u, from);
  }

  /** {@inheritDoc} Cost as of {@link DataBlock#form}. */
  @Override
  public final double[] spread(DataBlock block, int row, double[] symmetric) {
    return new double[] {block.form(row, symmetric, columns)};
  }

  @Override
  public int anchorWidth() {
    return 1;
  }

  /** Returns the anchors, one number a row, that a rule gives for η and y. */
  protected static Anchors anchorsAt(
      DataBlock block, double[] reference, DoubleBinaryOperator rule) {
    double[] values = new double[block.rows()];
    block.pass(
        new double[][] {reference},
        new int[1],
        (from, to, eta) -> {
          for (int row = from; row < to; row++) {
            double eta0 = eta[0][row - from] + block.offset(row);
            values[row] = rule.applyAsDouble(eta0, block.response(row));
          }
        },
        null);
    return Anchors.perRow(values, 1);
  }

  @Override
  public final double gap(DataBlock block, int row, double[] theta, Anchors anchors) {
    return block.weight(row)
        * gapAt(block.linearPredictor(row, theta), block.response(row), anchors, row, null);
  }

  /** Returns the {@linkplain org.lampyris.bounds.model.LengthScale unit} of η, at the least. */
  protected double unit() {
    return 1;
  }

  @Override
  public final boolean isNear(double[] functionals, double[] spread) {
    return spread[0] < NEAR * unit() * unit();
  }

  @Override
  public final double gapAt(DataBlock block, int row, double[] functionals, Anchors anchors) {
    double eta = functionals[0] + block.offset(row);
    return block.weight(row) * gapAt(eta, block.response(row), anchors, row, null);
  }

  @Override
  public final double gapGradient(
      DataBlock block, int row, double[] theta, Anchors anchors, double[] gradient) {
    double[] slope = new double[1];
    double w = block.weight(row);
    double gap = gapAt(block.linearPredictor(row, theta), block.response(row), anchors, row, slope);
    Arrays.fill(gradient, 0, columns, 0);
    block.addScaled(row, w * slope[0], gradient, 0);
    return w * gap;
  }

  /** {@inheritDoc} With ∇gap_n = gap′(η_n)·x_n it is one product Xᵀw. */
  @Override
  public final void logRatios(
      DataBlock block,
      int[] rows,
      int from,
      int to,
      double[] theta,
      Anchors anchors,
      double @Nullable [] slack,
      double[] out,
      double @Nullable [] gradient) {
    double[] eta = new double[to - from];
    double[] slope = gradient == null ? null : new double[1];
    block.dots(rows, from, to, theta, eta);
    for (int i = from; i < to; i++) {
      int row = rows[i];
      double w = block.weight(row);
      double at = eta[i - from] + block.offset(row);
      double gap =
          checked(w * gapAt(at, block.response(row), anchors, row, slope), block, row, theta);
      double loose = slack == null ? gap : gap + slack[i - from];
      out[i] = StableMath.logExpm1(loose);
      if (slope != null) {
        // At 0 the density is 0, too: there is no gradient, and 1/0 · 0 would be NaN.
        eta[i - from] = loose > 0 ? w * slope[0] * StableMath.logExpm1Derivative(loose) : 0;
      }
    }
    if (gradient != null) {
      block.addScaled(rows, from, to, eta, gradient, 0);
    }
  }

  /**
   * Adds Σ_n w_n·log B_n, expanded about the sum's origin: with ε = xᵀδ, A gains w·a·xxᵀ, b gains
   * w·b·x, and c gains w·c.
   */
  @Override
  public final void collapse(DataBlock block, Anchors anchors, CollapsedQuadratic sum) {
    double[] origin = sum.origin();
    double[] packed = sum.packed();
    int rows = block.rows();
    double[] linear = new double[columns];
    double[] scale = new double[rows];
    double[] coefficients = new double[3];
    double[] constant = new double[1];
    block.pass(
        new double[][] {origin},
        new int[1],
        (from, to, eta) -> {
          for (int row = from; row < to; row++) {
            double w = block.weight(row);
            double eta0 = eta[0][row - from] + block.offset(row);
            expand(eta0, block.response(row), anchors, row, coefficients);
            scale[row] = w * coefficients[0];
            eta[0][row - from] = w * coefficients[1];
            constant[0] += w * coefficients[2];
          }
        },
        new double[][] {linear});
    double[] lower = new double[columns * columns];
    block.addOuters(scale, lower);
    sum.addMatrix(1, lower, columns);
    int k = packed.length - columns - 1;
    for (int j = 0; j < columns; j++) {
      packed[k++] += linear[j];
    }
    packed[k] += constant[0];
  }
}
