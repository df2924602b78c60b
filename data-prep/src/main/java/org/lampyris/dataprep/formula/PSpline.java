package org.lampyris.dataprep.formula;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.NormOps_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.executors.table.Curve;

/**
 * The P-spline of a number: k cubic B-splines B(x) on evenly spaced knots, whose coefficients β
 * have the penalty βᵀSβ, S = DᵀD / ‖DᵀD‖₁, D the second differences. It is mgcv's {@code s(x, bs =
 * "ps", m = c(2, 2))}: the k − 3 intervals cover the range of x, widened by 0.001 of it at either
 * end. Beyond that each spline is continued by its tangent.
 *
 * <p>mgcv scales S by ‖DᵀD‖₁ / ‖X‖_∞², and ‖X‖_∞ = 1, as the splines are not negative and sum to 1.
 * S is 0 for coefficients that are linear in their index, and these are the functions that are
 * linear in x.
 *
 * <p>A table decides the range and the Gram matrix G = Σ_n B(x_n)B(x_n)ᵀ / N, of which three
 * diagonals beside the main one are not zero. Everything else follows from these: {@link #columns}.
 *
 * <p>Sources: Eilers and Marx (1996), "Flexible smoothing with B-splines and penalties"; Wood
 * (2017), <i>Generalized Additive Models</i>, sections 5.3.3 and 5.4.1.
 */
final class PSpline implements Basis {
  /** Fewer splines have no second interval to bend in, and mgcv has no knots for them. */
  static final int LEAST = 4;

  private static final int ORDER = Curve.ORDER;
  private static final double WIDENED = 0.001;

  private final int size;
  private final List<Double> numbers;
  private final double lower;
  private final double step;

  /**
   * Takes up what a table decided.
   *
   * @param size k
   * @param numbers the smallest x, the largest one, and G's main diagonal and the next three
   * @throws UserException (data) if the numbers are those of an unpenalised spline
   */
  PSpline(int size, List<Double> numbers, String label) {
    if (numbers.size() != 2 + ORDER * size - 6) {
      throw UserException.data(
          "%s in model.formula had no penalty when the table was prepared, and has one now; write bs(x, df = k) and prepare the table again."
              .formatted(label));
    }
    this.size = size;
    this.numbers = List.copyOf(numbers);
    double range = numbers.get(1) - numbers.get(0);
    this.lower = numbers.get(0) - WIDENED * range;
    this.step = (numbers.get(1) + WIDENED * range - lower) / intervals();
  }

  /** Returns the P-spline of k B-splines for these values. */
  static PSpline on(int size, ValueSketch values, String label) {
    double[] bands = new double[ORDER * size - 6];
    List<Double> numbers = new ArrayList<>(List.of(values.min(), values.max()));
    Arrays.stream(bands).forEach(numbers::add);
    PSpline spline = new PSpline(size, numbers, label);
    double[] x = values.values();
    long[] counts = values.counts();
    double rows = Arrays.stream(counts).sum();
    double[] b = new double[size];
    for (int n = 0; n < x.length; n++) {
      spline.write(x[n], b);
      int at = 0;
      for (int apart = 0; apart < ORDER; apart++) {
        for (int i = 0; i + apart < size; i++) {
          bands[at++] += counts[n] / rows * b[i] * b[i + apart];
        }
      }
    }
    for (int k = 0; k < bands.length; k++) {
      numbers.set(2 + k, bands[k]);
    }
    return new PSpline(size, numbers, label);
  }

  private int intervals() {
    return size - ORDER + 1;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public List<Double> numbers() {
    return numbers;
  }

  @Override
  public void write(double x, double[] out) {
    Arrays.fill(out, 0, size, 0);
    double[] b = new double[ORDER];
    int first = Curve.splines((x - lower) / step, intervals(), b);
    System.arraycopy(b, 0, out, first, ORDER);
  }

  /**
   * The functions of x that become columns of a table: B(x)·M, the one that is linear in x and
   * rises with it first, then k − 2 penalised ones, whose coefficients are N(0, τ²) independently.
   *
   * @param map M, k × (k − 1). Not copied
   * @param curve the same functions
   */
  record Columns(PSpline spline, DMatrixRMaj map, Curve curve) implements Basis {
    private Columns(PSpline spline, DMatrixRMaj map) {
      this(spline, map, new Curve(spline.lower, spline.step, spline.size, map.data));
    }

    @Override
    public int size() {
      return map.numCols;
    }

    @Override
    public List<Double> numbers() {
      return spline.numbers;
    }

    @Override
    public void write(double x, double[] out) {
      curve.write(x, out, 0);
    }

    /**
     * Follows from Σ_i i·B_i(x) = (x − lower)/step + 1. The column is Σ_i (i − middle)·unit·B_i(x).
     */
    @Override
    public TableEffects.Line ofFirst() {
      double unit = map.get(1, 0) - map.get(0, 0);
      double middle = -map.get(0, 0) / unit;
      return new TableEffects.Line(spline.step / unit, spline.lower + (middle - 1) * spline.step);
    }
  }

  /** How the constant is treated, which S does not penalise, and which unit the columns have. */
  enum Form {
    /**
     * s(x), s(x, by = f): every column sums to 0 over the rows, so that the constant is no part of
     * the smooth. With c = G·1, the means of B(x_n), and an orthonormal basis Q of what is
     * orthogonal to c, S becomes QᵀSQ = U diag(e) Uᵀ, and the penalised columns are B Q U
     * diag(1/√e). They span the same functions as B and have the same penalty: adding a constant
     * changes neither second differences nor the span of B, as B·1 = 1.
     */
    CENTERED,
    /** s(x, by = z): no constraint, S = U diag(e) Uᵀ, the penalised columns are B U diag(1/√e). */
    WHOLE,
    /**
     * A margin of t2(x, z): as {@link #WHOLE}, scaled so that the mean square is 1: of the linear
     * column, which is (x − middle of the range) / unit, and of the penalised ones together.
     */
    MARGIN
  }

  /**
   * Returns the columns: mgcv's {@code smoothCon} with {@code diagonal.penalty}, as brms calls it,
   * or for a margin its {@code nat.param} of type 3.
   *
   * <p>Signs do not matter to the model, and follow a rule: the last B-spline has a positive
   * coefficient in each penalised column. The linear column's mean square is that of the penalised
   * columns on average, as mgcv has it. Its null space of two dimensions (whole, margin) has no
   * rotation that would be determinate in mgcv; here it is the constant and what is linear in x.
   */
  Columns columns(Form form) {
    DMatrixRMaj gram = gram();
    DMatrixRMaj penalty = penalty();
    boolean centered = form == Form.CENTERED;
    DMatrixRMaj mirror = mirror(gram);
    if (centered) {
      penalty = product(product(mirror, penalty), mirror);
      // Without the row and the column of the constraint's own direction.
      penalty = CommonOps_DDRM.extract(penalty, 1, size, 1, size);
    }
    DMatrixRMaj inner = whitened(penalty);
    DMatrixRMaj outer =
        centered ? product(CommonOps_DDRM.extract(mirror, 0, size, 1, size), inner) : inner;
    double average = 0;
    for (int j = 0; j < size - 2; j++) {
      double sign = outer.get(size - 1, j) < 0 ? -1 : 1;
      for (int i = 0; i < size; i++) {
        outer.set(i, j, sign * outer.get(i, j));
      }
      average += meanSquare(CommonOps_DDRM.extractColumn(outer, j, null), gram) / (size - 2);
    }
    DMatrixRMaj linear = new DMatrixRMaj(size, 1);
    DMatrixRMaj means = product(gram, ones());
    double middle = form == Form.MARGIN ? (size - 1) / 2.0 : 0;
    for (int i = 0; i < size && form != Form.MARGIN; i++) {
      middle += i * means.get(i);
    }
    for (int i = 0; i < size; i++) {
      linear.set(i, i - middle);
    }
    double target = form == Form.MARGIN ? 1 : average;
    CommonOps_DDRM.scale(Math.sqrt(target / meanSquare(linear, gram)), linear);
    CommonOps_DDRM.scale(Math.sqrt(target / average), outer);
    return new Columns(this, CommonOps_DDRM.concatColumns(linear, outer, null));
  }

  private DMatrixRMaj ones() {
    DMatrixRMaj ones = new DMatrixRMaj(size, 1);
    CommonOps_DDRM.fill(ones, 1);
    return ones;
  }

  /** Returns G. */
  private DMatrixRMaj gram() {
    DMatrixRMaj gram = new DMatrixRMaj(size, size);
    int at = 2;
    for (int apart = 0; apart < ORDER; apart++) {
      for (int i = 0; i + apart < size; i++) {
        gram.set(i, i + apart, numbers.get(at));
        gram.set(i + apart, i, numbers.get(at++));
      }
    }
    return gram;
  }

  /** Returns S. */
  private DMatrixRMaj penalty() {
    DMatrixRMaj differences = new DMatrixRMaj(size - 2, size);
    for (int i = 0; i < size - 2; i++) {
      differences.set(i, i, 1);
      differences.set(i, i + 1, -2);
      differences.set(i, i + 2, 1);
    }
    DMatrixRMaj penalty = new DMatrixRMaj(size, size);
    CommonOps_DDRM.multInner(differences, penalty);
    CommonOps_DDRM.divide(penalty, NormOps_DDRM.inducedP1(penalty));
    return penalty;
  }

  /** Returns Householder's reflection that takes c = G·1 to the first axis. */
  private DMatrixRMaj mirror(DMatrixRMaj gram) {
    DMatrixRMaj v = product(gram, ones());
    v.set(0, v.get(0) + NormOps_DDRM.normF(v));
    DMatrixRMaj mirror = CommonOps_DDRM.identity(size);
    CommonOps_DDRM.multAddTransB(-2 / Math.pow(NormOps_DDRM.normF(v), 2), v, v, mirror);
    return mirror;
  }

  /** Returns U diag(1/√e) of the k − 2 largest eigenvalues e of a penalty, the largest first. */
  private DMatrixRMaj whitened(DMatrixRMaj penalty) {
    int rows = penalty.numRows;
    EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(rows, true, true);
    if (!eigen.decompose(penalty)) {
      throw new ArithmeticException("the eigenvalues of a penalty");
    }
    int[] order =
        IntStream.range(0, rows)
            .boxed()
            .sorted((a, b) -> Double.compare(value(eigen, b), value(eigen, a)))
            .mapToInt(k -> k)
            .toArray();
    DMatrixRMaj whitened = new DMatrixRMaj(rows, size - 2);
    for (int j = 0; j < size - 2; j++) {
      DMatrixRMaj vector = eigen.getEigenVector(order[j]);
      for (int i = 0; i < rows; i++) {
        whitened.set(i, j, vector.get(i) / Math.sqrt(value(eigen, order[j])));
      }
    }
    return whitened;
  }

  private static double value(EigenDecomposition_F64<DMatrixRMaj> eigen, int k) {
    return eigen.getEigenvalue(k).getReal();
  }

  /** Returns Σ_n (B(x_n)β)² / N = βᵀGβ. */
  private static double meanSquare(DMatrixRMaj coefficients, DMatrixRMaj gram) {
    return CommonOps_DDRM.dot(coefficients, product(gram, coefficients));
  }

  private static DMatrixRMaj product(DMatrixRMaj a, DMatrixRMaj b) {
    DMatrixRMaj product = new DMatrixRMaj(a.numRows, b.numCols);
    CommonOps_DDRM.mult(a, b, product);
    return product;
  }
}
