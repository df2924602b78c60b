package org.lampyris.dataprep.precompute;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.bounds.family.EffectModel;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.numeric.ArrowMatrix;
import org.lampyris.dataprep.precompute.BoundsArtefact.ModelFacts;
import org.lampyris.dataprep.precompute.PreparedTable.TableFacts;
import org.lampyris.executors.jobs.BlockSum;
import org.lampyris.executors.table.BlockTable.LaterRows;
import org.lampyris.executors.table.LibraryVersion;
import org.lampyris.samplers.mode.LikelihoodSum;
import org.lampyris.samplers.mode.MapFit;
import org.lampyris.samplers.mode.MarginalScales;

/**
 * Bounds of an earlier table extended by later rows, about the same mode θ₀, in one pass over the
 * later rows alone. Coefficients of levels that the earlier rows do not have are added at 0, with
 * their prior: the earlier bounds know nothing of them.
 *
 * <p>The bounds hold whatever point they are about; how tight they are depends on how far the
 * posterior is from it. Take the earlier posterior as N(θ₁, Σ₁), and let the later rows'
 * log-likelihood have gradient g at θ₁ and Hessian H. The mode then moves by (Σ₁⁻¹ − H)⁻¹g, and Σ̂
 * = (Σ₁⁻¹ − H)⁻¹. Where scales are sampled, Σ₁ is that given them, and {@link MarginalScales} finds
 * them anew from this quadratic.
 *
 * <p>With v = θ̂ − θ₀ and the covariance Σ₀ that distances from θ₀ are measured by, |θ − θ₀|² has
 * about the mean m = tr(Σ₀⁻¹Σ̂) + |v|² and at most about the variance 2(m + |v|²): it is taken as a
 * multiple of a χ² with these. The bounds are kept if draws outside the ball where local bounds
 * hold, which read all rows, cost few evaluations. Otherwise all rows are read to find the mode,
 * from θ̂.
 */
final class LaterBounds {
  /**
   * Most evaluations an iteration, for each coefficient, by draws outside: chains evaluate about
   * one for each.
   */
  private static final double OUTSIDE = 0.1;

  private final BoundsArtefact earlier;
  private final ModelOfTable model;
  private final @Nullable EffectModel effects;
  private final TableFacts facts;
  private final LaterRows rows;

  /** Where each of the earlier coefficients is among those of all rows, ascending. */
  private final int[] places;

  /** N(θ₀, Σ₀), what the bounds are about. */
  private final LaplaceApproximation about;

  private @Nullable Moved moved;

  private LaterBounds(
      BoundsArtefact earlier,
      ModelOfTable model,
      @Nullable EffectModel effects,
      TableFacts facts,
      LaterRows rows) {
    this.earlier = earlier;
    this.model = model;
    this.effects = effects;
    this.facts = facts;
    this.rows = rows;
    this.places =
        earlier.model().coefficients().stream().mapToInt(model.coefficients()::indexOf).toArray();
    this.about = places.length == dimension() ? earlier.about() : widened(earlier.about());
  }

  /**
   * Returns the extension of earlier bounds.
   *
   * @param effects the effects that are coefficients; null if there are none
   * @return empty if the earlier bounds are for effects that are drawn in another way
   * @throws UserException (usage) if the table has no earlier one; (data) if the bounds are for
   *     another table or model
   */
  static Optional<LaterBounds> of(
      BoundsArtefact earlier,
      PreparedTable table,
      ModelOfTable base,
      @Nullable EffectModel effects) {
    PreparedTable.Later later = table.later();
    if (later == null) {
      throw UserException.usage(
          "precompute.after names bounds of an earlier table, but the prepared table has no earlier"
              + " rows (data.after). Remove precompute.after.");
    }
    BoundsArtefact.Scales scales = earlier.scales();
    if ((effects == null) != (scales == null)) {
      return Optional.empty();
    }
    ModelOfTable model = effects == null || scales == null ? base : effects.given(scales.centre());
    Set<String> before = Set.copyOf(earlier.model().coefficients());
    List<String> names = model.coefficients();
    Set<String> columns = Set.copyOf(earlier.table().columns());
    earlier.requireMatches(
        later.fingerprint(),
        model.spec(),
        IntStream.range(0, names.size())
            .filter(j -> effects == null || before.contains(names.get(j)))
            .mapToObj(model.priors()::get)
            .toList(),
        table.facts().columns().stream()
            .filter(column -> effects == null || columns.contains(column))
            .toList());
    return Optional.of(new LaterBounds(earlier, model, effects, table.facts(), later.rows()));
  }

  private int dimension() {
    return model.coefficients().size();
  }

  /** The approximate posterior of all rows, and the scales that it is about. */
  private record Moved(MapFit fit, BoundsArtefact.@Nullable Scales scales) {}

  /**
   * Returns the bounds of all rows about the earlier mode, unless the later rows move it too far,
   * or other bounds are wished for.
   */
  Optional<BoundsArtefact> extended(PrecomputeConfig config, Consumer<String> progress) {
    Double radius = config.radius();
    if (radius != null && radius != earlier.radius()) {
      progress.accept(
          "precompute.radius differs from the earlier bounds, so all rows are read to find the"
              + " mode");
      return Optional.empty();
    }
    if (!about.hasCovariance() || (effects == null && config.isWide(dimension()))) {
      progress.accept("all rows are read to find the mode, starting at the earlier mode");
      return Optional.empty();
    }
    CollapsePass known = earlier.bounds();
    LowerBound bound =
        known == null
            ? null
            : known.isLocal()
                ? model.localBound(about, earlier.radius()).orElseThrow()
                : model.bound(about).orElseThrow();
    int bounds = bound == null ? 0 : CollapsePass.length(dimension());
    double[] packed = pass(bound, known != null && known.isLocal(), bounds);
    moved =
        moved(new LikelihoodSum(dimension(), Arrays.copyOfRange(packed, bounds, packed.length)));
    long added = facts.rows() - earlier.table().rows();
    if (moved == null || !isNear(moved.fit.laplace())) {
      progress.accept(
          Text.of(
              "%,d later rows move the mode%s, too far for the earlier bounds, so all rows are read"
                  + " to find the new mode",
              added, moved == null ? "" : by(moved)));
      return Optional.empty();
    }
    int more = dimension() - places.length;
    progress.accept(
        Text.of(
            "one pass over %,d later rows: they move the mode%s. Their bounds"
                + " are added to those for the first %,d rows, without reading these again.%s",
            added,
            by(moved),
            earlier.table().rows(),
            more == 0 ? "" : Text.of(" They bring %,d coefficients of new levels.", more)));
    return Optional.of(
        new BoundsArtefact(
            LibraryVersion.get(),
            ModelFacts.of(
                effects == null || moved.scales == null
                    ? model
                    : effects.given(moved.scales.centre())),
            facts,
            moved.fit,
            earlier.radius(),
            known == null
                ? null
                : new CollapsePass(
                    known
                        .lower()
                        .among(places, dimension())
                        .plus(
                            CollapsePass.split(
                                    about.mode(), known.isLocal(), Arrays.copyOf(packed, bounds))
                                .lower()),
                    known.isLocal(),
                    null),
            about,
            moved.scales));
  }

  private String by(Moved to) {
    return Text.of(" by %.2g posterior sds", about.distance(to.fit.theta()));
  }

  /** Returns the approximate mode of all rows. */
  double[] start() {
    return moved == null ? among(earlier.theta()) : moved.fit.theta();
  }

  /** Returns the effects with the scales near which they lie given all rows. */
  @Nullable EffectModel effects() {
    BoundsArtefact.Scales scales = moved == null ? earlier.scales() : moved.scales;
    return effects == null || scales == null ? effects : effects.near(scales.centre());
  }

  private double[] pass(@Nullable LowerBound bound, boolean isLocal, int bounds) {
    Model of = model.surrogate(facts.rows());
    double[] mode = about.mode();
    double[] at = among(earlier.theta());
    int sum = LikelihoodSum.packedLength(mode.length);
    return BlockSum.over(
        rows.blocks(),
        rows,
        bounds + sum,
        (block, out) -> {
          if (bound != null) {
            CollapsePass.addTo(bound, isLocal, mode, block, out);
          }
          double[] likelihood = new double[sum];
          LikelihoodSum.addTo(of, at, block, likelihood);
          System.arraycopy(likelihood, 0, out, bounds, sum);
        });
  }

  /** Returns earlier coefficients among those of all rows, with 0 for new ones. */
  private double[] among(double[] before) {
    double[] all = new double[dimension()];
    for (int i = 0; i < places.length; i++) {
      all[places[i]] = before[i];
    }
    return all;
  }

  /** Adds an earlier matrix to the elements of one of all rows, row-major. */
  private void addAmong(double[] before, double[] all) {
    int d = dimension();
    for (int i = 0; i < places.length; i++) {
      for (int j = 0; j < places.length; j++) {
        all[places[i] * d + places[j]] += before[i * places.length + j];
      }
    }
  }

  /**
   * Returns an approximation with new coefficients, which have the prior that the scales give them,
   * as wide as they are uncertain.
   */
  private LaplaceApproximation widened(LaplaceApproximation before) {
    int d = dimension();
    double[] own = wide();
    double[] covariance = new double[d * d];
    double[] precision = new double[d * d];
    int[] added = added();
    int more = added.length;
    double[] among = new double[more * more];
    for (int i = 0; i < more; i++) {
      for (int j = 0; j < more; j++) {
        among[i * more + j] = own[added[i] * d + added[j]];
        precision[added[i] * d + added[j]] = among[i * more + j];
      }
    }
    double[] inverse = more == 0 ? among : Cholesky.scaled(among, more).orElseThrow().inverse();
    for (int i = 0; i < more; i++) {
      for (int j = 0; j < more; j++) {
        covariance[added[i] * d + added[j]] = inverse[i * more + j];
      }
    }
    addAmong(before.covariance(), covariance);
    addAmong(before.precision().orElseThrow().matrix(), precision);
    return new LaplaceApproximation(
        among(before.mode()), covariance, new ArrowMatrix(precision, d));
  }

  /** Returns the places of new coefficients. */
  private int[] added() {
    return IntStream.range(0, dimension())
        .filter(j -> Arrays.binarySearch(places, j) < 0)
        .toArray();
  }

  /** Returns the precision that scales as wide as they are uncertain give to coefficients. */
  private double[] wide() {
    BoundsArtefact.Scales scales = Objects.requireNonNull(earlier.scales());
    return precision(scales, scales.widened());
  }

  /** Returns the precision that scales give to coefficients, row-major. */
  private double[] precision(BoundsArtefact.Scales scales, double[] phi) {
    int d = dimension();
    ScaledPrior prior =
        new ScaledPrior(d, Objects.requireNonNull(effects).groups(), scales.centre(), scales.sds());
    double[] own = prior.precisions(phi);
    double[] precision = new double[d * d];
    for (int j = 0; j < d; j++) {
      precision[j * d + j] = own[j];
    }
    prior.addCoupling(phi, 1, precision);
    return precision;
  }

  /** Returns the approximate posterior of all rows; null if it has no mode. */
  private @Nullable Moved moved(LikelihoodSum later) {
    int d = dimension();
    double[] precision = new double[d * d];
    addAmong(precision(earlier.laplace()), precision);
    BoundsArtefact.Scales scales = earlier.scales();
    if (effects != null && scales != null) {
      double[] wide = wide();
      double[] own = precision(scales, scales.centre());
      for (int i = 0; i < d; i++) {
        boolean isNew = Arrays.binarySearch(places, i) < 0;
        for (int k = i * d; k < (i + 1) * d; k++) {
          precision[k] += own[k] - (isNew ? 0 : wide[k]);
        }
      }
    }
    double[] gradient = new double[d];
    for (int i = 0; i < d; i++) {
      gradient[i] = later.gradient(i);
      for (int j = 0; j < d; j++) {
        precision[i * d + j] -= later.hessian(i, j);
      }
    }
    Cholesky factor = Cholesky.scaled(precision, d).orElse(null);
    if (factor == null) {
      return null;
    }
    double[] step = factor.solve(gradient);
    double[] to = among(earlier.theta());
    double gain = later.value();
    for (int j = 0; j < d; j++) {
      to[j] += step[j];
      gain += 0.5 * gradient[j] * step[j];
    }
    if (!Double.isFinite(gain)) {
      return null;
    }
    double height = earlier.fit().logPosterior() + gain;
    if (effects == null || scales == null) {
      return new Moved(fit(new LaplaceApproximation(to, factor.inverse()), height), null);
    }
    return scaled(
        new LaplaceApproximation(to, factor.inverse(), new ArrowMatrix(precision, d)),
        height,
        effects,
        scales.centre());
  }

  /**
   * Returns the posterior about scales that are found anew.
   *
   * @param given that given the earlier scales
   * @param height the log posterior at its mode, without the prior of new coefficients at 0
   */
  private Moved scaled(LaplaceApproximation given, double height, EffectModel of, double[] phi) {
    MarginalScales marginal = new MarginalScales(given, of.groups(), phi);
    MarginalScales.Found found = marginal.found();
    double[] to = found.mean();
    double distance = given.distance(to);
    double change =
        model.prior().logDensityOf(new double[dimension()], added())
            - 0.5 * distance * distance
            + of.given(found.phi()).prior().logDensity(to)
            - model.prior().logDensity(to)
            + coupling(of, found.phi(), to)
            - coupling(of, phi, to);
    return new Moved(
        fit(marginal.marginal(found), height + change),
        BoundsArtefact.Scales.of(of, found.phi(), found.spread()));
  }

  private double coupling(EffectModel of, double[] phi, double[] theta) {
    return new ScaledPrior(dimension(), of.groups(), phi, phi).coupling(phi, theta);
  }

  private MapFit fit(LaplaceApproximation laplace, double height) {
    return new MapFit(laplace, height, earlier.fit().history());
  }

  private boolean isNear(LaplaceApproximation moved) {
    double distance = about.distance(moved.mode());
    double[] precision = precision(about);
    double trace = 0;
    for (int k = 0; k < precision.length; k++) {
      trace += precision[k] * moved.covariance()[k];
    }
    double mean = trace + distance * distance;
    double variance = 2 * (mean + distance * distance);
    double outside =
        ChiSquaredDistribution.of(2 * mean * mean / variance)
            .survivalProbability(2 * mean / variance * earlier.radius() * earlier.radius());
    return outside * facts.rows() <= OUTSIDE * dimension();
  }

  private static double[] precision(LaplaceApproximation of) {
    return of.precision()
        .map(ArrowMatrix::matrix)
        .orElseGet(() -> Cholesky.scaled(of.covariance(), of.dimension()).orElseThrow().inverse());
  }
}
