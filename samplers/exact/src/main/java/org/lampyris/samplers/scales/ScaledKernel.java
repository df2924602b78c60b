package org.lampyris.samplers.scales;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import org.lampyris.bounds.effects.ScaleGroup;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.samplers.kernel.LogDensity;
import org.lampyris.samplers.kernel.Metropolis;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.run.RunInputs;

/**
 * A θ-kernel for coefficients with {@linkplain ScaledPrior sampled scales}, about a kernel that
 * knows nothing of scales. A step has three parts, each of which leaves the density of (θ, φ)
 * invariant:
 *
 * <ol>
 *   <li><b>Coefficients given scales</b>: a step of the other kernel, shaped by the {@linkplain
 *       NormalGivenScales normal approximation given φ}. That is a function of φ, which this part
 *       leaves alone.
 *   <li><b>Scales given coefficients</b>: each φ_k by slice sampling on log p(b | φ) + log p(φ). No
 *       row is read. It is quick where rows say much of b.
 *   <li><b>Scales with u = T(φ)⁻¹b held fixed</b>, b′ = T(φ′)T(φ)⁻¹b: quick where rows say little.
 *       φ_k′ is drawn by slice sampling from g(φ_k) ∝ exp q(θ(φ_k))·p(φ), q the quadratic in place
 *       of the log-likelihood. That is reversible for g, so with the Jacobian |det T(φ′)T(φ)⁻¹| it
 *       is accepted with probability
 *       <pre>min(1, π(θ′)/π(θ) · |det T(φ′)|/|det T(φ)| · g(φ_k)/g(φ_k′)).</pre>
 *       One evaluation of π, which in Firefly is one of the bright rows.
 * </ol>
 *
 * <p>Source: Yu and Meng (2011) for both forms in turn; Neal (2003), section 4, for slices; Liu
 * (2001), section 9, for a move that is reversible for another density.
 *
 * @param making makes the other kernel for a normal approximation
 * @param inner the other kernel, with the step size that is used
 * @param prior of the coefficients that the rows know, scales left out
 * @param turning whether the other kernel is told of the mode: see {@link ThetaKernel#about}
 */
record ScaledKernel(
    RunInputs.Making making,
    ThetaKernel inner,
    ProductPrior prior,
    ScaledPrior scales,
    NormalGivenScales normal,
    boolean turning)
    implements ThetaKernel {
  /** A bracket grows to so many widths. */
  private static final int MOST_WIDTHS = 16;

  /** A bracket that has shrunk this often is where it began: each time halves it on average. */
  private static final int MOST_SHRINKS = 200;

  @Override
  public Step step(LogDensity target, Point point, Noise noise) {
    int known = scales.known(point.theta().length);
    double[] phi = Arrays.copyOfRange(point.theta(), known, point.theta().length);
    double[] gradient = point.gradient();
    Step made =
        given(phi)
            .step(
                new Given(target, phi, known),
                new Point(
                    Arrays.copyOf(point.theta(), known),
                    point.logDensity(),
                    gradient == null ? null : Arrays.copyOf(gradient, known)),
                noise);
    double[] theta = Arrays.copyOf(made.point().theta(), point.theta().length);
    System.arraycopy(phi, 0, theta, known, phi.length);
    double log = made.point().logDensity() + redrawn(theta, noise);
    Point now = new Point(theta, log);
    for (int g = 0; g < scales.groups().size(); g++) {
      for (int k : scales.groups().get(g).shared()) {
        now = carried(target, now, g, k, noise);
      }
    }
    return new Step(now, made.acceptanceProbability(), made.divergent(), made.tuning());
  }

  /** Returns the other kernel for the coefficients given φ. */
  private ThetaKernel given(double[] phi) {
    LaplaceApproximation about = normal.at(phi);
    ThetaKernel kernel = making.kernel(about, prior);
    return (turning ? kernel.about(about.mode()) : kernel).withStepSize(inner.stepSize());
  }

  /**
   * Draws the scales given the coefficients.
   *
   * @param theta all elements, the scales modified
   * @return by how much the log-density has grown
   */
  double redrawn(double[] theta, Noise noise) {
    double grown = 0;
    for (int g = 0; g < scales.groups().size(); g++) {
      int group = g;
      double before = scales.value(g, theta);
      double level = before;
      int first = scales.first(g);
      for (int k = 0; k < scales.groups().get(g).parameters(); k++) {
        int at = first + k;
        double from = theta[at];
        double[] moved = theta.clone();
        DoubleUnaryOperator density =
            x -> {
              moved[at] = x;
              return scales.value(group, moved);
            };
        theta[at] = slice(density, from, level, width(at), noise);
        level = scales.value(g, theta);
      }
      grown += level - before;
    }
    return grown;
  }

  private double width(int at) {
    return 2 * scales.spread()[at - scales.known(at)];
  }

  /** Moves φ_k of a group with u held fixed. */
  private Point carried(LogDensity target, Point point, int g, int k, Noise noise) {
    Carried move = new Carried(point.theta(), g, k);
    int at = scales.first(g) + k;
    double from = point.theta()[at];
    double to = slice(move, from, move.applyAsDouble(from), width(at), noise);
    if (to == from) {
      return point;
    }
    double[] theta = move.moved(to);
    double proposed = target.value(theta);
    double log =
        proposed + move.logDeterminant(to) - move.applyAsDouble(to) + move.applyAsDouble(from);
    double now = point.logDensity() + move.logDeterminant(from);
    return noise.flip(Metropolis.acceptanceProbability(now, log))
        ? new Point(theta, proposed)
        : point;
  }

  /** log g(φ_k) with u held fixed, and where φ_k leads. */
  private final class Carried implements DoubleUnaryOperator {
    private final double[] theta;
    private final int at;
    private final int k;
    private final ScaleGroup group;
    private final double[] phi;
    private final double[] b;
    private final double[] u;
    private final int[] elements;
    private final NormalGivenScales.Line line;
    private final double[] slopes;

    Carried(double[] theta, int g, int k) {
      this.theta = theta;
      this.k = k;
      this.at = scales.first(g) + k;
      this.group = scales.groups().get(g);
      this.phi = scales.phi(g, theta);
      this.b = scales.coefficients(g, theta);
      this.u = b.clone();
      group.whiten(phi, u);
      int[] multiplied = group.multiplied(k);
      if (multiplied == null) {
        elements = group.coefficients();
        slopes = normal.gradient(theta, elements);
        line = new NormalGivenScales.Line(0, 0);
      } else {
        elements = Arrays.stream(multiplied).map(i -> group.coefficients()[i]).toArray();
        slopes = new double[0];
        line =
            normal.line(
                theta, elements, Arrays.stream(elements).mapToDouble(j -> theta[j]).toArray());
      }
    }

    private double[] with(double x) {
      double[] to = phi.clone();
      to[k] = x;
      return to;
    }

    private double[] coefficients(double x) {
      double[] to = u.clone();
      group.color(with(x), to);
      return to;
    }

    @Override
    public double applyAsDouble(double x) {
      double prior = group.logPrior(with(x));
      if (prior == Double.NEGATIVE_INFINITY) {
        return prior;
      }
      double change;
      if (slopes.length == 0) {
        change = line.change(Math.expm1(x - phi[k]));
      } else {
        double[] delta = coefficients(x);
        Arrays.setAll(delta, i -> delta[i] - b[i]);
        change = normal.change(slopes, elements, delta);
      }
      double log = prior + change;
      return Double.isNaN(log) ? Double.NEGATIVE_INFINITY : log;
    }

    double[] moved(double x) {
      double[] to = theta.clone();
      double[] carried = coefficients(x);
      for (int i = 0; i < carried.length; i++) {
        to[group.coefficients()[i]] = carried[i];
      }
      to[at] = x;
      return to;
    }

    double logDeterminant(double x) {
      return group.logDeterminant(with(x));
    }
  }

  /**
   * Draws from a density of one number by a slice: stepping out, then shrinking.
   *
   * @param from where it is
   * @param level the log-density there
   * @param width of the bracket at first
   */
  private static double slice(
      DoubleUnaryOperator density, double from, double level, double width, Noise noise) {
    double y = level - noise.exponential();
    double low = from - width * noise.uniform(0, 1);
    double high = low + width;
    int left = noise.index(MOST_WIDTHS);
    int right = MOST_WIDTHS - 1 - left;
    while (left-- > 0 && density.applyAsDouble(low) > y) {
      low -= width;
    }
    while (right-- > 0 && density.applyAsDouble(high) > y) {
      high += width;
    }
    for (int i = 0; i < MOST_SHRINKS; i++) {
      double x = noise.uniform(low, high);
      if (density.applyAsDouble(x) > y) {
        return x;
      }
      if (x < from) {
        low = x;
      } else {
        high = x;
      }
    }
    return from;
  }

  /** The target as a density of the coefficients, given φ. */
  private record Given(LogDensity target, double[] phi, int dimension) implements LogDensity {
    private double[] with(double[] theta) {
      double[] all = Arrays.copyOf(theta, dimension + phi.length);
      System.arraycopy(phi, 0, all, dimension, phi.length);
      return all;
    }

    @Override
    public void values(double[][] thetas, double[] out) {
      target.values(Arrays.stream(thetas).map(this::with).toArray(double[][]::new), out);
    }

    @Override
    public double valueAndGradient(double[] theta, double[] gradient) {
      double[] all = new double[dimension + phi.length];
      double value = target.valueAndGradient(with(theta), all);
      System.arraycopy(all, 0, gradient, 0, dimension);
      return value;
    }
  }

  @Override
  public double stepSize() {
    return inner.stepSize();
  }

  @Override
  public double largestStepSize() {
    return inner.largestStepSize();
  }

  @Override
  public ScaledKernel about(double[] near) {
    return new ScaledKernel(making, inner.about(near), prior, scales, normal, true);
  }

  @Override
  public ScaledKernel withStepSize(double size) {
    return new ScaledKernel(making, inner.withStepSize(size), prior, scales, normal, turning);
  }

  @Override
  public double targetAcceptance() {
    return inner.targetAcceptance();
  }
}
