package org.lampyris.driver.output;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
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

  /** What the summary of a coefficient takes in memory, for each of its draws. */
  private static final double BYTES_PER_DRAW = 128;

  /** Computes the summary of one coefficient from its draws, chains × iterations. */
  @FunctionalInterface
  public interface Summarizer {
    /**
     * Returns the summary. Called by several threads at once.
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

  /** Returns how many chains there are. */
  public int chains() {
    return values.length == 0 ? 0 : values[0].length;
  }

  /**
   * Returns the summary of every coefficient.
   *
   * @param done told how many there are already
   */
  public List<VariableSummary> summary(Summarizer summarizer, LongConsumer done)
      throws IOException {
    VariableSummary[] rows = new VariableSummary[values.length];
    Workers.run(pieces(summarizer, rows), threads(), done);
    return List.of(rows);
  }

  /**
   * Returns the work of summarising.
   *
   * @param rows set to the summary of every coefficient, once all is done. Modified.
   */
  List<Workers.Piece> pieces(Summarizer summarizer, VariableSummary[] rows) {
    List<Workers.Piece> pieces = new ArrayList<>();
    for (int j = 0; j < values.length; j++) {
      int variable = j;
      pieces.add(
          () -> rows[variable] = summarizer.summarize(variables.get(variable), values[variable]));
    }
    return pieces;
  }

  /** Returns how many coefficients may be summarised at once. */
  int threads() {
    return Workers.threads(BYTES_PER_DRAW * Math.max(1, chains()) * Math.max(1, perChain()));
  }
}
