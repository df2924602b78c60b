package org.lampyris.samplers.scales;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.QuadraticForm;
import org.lampyris.bounds.effects.ScaleGroup;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.PrecisionFactor;

/**
 * The normal approximation of the coefficients given the scales, N(m(φ), A(φ)⁻¹), from the
 * curvature H of log-likelihood and other priors at the mode θ̂ given scales φ̂:
 *
 * <pre>A(φ) = H + P(φ),   m(φ) = θ̂ + A(φ)⁻¹(P(φ̂) − P(φ))θ̂,</pre>
 *
 * <p>with P(φ) what the {@linkplain ScaledPrior scale groups} give. It shapes proposals and decides
 * nothing, so it may be as rough as it is: φ is rounded to a grid of {@value #GRID}, and each cell
 * is decomposed once in a process. If an effect is known from the others of its level but for a
 * small share of its sd, the grid is as fine as that share: about a correlation of 0.999, scales
 * that are off by an eighth turn the narrow direction so far that trajectories diverge. Cost of a
 * cell O(d³), less for the arrow of crossed factors. The bound's own curvature would not do: in the
 * shape of negative binomial counts it is so large that moves are a tenth of what they might be.
 *
 * <p>Also a quadratic q in place of the log-likelihood along the lines that scales move.
 */
final class NormalGivenScales implements Serializable {
  /** The width of a cell, in units of log scales and of artanh of correlations. */
  private static final double GRID = 0.25;

  /** The least width, a power of 2. */
  private static final double FINEST = 0x1p-20;

  /** How many numbers all cells that a process keeps may have: 256 MiB. */
  private static final long MOST_NUMBERS = 32L << 20;

  /** The memory of a cell apart from its matrices, in numbers of 8 bytes. */
  private static final long OF_CELL = 1000;

  private static final Map<Cell, LaplaceApproximation> KEPT = new LinkedHashMap<>(16, 0.75f, true);

  private final ScaledPrior scales;
  private final double[] mode;
  private final double[] curvature;
  private final CollapsedQuadratic quadratic;
  private final transient QuadraticForm form;
  private final transient List<Optional<MarginalMove>> marginals;
  private final int[] still;
  private final transient List<Optional<Followers>> followers;
  private final long id;

  /** A cell of the grid, by its middle, for one quadratic. */
  private record Cell(long id, List<Double> middle) {}

  /**
   * Takes what the approximation is made of.
   *
   * @param laplace that of the coefficients' marginal posterior, by its precision
   * @param quadratic q
   * @param still elements of θ that follow no scale
   */
  static NormalGivenScales of(
      ScaledPrior scales,
      LaplaceApproximation laplace,
      CollapsedQuadratic quadratic,
      int... still) {
    int d = laplace.dimension();
    double[] curvature = laplace.precision().orElseThrow().matrix();
    double[] wide = scales.precisions(scales.wide());
    for (int j = 0; j < d; j++) {
      curvature[j * d + j] -= wide[j];
    }
    scales.addCoupling(scales.wide(), -1, curvature);
    return new NormalGivenScales(scales, laplace.mode(), curvature, quadratic, still);
  }

  private NormalGivenScales(
      ScaledPrior scales,
      double[] mode,
      double[] curvature,
      CollapsedQuadratic quadratic,
      int[] still) {
    this.scales = scales;
    this.mode = mode;
    this.curvature = curvature;
    this.quadratic = quadratic;
    this.form = quadratic.form();
    this.marginals = IntStream.range(0, scales.groups().size()).mapToObj(this::marginalOf).toList();
    this.still = still;
    this.followers = followersOfGroups();
    long hash = mode.length;
    for (double[] numbers : new double[][] {mode, scales.centre(), curvature}) {
      for (double number : numbers) {
        hash = mixed(hash ^ Double.doubleToLongBits(number));
      }
    }
    this.id = hash;
  }

  private Optional<MarginalMove> marginalOf(int g) {
    ScaleGroup group = scales.groups().get(g);
    int[] places = group.coefficients();
    double[] all = Arrays.copyOf(mode, mode.length + scales.parameters());
    System.arraycopy(scales.centre(), 0, all, mode.length, scales.parameters());
    double[] phi = scales.phi(g, all);
    return MarginalMove.of(group, quadratic)
        .map(move -> move.turned(phi, scales.coefficients(g, mode), gradient(mode, places)));
  }

  /**
   * Returns the followers of each smooth: the coefficients without a scale, and those of other
   * smooths.
   */
  private List<Optional<Followers>> followersOfGroups() {
    BitSet smooths = new BitSet();
    BitSet following = new BitSet();
    following.set(0, mode.length);
    Arrays.stream(still).forEach(following::clear);
    for (int g = 0; g < marginals.size(); g++) {
      ScaleGroup group = scales.groups().get(g);
      boolean smooth =
          group.parameters() == 1
              && group.coefficients().length > 1
              && marginals.get(g).map(MarginalMove::isOneBlock).orElse(false);
      smooths.set(g, smooth);
      if (!smooth) {
        Arrays.stream(group.coefficients()).forEach(following::clear);
      }
    }
    double[] precisions = scales.precisions(scales.centre());
    List<Optional<Followers>> all = new ArrayList<>();
    for (int g = 0; g < marginals.size(); g++) {
      int[] group = scales.groups().get(g).coefficients();
      BitSet others = (BitSet) following.clone();
      Arrays.stream(group).forEach(others::clear);
      all.add(
          smooths.get(g)
              ? Followers.of(group, others.stream().toArray(), quadratic, precisions)
              : Optional.empty());
    }
    return all;
  }

  /** Returns the coefficients that follow those of a group, if any. */
  @Nullable Followers followers(int g) {
    return followers.get(g).orElse(null);
  }

  private Object readResolve() {
    return new NormalGivenScales(scales, mode, curvature, quadratic, still);
  }

  private static long mixed(long x) {
    long z = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /**
   * Returns whether the rows hold an element of θ where it is, away from 0: its mode is further
   * from 0 than 3/√H_jj.
   */
  boolean isKnown(int j) {
    return curvature[j * mode.length + j] * mode[j] * mode[j] > 9;
  }

  /** Returns the moves of a group's scales from their marginal densities, if there are such. */
  @Nullable MarginalMove marginal(int g) {
    return marginals.get(g).orElse(null);
  }

  /** Returns the approximation at the middle of the cell of φ. */
  LaplaceApproximation at(double[] phi) {
    double[] middle = middle(phi);
    Cell cell = new Cell(id, Arrays.stream(middle).boxed().toList());
    synchronized (KEPT) {
      LaplaceApproximation known = KEPT.get(cell);
      if (known != null) {
        return known;
      }
    }
    LaplaceApproximation made = made(middle);
    int d = quadratic.dimension();
    synchronized (KEPT) {
      KEPT.put(cell, made);
      while (KEPT.size() > Math.max(2, MOST_NUMBERS / (4L * d * d + OF_CELL))) {
        KEPT.remove(KEPT.keySet().iterator().next());
      }
    }
    return made;
  }

  private double[] middle(double[] phi) {
    double[] middle = new double[phi.length];
    int first = 0;
    for (ScaleGroup group : scales.groups()) {
      int end = first + group.parameters();
      double width = width(group, Arrays.copyOfRange(phi, first, end));
      for (int k = first; k < end; k++) {
        middle[k] = width * Math.round(phi[k] / width);
      }
      first = end;
    }
    return middle;
  }

  /** Returns the width of a cell: at most the least sd of an effect given the others, by its sd. */
  private static double width(ScaleGroup group, double[] phi) {
    double[] level = group.levelPrecision(phi);
    double narrow = 1;
    if (level != null) {
      int q = (int) Math.sqrt(level.length);
      double[] sds = group.sds(phi);
      for (int e = 0; e < q; e++) {
        narrow = Math.min(narrow, 1 / (sds[e] * Math.sqrt(level[e * q + e])));
      }
    }
    return narrow >= GRID
        ? GRID
        : narrow > FINEST ? Math.scalb(1.0, Math.getExponent(narrow)) : FINEST;
  }

  private LaplaceApproximation made(double[] phi) {
    int d = mode.length;
    double[] precision = scales.precision(phi);
    double[] before = scales.precisions(scales.centre());
    double[] coupling = new double[d * d];
    scales.addCoupling(scales.centre(), 1, coupling);
    double[] right = new double[d];
    for (int i = 0; i < d; i++) {
      right[i] = before[i] * mode[i];
      for (int j = 0; j < d; j++) {
        right[i] += (coupling[i * d + j] - precision[i * d + j]) * mode[j];
        precision[i * d + j] += curvature[i * d + j];
      }
    }
    PrecisionFactor factor = PrecisionFactor.of(precision, d);
    double[] mean = factor.solvePrecision(right);
    for (int i = 0; i < d; i++) {
      mean[i] += mode[i];
    }
    return new LaplaceApproximation(mean, factor);
  }

  /** Returns q as a function of a multiple of a direction, from a point: see {@link Line}. */
  Line line(double[] theta, int[] elements, double[] direction) {
    double slope = 0;
    double[] slopes = gradient(theta, elements);
    for (int i = 0; i < elements.length; i++) {
      slope += slopes[i] * direction[i];
    }
    return new Line(slope, half(elements, direction));
  }

  /** q(θ + s·v) − q(θ) = slope·s + half·s². */
  record Line(double slope, double half) {
    double change(double s) {
      return s * (slope + half * s);
    }
  }

  /** Returns q(θ + δ) − q(θ) for a δ of a few elements. Nothing is modified. */
  double change(double[] slopes, int[] elements, double[] delta) {
    double sum = half(elements, delta);
    for (int i = 0; i < elements.length; i++) {
      sum += slopes[i] * delta[i];
    }
    return sum;
  }

  /** Returns elements of ∇q(θ). */
  double[] gradient(double[] theta, int[] elements) {
    double[] all = new double[quadratic.dimension()];
    form.addGradient(theta, all);
    return Arrays.stream(elements).mapToDouble(j -> all[j]).toArray();
  }

  /** Returns δᵀAδ, A of the quadratic. */
  private double half(int[] elements, double[] delta) {
    double[] all = new double[quadratic.dimension()];
    for (int i = 0; i < elements.length; i++) {
      all[elements[i]] = delta[i];
    }
    return form.half(all);
  }
}
