package org.lampyris.samplers.scales;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.samplers.kernel.Leaping;
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
 *   <li><b>Scales with their coefficients</b>, along a {@linkplain ScalePath path} of (b, φ) on
 *       which φ_k changes and the standardised deviations of b from its mean given φ are held
 *       fixed: quick where rows say little. Where a value of π is cheap, as in Firefly that of the
 *       bright rows, φ_k′ is drawn by a slice from π times the path's volume. Otherwise the slice
 *       is from π̂, with a quadratic in place of the log-likelihood; that is reversible for π̂, so
 *       that it is accepted with probability min(1, π(θ′)/π(θ) · π̂(θ)/π̂(θ′)), one value of π.
 * </ol>
 *
 * <p>Where coefficients have scales of their own beside the shared one, as in a horseshoe, or the
 * rows say little of a scale, the last two are made {@value ScaleMoves#CYCLES} times a step.
 *
 * <p>Source: Yu and Meng (2011) for both forms in turn; Neal (2003), section 4, for slices; Liu
 * (2001), section 9, for a move that is reversible for another density.
 *
 * @param making makes the other kernel for a normal approximation
 * @param inner the other kernel, with the step size that is used
 * @param prior of the coefficients that the rows know, scales left out
 * @param moves the moves of scales
 * @param cheap whether a value of the target is that of few rows
 * @param turning whether the other kernel is told of the mode: see {@link ThetaKernel#about}
 */
record ScaledKernel(
    RunInputs.Making making,
    ThetaKernel inner,
    ProductPrior prior,
    ScaleMoves moves,
    boolean cheap,
    boolean turning)
    implements KernelAround, Leaping {
  @Override
  public Step step(LogDensity target, Point point, Noise noise) {
    int known = moves.scales().known(point.theta().length);
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
    Point now = new Point(theta, made.point().logDensity());
    for (int cycle = 0; cycle < moves.cycles(); cycle++) {
      now = scaled(target, now, noise);
    }
    return new Step(now, made.acceptanceProbability(), made.divergent(), made.tuning());
  }

  /** Moves the scales: the second part and the third. */
  private Point scaled(LogDensity target, Point point, Noise noise) {
    double[] theta = point.theta().clone();
    Point now = new Point(theta, point.logDensity() + moves.redrawn(theta, noise));
    for (ScaleMoves.Shared one : moves.shared()) {
      now = carried(target, now, one, noise);
    }
    return now;
  }

  /** Returns the other kernel for the coefficients given φ. */
  private ThetaKernel given(double[] phi) {
    LaplaceApproximation about = moves.normal().at(phi);
    ThetaKernel kernel = making.kernel(about, prior);
    return (turning ? kernel.about(about.mode()) : kernel).withStepSize(inner.stepSize());
  }

  /** Moves a shared scale together with its coefficients: the third part. */
  private Point carried(LogDensity target, Point point, ScaleMoves.Shared one, Noise noise) {
    if (cheap) {
      return moves.carried(target, point, one, noise);
    }
    double[] theta = moves.carried(point.theta(), one, noise);
    if (Arrays.equals(theta, point.theta())) {
      return point;
    }
    double proposed = target.value(theta);
    double probability =
        Metropolis.acceptanceProbability(
            point.logDensity(), proposed + moves.correction(point.theta(), theta));
    return noise.flip(probability) ? new Point(theta, proposed) : point;
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
  public double[] start(double[] theta) {
    return moves.start(inner, theta);
  }

  @Override
  public @Nullable Leap leap(double[] theta, Noise noise) {
    return moves.leap(theta, noise);
  }

  @Override
  public ScaledKernel about(double[] near) {
    return new ScaledKernel(making, inner.about(near), prior, moves, cheap, true);
  }

  @Override
  public ScaledKernel withStepSize(double size) {
    return new ScaledKernel(making, inner.withStepSize(size), prior, moves, cheap, turning);
  }
}
