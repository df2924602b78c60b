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
import org.lampyris.samplers.chain.Decision;

/**
 * Movement of the chains: faults that R̂ and ESS do not show and that more draws do not mend.
 *
 * @param stuck the numbers of the chains that did not move, or hardly ever
 * @param chains how many chains there are
 * @param divergent how many iterations after the warm-up were divergent
 * @param iterations how many iterations there were after the warm-up, those that thinning leaves
 *     out included; 0 where only the draws are known
 * @param acceptance the mean acceptance probability of those; NaN where only the draws are known
 * @param independent whether the draws are independent, so that no chain moves at all
 * @param faults what the run found that makes its draws useless, in sentences with a remedy
 */
public record Movement(
    List<Integer> stuck,
    int chains,
    long divergent,
    long iterations,
    double acceptance,
    boolean independent,
    List<String> faults) {
  /** A chain with fewer draws has not had the time to move. */
  private static final int FEWEST_DRAWS = 10;

  /** A chain that has moved less often than at this share of its draws is stuck. */
  private static final double MOVES = 0.005;

  /** Below this, steps are so long that hardly any is accepted. */
  private static final double LOW_ACCEPTANCE = 0.05;

  /**
   * Share of divergent iterations below which no line is printed: a Firefly trajectory that comes
   * near a θ where a bright row's bound is tight meets a pole of the log-density now and then.
   */
  private static final double FEW_DIVERGENT = 0.005;

  /** Creates the movement of chains. */
  public Movement(
      List<Integer> stuck, int chains, long divergent, long iterations, double acceptance) {
    this(stuck, chains, divergent, iterations, acceptance, false, List.of());
  }

  /** Copies the lists. */
  public Movement {
    stuck = List.copyOf(stuck);
    faults = List.copyOf(faults);
  }

  /** Returns the movement as the draws alone show it. */
  public static Movement of(Draws draws) {
    List<Integer> stuck =
        IntStream.range(0, draws.chains())
            .filter(c -> isStuck(draws.perChain(), i -> differ(draws.values(), c, i)))
            .mapToObj(c -> c + 1)
            .toList();
    return new Movement(stuck, draws.chains(), 0, 0, Double.NaN);
  }

  /** Returns the movement as draws and iterations show it. */
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

  /** Returns this movement, with what a run found of its draws: independence, and faults. */
  public Movement given(List<Decision> decisions) {
    boolean found = decisions.stream().anyMatch(one -> one.topic().equals(Decision.INDEPENDENT));
    List<String> useless =
        decisions.stream()
            .filter(one -> one.topic().equals(Decision.UNRELIABLE))
            .map(Decision::text)
            .toList();
    return new Movement(stuck, chains, divergent, iterations, acceptance, found, useless);
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

  /** Returns which chains are stuck, possible reasons and a remedy; empty if none is. */
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
            + " stuck: all draws are equal, or nearly equal. More draws will not help. If the steps"
            + " are too long, raise sampler.warmup, or lower sampler.step_size, which is"
            + " sampler.program.drift for a program. If the chain started where the posterior is"
            + " almost 0, set sampler.init: laplace.");
  }

  /**
   * Returns the summary's line on divergent iterations, with a remedy, if there were many. They do
   * not bias the draws; if they reduce mixing, R̂ and ESS show it.
   */
  public Optional<String> divergences() {
    return divergent <= FEW_DIVERGENT * iterations
        ? Optional.empty()
        : Optional.of(
            Text.of(
                "%d of %d iterations (%.2g %%) were divergent: their trajectories were abandoned"
                    + " because the steps are too long where the posterior is steep. Draws may be"
                    + " rare there. Raise sampler.target_acceptance for shorter steps (hmc's own is"
                    + " 0.8; try 0.95), and sampler.hmc.leapfrog_steps with it.",
                divergent, iterations, 100.0 * divergent / iterations));
  }
}
