package org.lampyris.samplers.kernel;

import java.io.Serializable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.laplace.Factor;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.Prior;

/**
 * Linear map z ↦ Lz that shapes a kernel's noise: the identity (isotropic), or a factor of a
 * covariance, LLᵀ = Σ̂, so that Lz has covariance Σ̂ for z ~ N(0, I).
 *
 * <p>A kernel that works in the coordinates u = L⁻¹θ sees the gradient Lᵀ∇ there, and a target of
 * covariance near I. Immutable. Cost of every method: O(d) for the identity, O(d²) for Cholesky's
 * factor, O(dr) for one of rank r.
 *
 * <p>If the support of θ has edges, {@linkplain #within it knows them}, and its moves are reflected
 * there, at a cost of O(d) a reflection.
 */
public final class Preconditioner implements Serializable {
  private final int dimension;
  private final @Nullable Factor factor;
  private final @Nullable Edges edges;

  private Preconditioner(int dimension, @Nullable Factor factor, @Nullable Edges edges) {
    this.dimension = dimension;
    this.factor = factor;
    this.edges = edges;
  }

  /** Returns the identity in d dimensions. */
  public static Preconditioner identity(int dimension) {
    return new Preconditioner(dimension, null, null);
  }

  /** Returns the factor L of a Laplace approximation. */
  public static Preconditioner of(LaplaceApproximation laplace) {
    return of(laplace.factor());
  }

  /** Returns a factor L. */
  public static Preconditioner of(Factor factor) {
    return new Preconditioner(factor.dimension(), factor, null);
  }

  /** Returns the same map, whose moves stay within the support of a prior. */
  public Preconditioner within(Prior prior) {
    Edges found = Edges.of(prior, this);
    return new Preconditioner(dimension, factor, found.areNone() ? null : found);
  }

  /**
   * Returns whether it can be {@linkplain #stretched}: only without edges of the support, which are
   * computed for L.
   */
  boolean canBeStretched() {
    return edges == null && factor != null;
  }

  /**
   * Returns the coordinates of L⁻¹θ that can be stretched: all, or the {@linkplain Factor#pliable
   * few directions} of a factor; none for the identity. θ is not modified.
   */
  public double[] pliable(double[] theta) {
    return factor == null ? new double[0] : factor.pliable(inverse(theta));
  }

  /**
   * Returns the map that moves CCᵀ times as far along {@link #pliable} coordinates.
   *
   * @param stretch C, lower triangular, row-major. Not modified.
   * @throws IllegalStateException if it cannot be stretched
   */
  public Preconditioner stretched(double[] stretch) {
    if (edges == null && factor != null) {
      return of(factor.stretched(stretch));
    }
    throw new IllegalStateException("the support has an edge, or there is no covariance");
  }

  /**
   * Returns the largest step size of a kernel that moves by z of size 1: a few widths of a narrow
   * support, +∞ if it is not bounded on both sides.
   */
  public double largestStepSize() {
    return edges == null ? Double.POSITIVE_INFINITY : edges.largestStepSize();
  }

  /** Returns whether L is the identity. */
  public boolean isIdentity() {
    return factor == null;
  }

  /** Returns d. */
  public int dimension() {
    return dimension;
  }

  /** Adds scale · Lz to {@code out}, which is modified; z is not. */
  public void addTo(double[] z, double scale, double[] out) {
    if (factor != null) {
      factor.addTo(z, scale, out);
      return;
    }
    for (int i = 0; i < dimension; i++) {
      out[i] += scale * z[i];
    }
  }

  /**
   * Moves θ by time · L · velocity, reflected at the edges of the support. In the coordinates u
   * that preserves volume and the velocity's length, and going back from θ with the velocity turned
   * undoes it. Source: Neal (2011), section 5.5.1.5.
   *
   * @param velocity the velocity in u; afterwards, that on arrival. Modified where there are edges.
   * @param time above 0
   * @param theta θ, in the support. Modified.
   */
  public void move(double[] velocity, double time, double[] theta) {
    if (edges == null) {
      addTo(velocity, time, theta);
    } else {
      edges.move(this, velocity, time, theta);
    }
  }

  /**
   * Returns centre + √(1 − sine²)·(θ − centre) + sine · Lz, or, if the support has edges, the end
   * of the reflected motion along that ellipse. Either leaves the density N(centre, LLᵀ) in the
   * support invariant, and is reversible for it. Source: Pakman and Paninski (2014).
   *
   * @param centre in the support. Not modified.
   * @param theta θ, in the support. Not modified.
   * @param z standard normal numbers. Not modified.
   * @param sine in (0, 1]
   */
  double[] turned(double[] centre, double[] theta, double[] z, double sine) {
    double[] end = theta.clone();
    if (edges != null) {
      double[] speed = new double[dimension];
      addTo(z, 1, speed);
      edges.turnAbout(centre, end, speed, Math.asin(sine));
      return end;
    }
    double cosine = Math.sqrt((1 - sine) * (1 + sine));
    for (int i = 0; i < dimension; i++) {
      end[i] = centre[i] + cosine * (theta[i] - centre[i]);
    }
    addTo(z, sine, end);
    return end;
  }

  /** Returns u = L⁻¹(θ − centre). Neither is modified. */
  double[] position(double[] centre, double[] theta) {
    double[] u = theta.clone();
    for (int i = 0; i < u.length; i++) {
      u[i] -= centre[i];
    }
    if (factor != null) {
      factor.solve(u);
    }
    return u;
  }

  /**
   * Turns u and its velocity by an angle: the motion of θ = centre + Lu under the density N(centre,
   * LLᵀ), reflected at the edges of the support. That preserves volume, and going back from θ with
   * the velocity turned undoes it. Source: Pakman and Paninski (2014).
   *
   * @param centre in the support. Not modified.
   * @param position u. Modified.
   * @param velocity in the coordinates u. Modified.
   * @param angle in (0, π]
   * @param theta θ, in the support. Modified.
   */
  void turn(double[] centre, double[] position, double[] velocity, double angle, double[] theta) {
    if (edges != null) {
      double[] speed = new double[dimension];
      addTo(velocity, 1, speed);
      if (edges.turnAbout(centre, theta, speed, angle)) {
        System.arraycopy(position(centre, theta), 0, position, 0, dimension);
        System.arraycopy(inverse(speed), 0, velocity, 0, dimension);
      } else {
        Arrays.setAll(velocity, i -> -velocity[i]);
      }
      return;
    }
    double cosine = Math.cos(angle);
    double sine = Math.sin(angle);
    for (int i = 0; i < dimension; i++) {
      double u = position[i];
      position[i] = cosine * u + sine * velocity[i];
      velocity[i] = cosine * velocity[i] - sine * u;
      theta[i] = centre[i];
    }
    addTo(position, 1, theta);
  }

  /** Returns Lᵀv. v is not modified. */
  public double[] transposed(double[] v) {
    return factor == null ? v.clone() : factor.transposed(v);
  }

  /** Returns L⁻¹v. v is not modified. */
  public double[] inverse(double[] v) {
    double[] out = v.clone();
    if (factor != null) {
      factor.solve(out);
    }
    return out;
  }
}
