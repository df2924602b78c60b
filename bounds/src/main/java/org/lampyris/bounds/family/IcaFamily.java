package org.lampyris.bounds.family;

import java.util.List;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.prior.ColumnCenters;
import org.lampyris.bounds.prior.TableScale;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Independent component analysis of the signals: the features and, as the last one, the label. The
 * coefficient {@code wj_k} is element k of row j of the unmixing matrix W.
 *
 * <p>The kernel {@code stiefel} keeps W orthonormal, for signals that are white. Priors that are
 * the same normal(0, s) for all elements, as the default is, depend on Σ W_jk² alone, which is D
 * there: they are uniform on the manifold.
 */
public final class IcaFamily extends NamedFamily {
  public IcaFamily() {
    super("ica", LabelKind.REAL);
  }

  @Override
  public boolean usesColumns() {
    return false;
  }

  @Override
  public boolean isMatrix() {
    return true;
  }

  @Override
  public boolean hasBound() {
    return false;
  }

  private static int order(List<String> columns) {
    return columns.size() + 1;
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    return new IcaModel(order(columns));
  }

  @Override
  public List<String> coefficients(FamilySpec spec, List<String> columns) {
    int order = order(columns);
    return IntStream.range(0, order * order)
        .mapToObj(i -> "w%d_%d".formatted(1 + i / order, 1 + i % order))
        .toList();
  }

  /** The identity: at 0 the likelihood is 0. */
  @Override
  public double[] start(FamilySpec spec, List<String> columns) {
    int order = order(columns);
    double[] identity = new double[order * order];
    for (int j = 0; j < order; j++) {
      identity[j * order + j] = 1;
    }
    return identity;
  }

  /**
   * Refuses columns that are stored with another scale or centre: W belongs to the signals
   * themselves.
   */
  @Override
  public FamilySpec on(FamilySpec spec, TableScale table) {
    ColumnCenters centers = table.centers();
    boolean asTheyAre =
        IntStream.range(0, centers.dimension())
            .allMatch(j -> table.scales().get(j) == 1 && centers.of(j) == 0);
    requireColumns(centers.intercept() >= 0 || !asTheyAre, List.of());
    return spec;
  }

  @Override
  public void requireColumns(boolean intercept, List<String> terms) {
    if (intercept) {
      throw UserException.usage(
          "model.family: ica separates the signals on their own scale, without an intercept. Set"
              + " data.intercept: false, remove data.standardize, and prepare the table again.");
    }
  }

  /**
   * Independent component analysis: a row x of D signals is W⁻¹s with independent sources s_j =
   * w_jᵀx of logistic density 1/(4cosh²(½s)),
   *
   * <pre>ℓ_n(W) = w_n·(log |det W| − Σ_j log 4cosh²(½w_jᵀx_n)), natural log.</pre>
   *
   * <p>θ holds W by rows, w_1 first. The last of the signals is the row's response. With t_j =
   * tanh(½s_j), ∇_W ℓ = W⁻ᵀ − t xᵀ. Rows of W may be permuted, and turned in sign, without a change
   * of ℓ: its modes come by 2^D·D! at a time. For a singular W, ℓ = −∞, and the gradient is not
   * finite. Cost O(D²) per row, and O(D³) per block; that per row where rows are evaluated by
   * themselves.
   *
   * <p>Source: Korattikara, Chen and Welling (2014), section 6.2; Bell and Sejnowski (1995) for log
   * |det W|.
   */
  public static final class IcaModel implements Model {
    private final int order;

    /** Takes D, at least 2. */
    public IcaModel(int order) {
      if (order < 2) {
        throw new IllegalArgumentException("the independent components of " + order + " signal");
      }
      this.order = order;
    }

    @Override
    public int dimension() {
      return order * order;
    }

    @Override
    public double logLikelihood(DataBlock block, int row, double[] theta) {
      double weight = block.weight(row);
      return weight * logDeterminant(theta) - weight * energy(block, row, theta, null, null);
    }

    @Override
    public double addGradient(DataBlock block, int row, double[] theta, double[] gradient) {
      double weight = block.weight(row);
      double energy = energy(block, row, theta, gradient, null);
      addVolume(weight, theta, gradient, null);
      return weight * logDeterminant(theta) - weight * energy;
    }

    @Override
    public double addHessian(
        DataBlock block, int row, double[] theta, double[] gradient, double[] hessian) {
      double weight = block.weight(row);
      double energy = energy(block, row, theta, gradient, hessian);
      addVolume(weight, theta, gradient, hessian);
      return weight * logDeterminant(theta) - weight * energy;
    }

    @Override
    public void addGradients(
        DataBlock block, double[][] thetas, double[] sums, double @Nullable [][] gradients) {
      for (int k = 0; k < thetas.length; k++) {
        sums[k] += sum(block, thetas[k], gradients == null ? null : gradients[k], null);
      }
    }

    @Override
    public double addHessians(
        DataBlock block, double[] theta, double[] gradient, double[] hessian) {
      return sum(block, theta, gradient, hessian);
    }

    /** Sums over the rows of a block, with the common determinant. */
    private double sum(
        DataBlock block,
        double[] theta,
        double @Nullable [] gradient,
        double @Nullable [] hessian) {
      double weights = 0;
      double sum = 0;
      for (int row = 0; row < block.rows(); row++) {
        double weight = block.weight(row);
        weights += weight;
        sum -= weight * energy(block, row, theta, gradient, hessian);
      }
      if (gradient != null) {
        addVolume(weights, theta, gradient, hessian);
      }
      return sum + weights * logDeterminant(theta);
    }

    /** Returns Σ_j log 4cosh²(½s_j); its weighted derivatives are subtracted from those in ℓ_n. */
    private double energy(
        DataBlock block,
        int row,
        double[] theta,
        double @Nullable [] gradient,
        double @Nullable [] hessian) {
      int last = order - 1;
      double response = block.response(row);
      double sum = 0;
      // One logarithm a row: Σ log(1 + e⁻|s|) is that of a product of D factors from 1 to 2.
      double product = 1;
      for (int j = 0; j < order; j++) {
        int at = j * order;
        double s = block.dot(row, theta, at) + theta[at + last] * response;
        double e = StableMath.exp(-Math.abs(s));
        sum += Math.abs(s);
        product *= 1 + e;
        if (gradient != null) {
          double slope = -block.weight(row) * Math.copySign((1 - e) / (1 + e), s);
          block.addScaled(row, slope, gradient, at);
          gradient[at + last] += slope * response;
        }
        if (hessian != null) {
          addOuter(block, row, at, -block.weight(row) * 2 * e / ((1 + e) * (1 + e)), hessian);
        }
      }
      return sum + 2 * Math.log(product);
    }

    /** Adds scale · xxᵀ to the diagonal block of the Hessian that begins at an index. */
    private void addOuter(DataBlock block, int row, int at, double scale, double[] hessian) {
      for (int k = 0; k < order; k++) {
        double x = scale * signal(block, row, k);
        for (int l = 0; l <= k; l++) {
          hessian[(at + k) * dimension() + at + l] += x * signal(block, row, l);
        }
      }
    }

    private double signal(DataBlock block, int row, int k) {
      return k < order - 1 ? block.feature(row, k) : block.response(row);
    }

    /**
     * Adds weight times the derivatives of log |det W|: with V = W⁻¹, ∂/∂W_jk = V_kj and ∂²/∂W_jk
     * ∂W_lm = −V_kl V_mj.
     */
    private void addVolume(
        double weight, double[] theta, double[] gradient, double @Nullable [] hessian) {
      DMatrixRMaj inverse = new DMatrixRMaj(order, order, true, theta.clone());
      if (!CommonOps_DDRM.invert(inverse)) {
        inverse.fill(Double.NaN);
      }
      int d = dimension();
      for (int a = 0; a < d; a++) {
        int j = a / order;
        int k = a % order;
        gradient[a] += weight * inverse.get(k, j);
        for (int b = 0; hessian != null && b <= a; b++) {
          hessian[a * d + b] -= weight * inverse.get(k, b / order) * inverse.get(b % order, j);
        }
      }
    }

    private double logDeterminant(double[] theta) {
      return Math.log(Math.abs(CommonOps_DDRM.det(DMatrixRMaj.wrap(order, order, theta))));
    }
  }
}
