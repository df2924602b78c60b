package org.lampyris.samplers.mode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.effects.ScaleGroup;
import org.lampyris.bounds.family.EffectModel;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.PrecisionFactor;
import org.lampyris.bounds.numeric.ArrowMatrix;

/**
 * Where the scales of {@linkplain ScaleGroup scale groups} lie a posteriori, from the mode of the
 * coefficients given some scales and the curvature there, without a pass over the rows.
 *
 * <p>A joint mode of coefficients and scales is worth nothing: the density grows without limit as b
 * and its scale go to 0. So the scales are those of the Laplace approximation of their marginal
 * posterior. With the log-likelihood's quadratic at the mode, given φ the coefficients are N(m, C),
 * and a log scale s that multiplies J coefficients b_i = sd_i·u_i moves to the maximum of
 *
 * <pre>−γ·s − ½ Σ_i (m_i/sd_i)²·e^(−2(s − s₀)) + log p(s),   γ = J − Σ_i C_ii/sd_i²,</pre>
 *
 * <p>a step of Fellner and Schall's with a prior: without one, sd² becomes Σ m_i²/γ. Source: Wood
 * and Fasiolo (2017), equation 5. Correlations stay as they are.
 */
public final class MarginalScales {
  /** The scales are settled when they are so near, in their posterior standard deviations. */
  private static final double NEAR = 0.25;

  private static final int MOST_ROUNDS = 8;

  private static final int STEPS = 40;
  private static final double SETTLED = 0.01;

  /** No log scale moves further in a step. */
  private static final double LONGEST = 2;

  /** A log scale that the rows say nothing of is taken to be known as well as this. */
  private static final double LARGEST_SPREAD = 1.5;

  /** What a scale's uncertainty widens its coefficients' log sd by at most. */
  private static final double WIDEST = 0.5;

  /** Correlations given all others below this are rounding errors. */
  private static final double NOISE = 1e-10;

  private final int d;
  private final List<ScaleGroup> groups;
  private final double[] mode;
  private final double[] at;
  private final double[] flat;

  /**
   * Takes the mode given some scales.
   *
   * @param laplace the approximation there, with its covariance
   * @param phi the scales of all groups that it was found by; copied
   */
  public MarginalScales(LaplaceApproximation laplace, List<ScaleGroup> groups, double[] phi) {
    this.d = laplace.dimension();
    this.groups = List.copyOf(groups);
    this.mode = laplace.mode();
    this.at = phi.clone();
    this.flat = Cholesky.scaled(laplace.covariance(), d).orElseThrow().inverse();
    double[] own = precision(phi);
    double[] sds = new double[d];
    Arrays.setAll(sds, i -> Math.sqrt(flat[i * d + i]));
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        double element = flat[i * d + j];
        flat[i * d + j] =
            Math.abs(element) < NOISE * sds[i] * sds[j] ? 0 : element - own[i * d + j];
      }
    }
  }

  /** N(m, C) of the coefficients given some scales, C by its factor. */
  private record Given(double[] mean, PrecisionFactor factor) {}

  /**
   * The scales.
   *
   * @param phi those of all groups
   * @param spread about their posterior standard deviations
   * @param mean m, the coefficients' mean given them
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Found(double[] phi, double[] spread, double[] mean) {
    /** Returns by how many of the spreads some scales differ from these at most. */
    public double distance(double[] others) {
      double largest = 0;
      for (int k = 0; k < phi.length; k++) {
        largest = Math.max(largest, Math.abs(phi[k] - others[k]) / spread[k]);
      }
      return largest;
    }
  }

  /**
   * The mode given scales about where they lie.
   *
   * @param fit its approximation is that of the coefficients' {@linkplain #marginal marginal}
   *     posterior
   * @param phi the scales that it was found by
   * @param spread about their posterior standard deviations
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Fit(MapFit fit, double[] phi, double[] spread) {}

  /** Finds the mode of a model of effects given their scales. */
  @FunctionalInterface
  public interface ModeOf {
    /** Returns the mode, sought from a point near it; null if none is known. */
    MapFit of(ModelOfTable given, double @Nullable [] near);
  }

  /**
   * Seeks the scales and the mode given them in turn, until the scales are settled.
   *
   * @param told is given the scales whenever they have been found anew
   */
  public static Fit search(EffectModel model, ModeOf mode, Consumer<double[]> told) {
    double[] phi = model.start();
    double[] near = null;
    List<NewtonPass> history = new ArrayList<>();
    for (int round = 1; ; round++) {
      MapFit fit = mode.of(model.given(phi), near);
      history.addAll(fit.history());
      MarginalScales scales = new MarginalScales(fit.laplace(), model.groups(), phi);
      Found found = scales.found();
      told.accept(found.phi);
      if (found.distance(phi) < NEAR || round == MOST_ROUNDS) {
        LaplaceApproximation marginal = scales.marginal(new Found(phi, found.spread, fit.theta()));
        return new Fit(new MapFit(marginal, fit.logPosterior(), history), phi, found.spread);
      }
      phi = found.phi;
      near = found.mean;
    }
  }

  /** Returns where the scales lie. */
  public Found found() {
    double[] phi = at.clone();
    double[] spread = new double[phi.length];
    Arrays.fill(spread, LARGEST_SPREAD / 3);
    Given given = given(phi);
    for (int step = 0; step < STEPS; step++) {
      double moved = 0;
      int first = 0;
      double[] next = phi.clone();
      for (ScaleGroup group : groups) {
        double[] own = Arrays.copyOfRange(phi, first, first + group.parameters());
        double[] sds = group.sds(own);
        for (int k = 0; k < own.length; k++) {
          int[] elements = group.multiplied(k);
          if (elements == null) {
            continue;
          }
          double free = elements.length;
          double squares = 0;
          for (int i : elements) {
            int j = group.coefficients()[i];
            free -= given.factor.variance(j) / sds[i] / sds[i];
            squares += given.mean[j] * given.mean[j] / sds[i] / sds[i];
          }
          DoubleUnaryOperator density = marginal(group, own, k, Math.max(0, free), squares);
          next[first + k] = maximum(density, own[k]);
          spread[first + k] = spread(density, next[first + k]);
          moved = Math.max(moved, Math.abs(next[first + k] - own[k]) / spread[first + k]);
        }
        first += own.length;
      }
      phi = next;
      given = given(phi);
      if (moved < SETTLED) {
        break;
      }
    }
    return new Found(phi, spread, given.mean);
  }

  private static DoubleUnaryOperator marginal(
      ScaleGroup group, double[] phi, int k, double free, double squares) {
    return s -> {
      double[] to = phi.clone();
      to[k] = s;
      double log = -free * s - 0.5 * squares * Math.exp(-2 * (s - phi[k])) + group.logPrior(to);
      return Double.isNaN(log) ? Double.NEGATIVE_INFINITY : log;
    };
  }

  /** Returns the maximum within {@value #LONGEST}, by golden sections. */
  private static double maximum(DoubleUnaryOperator density, double from) {
    double golden = 0.5 * (Math.sqrt(5) - 1);
    double low = from - LONGEST;
    double high = from + LONGEST;
    for (int i = 0; i < 40; i++) {
      double left = high - golden * (high - low);
      double right = low + golden * (high - low);
      if (density.applyAsDouble(left) > density.applyAsDouble(right)) {
        high = right;
      } else {
        low = left;
      }
    }
    return 0.5 * (low + high);
  }

  private static double spread(DoubleUnaryOperator density, double s) {
    double h = 0.05;
    double curvature =
        (density.applyAsDouble(s + h) - 2 * density.applyAsDouble(s) + density.applyAsDouble(s - h))
            / (h * h);
    double spread = 1 / Math.sqrt(-curvature);
    return spread < LARGEST_SPREAD ? spread : LARGEST_SPREAD;
  }

  /**
   * Returns an approximation of the coefficients' marginal posterior: that given scales whose
   * coefficients' variances are their posterior means. For a log sd of variance s², E[sd²] is that
   * of a log sd larger by s².
   */
  public LaplaceApproximation marginal(Found found) {
    double[] wide = found.phi.clone();
    int first = 0;
    for (ScaleGroup group : groups) {
      for (int k = 0; k < group.parameters(); k++) {
        if (group.multiplied(k) != null) {
          double spread = found.spread[first + k];
          wide[first + k] += Math.min(WIDEST, spread * spread);
        }
      }
      first += group.parameters();
    }
    double[] precision = precision(wide);
    for (int k = 0; k < precision.length; k++) {
      precision[k] += flat[k];
    }
    return new LaplaceApproximation(
        mode, PrecisionFactor.of(precision, d).covariance(), new ArrowMatrix(precision, d));
  }

  private Given given(double[] phi) {
    double[] own = precision(phi);
    double[] before = precision(at);
    double[] right = new double[d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        right[i] += (before[i * d + j] - own[i * d + j]) * mode[j];
        own[i * d + j] += flat[i * d + j];
      }
    }
    PrecisionFactor factor = PrecisionFactor.of(own, d);
    double[] mean = factor.solvePrecision(right);
    for (int i = 0; i < d; i++) {
      mean[i] += mode[i];
    }
    return new Given(mean, factor);
  }

  /**
   * Returns the precisions that scales give, as normal priors of each coefficient alone have it.
   */
  private double[] precision(double[] phi) {
    double[] diagonal = new double[d * d];
    int first = 0;
    for (ScaleGroup group : groups) {
      double[] sds = group.sds(Arrays.copyOfRange(phi, first, first + group.parameters()));
      for (int i = 0; i < sds.length; i++) {
        int j = group.coefficients()[i];
        diagonal[j * d + j] += 1 / sds[i] / sds[i];
      }
      first += group.parameters();
    }
    return diagonal;
  }
}
