package org.lampyris.samplers.scales;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.lampyris.bounds.laplace.Factor;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.MonotonicPrior;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;

/**
 * The coordinates ψ of θ in which monotonic effects have no edge and their prior no pole: in place
 * of c_1, …, c_D of an effect, b = S/D and φ_k = log(ζ_k/ζ_r), k ≠ r, with S = Σ c_k, ζ = c/S and r
 * the largest ζ near the mode. b has the place of c_r and φ_k that of c_k; all else is θ's.
 *
 * <p>log|dc/dψ| = (D − 1) log|S| + Σ_k log ζ_k + log D = Σ_k log|c_k| − log|S| + log D, of which
 * the last is left out. With prior and volume together, log p(ψ) = log p_b(b) + Σ α_k log ζ_k.
 *
 * @param blocks the effects
 */
record MonotonicCoordinates(List<Block> blocks) implements Serializable {
  /** In units of s²: makes the start below the mean of a half-normal at c = 0, 0.8 s. */
  private static final double HALF_NORMAL = 2.5;

  /** In units of s²: a log of a c far beyond the edge has the sd of one of an exponential, 1.28. */
  private static final double BEYOND = 0.6;

  /**
   * An effect.
   *
   * @param sds s_k, the standard deviations of c in the normal approximation
   * @param reference r
   * @param weights w in the shape of ψ: see {@link #forward}
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Block(MonotonicPrior.Effect of, double[] sds, int reference, double[] weights)
      implements Serializable {
    private int[] places() {
      return of.places();
    }

    /**
     * Returns c of one sign near a c: each c_k positive as (c_k + √(c_k² + {@value
     * #HALF_NORMAL}·s_k²))/2, about the mean of a normal truncated there, if S is, or else its
     * mirror image.
     */
    private static double[] near(MonotonicPrior.Effect of, double[] sds, double[] theta) {
      double[] c = of.of(theta);
      boolean negative =
          of.slope().upper() <= 0 || (!(of.slope().lower() >= 0) && Arrays.stream(c).sum() < 0);
      for (int k = 0; k < c.length; k++) {
        double x = negative ? -c[k] : c[k];
        double root = Math.sqrt(x * x + HALF_NORMAL * sds[k] * sds[k]);
        double near = x > 0 ? (x + root) / 2 : HALF_NORMAL * sds[k] * sds[k] / (root - x) / 2;
        c[k] = negative ? -near : near;
      }
      return c;
    }

    /** Replaces δ of θ by Jδ, δ_b = Σ δ_k/D, δ_φk = δ_k/w_k − δ_r/w_r: dψ/dc where w = c. */
    private void forward(double[] w, double[] v) {
      int r = places()[reference];
      double ofReference = v[r] / w[reference];
      double sum = 0;
      for (int k = 0; k < w.length; k++) {
        sum += v[places()[k]];
        v[places()[k]] = v[places()[k]] / w[k] - ofReference;
      }
      v[r] = sum / w.length;
    }

    /** Replaces v by J⁻¹v. */
    private void inverse(double[] w, double[] v) {
      double sum = w.length * v[places()[reference]];
      v[places()[reference]] = 0;
      double all = 0;
      for (int k = 0; k < w.length; k++) {
        sum -= w[k] * v[places()[k]];
        all += w[k];
      }
      for (int k = 0; k < w.length; k++) {
        v[places()[k]] = w[k] * (v[places()[k]] + sum / all);
      }
    }

    /** Replaces g by Jᵀg: a gradient in ψ by that in θ, where w = c. */
    private void transposed(double[] w, double[] g) {
      double shared = g[places()[reference]] / w.length;
      g[places()[reference]] = 0;
      double sum = 0;
      for (int k = 0; k < w.length; k++) {
        sum += g[places()[k]];
      }
      g[places()[reference]] = -sum;
      for (int k = 0; k < w.length; k++) {
        g[places()[k]] = g[places()[k]] / w[k] + shared;
      }
    }

    /** Replaces g by J⁻ᵀg: a gradient in θ by that in ψ, where w = c. */
    private void inverseTransposed(double[] w, double[] g) {
      double mean = 0;
      double all = 0;
      for (int k = 0; k < w.length; k++) {
        mean += w[k] * g[places()[k]];
        all += w[k];
      }
      mean /= all;
      for (int k = 0; k < w.length; k++) {
        g[places()[k]] = w[k] * (g[places()[k]] - mean);
      }
      g[places()[reference]] = w.length * mean;
    }

    private void toPsi(double[] theta) {
      double[] c = of.of(theta);
      for (int k = 0; k < c.length; k++) {
        theta[places()[k]] = Math.log(c[k] / c[reference]);
      }
      theta[places()[reference]] = Arrays.stream(c).sum() / c.length;
    }

    private void toTheta(double[] psi) {
      double b = psi[places()[reference]];
      psi[places()[reference]] = 0;
      double largest = Arrays.stream(places()).mapToDouble(j -> psi[j]).max().orElseThrow();
      double sum = 0;
      for (int j : places()) {
        psi[j] = Math.exp(psi[j] - largest);
        sum += psi[j];
      }
      for (int j : places()) {
        psi[j] *= places().length * b / sum;
      }
    }

    private double logVolume(double[] theta) {
      double[] c = of.of(theta);
      if (!MonotonicPrior.Effect.haveOneSign(c)) {
        return Double.NEGATIVE_INFINITY;
      }
      double log = -Math.log(Math.abs(Arrays.stream(c).sum()));
      for (double one : c) {
        log += Math.log(Math.abs(one));
      }
      return log;
    }

    /** Adds the gradient of the volume in ψ: (D − 1)/b, and 1 − Dζ_k. */
    private void addVolume(double[] c, double[] gradient) {
      double sum = Arrays.stream(c).sum();
      for (int k = 0; k < c.length; k++) {
        gradient[places()[k]] +=
            k == reference ? (c.length - 1) * c.length / sum : 1 - c.length * c[k] / sum;
      }
    }
  }

  /**
   * Returns the coordinates of effects whose coefficients are about as a normal density has them.
   */
  static MonotonicCoordinates of(MonotonicPrior prior, LaplaceApproximation laplace) {
    List<Block> blocks = new ArrayList<>();
    for (MonotonicPrior.Effect one : prior.effects()) {
      double[] sds = Arrays.stream(one.places()).mapToDouble(laplace::sd).toArray();
      double[] c = Block.near(one, sds, laplace.mode());
      int reference =
          IntStream.range(0, c.length)
              .reduce((i, k) -> Math.abs(c[k]) > Math.abs(c[i]) ? k : i)
              .orElseThrow();
      double[] weights = c.clone();
      Arrays.setAll(
          weights, k -> Math.copySign(Math.sqrt(c[k] * c[k] + BEYOND * sds[k] * sds[k]), c[k]));
      blocks.add(new Block(one, sds, reference, weights));
    }
    return new MonotonicCoordinates(List.copyOf(blocks));
  }

  /** Returns a θ of positive prior density near one, which is not modified. */
  double[] start(double[] theta) {
    double[] to = theta.clone();
    for (Block one : blocks) {
      if (!MonotonicPrior.Effect.haveOneSign(one.of.of(theta))) {
        double[] c = Block.near(one.of, one.sds, theta);
        for (int k = 0; k < c.length; k++) {
          to[one.places()[k]] = c[k];
        }
      }
    }
    return to;
  }

  /** Returns the ψ of a θ of positive prior density, which is not modified. */
  double[] psi(double[] theta) {
    double[] psi = theta.clone();
    blocks.forEach(one -> one.toPsi(psi));
    return psi;
  }

  /** Returns the θ of a ψ, which is not modified. */
  double[] theta(double[] psi) {
    double[] theta = psi.clone();
    blocks.forEach(one -> one.toTheta(theta));
    return theta;
  }

  /** Returns log|dθ/dψ| but a constant; −∞ where a part of a simplex is too small for a double. */
  double logVolume(double[] theta) {
    return blocks.stream().mapToDouble(one -> one.logVolume(theta)).sum();
  }

  /** Replaces the gradient in θ of a log-density of θ by the gradient in ψ of one of ψ. */
  void toPsi(double[] theta, double[] gradient) {
    for (Block one : blocks) {
      double[] c = one.of.of(theta);
      one.inverseTransposed(c, gradient);
      one.addVolume(c, gradient);
    }
  }

  /** Undoes {@link #toPsi(double[], double[])}. */
  void toTheta(double[] theta, double[] gradient) {
    for (Block one : blocks) {
      double[] c = one.of.of(theta);
      double[] volume = new double[gradient.length];
      one.addVolume(c, volume);
      for (int j : one.places()) {
        gradient[j] -= volume[j];
      }
      one.transposed(c, gradient);
    }
  }

  /** Returns a normal density of ψ near the posterior's, if that of θ is near one of θ. */
  LaplaceApproximation laplace(LaplaceApproximation ofTheta) {
    double[] theta = ofTheta.mode().clone();
    for (Block one : blocks) {
      double[] c = Block.near(one.of, one.sds, theta);
      for (int k = 0; k < c.length; k++) {
        theta[one.places()[k]] = c[k];
      }
    }
    return new LaplaceApproximation(psi(theta), new Shape(blocks, ofTheta.factor()));
  }

  /** Returns the priors of the elements of ψ alone: that of b, and none of φ. */
  ProductPrior alone(Prior prior) {
    List<UnivariatePrior> all = new ArrayList<>();
    for (int j = 0; j < prior.dimension(); j++) {
      all.add(prior.alone(j));
    }
    for (Block one : blocks) {
      all.set(one.places()[one.reference], one.of.slope());
    }
    return ProductPrior.of(all);
  }

  /** The factor JL of JΣJᵀ. */
  private record Shape(List<Block> blocks, Factor factor) implements Factor {
    @Override
    public int dimension() {
      return factor.dimension();
    }

    @Override
    public void addTo(double[] z, double scale, double[] out) {
      double[] v = new double[out.length];
      factor.addTo(z, scale, v);
      blocks.forEach(one -> one.forward(one.weights, v));
      for (int i = 0; i < out.length; i++) {
        out[i] += v[i];
      }
    }

    @Override
    public double[] transposed(double[] v) {
      double[] g = v.clone();
      blocks.forEach(one -> one.transposed(one.weights, g));
      return factor.transposed(g);
    }

    @Override
    public void solve(double[] v) {
      blocks.forEach(one -> one.inverse(one.weights, v));
      factor.solve(v);
    }

    @Override
    public double variance(int j) {
      double[] unit = new double[dimension()];
      unit[j] = 1;
      double length = LaplaceApproximation.norm(transposed(unit));
      return length * length;
    }

    /** {@inheritDoc} |J| = |Σ w_k|/(D·Π|w_k|). */
    @Override
    public double logDeterminant() {
      double log = factor.logDeterminant();
      for (Block one : blocks) {
        log += 2 * Math.log(Math.abs(Arrays.stream(one.weights).sum()) / one.weights.length);
        log -= 2 * Arrays.stream(one.weights).map(w -> Math.log(Math.abs(w))).sum();
      }
      return log;
    }

    /** {@inheritDoc} ψ is no coefficient of columns: there are none. */
    @Override
    public double[] lengths(DataBlock block) {
      throw new UnsupportedOperationException("no linear predictor in these coordinates");
    }

    @Override
    public double[] pliable(double[] u) {
      return factor.pliable(u);
    }

    @Override
    public Factor stretched(double[] stretch) {
      return new Shape(blocks, factor.stretched(stretch));
    }

    @Override
    public List<double[]> numbers() {
      List<double[]> all = new ArrayList<>(factor.numbers());
      blocks.forEach(one -> all.add(one.weights));
      return all;
    }
  }
}
