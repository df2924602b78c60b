package org.lampyris.driver.output;

import java.util.ArrayList;
import java.util.List;
import org.lampyris.samplers.diagnostics.VariableSummary;

/** The draws of a run, on the input's scale. */
public final class Draws {
  private final List<String> variables;
  private final double[][][] values;

  /**
   * Wraps draws.
   *
   * @param variables the names of the coefficients
   * @param values coefficients × chains × iterations; not copied
   */
  Draws(List<String> variables, double[][][] values) {
    this.variables = List.copyOf(variables);
    this.values = values;
  }

  /** Computes the summary of one coefficient from its draws, chains × iterations. */
  @FunctionalInterface
  public interface Summarizer {
    /**
     * Returns the summary.
     *
     * @param draws chains × iterations. Not modified.
     */
    VariableSummary summarize(String variable, double[][] draws);
  }

  /** Returns the names of the coefficients. */
  public List<String> variables() {
    return variables;
  }

  /** Returns the draws of one coefficient, chains × iterations; not copied. */
  double[][] of(int variable) {
    return values[variable];
  }

  /** Returns how many draws each chain has. */
  public int perChain() {
    return values.length == 0 ? 0 : values[0][0].length;
  }

  /** Returns the summary of every coefficient. */
  public List<VariableSummary> summary(Summarizer summarizer) {
    List<VariableSummary> rows = new ArrayList<>();
    for (int j = 0; j < values.length; j++) {
      rows.add(summarizer.summarize(variables.get(j), values[j]));
    }
    return rows;
  }
}
