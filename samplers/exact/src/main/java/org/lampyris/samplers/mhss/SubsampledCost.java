package org.lampyris.samplers.mhss;

import java.util.Arrays;
import java.util.Optional;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.algorithm.ExpectedCost;
import org.lampyris.samplers.run.SamplingContext;

/**
 * What mhss is expected to cost, before it is run: c·E·(1 + a·E^b) evaluations for an effective
 * draw by pCN, where E are expected for an iteration, from the constants c_n of a hundredth of the
 * blocks.
 *
 * <p>Fitted to 5.3 at 3.4, 17 at 10 and 60 at 33 (10⁶, 10⁵ and 10⁴ rows, 21 coefficients), and
 * 40,000 at 4,900 (MNIST), for the smaller one of bulk and tail ESS of the worst coefficient.
 */
final class SubsampledCost {
  private static final long SHARE = 100;
  private static final double SHORTFALL = 1.5;
  private static final double LOSS = 0.027;
  private static final double POWER = 0.6;

  /**
   * An iteration without its evaluations; an evaluation, with its candidates, of which the longest
   * proposal of a segment decides how many are drawn; of set-up, a row and the square of D for its
   * x_nᵀΣ̂x_n.
   */
  private static final double OVERHEAD = 2500;

  private static final double PICKED = 60;
  private static final double SETUP = 5;
  private static final double SETUP_SQUARE = 0.025;

  private SubsampledCost() {}

  /** Returns what is expected, or nothing if derivatives or constants are not bounded. */
  static Optional<ExpectedCost> expected(SamplingContext context, SubsamplingSettings settings) {
    TaylorProxy proxy;
    try {
      proxy = settings.proxy(context);
    } catch (UserException e) {
      return Optional.empty();
    }
    double[] sums =
        context.sampledSum(
            Math.max(1, context.table().blocks() / SHARE),
            2,
            (block, out) -> {
              out[0] += Arrays.stream(proxy.derivativeBounds(block)).sum();
              out[1] += block.rows();
            });
    if (!(sums[0] < Double.POSITIVE_INFINITY)) {
      return Optional.empty();
    }
    double total = sums[0] * context.table().rows() / sums[1];
    double step = Math.sqrt(2.0 * context.laplace().dimension());
    double evaluations = 2 * total * proxy.usualFactor(step);
    double iterations = SHORTFALL * (1 + LOSS * Math.pow(evaluations, POWER));
    double d = context.laplace().dimension();
    double setup = (SETUP + SETUP_SQUARE * d * d) * context.table().rows();
    return Optional.of(new ExpectedCost(setup, OVERHEAD, PICKED, evaluations, iterations));
  }
}
