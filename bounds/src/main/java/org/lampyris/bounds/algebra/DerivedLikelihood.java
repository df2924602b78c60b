package org.lampyris.bounds.algebra;

import java.util.Optional;
import org.lampyris.bounds.model.Alike;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Log-likelihood of a row, log L(η; y), that is written once as a {@link Term}: values, derivatives
 * and bounds on derivatives follow, and with them the {@linkplain
 * org.lampyris.bounds.bound.LocalTaylorBound local bound} and the proxy of a {@linkplain
 * org.lampyris.bounds.bound.TaylorProxy Taylor polynomial}.
 *
 * <p>Values and derivatives have the rounding errors of the formula as written. {@link
 * #largestTerm} measures them by an enclosure at the point. Bounds on derivatives are rounded
 * outward. Cost of a value: the formula's operations; of its derivatives: some 6 times that; of a
 * bound: some 50 times that, more if intervals are halved.
 */
public abstract class DerivedLikelihood implements Likelihood, Alike {
  private static final Monomials POINT = new Monomials(1, 2);
  private static final Monomials BOX = new Monomials(1, 3);
  private static final Monomials VALUE = new Monomials(1, 0);

  /** Units in the last place that the allowance for rounding is a multiple of. */
  static final double SHARE = 0x1p-48;

  /**
   * Returns log L(η; y), natural log. The formula may depend on y by {@code if} and {@code for}.
   */
  protected abstract Term logLikelihood(Term eta, double y);

  @Override
  public double expense() {
    return 15;
  }

  @Override
  public final double logLikelihood(double eta, double y) {
    return ((Scalar) logLikelihood(new Scalar(eta), y)).value;
  }

  private Jet at(double eta, double y) {
    return (Jet) logLikelihood(Jet.variable(POINT, 0, eta), y);
  }

  @Override
  public final double derivative(double eta, double y) {
    return at(eta, y).coefficient(1);
  }

  @Override
  public final double secondDerivative(double eta, double y) {
    return 2 * at(eta, y).coefficient(2);
  }

  @Override
  public final double largestTerm(double eta, double y) {
    return largestTerm((Enclosure) logLikelihood(Enclosure.variable(VALUE, 0, eta, eta), y));
  }

  /** Returns the size whose 16 units in the last place are the width of an enclosure. */
  static double largestTerm(Enclosure value) {
    double size = Math.max(Math.abs(value.low(0)), Math.abs(value.high(0)));
    return Math.max(size, (value.high(0) - value.low(0)) / SHARE);
  }

  /** {@inheritDoc} Here from one evaluation a row. */
  @Override
  public final double slopes(DataBlock block, int from, int to, double[] eta) {
    double sum = 0;
    for (int row = from; row < to; row++) {
      double w = block.weight(row);
      Jet at = at(eta[row - from], block.response(row));
      sum += w * at.coefficient(0);
      eta[row - from] = w * at.coefficient(1);
    }
    return sum;
  }

  /** {@inheritDoc} Here from one evaluation a row. */
  @Override
  public final void derivatives(
      DataBlock block, int from, int to, double[] eta, double[] value, double[] curvature) {
    for (int row = from; row < to; row++) {
      int i = row - from;
      double w = block.weight(row);
      Jet at = at(eta[i], block.response(row));
      value[i] = w * at.coefficient(0);
      curvature[i] = w * 2 * at.coefficient(2);
      eta[i] = w * at.coefficient(1);
    }
  }

  @Override
  public final Optional<Alike> alike() {
    return Optional.of(this);
  }

  @Override
  public final double derivativeBound(int order, double y, double low, double high) {
    double[] out = new double[1];
    new Bisection(BOX, new int[] {BOX.at(order)}, eta -> (Enclosure) logLikelihood(eta[0], y))
        .largest(new double[] {low}, new double[] {high}, out);
    return out[0];
  }
}
