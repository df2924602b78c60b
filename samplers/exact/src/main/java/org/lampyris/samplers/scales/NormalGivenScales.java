package org.lampyris.samplers.scales;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.QuadraticForm;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.PrecisionFactor;
import org.lampyris.bounds.prior.ProductPrior;

/**
 * The normal approximation of the coefficients given the scales, N(m(φ), A(φ)⁻¹), from a quadratic
 * q(θ) in place of the log-likelihood, −∇²q = H:
 *
 * <pre>A(φ) = H + P₀ + P(φ),   m(φ) = θ̂ + A(φ)⁻¹(∇q(θ̂) + ∇log p₀(θ̂) − P(φ)θ̂),</pre>
 *
 * <p>with P₀ the precision of the other coefficients' prior at θ̂ and P(φ) what the {@linkplain
 * ScaledPrior scale groups} give. It shapes proposals and decides nothing, so it may be as rough as
 * it is: φ is rounded to a grid of {@value #GRID}, and each cell is decomposed once in a process.
 * Cost of a cell O(d³).
 */
final class NormalGivenScales implements Serializable {
  /** The width of a cell, in units of log scales and of artanh of correlations. */
  private static final double GRID = 0.25;

  /** How many numbers all cells that a process keeps may have: 256 MiB. */
  private static final long MOST_NUMBERS = 32L << 20;

  private static final Map<Cell, LaplaceApproximation> KEPT = new LinkedHashMap<>(16, 0.75f, true);

  private final ScaledPrior scales;
  private final CollapsedQuadratic quadratic;
  private final transient QuadraticForm form;
  private final ProductPrior prior;
  private final double[] priorPrecision;
  private final double[] slope;
  private final long id;

  /** A cell of the grid, for one quadratic. */
  private record Cell(long id, List<Long> place) {}

  /**
   * Takes what the approximation is made of.
   *
   * @param quadratic q
   * @param prior p₀, of the coefficients that the rows know
   */
  NormalGivenScales(ScaledPrior scales, CollapsedQuadratic quadratic, ProductPrior prior) {
    this.scales = scales;
    this.quadratic = quadratic;
    this.prior = prior;
    this.form = quadratic.form();
    int d = quadratic.dimension();
    double[] origin = quadratic.origin();
    this.priorPrecision = new double[d];
    prior.addCurvature(origin, priorPrecision);
    Arrays.setAll(priorPrecision, j -> Math.max(0, -priorPrecision[j]));
    this.slope = new double[d];
    prior.addGradient(origin, slope);
    double[] packed = quadratic.packed();
    for (int j = 0; j < d; j++) {
      slope[j] += packed[packed.length - 1 - d + j];
    }
    long hash = d;
    for (double number : packed) {
      hash = mixed(hash ^ Double.doubleToLongBits(number));
    }
    for (double number : slope) {
      hash = mixed(hash ^ Double.doubleToLongBits(number));
    }
    this.id = hash;
  }

  private Object readResolve() {
    return new NormalGivenScales(scales, quadratic, prior);
  }

  private static long mixed(long x) {
    long z = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** Returns the approximation at the middle of the cell of φ. */
  LaplaceApproximation at(double[] phi) {
    List<Long> place = new ArrayList<>(phi.length);
    for (double element : phi) {
      place.add(Math.round(element / GRID));
    }
    Cell cell = new Cell(id, place);
    synchronized (KEPT) {
      LaplaceApproximation known = KEPT.get(cell);
      if (known != null) {
        return known;
      }
    }
    LaplaceApproximation made = made(place.stream().mapToDouble(k -> k * GRID).toArray());
    int d = quadratic.dimension();
    synchronized (KEPT) {
      KEPT.put(cell, made);
      while (KEPT.size() > Math.max(2, MOST_NUMBERS / (4L * d * d))) {
        KEPT.remove(KEPT.keySet().iterator().next());
      }
    }
    return made;
  }

  private LaplaceApproximation made(double[] phi) {
    int d = quadratic.dimension();
    double[] origin = quadratic.origin();
    double[] own = scales.precision(phi);
    double[] right = slope.clone();
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        right[i] -= own[i * d + j] * origin[j];
      }
    }
    double[] packed = quadratic.packed();
    int k = 0;
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++) {
        double h = -2 * packed[k++];
        own[i * d + j] += h;
        if (i != j) {
          own[j * d + i] += h;
        }
      }
      own[i * d + i] += priorPrecision[i];
    }
    PrecisionFactor factor = PrecisionFactor.of(own, d);
    double[] mean = factor.solvePrecision(right);
    for (int i = 0; i < d; i++) {
      mean[i] += origin[i];
    }
    return new LaplaceApproximation(mean, factor);
  }

  /** Returns q as a function of a multiple of a direction, from a point: see {@link Line}. */
  Line line(double[] theta, int[] elements, double[] direction) {
    double slope = 0;
    double[] slopes = gradient(theta, elements);
    for (int i = 0; i < elements.length; i++) {
      slope += slopes[i] * direction[i];
    }
    return new Line(slope, half(elements, direction));
  }

  /** q(θ + s·v) − q(θ) = slope·s + half·s². */
  record Line(double slope, double half) {
    double change(double s) {
      return s * (slope + half * s);
    }
  }

  /** Returns q(θ + δ) − q(θ) for a δ of a few elements. Nothing is modified. */
  double change(double[] slopes, int[] elements, double[] delta) {
    double sum = half(elements, delta);
    for (int i = 0; i < elements.length; i++) {
      sum += slopes[i] * delta[i];
    }
    return sum;
  }

  /** Returns elements of ∇q(θ). */
  double[] gradient(double[] theta, int[] elements) {
    double[] all = new double[quadratic.dimension()];
    form.addGradient(theta, all);
    return Arrays.stream(elements).mapToDouble(j -> all[j]).toArray();
  }

  /** Returns δᵀAδ, A of the quadratic. */
  private double half(int[] elements, double[] delta) {
    double[] all = new double[quadratic.dimension()];
    for (int i = 0; i < elements.length; i++) {
      all[elements[i]] = delta[i];
    }
    return form.half(all);
  }
}
