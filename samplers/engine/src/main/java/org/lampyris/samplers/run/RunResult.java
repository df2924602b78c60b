package org.lampyris.samplers.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Decision;

/**
 * Result of an algorithm's run.
 *
 * @param chains the traces of the chains, in the order of their numbers
 * @param cost the cost in addition to the iterations
 * @param seconds the wall time of each phase, in order
 * @param decisions what the program decided for itself, and why
 * @param bias what the draws are measured to be off by; null where nothing was measured
 * @param parts the draws that the chains' were made of; null where they were made of none
 * @param beyond the elements of a draw after the model's θ
 */
public record RunResult(
    List<ChainTrace> chains,
    Cost cost,
    Map<String, Double> seconds,
    List<Decision> decisions,
    @Nullable Bias bias,
    @Nullable Parts parts,
    Beyond beyond) {
  /** Phase that reads the table and derives the rows' data. */
  public static final String LOAD = "load";

  /** The phase from the chains' beginning to the end of their warm-up. */
  public static final String WARMUP = "warm-up";

  /** The phase of the iterations after the warm-up. */
  public static final String SAMPLE = "sample";

  /**
   * Cost of a run in addition to its chains' iterations.
   *
   * @param passes how often all rows were read
   * @param setupEvaluations how many (row, θ) pairs had their likelihood evaluated outside of the
   *     chains' iterations: for all that is kept of the rows, and for the chains' beginning
   * @param jobs how many jobs were run for the chains
   * @param residentBytes what the rows and all that is kept of them take at the end of the chains
   */
  public record Cost(long passes, long setupEvaluations, long jobs, long residentBytes) {}

  /**
   * Draws from parts of the table.
   *
   * @param kind of what density, in the algorithm's words
   * @param draws parts × chains × draws × d, in the sampler's coordinates; not copied
   */
  public record Parts(String kind, double[][][][] draws) {}

  /**
   * Elements of a draw after the model's θ, reported unchanged.
   *
   * @param names under which they are reported
   * @param priors of each, as text
   */
  public record Beyond(List<String> names, List<String> priors) {
    /** No such elements. */
    public static final Beyond NONE = new Beyond(List.of(), List.of());

    /** Copies the lists, which must have equal lengths. */
    public Beyond {
      names = List.copyOf(names);
      priors = List.copyOf(priors);
      if (names.size() != priors.size()) {
        throw new IllegalArgumentException(
            names.size() + " names and " + priors.size() + " priors");
      }
    }
  }

  /** Creates the result of a run whose draws contain only the model's θ. */
  public RunResult(
      List<ChainTrace> chains,
      Cost cost,
      Map<String, Double> seconds,
      List<Decision> decisions,
      @Nullable Bias bias,
      @Nullable Parts parts) {
    this(chains, cost, seconds, decisions, bias, parts, Beyond.NONE);
  }

  /** Copies the lists. */
  public RunResult {
    chains = List.copyOf(chains);
    seconds = new LinkedHashMap<>(seconds);
    decisions = List.copyOf(decisions);
  }

  /** Returns this result with other traces. */
  public RunResult withChains(List<ChainTrace> others) {
    return new RunResult(others, cost, seconds, decisions, bias, parts, beyond);
  }

  /** Returns this result with its measured bias. */
  public RunResult withBias(Bias measured) {
    return new RunResult(chains, cost, seconds, decisions, measured, parts, beyond);
  }

  /** Returns this result, whose draws have more elements than the model's θ. */
  public RunResult withBeyond(Beyond further) {
    return new RunResult(chains, cost, seconds, decisions, bias, parts, further);
  }

  /** Returns this result with other times. */
  public RunResult withSeconds(Map<String, Double> times) {
    return new RunResult(chains, cost, times, decisions, bias, parts, beyond);
  }

  /** Returns this result, with the decisions before and after the run. */
  public RunResult deciding(List<Decision> before, List<Decision> after) {
    List<Decision> all = new ArrayList<>(before);
    all.addAll(decisions);
    all.addAll(after);
    return new RunResult(chains, cost, seconds, all, bias, parts, beyond);
  }
}
