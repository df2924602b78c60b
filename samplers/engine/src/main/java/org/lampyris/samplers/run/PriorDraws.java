package org.lampyris.samplers.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.random.Streams;

/** Independent draws from the prior, in place of a run of chains. */
public final class PriorDraws {
  private PriorDraws() {}

  /**
   * Draws, each from the stream of its chain and iteration. The log-density of a draw is that of
   * the prior.
   *
   * @throws UserException (usage) if a prior is flat, which nothing can be drawn from
   */
  public static RunResult of(ProductPrior prior, ChainSettings settings, Streams streams) {
    List<ChainTrace> chains = new ArrayList<>();
    try {
      for (int c = 1; c <= settings.chains(); c++) {
        ChainTrace chain = new ChainTrace(c);
        for (int i = 1; i <= settings.draws(); i++) {
          double[] theta =
              StartingPoint.fromPrior(prior, streams.stream(Streams.Purpose.INITIAL, c, i, 0));
          chain.add(
              theta,
              prior.logDensity(theta),
              new ChainTrace.Iteration(new StepInfo(1, 0, false), 0));
        }
        chains.add(chain);
      }
    } catch (IllegalArgumentException e) {
      throw UserException.usage(
          "sampler.prior_only needs proper priors, but %s. Choose another prior."
              .formatted(e.getMessage()),
          e);
    }
    return new RunResult(
        chains,
        new RunResult.Cost(0, 0, 0, 0),
        Map.of(),
        List.of(
            Decision.of(
                Decision.INDEPENDENT,
                "independent draws from the prior, because of sampler.prior_only; the rows are left"
                    + " out")),
        null,
        null);
  }
}
