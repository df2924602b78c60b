package org.lampyris.driver.output;

import java.util.ArrayList;
import java.util.List;

/**
 * The draws of a run, on the input's scale.
 *
 * @param variables the names of the coefficients
 * @param values coefficients × chains × iterations; not copied
 */
public record Draws(List<String> variables, double[][][] values) {

  /** Computes the summary of one coefficient from its draws, chains × iterations. */
  @FunctionalInterface
  public interface Summarizer {
    /**
     * Returns the summary.
     *
     * @param draws chains × iterations. Not modified.
     */
    SummaryRow summarize(String variable, double[][] draws);
  }

  /** Returns the summary of every coefficient. */
  public List<SummaryRow> summary(Summarizer summarizer) {
    List<SummaryRow> rows = new ArrayList<>();
    for (int j = 0; j < variables.size(); j++) {
      rows.add(summarizer.summarize(variables.get(j), values[j]));
    }
    return rows;
  }

  /** Returns how many draws there are, over all chains. */
  public int count() {
    return values.length == 0 ? 0 : values[0].length * values[0][0].length;
  }
}
