package org.lampyris.driver.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lampyris.bounds.config.Text;
import org.lampyris.samplers.chain.ChainTrace;

/**
 * Whether the chains moved: what R̂ and ESS cannot tell, because more draws mend none of it.
 *
 * @param stuck the numbers of the chains that did not move, or hardly ever
 * @param chains how many chains there are
 * @param divergent how many iterations after the warm-up were divergent
 * @param iterations how many iterations there were after the warm-up, those that thinning leaves
 *     out included; 0 where only the draws are known
 * @param acceptance the mean acceptance probability of those; NaN where only the draws are known
 */
public record Movement(
    List<Integer> stuck, int chains, long divergent, long iterations, double acceptance) {
  /** A chain with fewer draws has not had the time to move. */
  private static final int FEWEST_DRAWS = 10;

  /** A chain that has moved less often than at this share of its draws is stuck. */
  private static final double MOVES = 0.005;

  /** Below this, steps are so long that hardly any is accepted. */
  private static final double LOW_ACCEPTANCE = 0.05;

  /**
   * Fewer divergent iterations are not worth a line: a trajectory of Firefly's that comes near a θ
   * where the bound of a bright row is tight meets a pole of the log-density there, now and then.
   */
  private static final double FEW_DIVERGENT = 0.005;

  /** Copies the list. */
  public Movement {
    stuck = List.copyOf(stuck);
  }

  /** Returns what the draws alone tell. */
  public static Movement of(Draws draws) {
    List<Integer> stuck =
        IntStream.range(0, draws.chains())
            .filter(c -> isStuck(draws.perChain(), i -> differ(draws.values(), c, i)))
            .mapToObj(c -> c + 1)
            .toList();
    return new Movement(stuck, draws.chains(), 0, 0, Double.NaN);
  }

  /** Returns what the draws and the iterations tell. */
  public static Movement of(List<ChainTrace> traces) {
    List<Integer> stuck = new ArrayList<>();
    long divergent = 0;
    long iterations = 0;
    double acceptance = 0;
    for (ChainTrace trace : traces) {
      if (isStuck(trace)) {
        stuck.add(trace.chain());
      }
      for (ChainTrace.Iteration iteration : trace.sampling()) {
        divergent += iteration.info().divergent() ? 1 : 0;
        acceptance += iteration.info().acceptanceProbability();
      }
      iterations += trace.sampling().size();
    }
    return new Movement(stuck, traces.size(), divergent, iterations, acceptance / iterations);
  }

  private static boolean isStuck(ChainTrace trace) {
    Iterator<double[]> draws = trace.draws().iterator();
    double[][] last = {draws.hasNext() ? draws.next() : new double[0]};
    return isStuck(
        trace.size(),
        i -> {
          double[] before = last[0];
          last[0] = draws.next();
          return !Arrays.equals(before, last[0]);
        });
  }

  private static boolean differ(double[][][] values, int chain, int draw) {
    for (double[][] variable : values) {
      if (variable[chain][draw] != variable[chain][draw - 1]) {
        return true;
      }
    }
    return false;
  }

  private static boolean isStuck(int draws, IntPredicate moved) {
    return draws >= FEWEST_DRAWS
        && IntStream.range(1, draws).filter(moved).count() <= MOVES * draws;
  }

  /** Returns whether steps are too long to be accepted. */
  boolean hasLongSteps() {
    return acceptance < LOW_ACCEPTANCE;
  }

  /** Returns which chains are stuck and why they may be, and what to do; empty if none is. */
  Optional<String> stuckChains() {
    if (stuck.isEmpty()) {
      return Optional.empty();
    }
    String which =
        stuck.size() == chains
            ? (chains == 1 ? "The chain is" : "All chains are")
            : (stuck.size() == 1 ? "Chain " : "Chains ")
                + stuck.stream().map(String::valueOf).collect(Collectors.joining(", "))
                + " of "
                + chains
                + (stuck.size() == 1 ? " is" : " are");
    return Optional.of(
        which
            + " stuck: the draws are all equal, or nearly, and more of them will not help. Either"
            + " the steps are too long to be accepted (raise sampler.warmup, or lower"
            + " sampler.step_size), or the chain began where the posterior is 0 or next to it (set"
            + " sampler.init: laplace, if it is another).");
  }

  /**
   * Returns the line of the summary about divergent iterations and what to do, if there were many.
   * They do not make the draws wrong: where they cost any, R̂ and ESS tell.
   */
  public Optional<String> divergences() {
    return divergent <= FEW_DIVERGENT * iterations
        ? Optional.empty()
        : Optional.of(
            Text.of(
                "%d of %d iterations (%.2g %%) were divergent: their trajectories were abandoned,"
                    + " as the steps are too long where the posterior is steep, and draws may be"
                    + " rare there. Raise sampler.target_acceptance (hmc's own is 0.8;"
                    + " 0.95, say), which makes the steps shorter, and sampler.hmc.leapfrog_steps"
                    + " with it.",
                divergent, iterations, 100.0 * divergent / iterations));
  }
}
