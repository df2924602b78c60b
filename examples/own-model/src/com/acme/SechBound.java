package com.acme;

import java.util.Arrays;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.lowerbound.Anchors;
import org.lampyris.bounds.lowerbound.CollapsedQuadratic;
import org.lampyris.bounds.lowerbound.LowerBound;

/**
 * Gaussian lower bound on the hyperbolic-secant likelihood, tight at u = ±ξ: −log cosh u is convex
 * in u², so that its tangent in u² lies below it everywhere,
 *
 * <pre>log B = −log cosh ξ − t·(u² − ξ²) − log 2σ, t = tanh(ξ)/(2ξ), ½ at ξ = 0.</pre>
 *
 * <p>The anchor of a row is ξ; 0 is the untuned bound.
 */
public final class SechBound implements LowerBound {
  private static final long serialVersionUID = 1L;

  private final SechLikelihood likelihood;
  private final int columns;

  /** Returns the bound for rows of some columns. */
  public SechBound(SechLikelihood likelihood, int columns) {
    this.likelihood = likelihood;
    this.columns = columns;
  }

  @Override
  public int dimension() {
    return columns;
  }

  // A row depends on θ through one linear functional, η = x_nᵀθ + o_n: what per-row q_n use.

  @Override
  public int functionals() {
    return 1;
  }

  @Override
  public double functional(DataBlock block, int row, int k, double[] v, int from) {
    return block.dot(row, v, from);
  }

  @Override
  public int anchorWidth() {
    return 1;
  }

  @Override
  public Anchors anchorsAt(DataBlock block, double[] reference) {
    double[] xi = new double[block.rows()];
    for (int row = 0; row < xi.length; row++) {
      xi[row] = u(block, row, reference);
    }
    return Anchors.perRow(xi, 1);
  }

  private double u(DataBlock block, int row, double[] theta) {
    return likelihood.rate() * (block.response(row) - block.linearPredictor(row, theta));
  }

  private static double tangent(double xi) {
    return xi == 0 ? 0.5 : Math.tanh(xi) / (2 * xi);
  }

  private static double gap(double u, double xi) {
    double fall = SechLikelihood.logCosh(u) - SechLikelihood.logCosh(xi);
    // Clipped: next to the anchor rounding is larger than the gap itself.
    return Math.max(0, tangent(xi) * (u - xi) * (u + xi) - fall);
  }

  @Override
  public double gap(DataBlock block, int row, double[] theta, Anchors anchors) {
    return block.weight(row) * gap(u(block, row, theta), anchors.get(row, 0));
  }

  @Override
  public double gapGradient(
      DataBlock block, int row, double[] theta, Anchors anchors, double[] gradient) {
    double u = u(block, row, theta);
    double xi = anchors.get(row, 0);
    double w = block.weight(row);
    double slope = 2 * tangent(xi) * u - Math.tanh(u);
    Arrays.fill(gradient, 0, columns, 0);
    block.addScaled(row, -w * likelihood.rate() * slope, gradient, 0);
    return w * gap(u, xi);
  }

  /** With η = η₀ + ε, u = u₀ − rate·ε: A gains −w·t·rate²·xxᵀ and b gains 2w·t·rate·u₀·x. */
  @Override
  public void collapse(DataBlock block, Anchors anchors, CollapsedQuadratic sum) {
    double[] origin = sum.origin();
    double[] packed = sum.packed();
    int b = packed.length - columns - 1;
    double rate = likelihood.rate();
    double[] scale = new double[block.rows()];
    for (int row = 0; row < scale.length; row++) {
      double w = block.weight(row);
      double xi = anchors.get(row, 0);
      double t = tangent(xi);
      double u0 = u(block, row, origin);
      scale[row] = -w * t * rate * rate;
      block.addScaled(row, 2 * w * t * rate * u0, packed, b);
      double eta0 = block.linearPredictor(row, origin);
      packed[packed.length - 1] +=
          w * (likelihood.logLikelihood(eta0, block.response(row)) - gap(u0, xi));
    }
    double[] lower = new double[columns * columns];
    block.addOuters(scale, lower);
    int k = 0;
    for (int i = 0; i < columns; i++) {
      for (int j = 0; j <= i; j++) {
        packed[k++] += lower[i * columns + j];
      }
    }
  }
}
