package org.lampyris.samplers.perfect;

import java.util.List;
import java.util.Optional;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.samplers.algorithm.ExpectedCost;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.ChainSettings;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Expected cost of perfect draws before sampling, from a sample of the rows.
 *
 * <p>With −∇² log L_n = H_n at the mode, an upper quadratic's curvature is Σ H_n − Σ (H_n − U_n):
 * the Laplace approximation has the first sum, and the sample only estimates the second. The {@link
 * Envelope} of these quadratics has the acceptance rate, and the proposals' shares of both shells
 * and of what lies beyond the ball. One proposal there reads all rows, so that a share of a
 * millionth may cost more than the shells.
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
    double[] radii = PerfectRun.radii(context);
    List<LowerBound> bounds = PerfectRun.boundsOf(context, radii);
    PerfectBlock.Rule rule =
        new PerfectBlock.Rule(context.model().model(), context.laplace(), bounds);
    TaylorProxy likelihood =
        new TaylorProxy(rule.model(), 2, context.laplace(), Double.POSITIVE_INFINITY);
    int length = rule.sumLength();
    int packed = CollapsedQuadratic.packedLength(context.laplace().dimension());
    long blocks = context.table().blocks();
    double[] sums =
        context.sampledSum(
            Math.min(blocks, Math.max(ENOUGH, blocks / SHARE)),
            length + packed + 1,
            (block, out) -> {
              double[] mode = rule.laplace().mode();
              if (bounds.stream().anyMatch(one -> one.upperAnchorsAt(block, mode).isEmpty())) {
                out[0] = Double.NaN;
                return;
              }
              double[] upper = new double[length];
              rule.addTo(rule.resident(block), upper);
              CollapsedQuadratic sum = likelihood.emptySum();
              likelihood.collapse(block, sum);
              for (int i = 0; i < length; i++) {
                out[i] += upper[i];
              }
              for (int i = 0; i < packed; i++) {
                out[length + i] += sum.packed()[i];
              }
              out[length + packed] += block.rows();
            });
    return likely(context, sums, radii)
        .flatMap(
            all ->
                Envelope.of(
                        context.laplace(),
                        radii,
                        PerfectRun.uppers(context, all),
                        context.model().prior())
                    .map(
                        envelope ->
                            Prediction.of(
                                context,
                                envelope,
                                envelope.tries(
                                    context.streams().stream(Streams.Purpose.THETA, 0, 0, 0), 0),
                                all,
                                radii.length)))
        .orElse(new Prediction(0, Double.POSITIVE_INFINITY));
  }

  /**
   * Returns the sums of all rows that a sample makes likely, by shell; empty if a row has no upper
   * quadratic.
   *
   * @param sums by shell U and Σ c_n, then H, then the number of rows. Not modified.
   */
  private static Optional<double[]> likely(SamplingContext context, double[] sums, double[] radii) {
    LaplaceApproximation laplace = context.laplace();
    int d = laplace.dimension();
    int packed = CollapsedQuadratic.packedLength(d);
    int shell = packed + 1;
    double scale = context.table().rows() / sums[sums.length - 1];
    double[] slope = new double[d];
    double unused = context.model().prior().addGradient(laplace.mode(), slope);
    double[] prior = context.model().prior().normalPrecision();
    return Cholesky.scaled(laplace.covariance(), d)
        .map(Cholesky::inverse)
        .filter(precision -> scale < Double.POSITIVE_INFINITY && Double.isFinite(sums[0]))
        .map(
            precision -> {
              double[] all = new double[radii.length * shell];
              for (int k = 0; k < radii.length; k++) {
                int at = k * shell;
                int h = sums.length - 1 - packed;
                for (int i = 0; i < d; i++) {
                  for (int j = 0; j <= i; j++, at++, h++) {
                    int ij = i * d + j;
                    all[at] = scale * (sums[at] - sums[h]) - 0.5 * (precision[ij] - prior[ij]);
                  }
                }
                for (int j = 0; j < d; j++) {
                  all[at + j] = -slope[j];
                }
                all[k * shell + packed] = scale * sums[k * shell + packed];
              }
              return all;
            });
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
            PICKED + ExpectedCost.inPass(context.model().model(), d),
            of.evaluations(),
            1));
  }
}
