package org.lampyris.bounds.family.density;

import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Jensen's lower bound on the likelihood of the {@link MixtureModel}, as in the EM algorithm: with
 * q the probability of the second component at the anchor,
 *
 * <pre>log B(θ) = (1 − q) log(½N(y; θ₁, σ²)/(1 − q)) + q log(½N(y; θ₁ + θ₂, σ²)/q).</pre>
 *
 * <p>The anchor ξ is the log-odds of the second component where the bound is tight. The gap is the
 * Kullback–Leibler divergence of Bernoulli(σ(s)) from Bernoulli(σ(ξ)), with s the log-odds at θ:
 * never negative, exactly 0 at the anchor, and accurate to a few units in the last place of s − ξ.
 * The bound holds everywhere.
 *
 * <p>Cost O(1) per row.
 */
public record MixtureBound(MixtureModel model) implements LowerBound {
  /** Up to this exponent the accurate form is far from overflow. */
  private static final double LARGE = 600;

  @Override
  public int dimension() {
    return 2;
  }

  @Override
  public int anchorWidth() {
    return 1;
  }

  @Override
  public Anchors anchorsAt(DataBlock block, double[] reference) {
    double[] values = new double[block.rows()];
    for (int row = 0; row < values.length; row++) {
      values[row] = model.logOdds(block.response(row), reference);
    }
    return Anchors.perRow(values, 1);
  }

  @Override
  public double gap(DataBlock block, int row, double[] theta, Anchors anchors) {
    return block.weight(row) * gap(model.logOdds(block.response(row), theta), anchors.get(row, 0));
  }

  @Override
  public double gapGradient(
      DataBlock block, int row, double[] theta, Anchors anchors, double[] gradient) {
    double y = block.response(row);
    double w = block.weight(row);
    double s = model.logOdds(y, theta);
    double xi = anchors.get(row, 0);
    double slope = w * gapSlope(s, xi) / (model.sigma() * model.sigma());
    gradient[0] = -slope * theta[1];
    gradient[1] = slope * (y - theta[0] - theta[1]);
    return w * gap(s, xi);
  }

  /** Returns log(1 + eˢ) − log(1 + e^ξ) − σ(ξ)(s − ξ). */
  static double gap(double s, double xi) {
    double delta = s - xi;
    double q = StableMath.sigmoid(xi);
    double other = StableMath.sigmoid(-xi);
    if (Math.max(other * delta, -q * delta) > LARGE) {
      return StableMath.log1pExp(s) - StableMath.log1pExp(xi) - q * delta;
    }
    // log(1 + Σ q_k (e^{c_k} − 1 − c_k)) with centred c: a sum of positive terms.
    double sum =
        q * StableMath.expMinusLinear(other * delta)
            + other * StableMath.expMinusLinear(-q * delta);
    return StableMath.log1pSmall(sum);
  }

  /** Returns d gap / ds = σ(s) − σ(ξ). */
  static double gapSlope(double s, double xi) {
    // σ(s) − σ(ξ) = (e^{s−ξ} − 1)·σ(ξ)·σ(−s), in the form that does not overflow.
    double delta = s - xi;
    return delta < 0
        ? StableMath.expm1(delta) * StableMath.sigmoid(xi) * StableMath.sigmoid(-s)
        : -StableMath.expm1(-delta) * StableMath.sigmoid(s) * StableMath.sigmoid(-xi);
  }

  @Override
  public void collapse(DataBlock block, Anchors anchors, CollapsedQuadratic sum) {
    double[] origin = sum.origin();
    double[] packed = sum.packed();
    double precision = 1 / (model.sigma() * model.sigma());
    for (int row = 0; row < block.rows(); row++) {
      double w = block.weight(row);
      double xi = anchors.get(row, 0);
      double q = StableMath.sigmoid(xi);
      double d1 = (block.response(row) - origin[0]) * precision;
      double d2 = d1 - origin[1] * precision;
      packed[0] -= 0.5 * w * precision;
      packed[1] -= 0.5 * w * q * precision;
      packed[2] -= 0.5 * w * q * precision;
      packed[3] += w * (StableMath.sigmoid(-xi) * d1 + q * d2);
      packed[4] += w * q * d2;
      packed[5] +=
          model.logLikelihood(block, row, origin)
              - w * gap(model.logOdds(block.response(row), origin), xi);
    }
  }
}
