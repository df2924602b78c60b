package org.lampyris.bounds.effects;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Coefficients b whose prior has scales that are sampled too: b = T(φ)u with u ~ N(0, I), so b ~
 * N(0, TTᵀ), and φ, the scales' coordinates without bounds, has a prior of its own. Given b, φ
 * depends on no row; given φ, b are coefficients like others.
 *
 * <p>Arrays of φ have {@link #parameters} elements, arrays of b and u one element for each of the
 * {@link #coefficients}. None is modified unless it says so.
 */
public interface ScaleGroup extends Serializable {
  /** Returns how many elements φ has. */
  int parameters();

  /** Returns the index in θ of each element of b; not to be modified. */
  int[] coefficients();

  /** Returns the prior of each element of φ. */
  List<ScaleCoordinate> coordinates();

  /** Returns log p(φ), up to a constant; −∞ outside of the support. */
  double logPrior(double[] phi);

  /** Returns what {@link #logPrior} lacks to be a density; NaN if unknown or there is none. */
  default double logConstant() {
    return Double.NaN;
  }

  /** Replaces b by u = T(φ)⁻¹b. */
  void whiten(double[] phi, double[] b);

  /** Replaces u by b = T(φ)u. */
  void color(double[] phi, double[] u);

  /** Returns the standard deviation of each element of b given φ. */
  double[] sds(double[] phi);

  /** Returns log |det T(φ)|, natural log. */
  double logDeterminant(double[] phi);

  /** Adds (TTᵀ)⁻¹ to the rows and columns of b in a row-major d × d matrix, which is modified. */
  void addPrecision(double[] phi, double[] matrix, int d);

  /**
   * Returns (TTᵀ)⁻¹ of a level, row-major, if b has levels one after the other whose effects all
   * have this covariance, independent of one another; null if not.
   */
  default double @Nullable [] levelPrecision(double[] phi) {
    return null;
  }

  /** Adds the gradient in b of log p(b | φ), −(TTᵀ)⁻¹b, to {@code gradient} of θ, modified. */
  void addGradient(double[] phi, double[] b, double[] gradient);

  /**
   * Returns the elements of φ that are also moved with u fixed, by what the rows say: those on
   * which many coefficients depend.
   */
  int[] shared();

  /**
   * Returns which elements of b = T(φ)u grow in proportion to e^φ_k while the others stay as they
   * are, as indices in b; null if φ_k moves b in another way.
   */
  int @Nullable [] multiplied(int k);

  /** Returns the elements of b whose standard deviation φ_k changes; null for a correlation. */
  default int @Nullable [] governed(int k) {
    return multiplied(k);
  }

  /**
   * Returns the elements of φ whose sum with φ_k alone says how wide b is: where φ_k grows by δ and
   * each of them shrinks by δ, p(b | φ) stays. None by default.
   */
  default int[] compensating(int k) {
    return new int[0];
  }

  /**
   * Returns log p(b | φ) + log p(φ) as a function of φ_k alone, up to a constant; −∞ outside of the
   * support.
   */
  default double logConditional(int k, double[] phi, double[] b) {
    double prior = logPrior(phi);
    return prior == Double.NEGATIVE_INFINITY ? prior : prior + logDensity(phi, b);
  }

  /** Returns the names under which φ is reported. */
  List<String> names();

  /** Returns the priors of what is reported, as text. */
  List<String> priors();

  /** Returns φ as it is reported. */
  double[] reported(double[] phi);

  /** Returns log p(b | φ), natural log, with its constant. */
  default double logDensity(double[] phi, double[] b) {
    double[] u = b.clone();
    whiten(phi, u);
    double squares = 0;
    for (double element : u) {
      squares += element * element;
    }
    double log = -0.5 * squares - logDeterminant(phi) - 0.5 * b.length * Math.log(2 * Math.PI);
    return Double.isNaN(log) ? Double.NEGATIVE_INFINITY : log;
  }
}
