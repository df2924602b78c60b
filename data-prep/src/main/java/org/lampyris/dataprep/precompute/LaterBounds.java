package org.lampyris.dataprep.precompute;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Model;
import org.lampyris.dataprep.precompute.BoundsArtefact.ModelFacts;
import org.lampyris.dataprep.precompute.PreparedTable.TableFacts;
import org.lampyris.executors.jobs.BlockSum;
import org.lampyris.executors.table.BlockTable.LaterRows;
import org.lampyris.executors.table.LibraryVersion;
import org.lampyris.samplers.mode.LikelihoodSum;
import org.lampyris.samplers.mode.MapFit;

/**
 * Bounds of an earlier table extended by later rows, about the same mode θ₀, in one pass over the
 * later rows alone.
 *
 * <p>The bounds hold whatever point they are about; how tight they are depends on how far the
 * posterior is from it. Let the later rows' log-likelihood have gradient g and Hessian H at θ₀, and
 * take the earlier posterior as N(θ₀, Σ₀). The mode then moves by v = (Σ₀⁻¹ − H)⁻¹g, and Σ̂ = (Σ₀⁻¹
 * − H)⁻¹. Then |θ − θ₀|² in posterior sds of then has about the mean m = d + |v|² and the variance
 * 2(d + 2|v|²) (a noncentral χ²). The bounds are kept if eight standard deviations more than m lie
 * in the ball where local bounds hold; otherwise all rows are read to find the mode, from θ₀ + v.
 */
final class LaterBounds {
  private static final double SDS = 8;

  private final BoundsArtefact earlier;
  private final LaplaceApproximation about;
  private final ModelOfTable model;
  private final TableFacts facts;
  private final LaterRows rows;
  private double[] start;

  private LaterBounds(
      BoundsArtefact earlier, ModelOfTable model, TableFacts facts, LaterRows rows) {
    this.earlier = earlier;
    about = earlier.about();
    this.model = model;
    this.facts = facts;
    this.rows = rows;
    start = earlier.theta();
  }

  /**
   * Returns the extension of earlier bounds.
   *
   * @throws UserException (usage) if the table has no earlier one; (data) if the bounds are for
   *     another table or model
   */
  static LaterBounds of(BoundsArtefact earlier, PreparedTable table, ModelOfTable model) {
    PreparedTable.Later later = table.later();
    if (later == null) {
      throw UserException.usage(
          "precompute.after names bounds of an earlier table, but the prepared table has no earlier"
              + " rows (data.after). Remove precompute.after.");
    }
    earlier.requireMatches(
        later.fingerprint(), model.spec(), model.priors(), table.facts().columns());
    return new LaterBounds(earlier, model, table.facts(), later.rows());
  }

  /**
   * Returns the bounds of all rows about the earlier mode, unless the later rows move it too far,
   * or other bounds are wished for.
   */
  Optional<BoundsArtefact> extended(PrecomputeConfig config, Consumer<String> progress) {
    int d = about.dimension();
    Double radius = config.radius();
    if ((radius != null && radius != earlier.radius())
        || config.anchor() != earlier.untunedAnchor()) {
      progress.accept(
          "precompute.radius or precompute.anchor differs from the earlier bounds, so all rows are"
              + " read to find the mode");
      return Optional.empty();
    }
    if (!about.hasCovariance() || config.isWide(d)) {
      progress.accept("all rows are read to find the mode, starting at the earlier mode");
      return Optional.empty();
    }
    CollapsePass known = earlier.bounds();
    LowerBound bound = known == null ? null : model.bound(about).orElse(null);
    LowerBound local =
        known == null || known.local() == null
            ? null
            : model.localBound(about, earlier.radius()).orElse(null);
    int bounds = known == null ? 0 : (local == null ? 2 : 4) * CollapsedQuadratic.packedLength(d);
    double[] packed = pass(bound, local, bounds);
    CollapsedQuadratic now = secondOrder(Arrays.copyOfRange(packed, bounds, packed.length));
    CollapsedQuadratic later =
        earlier.earlier() == null ? now : earlier.earlier().later().plus(now);
    long added = facts.rows() - earlier.table().rows();
    Optional<LaplaceApproximation> moved = moved(later);
    moved.ifPresent(to -> start = to.mode());
    double distance = about.distance(start);
    if (moved.isEmpty() || !isNear(distance)) {
      progress.accept(
          Text.of(
              "%,d later rows move the mode%s, too far for the earlier bounds, so all rows are read"
                  + " to find the new mode",
              added, moved.isEmpty() ? "" : Text.of(" by %.2g posterior sds", distance)));
      return Optional.empty();
    }
    progress.accept(
        Text.of(
            "one pass over %,d later rows: they move the mode by %.2g posterior sds. Their bounds"
                + " are added to those for the first %,d rows, without reading these again.",
            added, distance, earlier.table().rows()));
    return Optional.of(
        new BoundsArtefact(
            LibraryVersion.get(),
            ModelFacts.of(model),
            facts,
            new MapFit(moved.get(), height(later), earlier.fit().history()),
            earlier.untunedAnchor(),
            earlier.radius(),
            known == null
                ? null
                : known.plus(CollapsePass.split(about.mode(), Arrays.copyOf(packed, bounds))),
            new BoundsArtefact.Earlier(about, later),
            null));
  }

  /** Returns about the log posterior at θ₀ + v. */
  private double height(CollapsedQuadratic later) {
    double before = earlier.fit().logPosterior();
    if (earlier.earlier() != null) {
      before -= gain(earlier.earlier().later(), earlier.theta());
    }
    return before + gain(later, start);
  }

  /** Returns by how much later rows, and the earlier posterior, differ from it at θ₀. */
  private double gain(CollapsedQuadratic later, double[] theta) {
    double distance = about.distance(theta);
    return later.value(theta) - 0.5 * distance * distance;
  }

  /** Returns the approximate mode of all rows. */
  double[] start() {
    return start;
  }

  private double[] pass(@Nullable LowerBound bound, @Nullable LowerBound local, int bounds) {
    Model of = model.model();
    double[] mode = about.mode();
    double anchor = earlier.untunedAnchor();
    int sum = LikelihoodSum.packedLength(mode.length);
    return BlockSum.over(
        rows.blocks(),
        rows,
        bounds + sum,
        (block, out) -> {
          CollapsePass.addTo(bound, local, mode, anchor, block, out);
          double[] likelihood = new double[sum];
          LikelihoodSum.addTo(of, mode, block, likelihood);
          System.arraycopy(likelihood, 0, out, bounds, sum);
        });
  }

  /** Returns ℓ + gᵀδ + ½δᵀHδ. */
  private CollapsedQuadratic secondOrder(double[] packed) {
    int d = about.dimension();
    LikelihoodSum sum = new LikelihoodSum(d, packed);
    CollapsedQuadratic quadratic = new CollapsedQuadratic(about.mode());
    double[] out = quadratic.packed();
    int k = 0;
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++) {
        out[k++] = 0.5 * sum.hessian(i, j);
      }
    }
    for (int j = 0; j < d; j++) {
      out[k++] = sum.gradient(j);
    }
    out[k] = sum.value();
    return quadratic;
  }

  /** Returns N(θ₀ + v, Σ̂), if −∇² log posterior is positive definite. */
  private Optional<LaplaceApproximation> moved(CollapsedQuadratic later) {
    int d = about.dimension();
    double[] packed = later.packed();
    double[] precision =
        Cholesky.scaled(about.covariance(), d).map(Cholesky::inverse).orElseThrow();
    int k = 0;
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++) {
        double curvature = -2 * packed[k++];
        precision[i * d + j] += curvature;
        if (i != j) {
          precision[j * d + i] += curvature;
        }
      }
    }
    double[] gradient = Arrays.copyOfRange(packed, k, k + d);
    return Cholesky.scaled(precision, d)
        .flatMap(
            factor -> {
              double[] to = factor.solve(gradient);
              for (int j = 0; j < d; j++) {
                to[j] += about.mode()[j];
              }
              return Arrays.stream(to).allMatch(Double::isFinite)
                  ? Optional.of(new LaplaceApproximation(to, factor.inverse()))
                  : Optional.empty();
            });
  }

  private boolean isNear(double moved) {
    double mean = about.dimension() + moved * moved;
    double sd = Math.sqrt(2 * (mean + moved * moved));
    return mean + SDS * sd <= earlier.radius() * earlier.radius();
  }
}
