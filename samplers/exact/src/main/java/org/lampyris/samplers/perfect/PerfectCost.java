package org.lampyris.samplers.perfect;

import java.util.List;
import java.util.Optional;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.samplers.algorithm.ExpectedCost;
import org.lampyris.samplers.run.ChainSettings;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Expected cost of perfect draws before sampling, from a sample of the rows.
 *
 * <p>With −∇² log L_n = H_n at the mode, the envelope's curvature falls short of the posterior's by
 * Σ_n (H_n − U_n). If a = ½ tr(Σ_n (H_n − U_n) Σ̂) is spread evenly over the d directions, the
 * acceptance rate is
 *
 * <pre>|Σ̂|^{½} |P|^{½} = (1 − 2a/d)^{d/2}.</pre>
 *
 * <p>A proposal then has E‖δ‖² = d/(1 − 2a/d), and reads Σ c_n times as many rows. Both are those
 * of the inner shell, where nearly all proposals are. The run predicts them anew from all rows and
 * both shells.
 */
final class PerfectCost {
  /** Number of blocks that is enough for a mean over all rows, and the share of many. */
  private static final long ENOUGH = 16;

  private static final long SHARE = 100;

  /** Least predicted acceptance rate: a sample of the rows says little of lower ones. */
  private static final double LEAST = 0.1;

  /** Most d²/√n, to which −log of the acceptance rate is proportional: 0.2 times it for logits. */
  private static final double MOST = 100;

  /**
   * Costs: a try, with d² for its products, and tries for a proposal; the extra for finding a row;
   * in set-up, a row in a shell, with d² for its x_nᵀΣ̂x_n and its share of the sum.
   */
  private static final double TRY = 15;

  private static final double TRY_SQUARE = 0.05;
  private static final double TRIES_OF_PROPOSAL = 2;
  private static final double PICKED = 11;
  private static final double SETUP = 5;
  private static final double SETUP_SQUARE = 0.05;

  private PerfectCost() {}

  /** Returns the acceptance rate and the evaluations of a draw; a rate of 0 if none is foreseen. */
  static Prediction predicted(SamplingContext context) {
    if (PerfectRun.isQuadratic(context)) {
      return new Prediction(1, 0);
    }
    LowerBound inner = PerfectRun.boundsOf(context, PerfectRun.radii(context)).get(0);
    PerfectBlock.Rule rule =
        new PerfectBlock.Rule(context.model().model(), context.laplace(), List.of(inner));
    TaylorProxy likelihood =
        new TaylorProxy(rule.model(), 2, context.laplace(), Double.POSITIVE_INFINITY);
    int length = rule.sumLength();
    long blocks = context.table().blocks();
    double[] sums =
        context.sampledSum(
            Math.min(blocks, Math.max(ENOUGH, blocks / SHARE)),
            3,
            (block, out) -> {
              if (inner.upperAnchorsAt(block, rule.laplace().mode()).isEmpty()) {
                out[0] = Double.NaN;
                return;
              }
              double[] upper = new double[length];
              rule.addTo(rule.resident(block), upper);
              CollapsedQuadratic sum = likelihood.emptySum();
              likelihood.collapse(block, sum);
              out[0] += rule.trace(upper, sum.packed());
              out[1] += upper[length - 1];
              out[2] += block.rows();
            });
    double scale = context.table().rows() / sums[2];
    double d = context.laplace().dimension();
    double left = 1 - 2 * scale * sums[0] / d;
    double acceptance = left > 0 ? Math.pow(left, d / 2) : 0;
    return new Prediction(acceptance, scale * sums[1] * d / left / acceptance);
  }

  /** Returns the expected cost; empty if too few proposals would be accepted. */
  static Optional<ExpectedCost> expected(SamplingContext context, ChainSettings run) {
    int d = context.laplace().dimension();
    double square = (double) d * d;
    if (square > MOST * Math.sqrt((double) context.table().rows())) {
      return Optional.empty();
    }
    Prediction of = predicted(context);
    if (!(of.acceptance() >= LEAST)) {
      return Optional.empty();
    }
    double draws = (double) run.chains() * run.draws();
    double proposals = draws / of.acceptance();
    int jobs = 0;
    while (PerfectRun.before(jobs + 1) < proposals) {
      jobs++;
    }
    double attempt = TRY + TRY_SQUARE * square;
    double row = PerfectRun.radii(context).length * (SETUP + SETUP_SQUARE * square);
    return Optional.of(
        new ExpectedCost(
            Envelope.tries(d, draws) * attempt
                + ExpectedCost.JOB * jobs
                + row * context.table().rows(),
            TRIES_OF_PROPOSAL * attempt / of.acceptance(),
            PICKED + ExpectedCost.inPass(d),
            of.evaluations(),
            1));
  }
}
