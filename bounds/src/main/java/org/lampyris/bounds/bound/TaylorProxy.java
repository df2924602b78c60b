package org.lampyris.bounds.bound;

import java.io.Serializable;
import java.util.Arrays;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.BoundException;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.model.PredictorModel;
import org.lampyris.bounds.numeric.Rounding;
import org.lampyris.bounds.rows.DataBlock;

/**
 * The Taylor polynomial T_n of order m = 1 or 2 of each row's log-likelihood about a mode θ⋆,
 * natural log:
 *
 * <pre>T_n(θ) = ℓ_n(θ⋆) + ∇ℓ_n(θ⋆)ᵀδ [+ ½ δᵀ∇²ℓ_n(θ⋆)δ], δ = θ − θ⋆.</pre>
 *
 * <p>Σ_n T_n collapses to one quadratic. With c_n a bound on the derivatives of order m + 1 along
 * any direction of length 1, Taylor's theorem bounds what is left over, R_n = ℓ_n − T_n:
 *
 * <pre>|R_n(θ)| ≤ c_n ‖δ‖^(m+1) / (m + 1)!
 * |R_n(θ′) − R_n(θ)| ≤ c_n M(θ, θ′)</pre>
 *
 * <p>The second follows from |∇R_n(θ)·v| ≤ c_n ‖δ‖ᵐ‖v‖/m! along the way from θ to θ′: see {@link
 * #factor(double[], double[])}. Lengths are in posterior standard deviations of a {@link
 * LaplaceApproximation}. If the derivatives are not bounded everywhere (gamma, Poisson, a sampled
 * σ), both hold for θ and θ′ within a radius of θ⋆, and the sampler must stay there.
 *
 * <p>Source: Bardenet, Doucet and Holmes (2017), section 7.2.1, who bound each element of the third
 * derivative; Prado, Nemeth and Sherlock (2024), section 3, for the form c_n·M(θ, θ′). The bound
 * along directions is tighter than either: it uses the metric, |φ‴| ≤ 1/(6√3) for the logistic, and
 * the smallest M for each pair of points.
 */
public final class TaylorProxy implements Serializable {
  /** By how much a bound that is attained may be exceeded, relative to itself. */
  private static final double BOUND_TOLERANCE = 1e-9;

  /** A ball so small that a likelihood without bounded derivatives in it has none anywhere. */
  private static final double NEAR = 1e-6;

  private final Model model;
  private final int order;
  private final LaplaceApproximation laplace;
  private final double[] center;
  private final double radius;

  /**
   * Describes the proxy.
   *
   * @param order m, 1 or 2
   * @param laplace N(θ⋆, Σ̂): where the polynomials are expanded, and what lengths are
   * @param radius of the ball about θ⋆ where the constants are to hold, possibly +∞
   */
  public TaylorProxy(Model model, int order, LaplaceApproximation laplace, double radius) {
    if (order < 1 || order > 2 || !(radius > 0)) {
      throw new IllegalArgumentException("order " + order + ", radius " + radius);
    }
    if (laplace.dimension() != model.dimension()) {
      throw new IllegalArgumentException(
          laplace.dimension() + " elements for dimension " + model.dimension());
    }
    this.model = model;
    this.order = order;
    this.laplace = laplace;
    this.center = laplace.mode();
    this.radius = radius;
  }

  /** Returns ℓ_n. */
  public Model model() {
    return model;
  }

  /** Returns m. */
  public int order() {
    return order;
  }

  /** Returns how many elements θ has. */
  public int dimension() {
    return center.length;
  }

  /** Returns θ⋆; not to be modified. */
  public double[] center() {
    return center;
  }

  /** Returns an empty sum about θ⋆, for {@link #collapse}. */
  public CollapsedQuadratic emptySum() {
    return new CollapsedQuadratic(center);
  }

  /**
   * Adds Σ_n T_n over the block's rows to a sum about θ⋆: A gains ½∇²ℓ, b gains ∇ℓ and c gains ℓ at
   * θ⋆.
   */
  public void collapse(DataBlock block, CollapsedQuadratic sum) {
    int d = center.length;
    double[] packed = sum.packed();
    double[] gradient = new double[d];
    int b = packed.length - d - 1;
    if (order == 1) {
      double[] value = new double[1];
      model.addGradients(block, new double[][] {center}, value, new double[][] {gradient});
      packed[packed.length - 1] += value[0];
    } else {
      double[] hessian = new double[d * d];
      packed[packed.length - 1] += model.addHessians(block, center, gradient, hessian);
      sum.addMatrix(0.5, hessian, d);
    }
    for (int j = 0; j < d; j++) {
      packed[b + j] += gradient[j];
    }
  }

  /** Returns T_n(θ). θ is not modified. */
  public double value(DataBlock block, int row, double[] theta) {
    return model.taylor(block, row, order, center, theta);
  }

  /** Returns R_n(θ) = ℓ_n(θ) − T_n(θ), to the rounding of the two. θ is not modified. */
  public double remainder(DataBlock block, int row, double[] theta) {
    return model.logLikelihood(block, row, theta) - value(block, row, theta);
  }

  /**
   * Adds ∇R_n(θ), for proxies of order 2, and returns R_n(θ). θ is not modified.
   *
   * @param gradient added to. Modified.
   */
  public double addGradient(DataBlock block, int row, double[] theta, double[] gradient) {
    double[] polynomial = new double[gradient.length];
    model.addTaylorGradient(block, row, center, theta, polynomial);
    double value = model.addGradient(block, row, theta, gradient);
    Arrays.setAll(gradient, j -> gradient[j] - polynomial[j]);
    return value - value(block, row, theta);
  }

  /**
   * Returns δ_n = R_n(θ′) − R_n(θ), clear of rounding.
   *
   * @param from θ. Not modified.
   * @param to θ′. Not modified.
   * @param limit c_n·M(θ, θ′), with c_n as the caller stores it: what rounding may exceed, the
   *     result does not
   * @throws BoundException if |δ_n| is above the limit by more than rounding can explain, so that
   *     c_n or M is wrong
   */
  public double difference(DataBlock block, int row, double[] from, double[] to, double limit) {
    double likelihoodFrom = model.logLikelihood(block, row, from);
    double likelihoodTo = model.logLikelihood(block, row, to);
    double valueFrom = value(block, row, from);
    double valueTo = value(block, row, to);
    double difference = (likelihoodTo - valueTo) - (likelihoodFrom - valueFrom);
    double size =
        Math.max(
            Math.max(Math.abs(likelihoodFrom), Math.abs(likelihoodTo)),
            Math.max(Math.abs(valueFrom), Math.abs(valueTo)));
    double beyond = Math.abs(difference) - limit * (1 + BOUND_TOLERANCE);
    if (!Rounding.explains(beyond, size)
        && !Rounding.explains(beyond, largestTerm(block, row, from, to))) {
      throw new BoundException(
          block,
          row,
          to,
          "the remainder changes by %s, which exceeds its bound of %s,"
              .formatted(difference, limit),
          "derivativeBound or taylor in its Model");
    }
    return Math.max(-limit, Math.min(limit, difference));
  }

  /** Returns the size of the largest term in a difference, to which its rounding is relative. */
  private double largestTerm(DataBlock block, int row, double[] from, double[] to) {
    double ends = Math.max(model.largestTerm(block, row, from), model.largestTerm(block, row, to));
    return Math.max(ends, model.largestTerm(block, row, center));
  }

  /**
   * Returns c_n for each row. Cost O(Pd²) a row for P functionals.
   *
   * @throws UserException (usage) if the derivatives are not bounded, in the ball if there is one
   */
  public double[] constants(DataBlock block) {
    double[] constants = derivativeBounds(block);
    for (int row = 0; row < constants.length; row++) {
      if (!(constants[row] < Double.POSITIVE_INFINITY)) {
        throw unbounded(block, row);
      }
    }
    return constants;
  }

  private UserException unbounded(DataBlock block, int row) {
    String at = "row %d of block %s, label %s: ".formatted(row, block.id(), block.response(row));
    if (!areBoundedNearTheMode(block)) {
      return UserException.usage(
          at
              + ("the likelihood has no bounded derivatives of order %d even close to the mode, so it"
                      + " has no Taylor proxy. Set sampler.algorithm: auto, which chooses one"
                      + " without proxies.")
                  .formatted(order + 1));
    }
    return UserException.usage(
        at
            + ("the likelihood has no bounded derivatives of order %s%s, or choose an algorithm"
                    + " without a Taylor proxy")
                .formatted(
                    order + 1,
                    radius == Double.POSITIVE_INFINITY
                        ? " everywhere. Set sampler.subsampling.radius, so that bounds hold in a"
                            + " ball about the mode"
                        : " within "
                            + radius
                            + " sds of the mode. Set a smaller sampler.subsampling.radius"));
  }

  private boolean areBoundedNearTheMode(DataBlock block) {
    return Arrays.stream(derivativeBounds(block, NEAR)).allMatch(Double::isFinite);
  }

  /** Returns c_n for each row; +∞ if the derivatives are not bounded. Cost O(Pd²) a row. */
  public double[] derivativeBounds(DataBlock block) {
    return derivativeBounds(block, radius);
  }

  private double[] derivativeBounds(DataBlock block, double within) {
    boolean one = model instanceof PredictorModel by && by.columns() == by.dimension();
    double[] sds = one ? laplace.sds(block) : new double[0];
    double[] bounds = new double[block.rows()];
    for (int row = 0; row < bounds.length; row++) {
      double[] spread =
          one ? new double[] {sds[row] * sds[row]} : laplace.spread(model, block, row);
      bounds[row] = model.derivativeBound(block, row, order + 1, center, spread, within);
    }
    return bounds;
  }

  /** Returns true if θ is in the ball where the constants hold. */
  public boolean holdsAt(double[] theta) {
    return laplace.distance(theta) <= radius;
  }

  /** Returns ‖δ‖^(m+1)/(m + 1)!: |R_n(θ)| is at most c_n times that. */
  public double factor(double[] theta) {
    double length = laplace.distance(theta);
    return order == 1 ? length * length / 2 : length * length * length / 6;
  }

  /**
   * Returns M(θ, θ′): |R_n(θ′) − R_n(θ)| is at most c_n · M(θ, θ′). Neither is modified. Symmetric,
   * but for rounding.
   *
   * <p>Computed by {@link Way}, with the better bound if rows depend on θ through one functional.
   */
  public double factor(double[] from, double[] to) {
    return factor(Way.between(laplace, from, to));
  }

  /**
   * Returns the typical M(θ, θ′) for a step between two points of the posterior in many dimensions,
   * both √d from θ⋆, with the Laplace covariance for Σ. Together with Σ_n c_n it gives the number
   * of rows to read.
   *
   * @param length ‖θ′ − θ‖, at most 2√d: ε√d for a random walk of step size ε, √(2d(1 − √(1 − β²)))
   *     for Crank–Nicolson
   */
  public double usualFactor(double length) {
    double squared = center.length - 0.25 * length * length;
    return factor(new Way(length, 0, Math.sqrt(Math.max(0, squared))));
  }

  private double factor(Way segment) {
    if (model.functionals() == 1) {
      return order == 1 ? segment.slopeAlongOne() : segment.curvatureAlongOne();
    }
    return order == 1 ? segment.slope() : segment.curvature();
  }
}
