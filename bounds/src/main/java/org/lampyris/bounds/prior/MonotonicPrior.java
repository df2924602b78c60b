package org.lampyris.bounds.prior;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The prior of coefficients c of monotonic effects, c_k = D·b·ζ_k with b ~ p_b and ζ ~
 * Dirichlet(α), independently. With S = Σ c_k and A = Σ α_k,
 *
 * <pre>log p(c) = log p_b(S/D) + Σ_k (α_k − 1) log|c_k| − (A − 1) log|S| − log(D·B(α))</pre>
 *
 * <p>where all c_k have one sign, and −∞ elsewhere: the density of (b, ζ) over the volume |dc/d(b,
 * ζ)| = D·|S|^(D−1). It has a pole at 0, which b passes to change its sign. The constant
 * −log(D·B(α)) is left out. Source: Bürkner and Charpentier (2020), section 2.
 */
public final class MonotonicPrior implements PriorTerm {
  private final List<Effect> effects;

  /** Joins effects, which have no coefficient in common. */
  public MonotonicPrior(List<Effect> effects) {
    this.effects = List.copyOf(effects);
  }

  /**
   * A monotonic effect.
   *
   * @param columns its columns, with the names of b and ζ
   * @param places the elements of θ that c is; not copied
   * @param slope p_b
   * @param alpha α, as long as there are places; not copied
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Effect(
      MonotonicColumns columns, int[] places, UnivariatePrior slope, double[] alpha)
      implements Serializable {
    /** Returns D. */
    public int size() {
      return places.length;
    }

    /** Returns c; a copy. */
    public double[] of(double[] theta) {
      return Arrays.stream(places).mapToDouble(j -> theta[j]).toArray();
    }

    /** Returns whether all c_k are on one side of 0. */
    public static boolean haveOneSign(double[] c) {
      return Arrays.stream(c).allMatch(x -> x > 0) || Arrays.stream(c).allMatch(x -> x < 0);
    }

    /** Returns the names of b, ζ_1, …, ζ_D. */
    public List<String> names() {
      List<String> names = new ArrayList<>(List.of(columns.slope()));
      for (int k = 1; k <= size(); k++) {
        names.add(columns.simplex() + "[" + k + "]");
      }
      return names;
    }

    /** Returns the priors of {@link #names}, as text; that of ζ for each of its elements. */
    public List<String> priors() {
      List<String> priors = new ArrayList<>(List.of(slope.toString()));
      priors.addAll(Collections.nCopies(size(), ConfiguredPrior.dirichlet(alpha)));
      return priors;
    }

    /** Returns b, ζ_1, …, ζ_D. */
    public double[] reported(double[] theta) {
      double[] c = of(theta);
      double sum = Arrays.stream(c).sum();
      double[] all = new double[c.length + 1];
      all[0] = sum / c.length;
      for (int k = 0; k < c.length; k++) {
        all[k + 1] = c[k] / sum;
      }
      return all;
    }

    double value(double[] theta) {
      double[] c = of(theta);
      if (!haveOneSign(c)) {
        return Double.NEGATIVE_INFINITY;
      }
      double sum = Arrays.stream(c).sum();
      double log = slope.logDensity(sum / c.length);
      double all = -1;
      for (int k = 0; k < c.length; k++) {
        log += alpha[k] == 1 ? 0 : (alpha[k] - 1) * Math.log(Math.abs(c[k]));
        all += alpha[k];
      }
      return log - all * Math.log(Math.abs(sum));
    }

    void addGradient(double[] theta, double[] gradient) {
      double[] c = of(theta);
      double sum = Arrays.stream(c).sum();
      double shared =
          slope.derivative(sum / c.length) / c.length - (Arrays.stream(alpha).sum() - 1) / sum;
      for (int k = 0; k < c.length; k++) {
        gradient[places[k]] += shared + (alpha[k] - 1) / c[k];
      }
    }
  }

  /** Returns the effects. */
  public List<Effect> effects() {
    return effects;
  }

  @Override
  public double value(double[] theta) {
    double sum = 0;
    for (Effect one : effects) {
      sum += one.value(theta);
    }
    return sum;
  }

  @Override
  public double addGradient(double[] theta, double[] gradient) {
    double value = value(theta);
    if (value > Double.NEGATIVE_INFINITY) {
      effects.forEach(one -> one.addGradient(theta, gradient));
    }
    return value;
  }

  @Override
  public boolean governs(int element) {
    return effects.stream()
        .flatMapToInt(one -> Arrays.stream(one.places()))
        .anyMatch(j -> j == element);
  }

  /** {@inheritDoc} It is that of log p, which curves upwards near 0: no mode is sought of it. */
  @Override
  public void addCurvature(double[] theta, double[] diagonal) {
    for (Effect one : effects) {
      double[] c = one.of(theta);
      double sum = Arrays.stream(c).sum();
      double b = sum / c.length;
      double shared =
          one.slope().secondDerivative(b) / c.length / c.length
              + (Arrays.stream(one.alpha()).sum() - 1) / sum / sum;
      for (int k = 0; k < c.length; k++) {
        diagonal[one.places()[k]] += shared - (one.alpha()[k] - 1) / c[k] / c[k];
      }
    }
  }
}
