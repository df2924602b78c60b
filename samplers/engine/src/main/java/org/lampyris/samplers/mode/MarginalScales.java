package org.lampyris.samplers.mode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.effects.ScaleGroup;
import org.lampyris.bounds.effects.ScaledPrior;
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
 * posterior. With the log-likelihood's quadratic at the mode, given φ the coefficients are N(m, C).
 * What rows and other coefficients say of b_i is then about N(y_i, 1/λ_i), with λ_i = 1/C_ii −
 * 1/sd_i² and λ_i·y_i = h_i = m_i/C_ii, and an element s of φ moves to the maximum of
 *
 * <pre>Σ_i log N(y_i | 0, sd_i(s)² + 1/λ_i) + log p(s)
 *   = ½ Σ_i (h_i²·sd_i² / (1 + λ_i·sd_i²) − log(1 + λ_i·sd_i²)) + log p(s) + constant.
 * </pre>
 *
 * <p>Its derivative at the present φ is that of the marginal posterior: where it is 0 without a
 * prior, sd² = Σ m_i²/γ, γ = Σ_i (1 − C_ii/sd_i²), which is what steps of Fellner and Schall's lead
 * to (Wood and Fasiolo 2017, equation 5). Those steps are short where γ is small, and say little of
 * how wide the marginal is.
 *
 * <p>Of correlated effects the same holds level by level, with q × q matrices in place of sd_i²,
 * 1/λ_i and C_ii. A slope's column far from 0 is the usual case: the intercepts at 0 then have a
 * correlation of almost ±1 with the slopes, without which both would seem to be small.
 */
public final class MarginalScales {
  /** The scales are settled when they are so near, in their posterior standard deviations. */
  private static final double NEAR = 0.25;

  private static final int MOST_ROUNDS = 8;

  private static final int STEPS = 40;
  private static final double SETTLED = 0.01;

  /** No log scale moves further in a step. */
  private static final double LONGEST = 2;

  /** How often a level's standard deviations and correlations are found in turn. */
  private static final int SWEEPS = 4;

  /** No correlation is taken to be nearer to ±1: matrices would keep few digits. */
  private static final double LARGEST_ARTANH = 9;

  /** A step of φ, for differences of its log-density. */
  private static final double STEP = 0.02;

  /** A log scale that the rows say nothing of is taken to be known as well as this. */
  private static final double LARGEST_SPREAD = 1.5;

  /** How often a step of the scales is halved at most. */
  private static final int HALVES = 30;

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
    this.flat = laplace.precision().map(ArrowMatrix::matrix).orElseGet(() -> inverted(laplace));
    addPrior(phi, -1, flat);
  }

  /** Adds the precision that scales give, times a factor, to a matrix. */
  private void addPrior(double[] phi, double factor, double[] matrix) {
    ScaledPrior prior = new ScaledPrior(d, groups, phi, phi);
    double[] own = prior.precisions(phi);
    for (int i = 0; i < d; i++) {
      matrix[i * d + i] += factor * own[i];
    }
    prior.addCoupling(phi, factor, matrix);
  }

  /** Returns Σ̂⁻¹, with 0 where it is so but for rounding. */
  private static double[] inverted(LaplaceApproximation laplace) {
    int d = laplace.dimension();
    double[] precision = Cholesky.scaled(laplace.covariance(), d).orElseThrow().inverse();
    double[] sds = new double[d];
    Arrays.setAll(sds, i -> Math.sqrt(precision[i * d + i]));
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        double element = precision[i * d + j];
        precision[i * d + j] = Math.abs(element) < NOISE * sds[i] * sds[j] ? 0 : element;
      }
    }
    return precision;
  }

  /** N(m, C) of the coefficients given some scales, C by its factor. */
  private record Given(double[] mean, PrecisionFactor factor) {
    /** Returns the variances of the coefficients that have scales; 0 for others. */
    double[] variances(List<ScaleGroup> groups) {
      double[] variances = new double[mean.length];
      for (ScaleGroup group : groups) {
        for (int j : group.coefficients()) {
          variances[j] = factor.variance(j);
        }
      }
      return variances;
    }

    /** Returns the covariance of some coefficients, row-major. */
    double[] covariance(int[] some) {
      int q = some.length;
      double[] covariance = new double[q * q];
      for (int f = 0; f < q; f++) {
        double[] unit = new double[mean.length];
        unit[some[f]] = 1;
        double[] column = factor.solvePrecision(unit);
        for (int e = 0; e < q; e++) {
          covariance[e * q + f] = column[some[e]];
        }
      }
      return covariance;
    }
  }

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
    /**
     * Returns the mode.
     *
     * @param coupled adds to the log-likelihood what the prior of correlated effects has beside the
     *     model's
     * @param near a point near it; null if none is known
     */
    MapFit of(ModelOfTable given, UnaryOperator<Objective> coupled, double @Nullable [] near);
  }

  /**
   * Seeks the scales and the mode given them in turn, until the scales are settled.
   *
   * @param start near the mode; null if it is not known
   * @param told is given the scales whenever they have been found anew
   */
  public static Fit search(
      EffectModel model, double @Nullable [] start, ModeOf mode, Consumer<double[]> told) {
    double[] phi = model.start();
    double[] near = start;
    List<NewtonPass> history = new ArrayList<>();
    for (int round = 1; ; round++) {
      MapFit fit = mode.of(model.given(phi), coupled(model, phi), near);
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

  /**
   * Returns what adds to a log-likelihood the rest of the prior of correlated effects, beside the
   * independent normal priors that the {@linkplain EffectModel#given model given scales} has.
   */
  public static UnaryOperator<Objective> coupled(EffectModel model, double[] phi) {
    int d = model.coefficients();
    if (model.groups().stream().noneMatch(MarginalScales::isCorrelated)) {
      return objective -> objective;
    }
    double[] coupling = new double[d * d];
    new ScaledPrior(d, model.groups(), phi, phi).addCoupling(phi, 1, coupling);
    return objective -> objective.minusQuadratic(coupling);
  }

  private static boolean isCorrelated(ScaleGroup group) {
    return IntStream.range(0, group.parameters()).anyMatch(k -> group.governed(k) == null)
        && group.levelPrecision(new double[group.parameters()]) != null;
  }

  /** Returns where the scales lie. */
  public Found found() {
    double[] phi = at.clone();
    double[] spread = new double[phi.length];
    Arrays.fill(spread, LARGEST_SPREAD / 3);
    Given given = given(phi).orElseThrow();
    for (int step = 0; step < STEPS; step++) {
      double moved = 0;
      int first = 0;
      double[] next = phi.clone();
      double[] variances = given.variances(groups);
      for (ScaleGroup group : groups) {
        double[] own = Arrays.copyOfRange(phi, first, first + group.parameters());
        if (isCorrelated(group)) {
          Levels levels = Levels.of(group, own, given);
          for (int k = 0; k < own.length * SWEEPS; k++) {
            int at = k % own.length;
            double to = maximum(levels.along(own, at), own[at]);
            own[at] =
                group.governed(at) == null
                    ? Math.max(-LARGEST_ARTANH, Math.min(LARGEST_ARTANH, to))
                    : to;
          }
          double[] sds = levels.sds(own);
          System.arraycopy(sds, 0, spread, first, sds.length);
          for (int k = 0; k < own.length; k++) {
            next[first + k] = own[k];
            moved = Math.max(moved, Math.abs(own[k] - phi[first + k]) / spread[first + k]);
          }
          first += own.length;
          continue;
        }
        double[] sds = group.sds(own);
        for (int k = 0; k < own.length; k++) {
          int[] elements = group.governed(k);
          if (elements == null) {
            continue;
          }
          double[] known = new double[elements.length];
          double[] natural = new double[elements.length];
          for (int e = 0; e < elements.length; e++) {
            double sd = sds[elements[e]];
            int j = group.coefficients()[elements[e]];
            known[e] = Math.max(0, 1 / variances[j] - 1 / sd / sd);
            natural[e] = given.mean[j] / variances[j];
          }
          DoubleUnaryOperator density = marginal(group, own, k, known, natural);
          next[first + k] = maximum(density, own[k]);
          spread[first + k] =
              elements.length == 1
                  ? bent(density, next[first + k])
                  : spread(density, next[first + k]);
          moved = Math.max(moved, Math.abs(next[first + k] - own[k]) / spread[first + k]);
        }
        first += own.length;
      }
      Optional<Given> there = given(next);
      boolean isWhole = there.isPresent();
      for (int half = 0; there.isEmpty() && half < HALVES; half++) {
        halve(phi, next);
        there = given(next);
      }
      if (there.isEmpty()) {
        break;
      }
      phi = next;
      given = there.get();
      if (!isWhole) {
        return new Found(phi, spread, mode); // near the edge, their mean is anywhere
      }
      if (moved < SETTLED) {
        break;
      }
    }
    return new Found(phi, spread, given.mean);
  }

  /** Moves a point half-way to another. */
  private static void halve(double[] from, double[] to) {
    Arrays.setAll(to, k -> 0.5 * (from[k] + to[k]));
  }

  /**
   * What rows and other coefficients say of the effects of each level: about N(y_j, Λ_j⁻¹).
   *
   * @param known Λ_j
   * @param natural Λ_jy_j
   */
  private record Levels(ScaleGroup group, List<double[]> known, List<double[]> natural) {
    static Levels of(ScaleGroup group, double[] phi, Given given) {
      double[] prior = Objects.requireNonNull(group.levelPrecision(phi));
      int q = (int) Math.sqrt(prior.length);
      List<double[]> known = new ArrayList<>();
      List<double[]> natural = new ArrayList<>();
      for (int first = 0; first < group.coefficients().length; first += q) {
        int[] level = Arrays.copyOfRange(group.coefficients(), first, first + q);
        double[] inverse = Cholesky.scaled(given.covariance(level), q).orElseThrow().inverse();
        double[] h = new double[q];
        double[] lambda = new double[q * q];
        for (int e = 0; e < q; e++) {
          for (int f = 0; f < q; f++) {
            h[e] += inverse[e * q + f] * given.mean[level[f]];
            lambda[e * q + f] = inverse[e * q + f] - prior[e * q + f];
          }
        }
        known.add(lambda);
        natural.add(h);
      }
      return new Levels(group, known, natural);
    }

    /** Returns the standard deviations of φ by the curvature of its density. */
    double[] sds(double[] phi) {
      int p = phi.length;
      double[] curvature = Curvature.of(this::logDensity, phi, STEP);
      double[] sds = new double[p];
      Arrays.fill(sds, LARGEST_SPREAD);
      Cholesky.scaled(curvature, p)
          .map(Cholesky::inverse)
          .ifPresent(
              covariance ->
                  Arrays.setAll(
                      sds, k -> Math.min(LARGEST_SPREAD, Math.sqrt(covariance[k * p + k]))));
      return sds;
    }

    /** Returns the log-density as φ_k changes. */
    DoubleUnaryOperator along(double[] phi, int k) {
      return at -> {
        double[] to = phi.clone();
        to[k] = at;
        return logDensity(to);
      };
    }

    /** Returns Σ_j log N(y_j | 0, Σ + Λ_j⁻¹) + log p(φ), up to a constant. */
    private double logDensity(double[] to) {
      double[] prior = Objects.requireNonNull(group.levelPrecision(to));
      int q = (int) Math.sqrt(prior.length);
      Cholesky own = Cholesky.scaled(prior, q).orElse(null);
      double log = own == null ? Double.NaN : group.logPrior(to);
      for (int j = 0; j < known.size() && !Double.isNaN(log); j++) {
        double[] sum = prior.clone();
        for (int i = 0; i < sum.length; i++) {
          sum[i] += known.get(j)[i];
        }
        Cholesky both = Cholesky.scaled(sum, q).orElse(null);
        if (own == null || both == null) {
          return Double.NEGATIVE_INFINITY;
        }
        double[] mean = both.solve(natural.get(j));
        log += 0.5 * (own.logDeterminant() - both.logDeterminant());
        for (int e = 0; e < q; e++) {
          log += 0.5 * natural.get(j)[e] * mean[e];
        }
      }
      return Double.isNaN(log) ? Double.NEGATIVE_INFINITY : log;
    }
  }

  private static DoubleUnaryOperator marginal(
      ScaleGroup group, double[] phi, int k, double[] known, double[] natural) {
    int[] elements = Objects.requireNonNull(group.governed(k));
    return s -> {
      double[] to = phi.clone();
      to[k] = s;
      double[] sds = group.sds(to);
      double log = group.logPrior(to);
      for (int e = 0; e < elements.length; e++) {
        double square = sds[elements[e]] * sds[elements[e]];
        double more = known[e] * square;
        log += 0.5 * (natural[e] * natural[e] * square / (1 + more) - Math.log1p(more));
      }
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

  /** Returns the standard deviation of a normal density with the same curvature. */
  private static double bent(DoubleUnaryOperator density, double s) {
    double h = 0.05;
    double curvature =
        (density.applyAsDouble(s + h) - 2 * density.applyAsDouble(s) + density.applyAsDouble(s - h))
            / (h * h);
    double spread = 1 / Math.sqrt(-curvature);
    return spread < LARGEST_SPREAD ? spread : LARGEST_SPREAD;
  }

  /**
   * Returns the standard deviation of a normal density that falls as much above its maximum, to
   * {@link ScaledPrior#FAR} of them: an sd that can be 0 has a long tail below, and none above.
   */
  private static double spread(DoubleUnaryOperator density, double s) {
    double far = density.applyAsDouble(s) - 0.5 * ScaledPrior.FAR * ScaledPrior.FAR;
    double low = s;
    double high = s + ScaledPrior.FAR * LARGEST_SPREAD;
    for (int i = 0; i < 40; i++) {
      double middle = 0.5 * (low + high);
      if (density.applyAsDouble(middle) > far) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (high - s) / ScaledPrior.FAR;
  }

  /**
   * Returns an approximation of the coefficients' marginal posterior, about their mean given the
   * scales: that given {@linkplain ScaledPrior#wide scales as wide} as they are uncertain, or as
   * wide as the curvature at the mode allows.
   */
  public LaplaceApproximation marginal(Found found) {
    double[] wide = new ScaledPrior(d, groups, found.phi, found.spread).wide();
    for (int half = 0; ; half++) {
      double[] precision = flat.clone();
      addPrior(wide, 1, precision);
      Optional<PrecisionFactor> factor = factor(precision);
      if (factor.isPresent()) {
        return new LaplaceApproximation(
            found.mean, factor.get().covariance(), new ArrowMatrix(precision, d));
      }
      if (half == HALVES) {
        throw new IllegalStateException("no scales near the mode have a normal approximation");
      }
      halve(found.phi, wide);
    }
  }

  /** Returns the factor of a precision; empty if it is not positive definite. */
  private Optional<PrecisionFactor> factor(double[] precision) {
    try {
      return Optional.of(PrecisionFactor.of(precision, d));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the coefficients given scales, by the curvature at the mode; empty if that is not one
   * of a maximum there. A likelihood that is not concave, as with a sampled sigma, may have needed
   * the prior for it.
   */
  private Optional<Given> given(double[] phi) {
    ScaledPrior prior = new ScaledPrior(d, groups, phi, phi);
    double[] own = prior.precisions(phi);
    double[] before = prior.precisions(at);
    double[] coupling = new double[d * d];
    prior.addCoupling(at, 1, coupling);
    prior.addCoupling(phi, -1, coupling);
    double[] right = new double[d];
    double[] precision = flat.clone();
    for (int i = 0; i < d; i++) {
      right[i] = (before[i] - own[i]) * mode[i];
      for (int j = 0; j < d; j++) {
        right[i] += coupling[i * d + j] * mode[j];
      }
      precision[i * d + i] += own[i];
    }
    prior.addCoupling(phi, 1, precision);
    return factor(precision)
        .map(
            factor -> {
              double[] mean = factor.solvePrecision(right);
              for (int i = 0; i < d; i++) {
                mean[i] += mode[i];
              }
              return new Given(mean, factor);
            });
  }
}
