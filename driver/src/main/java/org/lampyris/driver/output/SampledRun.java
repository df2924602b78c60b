package org.lampyris.driver.output;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.samplers.algorithm.LogPosteriors;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Column;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.run.RunResult;

/**
 * Result of a run's chains, with its variables.
 *
 * @param variables what the elements of the draws are
 * @param columns labels of the algorithm's own figures of each iteration
 * @param result the chains, all with equally many draws, and what their run left behind
 * @param logPosteriors the log posterior at each draw, if it is not left out
 * @param effects the summaries of effects of groups; null if the model has none. Closed by who
 *     writes them
 */
public record SampledRun(
    Variables variables,
    List<Column> columns,
    RunResult result,
    LogPosteriors logPosteriors,
    String fingerprint,
    Modelled modelled,
    @Nullable EffectFiles effects) {

  /** Topics of decisions that are shown with the summary. */
  private static final Set<String> SHOWN =
      Set.of(Decision.FOUND, Decision.INDEPENDENT, Decision.EVIDENCE);

  /**
   * Variables of the draws.
   *
   * @param names under which they are reported
   * @param priors of each, for the columns of the input
   * @param toInputScale maps a draw from the sampler's coordinates to the scale of the input's
   *     columns; does not modify its argument
   */
  public record Variables(
      List<String> names, List<String> priors, UnaryOperator<double[]> toInputScale) {
    /** Copies the lists. */
    public Variables {
      names = List.copyOf(names);
      priors = List.copyOf(priors);
    }

    /** Returns these variables, some of which have other priors, by their names. */
    public Variables withPriors(Map<String, String> others) {
      List<String> of = new ArrayList<>(priors);
      for (int k = 0; k < of.size(); k++) {
        of.set(k, others.getOrDefault(names.get(k), of.get(k)));
      }
      return new Variables(names, of, toInputScale);
    }
  }

  public SampledRun {
    columns = List.copyOf(columns);
    if (result.chains().isEmpty()) {
      throw new IllegalArgumentException("no chains");
    }
    for (ChainTrace chain : result.chains()) {
      if (chain.size() != result.chains().get(0).size()) {
        throw new IllegalArgumentException("chains of different length");
      }
    }
  }

  /** Returns the names of the elements of the draws. */
  public List<String> coefficients() {
    return variables.names;
  }

  /** Returns the priors of the elements of the draws, for the columns of the input. */
  public List<String> priors() {
    return variables.priors;
  }

  /** Returns the chains. */
  public List<ChainTrace> chains() {
    return result.chains();
  }

  /** Returns the summary's lines about the modelled data, and the findings about the model. */
  public List<String> lines() {
    return lines(modelled, result.decisions());
  }

  static List<String> lines(Modelled modelled, List<Decision> decisions) {
    List<String> lines = new ArrayList<>(modelled.lines());
    decisions.stream()
        .filter(decision -> SHOWN.contains(decision.topic()))
        .map(
            decision ->
                decision.topic().equals(Decision.FOUND)
                    ? "Found: " + decision.text() + "."
                    : Text.sentence(decision.text()))
        .forEach(lines::add);
    return lines;
  }

  /** Returns this run with the times of the phases before it. */
  public SampledRun after(Map<String, Double> earlier) {
    Map<String, Double> all = new LinkedHashMap<>(earlier);
    all.putAll(result.seconds());
    return new SampledRun(
        variables, columns, result.withSeconds(all), logPosteriors, fingerprint, modelled, effects);
  }

  /** Returns the draws on the input's scale, as coefficients × chains × iterations. */
  public double[][][] draws() {
    double[][][] values =
        new double[coefficients().size()][chains().size()][chains().get(0).size()];
    for (int c = 0; c < chains().size(); c++) {
      copyDraws(c, 0, values);
    }
    return values;
  }

  /**
   * Copies draws of the chain at a position, for as many coefficients as the array holds.
   *
   * @param from the first coefficient
   * @param values coefficients × chains × iterations. Those of the chain are modified.
   */
  void copyDraws(int position, int from, double[][][] values) {
    Iterator<double[]> draws = draws(position);
    for (int i = 0; draws.hasNext(); i++) {
      double[] theta = draws.next();
      for (int j = 0; j < values.length; j++) {
        values[j][position][i] = theta[from + j];
      }
    }
  }

  /** Returns the draws of the chain at a position, on the input's scale. */
  Iterator<double[]> draws(int position) {
    return chains().get(position).draws().stream().map(variables.toInputScale).iterator();
  }
}
