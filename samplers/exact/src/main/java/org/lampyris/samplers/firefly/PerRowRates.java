package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.core.source64.SplitMix64;
import org.apache.commons.rng.sampling.distribution.SharedStateContinuousSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Candidate rates that follow each row's expected brightness: q_n = κ · E[1 − B_n(θ)/L_n(θ)] under
 * the Laplace approximation θ ~ N(θ̂, Σ̂), but at least a multiple of the mean rate and at most 1.
 *
 * <p>The bound of a row depends on θ through a few linear functionals v_kᵀθ alone. They are normal
 * with mean Vᵀθ̂ and covariance C = VᵀΣ̂V = LLᵀ, so the expectation is an integral in as many
 * dimensions, over Vᵀθ̂ + Lz. One functional, as in a regression (v = x_n, C the leverage), uses
 * Gauss–Hermite quadrature; P functionals, as in a softmax regression, use a spherical-radial
 * cubature. For rows that are seldom bright, up to {@value #SELDOM}, the bound may have a formula:
 * {@link LowerBound#usualGap}. If that is too small, as for rows whose third derivative vanishes at
 * the mode, the floor replaces it. Cost for each row, once: O(Pd²) for C, and O(P²) a node.
 *
 * <p>Any rates in (0, 1] leave the posterior exact; these make a row that is often bright a
 * candidate often. The floor keeps a row whose rate is estimated too small from staying dark, or
 * bright, for long.
 */
public final class PerRowRates implements Serializable {
  private static final int NODES = 15;
  private static final int MOST_FUNCTIONALS = 32;

  /** Up to here 1 − e^−gap is the gap, or nearly so. */
  private static final double SELDOM = 0.01;

  /** Conditional variance of a functional, as a share of its own, below which it is rounding. */
  private static final double DEPENDENT = 1e-12;

  private final LowerBound bound;
  private final LaplaceApproximation laplace;
  private final double kappa;
  private final double floor;
  private final Cubature rule;

  /** Takes an expectation over a standard normal, E f(Z) ≈ Σ w_k f(z_k). */
  interface Cubature extends Serializable {
    /** Returns the number of points. */
    int size();

    /** Returns coordinate {@code i} of point {@code k}. */
    double node(int k, int i);

    /** Returns the weight of point {@code k}; they add up to 1. */
    double weight(int k);
  }

  /**
   * Takes the Laplace approximation and the constants of the rule.
   *
   * @param laplace N(θ̂, Σ̂)
   * @param kappa κ, above 0
   * @param floor the least rate, as a multiple of the mean of κ·E[1 − B_n/L_n]; above 0
   * @throws UserException (usage) if the bound depends on θ through more than 32 functionals
   */
  public PerRowRates(LowerBound bound, LaplaceApproximation laplace, double kappa, double floor) {
    if (!(kappa > 0) || !(floor > 0)) {
      throw new IllegalArgumentException("kappa " + kappa + ", floor " + floor);
    }
    if (!applyTo(bound)) {
      throw UserException.usage(
          ("candidate rates for each row need bounds with at most %s linear functions of the"
                  + " coefficients a row, and this one has %s. Choose sampler.firefly.z_kernel:"
                  + " implicit.")
              .formatted(MOST_FUNCTIONALS, bound.functionals()));
    }
    this.bound = bound;
    this.laplace = laplace;
    this.kappa = kappa;
    this.floor = floor;
    this.rule =
        bound.functionals() == 1 ? Gauss.hermite(NODES) : new SphericalRadial(bound.functionals());
  }

  /** Returns whether a bound has few enough functionals. */
  public static boolean applyTo(LowerBound bound) {
    return bound.functionals() <= MOST_FUNCTIONALS;
  }

  /**
   * Expected brightness of a block's rows.
   *
   * @param brightness E[1 − B_n/L_n] of each
   * @param evaluations how often their likelihood was evaluated to learn it
   */
  public record Expected(double[] brightness, long evaluations) {}

  /** Returns E[1 − B_n/L_n] for each row of a block. */
  public double[] expectedBrightness(DataBlock block, Anchors anchors) {
    return expected(block, anchors).brightness();
  }

  /** Returns E[1 − B_n/L_n] for each row of a block, and the number of evaluations. */
  public Expected expected(DataBlock block, Anchors anchors) {
    int p = bound.functionals();
    double[] centre = new double[p];
    double[] expected = new double[block.rows()];
    long evaluations = 0;
    for (int row = 0; row < expected.length; row++) {
      double[] spread = laplace.spread(bound, block, row);
      for (int k = 0; k < p; k++) {
        centre[k] = bound.functional(block, row, k, laplace.mode(), 0);
      }
      if (bound.hasUsualGap() && bound.isNear(centre, spread)) {
        expected[row] = bound.usualGap(block, row, spread, anchors);
        if (expected[row] < SELDOM) {
          continue;
        }
      }
      factorise(spread, p);
      expected[row] = byRule(block, row, anchors, centre, spread);
      evaluations += rule.size();
    }
    return new Expected(expected, evaluations);
  }

  private double byRule(
      DataBlock block, int row, Anchors anchors, double[] centre, double[] lower) {
    int p = centre.length;
    double[] at = new double[p];
    double sum = 0;
    for (int node = 0; node < rule.size(); node++) {
      for (int k = 0; k < p; k++) {
        double value = centre[k];
        for (int l = 0; l <= k; l++) {
          value += lower[k * p + l] * rule.node(node, l);
        }
        at[k] = value;
      }
      // Beyond the region where the bound holds the gap may be below 0.
      double gap = bound.gapAt(block, row, at, anchors);
      sum += gap > 0 ? rule.weight(node) * StableMath.brightProbability(gap) : 0;
    }
    return sum;
  }

  /**
   * Overwrites the lower triangle of C with L, C = LLᵀ. The column of a functional that depends on
   * those before it becomes 0.
   */
  private static void factorise(double[] c, int p) {
    for (int k = 0; k < p; k++) {
      double variance = c[k * p + k];
      double left = variance;
      for (int l = 0; l < k; l++) {
        left -= c[k * p + l] * c[k * p + l];
      }
      double pivot = left > DEPENDENT * variance ? Math.sqrt(left) : 0;
      c[k * p + k] = pivot;
      for (int i = k + 1; i < p; i++) {
        double value = c[i * p + k];
        for (int l = 0; l < k; l++) {
          value -= c[i * p + l] * c[k * p + l];
        }
        c[i * p + k] = pivot > 0 ? value / pivot : 0;
      }
    }
  }

  /** Returns a block's rates, from its {@link #expectedBrightness} and the table's mean. */
  public BlockRates.OfRows rates(double[] expected, double mean) {
    double least = Math.max(floor * kappa * mean, Double.MIN_NORMAL);
    double[] cumulative = new double[expected.length];
    double sum = 0;
    for (int row = 0; row < cumulative.length; row++) {
      double rate = Math.min(1, Math.max(kappa * expected[row], least));
      sum += BlockRates.hazard(rate);
      cumulative[row] = sum;
    }
    return new BlockRates.OfRows(cumulative);
  }

  /**
   * Cubature for a standard normal in P ≥ 2 dimensions: E f(Z) ≈ Σ w_k f(z_k), with z = r·s, where
   * s are the axes of a few rotated orthonormal frames, in both directions, and r the nodes of
   * Gauss quadrature for r²/2 ~ Gamma(P/2).
   *
   * <p>Exact for polynomials up to degree 3, and for even ones in |z| up to degree 14; the
   * rotations, drawn once from a fixed seed, average out what the axes of a single frame would
   * miss. About a hundred points in few dimensions, 8P in many. Source: Genz and Monahan (1998),
   * "Stochastic integration rules for infinite regions".
   */
  static final class SphericalRadial implements Cubature {
    private static final int RADII = 4;
    private static final int DIRECTIONS = 24;
    private static final long SEED = 0x5eed;

    private final double[][] directions;
    private final double[] radii;
    private final double[] weights;

    /** Creates the rule for P dimensions. */
    SphericalRadial(int dimension) {
      int frames = (DIRECTIONS + 2 * dimension - 1) / (2 * dimension);
      UniformRandomProvider rng = new SplitMix64(SEED);
      directions = new double[2 * dimension * frames][];
      int n = 0;
      for (int f = 0; f < frames; f++) {
        for (double[] axis : frame(dimension, rng)) {
          directions[n++] = axis;
          directions[n++] = Arrays.stream(axis).map(x -> -x).toArray();
        }
      }
      Gauss squares = Gauss.laguerre(RADII, 0.5 * dimension - 1); // of r²/2
      radii = Arrays.stream(squares.nodes()).map(x -> Math.sqrt(2 * x)).toArray();
      weights = Arrays.stream(squares.weights()).map(w -> w / directions.length).toArray();
    }

    /**
     * Orthonormalises normal vectors, which gives a frame without preference (Gram and Schmidt).
     */
    private static double[][] frame(int dimension, UniformRandomProvider rng) {
      SharedStateContinuousSampler normal = ZigguratSampler.NormalizedGaussian.of(rng);
      double[][] axes = new double[dimension][dimension];
      for (int k = 0; k < dimension; k++) {
        for (int i = 0; i < dimension; i++) {
          axes[k][i] = normal.sample();
        }
        for (int l = 0; l < k; l++) {
          double product = dot(axes[k], axes[l]);
          for (int i = 0; i < dimension; i++) {
            axes[k][i] -= product * axes[l][i];
          }
        }
        double length = Math.sqrt(dot(axes[k], axes[k]));
        for (int i = 0; i < dimension; i++) {
          axes[k][i] /= length;
        }
      }
      return axes;
    }

    private static double dot(double[] a, double[] b) {
      return IntStream.range(0, a.length).mapToDouble(i -> a[i] * b[i]).reduce(0, Double::sum);
    }

    @Override
    public int size() {
      return RADII * directions.length;
    }

    @Override
    public double node(int k, int i) {
      return radii[k % RADII] * directions[k / RADII][i];
    }

    @Override
    public double weight(int k) {
      return weights[k % RADII];
    }
  }

  /**
   * Gauss quadrature for a probability density: E f(X) ≈ Σ w_k f(t_k), exact for polynomials up to
   * degree 2·size − 1.
   *
   * <p>The nodes are the eigenvalues of the Jacobi matrix of the density's orthogonal polynomials,
   * the weights the squared first components of unit eigenvectors. Source: Golub and Welsch (1969).
   *
   * @param nodes t_k
   */
  record Gauss(double[] nodes, double[] weights) implements Cubature {
    /** For a standard normal (Hermite polynomials He_k): the diagonal is 0, the off-diagonal √k. */
    static Gauss hermite(int size) {
      return of(size, k -> 0, k -> Math.sqrt(k));
    }

    /** For Gamma(α + 1), of density in proportion to x^α e^−x (Laguerre polynomials). */
    static Gauss laguerre(int size, double alpha) {
      return of(size, k -> 2 * k + 1 + alpha, k -> Math.sqrt(k * (k + alpha)));
    }

    private static Gauss of(int size, IntToDoubleFunction diagonal, IntToDoubleFunction beside) {
      DMatrixRMaj jacobi = new DMatrixRMaj(size, size);
      for (int k = 0; k < size; k++) {
        jacobi.set(k, k, diagonal.applyAsDouble(k));
        if (k > 0) {
          jacobi.set(k, k - 1, beside.applyAsDouble(k));
          jacobi.set(k - 1, k, beside.applyAsDouble(k));
        }
      }
      EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(size, true, true);
      if (!eigen.decompose(jacobi)) {
        throw new IllegalStateException("eigenvalues did not converge for " + size + " nodes");
      }
      double[] nodes = new double[size];
      double[] weights = new double[size];
      for (int k = 0; k < size; k++) {
        nodes[k] = eigen.getEigenvalue(k).getReal();
        double first = eigen.getEigenVector(k).get(0);
        weights[k] = first * first;
      }
      return new Gauss(nodes, weights);
    }

    @Override
    public int size() {
      return nodes.length;
    }

    @Override
    public double node(int k, int i) {
      return nodes[k];
    }

    @Override
    public double weight(int k) {
      return weights[k];
    }
  }
}
