package org.lampyris.samplers.selection;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.numeric.LogGamma;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.bounds.prior.ProductPrior;

/**
 * The prior of a model and its coefficients, natural log:
 *
 * <pre>log p(γ, θ) = log p(k) − log C(D, k) + Σ_j log p_j(θ_j) over the elements that are there,
 * p(k) ∝ λᵏ/k!, k = 0 … K,</pre>
 *
 * <p>γ the features that are in, k of D. It is a density of θ with a part for every γ, of the
 * elements that are there. With a {@link SharedScale} its density takes the place of the features'
 * p_j. Source: Korattikara, Chen and Welling (2014), section 6.3.
 *
 * @param slab p_j, of θ_j if it is there
 * @param features which are in, by their elements in θ
 * @param rate λ
 * @param most K, at most D
 * @param shared the prior of the features' coefficients; null for their p_j
 */
record InclusionPrior(
    ProductPrior slab, Features features, double rate, int most, @Nullable SharedScale shared)
    implements Prior {
  /** Returns log p(γ) of one γ with k features: −∞ if they are too many. */
  double ofSize(int k) {
    if (k > most) {
      return Double.NEGATIVE_INFINITY;
    }
    double largest = IntStream.rangeClosed(0, most).mapToDouble(this::weight).max().orElseThrow();
    double sum =
        IntStream.rangeClosed(0, most).mapToDouble(i -> Math.exp(weight(i) - largest)).sum();
    return weight(k) - largest - Math.log(sum) - logChoices(k);
  }

  /** Returns log λᵏ/k!. */
  private double weight(int k) {
    return k * Math.log(rate) - LogGamma.of(k + 1.0);
  }

  /** Returns log C(D, k). */
  private double logChoices(int k) {
    int all = features.count();
    return LogGamma.of(all + 1.0) - LogGamma.of(k + 1.0) - LogGamma.of(all - k + 1.0);
  }

  @Override
  public int dimension() {
    return features.dimension();
  }

  @Override
  public double logDensity(double[] theta) {
    boolean[] in = features.in(theta);
    double log = ofSize(Features.size(in)) + slab.logDensityOf(theta, governed(in));
    int[] scaled = scaled(in);
    return scaled.length == 0 ? log : log + scale(theta, scaled).logDensity();
  }

  /** Returns the elements that are there and have their p_j, ascending. */
  private int[] governed(boolean[] in) {
    return features.present(shared == null ? in : new boolean[in.length]);
  }

  /** Returns the elements that are there and have the shared scale. */
  private int[] scaled(boolean[] in) {
    return shared == null
        ? new int[0]
        : IntStream.range(0, in.length)
            .filter(f -> in[f])
            .flatMap(f -> IntStream.of(features.elements().get(f)))
            .toArray();
  }

  private SharedScale.Value scale(double[] theta, int[] scaled) {
    double sum = Arrays.stream(scaled).mapToDouble(j -> Math.abs(theta[j])).sum();
    return Objects.requireNonNull(shared).at(scaled.length, sum);
  }

  /** {@inheritDoc} Here of the elements that are there. */
  @Override
  public double addGradient(double[] theta, double[] gradient) {
    double[] all = new double[gradient.length];
    slab.addGradient(theta, all);
    boolean[] in = features.in(theta);
    int[] governed = governed(in);
    add(governed, all, gradient);
    double log = ofSize(Features.size(in)) + slab.logDensityOf(theta, governed);
    int[] scaled = scaled(in);
    if (scaled.length == 0) {
      return log;
    }
    SharedScale.Value value = scale(theta, scaled);
    for (int j : scaled) {
      gradient[j] -= value.inverse() * Math.signum(theta[j]);
    }
    return log + value.logDensity();
  }

  /** {@inheritDoc} Here of the elements that are there. */
  @Override
  public void addCurvature(double[] theta, double[] diagonal) {
    double[] all = new double[diagonal.length];
    slab.addCurvature(theta, all);
    boolean[] in = features.in(theta);
    add(governed(in), all, diagonal);
    int[] scaled = scaled(in);
    if (scaled.length > 0) {
      double variance = scale(theta, scaled).variance();
      for (int j : scaled) {
        diagonal[j] += variance;
      }
    }
  }

  private static void add(int[] elements, double[] all, double[] out) {
    for (int j : elements) {
      out[j] += all[j];
    }
  }
}
