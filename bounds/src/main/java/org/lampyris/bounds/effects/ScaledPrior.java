package org.lampyris.bounds.effects;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.lampyris.bounds.prior.PriorTerm;

/**
 * The part of a prior that {@linkplain ScaleGroup scale groups} have: Σ_g log p(b_g | φ_g) + log
 * p(φ_g). The φ of all groups, one group after the other, come behind the elements of θ that the
 * rows know, and the rows never look at them.
 *
 * <p>The gradient is that in b. It is 0 for φ: kernels of coefficients leave φ as it is.
 */
public final class ScaledPrior implements PriorTerm {
  /** How many of its standard deviations from its centre a log scale is expected to be at most. */
  public static final double FAR = 4;

  /** A ball that holds a normal posterior in d dimensions has about a radius of √d + this. */
  private static final double BEYOND = 4;

  /** Scales depend on each other: they are widened so often, in turn. */
  private static final int ROUNDS = 10;

  /** By how many of its standard deviations a scale of one coefficient is widened. */
  private static final double SINGLE = 3;

  private final int known;
  private final List<ScaleGroup> groups;
  private final double[] centre;
  private final double[] spread;

  /**
   * Joins groups.
   *
   * @param known how many elements of θ the rows know
   * @param centre about where φ lies a posteriori, for all groups; copied
   * @param spread about the posterior standard deviations of φ; copied
   */
  public ScaledPrior(int known, List<ScaleGroup> groups, double[] centre, double[] spread) {
    this.known = known;
    this.groups = List.copyOf(groups);
    this.centre = centre.clone();
    this.spread = spread.clone();
    int all = groups.stream().mapToInt(ScaleGroup::parameters).sum();
    if (centre.length != all || spread.length != all) {
      throw new IllegalArgumentException(
          all + " scales, " + centre.length + " centres, " + spread.length + " spreads");
    }
  }

  /** Returns the groups. */
  public List<ScaleGroup> groups() {
    return groups;
  }

  /** Returns how many elements φ has in all groups. */
  public int parameters() {
    return centre.length;
  }

  /** Returns about where φ lies a posteriori; not to be modified. */
  public double[] centre() {
    return centre;
  }

  /** Returns about the posterior standard deviations of φ; not to be modified. */
  public double[] spread() {
    return spread;
  }

  /**
   * Returns scales so wide that a ball about the mode, of the coefficients' normal approximation
   * given them, holds almost all of the posterior. For a log sd of variance s², E[sd²] is that of a
   * log sd larger by s². Where s is large, the log sd is larger by w, so that the ball reaches
   * those far from the centre as well: where sd can be 0, its posterior has a long tail. With a log
   * sd {@value #FAR}·s above the centre, J coefficients then lie J·e^(2({@value #FAR}s − w)) from
   * the mode, squared, and others J′·e^(−2(w′ − s′²)): their sum is to be in the ball. The sd of a
   * single coefficient, such as a λ of a horseshoe, is widened so far that the rows alone say where
   * the coefficient lies. The artanh of a partial correlation is nearer to 0 by its standard
   * deviation: effects may lie as far off the line that a strong correlation holds them near.
   */
  public double[] wide() {
    int[] sizes = sizes();
    double[] more = new double[sizes.length];
    Arrays.setAll(
        more,
        k ->
            sizes[k] == 0
                ? -Math.signum(centre[k]) * Math.min(Math.abs(centre[k]), spread[k])
                : sizes[k] == 1 ? SINGLE * spread[k] : spread[k] * spread[k]);
    for (int round = 0; round < ROUNDS; round++) {
      for (int k = 0; k < more.length; k++) {
        double s = spread[k];
        if (sizes[k] > 1) {
          double room =
              (Math.sqrt(known) + BEYOND) * (Math.sqrt(known) + BEYOND) - others(sizes, more, k);
          double slack = 0.5 * Math.log(Math.max(1, room / sizes[k]));
          more[k] = Math.max(s * s, FAR * s - slack);
        }
      }
    }
    double[] wide = centre.clone();
    for (int k = 0; k < wide.length; k++) {
      wide[k] += more[k];
    }
    return wide;
  }

  /** Returns how many coefficients each element of φ governs; 0 for correlations. */
  private int[] sizes() {
    return groups.stream()
        .flatMapToInt(
            group ->
                IntStream.range(0, group.parameters())
                    .map(
                        k -> {
                          int[] governed = group.governed(k);
                          return governed == null ? 0 : governed.length;
                        }))
        .toArray();
  }

  /** Returns about how far, squared, coefficients lie from the mode that φ_k does not govern. */
  private double others(int[] sizes, double[] more, int k) {
    double sum = known - sizes[k];
    for (int o = 0; o < sizes.length; o++) {
      if (o != k && sizes[o] > 1) {
        sum += sizes[o] * Math.expm1(-2 * (more[o] - spread[o] * spread[o]));
      }
    }
    return Math.max(0, sum);
  }

  /**
   * Returns the precisions of the coefficients that normal priors of each alone have: the diagonal
   * of a matrix, 0 for coefficients without a scale.
   *
   * @param phi of all groups. Not modified.
   */
  public double[] precisions(double[] phi) {
    double[] diagonal = new double[known];
    int first = 0;
    for (ScaleGroup group : groups) {
      double[] sds = group.sds(Arrays.copyOfRange(phi, first, first + group.parameters()));
      for (int i = 0; i < sds.length; i++) {
        diagonal[group.coefficients()[i]] += 1 / sds[i] / sds[i];
      }
      first += group.parameters();
    }
    return diagonal;
  }

  /**
   * Adds what correlated effects' precision has beside {@link #precisions}, Σ⁻¹ less the diagonal
   * of 1/sd² for each level, times a factor. Nothing if no effects are correlated.
   *
   * @param phi of all groups. Not modified.
   * @param matrix row-major. Modified.
   */
  public void addCoupling(double[] phi, double factor, double[] matrix) {
    int first = 0;
    for (ScaleGroup group : groups) {
      double[] own = Arrays.copyOfRange(phi, first, first + group.parameters());
      double[] level = group.levelPrecision(own);
      int q = level == null ? 0 : (int) Math.sqrt(level.length);
      if (level != null && !isDiagonal(level, q)) {
        double[] sds = group.sds(own);
        int[] all = group.coefficients();
        for (int e = 0; e < q; e++) {
          level[e * q + e] -= 1 / sds[e] / sds[e];
        }
        for (int i = 0; i < all.length; i++) {
          for (int f = 0; f < q; f++) {
            int j = i - i % q + f;
            matrix[all[i] * known + all[j]] += factor * level[i % q * q + f];
          }
        }
      }
      first += group.parameters();
    }
  }

  /** Returns −½bᵀCb, C being the {@linkplain #addCoupling coupling}. */
  public double coupling(double[] phi, double[] theta) {
    double[] matrix = new double[known * known];
    addCoupling(phi, 1, matrix);
    double sum = 0;
    for (int i = 0; i < known; i++) {
      for (int j = 0; j < known; j++) {
        sum += theta[i] * matrix[i * known + j] * theta[j];
      }
    }
    return -0.5 * sum;
  }

  private static boolean isDiagonal(double[] matrix, int q) {
    return IntStream.range(0, matrix.length).allMatch(k -> k / q == k % q || matrix[k] == 0);
  }

  /** Returns where in θ the φ of a group begin. */
  public int first(int group) {
    int first = known;
    for (int g = 0; g < group; g++) {
      first += groups.get(g).parameters();
    }
    return first;
  }

  /** Returns a copy of the φ of a group. */
  public double[] phi(int group, double[] theta) {
    int first = first(group);
    return Arrays.copyOfRange(theta, first, first + groups.get(group).parameters());
  }

  /** Returns a copy of the coefficients of a group. */
  public double[] coefficients(int group, double[] theta) {
    return Arrays.stream(groups.get(group).coefficients()).mapToDouble(j -> theta[j]).toArray();
  }

  /** Returns log p(b_g | φ_g) + log p(φ_g) of one group. */
  public double value(int group, double[] theta) {
    double[] phi = phi(group, theta);
    double prior = groups.get(group).logPrior(phi);
    return prior == Double.NEGATIVE_INFINITY
        ? prior
        : prior + groups.get(group).logDensity(phi, coefficients(group, theta));
  }

  /**
   * Returns the constant that {@link #value} lacks to be the logarithm of a density; empty if it is
   * unknown, or the prior of a scale is improper.
   */
  public OptionalDouble logConstant() {
    double sum = groups.stream().mapToDouble(ScaleGroup::logConstant).sum();
    return Double.isNaN(sum) ? OptionalDouble.empty() : OptionalDouble.of(sum);
  }

  @Override
  public boolean governs(int element) {
    return element >= known
        || groups.stream()
            .flatMapToInt(group -> Arrays.stream(group.coefficients()))
            .anyMatch(j -> j == element);
  }

  @Override
  public int known(int dimension) {
    return known;
  }

  @Override
  public double value(double[] theta) {
    double sum = 0;
    for (int g = 0; g < groups.size(); g++) {
      sum += value(g, theta);
    }
    return sum;
  }

  @Override
  public double addGradient(double[] theta, double[] gradient) {
    for (int g = 0; g < groups.size(); g++) {
      groups.get(g).addGradient(phi(g, theta), coefficients(g, theta), gradient);
    }
    return value(theta);
  }

  @Override
  public void addCurvature(double[] theta, double[] diagonal) {
    double[] precision = precision(Arrays.copyOfRange(theta, known, theta.length));
    for (int j = 0; j < known; j++) {
      diagonal[j] -= precision[j * known + j];
    }
  }

  /**
   * Returns the precision that the groups give to the elements of θ that the rows know, row-major.
   *
   * @param phi of all groups. Not modified.
   */
  public double[] precision(double[] phi) {
    double[] matrix = new double[known * known];
    int at = 0;
    for (ScaleGroup group : groups) {
      group.addPrecision(Arrays.copyOfRange(phi, at, at + group.parameters()), matrix, known);
      at += group.parameters();
    }
    return matrix;
  }
}
