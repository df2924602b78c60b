package org.lampyris.driver.output;

import java.io.IOException;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.lampyris.bounds.config.NearestName;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.diagnostics.VariableSummary;

/**
 * The draws of a run, on the input's scale.
 *
 * @param values coefficients × chains × iterations; not copied
 */
public record Draws(List<String> variables, double[][][] values) {
  /** Bytes that summarising a coefficient takes, for each draw. */
  private static final double BYTES_PER_DRAW = 128;

  public Draws {
    variables = List.copyOf(variables);
  }

  /**
   * Returns which variables some coefficients are.
   *
   * @throws UserException (data) if one of them is not there
   */
  public int[] placesOf(List<String> coefficients) {
    int[] at = coefficients.stream().mapToInt(variables::indexOf).toArray();
    for (int j = 0; j < at.length; j++) {
      if (at[j] < 0) {
        throw UserException.data(
            "the draws have no coefficient '%s', which the model of the prepared table has; %s"
                .formatted(coefficients.get(j), NearestName.hint(coefficients.get(j), variables)));
      }
    }
    return at;
  }

  /** Returns how many draws each chain has. */
  public int perChain() {
    return values.length == 0 ? 0 : values[0][0].length;
  }

  /** Returns the number of chains. */
  public int chains() {
    return values.length == 0 ? 0 : values[0].length;
  }

  /**
   * Returns the summary of every coefficient.
   *
   * @param summarizer computes the summary of a coefficient from its name and its draws, chains ×
   *     iterations, which it does not modify. Called by several threads at once.
   * @param done receives the number of finished coefficients
   */
  public List<VariableSummary> summary(
      BiFunction<String, double[][], VariableSummary> summarizer, LongConsumer done)
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
  List<Workers.Piece> pieces(
      BiFunction<String, double[][], VariableSummary> summarizer, VariableSummary[] rows) {
    return IntStream.range(0, values.length)
        .<Workers.Piece>mapToObj(j -> () -> rows[j] = summarizer.apply(variables.get(j), values[j]))
        .toList();
  }

  /** Returns how many coefficients may be summarised at once. */
  int threads() {
    return Workers.threads(BYTES_PER_DRAW * Math.max(1, chains()) * Math.max(1, perChain()));
  }
}
