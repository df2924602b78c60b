package org.lampyris.bounds.family;

import java.util.Optional;
import org.lampyris.bounds.algebra.DerivedJointLikelihood;
import org.lampyris.bounds.algebra.Term;
import org.lampyris.bounds.model.ThirdDerivatives;

/**
 * Robust regression with its scale σ = e^τ₁ and its degrees of freedom ν = e^τ₂ sampled: with z =
 * (y − η)/σ and x = z²/ν,
 *
 * <pre>
 * log L = log Γ((ν + 1)/2) − log Γ(ν/2) − ½ log(πν) − τ₁ − (ν + 1)/2 · log(1 + x), natural log.
 * </pre>
 *
 * <p>If x is small the last term is (z² + x)/2 · log(1 + x)/x: large factors would make intervals
 * wide. Else log(1 + x) is taken of log x or √x, where sums of large terms would. Not concave.
 * Source: Lange, Little and Taylor (1989), section 2.
 */
public final class StudentLikelihood extends DerivedJointLikelihood {
  public StudentLikelihood() {
    super(2);
  }

  @Override
  protected Term logLikelihood(Term eta, Term[] tau, double y) {
    Term residual = eta.minus(y);
    Term size = residual.isBelow(0) ? residual.negate() : residual;
    Term square = residual.times(tau[0].negate().exp()).square();
    Term x = square.times(tau[1].negate().exp());
    Term kernel =
        x.isBelow(1)
            ? square.plus(x).times(x.log1pRatio())
            : tau[1].exp().plus(1).times(logOnePlus(residual, size, tau));
    return tau[1].studentConstant().minus(tau[0]).minus(kernel.times(0.5));
  }

  @Override
  public double location(double y) {
    return y;
  }

  @Override
  public double response(double y) {
    return 0;
  }

  @Override
  public double unit(double eta, double[] tau) {
    return Math.exp(tau[0]) + RobustFamily.TAIL * Math.abs(eta);
  }

  /**
   * Returns log(1 + x), of log x, which is linear in τ; of √x where the residual may be 0: its
   * derivatives in that are bounded, but those of log(1 + x)/x times x are not.
   */
  private static Term logOnePlus(Term residual, Term size, Term[] tau) {
    return size.isPositive()
        ? size.log().minus(tau[0]).times(2).minus(tau[1]).log1pExp()
        : residual.times(tau[1].times(-0.5).minus(tau[0]).exp()).log1pSquare();
  }

  /**
   * {@inheritDoc} By a = 1/ν the terms in a alone are, but for a constant, −∫₀^∞ e^−s
   * tanh(as/2)/(2s) ds. Their third derivative is −∫₀^∞ s²e^−s tanh‴(as/2)/16 ds, at most ¼ as
   * |tanh‴| ≤ 2.
   */
  @Override
  public Optional<ThirdDerivatives> byInverse() {
    DerivedJointLikelihood kernel = new Kernel();
    return Optional.of(
        (center, reach, y, out) -> {
          kernel.thirdDerivatives(center, reach, y, out);
          out[out.length - 1] += 0.25;
        });
  }

  /** The terms in η, by 1/ν in place of τ₂: −½(z² + x) · log(1 + x)/x, smooth about 1/ν = 0. */
  private static final class Kernel extends DerivedJointLikelihood {
    Kernel() {
      super(2);
    }

    @Override
    protected Term logLikelihood(Term eta, Term[] tau, double y) {
      Term square = eta.minus(y).times(tau[0].negate().exp()).square();
      Term x = square.times(tau[1]);
      return square.plus(x).times(x.log1pRatio()).times(-0.5);
    }
  }
}
