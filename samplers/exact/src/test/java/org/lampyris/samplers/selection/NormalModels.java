package org.lampyris.samplers.selection;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;

/**
 * A regression with normal errors of sd 1 and normal slabs, of which everything is known: log L(θ)
 * = bᵀθ − ½θᵀGθ up to a constant, and the marginal likelihood of the elements I,
 *
 * <pre>log m(I) = −½ log |A_II| + ½ b_IᵀA_II⁻¹b_I − Σ_I log s_j, A = G + diag(1/s²).</pre>
 *
 * <p>Element 0 is an intercept.
 */
record NormalModels(double[][] x, double[] y, double slabSd) {
  /** The slope of the labels on each feature. */
  static final double[] TRUTH = {0.3, 0.45, 0.0, -0.25};

  /** A table of an intercept and features that are correlated, by sines. */
  static NormalModels of(int rows, int features) {
    double[][] x = new double[rows][features + 1];
    double[] y = new double[rows];
    for (int n = 0; n < rows; n++) {
      x[n][0] = 1;
      double shared = 1.4 * Math.sin(12.9 * n + 1);
      for (int j = 1; j <= features; j++) {
        x[n][j] = 0.7 * shared + Math.sin(78.2 * n * j + j);
        y[n] += TRUTH[j] * x[n][j];
      }
      y[n] += TRUTH[0] + 1.4 * Math.sin(37.7 * n + 2);
    }
    return new NormalModels(x, y, 1.2);
  }

  int dimension() {
    return x[0].length;
  }

  Features features() {
    return new Features(
        IntStream.range(1, dimension()).mapToObj(j -> new int[] {j}).toList(), dimension());
  }

  ProductPrior slab() {
    return ProductPrior.shared(new UnivariatePrior.Normal(0, slabSd), dimension());
  }

  private double gram(int i, int j) {
    return Arrays.stream(x).mapToDouble(row -> row[i] * row[j]).sum();
  }

  private double linear(int j) {
    return IntStream.range(0, y.length).mapToDouble(n -> x[n][j] * y[n]).sum();
  }

  double logLikelihood(double[] theta) {
    double sum = 0;
    for (int n = 0; n < y.length; n++) {
      double residual = y[n];
      for (int j = 0; j < theta.length; j++) {
        residual -= x[n][j] * theta[j];
      }
      sum -= 0.5 * residual * residual;
    }
    return sum;
  }

  private Cholesky factor(int[] elements) {
    int k = elements.length;
    double[] a = new double[k * k];
    for (int i = 0; i < k; i++) {
      for (int j = 0; j < k; j++) {
        a[i * k + j] = gram(elements[i], elements[j]) + (i == j ? 1 / slabSd / slabSd : 0);
      }
    }
    return Cholesky.scaled(a, k).orElseThrow();
  }

  private double[] linear(int[] elements) {
    return Arrays.stream(elements).mapToDouble(this::linear).toArray();
  }

  double[] mean(int[] elements) {
    return factor(elements).solve(linear(elements));
  }

  /** The posterior of all elements: the Laplace approximation, exactly. */
  LaplaceApproximation posterior() {
    int[] all = IntStream.range(0, dimension()).toArray();
    return new LaplaceApproximation(mean(all), factor(all).inverse());
  }

  double logMarginal(int[] elements) {
    double[] b = linear(elements);
    double[] mean = mean(elements);
    double fit = IntStream.range(0, b.length).mapToDouble(i -> b[i] * mean[i]).sum();
    return -0.5 * factor(elements).logDeterminant()
        + 0.5 * fit
        - elements.length * Math.log(slabSd);
  }

  /** Which features are in, for all models. */
  List<boolean[]> models() {
    int count = dimension() - 1;
    List<boolean[]> models = new ArrayList<>();
    for (int bits = 0; bits < 1 << count; bits++) {
      boolean[] in = new boolean[count];
      for (int f = 0; f < count; f++) {
        in[f] = (bits >> f & 1) == 1;
      }
      models.add(in);
    }
    return models;
  }

  /** The posterior probability of each of {@link #models}. */
  double[] probabilities(double rate, int most) {
    double[] log =
        models().stream()
            .mapToDouble(in -> logPrior(Features.size(in), rate, most) + logMarginal(present(in)))
            .toArray();
    double largest = Arrays.stream(log).max().orElseThrow();
    double sum = Arrays.stream(log).map(l -> Math.exp(l - largest)).sum();
    return Arrays.stream(log).map(l -> Math.exp(l - largest) / sum).toArray();
  }

  int[] present(boolean[] in) {
    return IntStream.range(0, dimension()).filter(j -> j == 0 || in[j - 1]).toArray();
  }

  /** log λᵏ/(k! C(D, k)), written down anew: λᵏ (D − k)!/D!. */
  private double logPrior(int k, double rate, int most) {
    if (k > most) {
      return Double.NEGATIVE_INFINITY;
    }
    double ways = 1;
    for (int i = 0; i < k; i++) {
      ways *= rate / (dimension() - 1 - i);
    }
    return Math.log(ways);
  }
}
