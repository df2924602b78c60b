package org.lampyris.samplers.scales;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.lampyris.bounds.prior.MonotonicPrior;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.run.RunInputs;
import org.lampyris.samplers.run.RunResult;

/**
 * Monotonic effects as any algorithm of coefficients draws them: the kernels that it is given, and
 * what its draws are reported as.
 */
public final class MonotonicEffects {
  private MonotonicEffects() {}

  /** Returns a factory whose kernels move monotonic effects in {@link MonotonicCoordinates}. */
  public static RunInputs.Making making(RunInputs.Making making) {
    return (laplace, prior) -> {
      MonotonicPrior effects = prior instanceof ProductPrior of ? of.monotonic() : null;
      if (effects == null) {
        return making.kernel(laplace, prior);
      }
      MonotonicCoordinates coordinates = MonotonicCoordinates.of(effects, laplace);
      ThetaKernel inner = making.kernel(coordinates.laplace(laplace), coordinates.alone(prior));
      return inner instanceof ProposalKernel proposal
          ? new MonotonicKernel.Proposal(proposal, coordinates)
          : new MonotonicKernel(inner, coordinates);
    };
  }

  /** Returns a result with b and ζ of every effect behind its other parameters. */
  public static RunResult reported(RunResult result, List<MonotonicPrior.Effect> effects) {
    if (effects.isEmpty()) {
      return result;
    }
    List<String> names = new ArrayList<>(result.beyond().names());
    List<String> priors = new ArrayList<>(result.beyond().priors());
    effects.forEach(one -> names.addAll(one.names()));
    effects.forEach(one -> priors.addAll(one.priors()));
    return result
        .withChains(
            result.chains().stream().map(chain -> chain.mapped(x -> with(x, effects))).toList())
        .withBeyond(new RunResult.Beyond(names, priors));
  }

  /** Returns a draw with b and ζ of every effect appended. */
  public static double[] with(double[] draw, List<MonotonicPrior.Effect> effects) {
    double[] more =
        effects.stream().flatMapToDouble(one -> Arrays.stream(one.reported(draw))).toArray();
    double[] all = Arrays.copyOf(draw, draw.length + more.length);
    System.arraycopy(more, 0, all, draw.length, more.length);
    return all;
  }
}
