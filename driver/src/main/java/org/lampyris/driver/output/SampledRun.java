package org.lampyris.driver.output;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.lampyris.samplers.chain.ChainTrace;

/**
 * What the chains of a run came to.
 *
 * @param coefficients the names of the coefficients, in order
 * @param chains the chains, all with equally many draws
 * @param toInputScale maps θ from the sampler's coordinates to the scale of the input's columns;
 *     does not modify its argument
 * @param fingerprint the fingerprint of the prepared table
 * @param rows the rows of the prepared table
 * @param stepSizes the step size of each chain after warm-up, in the order of {@code chains}
 * @param passes how often all rows were read
 * @param jobs how many Spark jobs ran
 * @param residentBytes what the rows and all that is kept of them take on the executors, in memory
 *     and on disk, at the end of the chains
 * @param seconds the wall time of each phase, in order
 * @param decisions what the program decided for itself, and why: the algorithm, the plan
 * @param warnings why the draws may not be those of the posterior; empty if there is no reason
 */
public record SampledRun(
    List<String> coefficients,
    List<ChainTrace> chains,
    UnaryOperator<double[]> toInputScale,
    String fingerprint,
    long rows,
    List<Double> stepSizes,
    long passes,
    long jobs,
    long residentBytes,
    Map<String, Double> seconds,
    List<String> decisions,
    List<String> warnings) {

  /** The phase that reads the table and makes the bounds of its rows. */
  public static final String LOAD = "load";

  /** The phase from the chains' beginning to the end of their warm-up. */
  public static final String WARMUP = "warm-up";

  /** The phase of the iterations after the warm-up. */
  public static final String SAMPLE = "sample";

  /** Makes a copy of the lists and checks that they fit together. */
  public SampledRun {
    coefficients = List.copyOf(coefficients);
    chains = List.copyOf(chains);
    stepSizes = List.copyOf(stepSizes);
    decisions = List.copyOf(decisions);
    warnings = List.copyOf(warnings);
    if (chains.isEmpty() || stepSizes.size() != chains.size()) {
      throw new IllegalArgumentException(
          chains.size() + " chains with " + stepSizes.size() + " step sizes");
    }
    for (ChainTrace chain : chains) {
      if (chain.size() != chains.get(0).size()) {
        throw new IllegalArgumentException("chains of different length");
      }
    }
  }

  /** Returns this run with the times of the phases before it. */
  public SampledRun after(Map<String, Double> earlier) {
    Map<String, Double> all = new LinkedHashMap<>(earlier);
    all.putAll(seconds);
    return new SampledRun(
        coefficients,
        chains,
        toInputScale,
        fingerprint,
        rows,
        stepSizes,
        passes,
        jobs,
        residentBytes,
        Collections.unmodifiableMap(all),
        decisions,
        warnings);
  }

  /** Returns the draws on the input's scale, as coefficients × chains × iterations. */
  public double[][][] draws() {
    double[][][] values = new double[coefficients.size()][chains.size()][chains.get(0).size()];
    for (int c = 0; c < chains.size(); c++) {
      List<double[]> draws = chains.get(c).draws();
      for (int i = 0; i < draws.size(); i++) {
        double[] theta = toInputScale.apply(draws.get(i));
        for (int j = 0; j < values.length; j++) {
          values[j][c][i] = theta[j];
        }
      }
    }
    return values;
  }
}
