package org.lampyris.driver.predict;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.driver.output.InferenceGroup;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.samplers.random.Streams;

/**
 * Group of ArviZ's InferenceData with one variable of rows, which has the label's name: chains ×
 * draws × rows.
 *
 * <p>Cost rows · draws · columns multiplications. Memory holds some four million numbers at once,
 * however many rows and draws there are.
 *
 * @param variable the label's name
 * @param values computes the values
 * @param whole whether they are whole numbers
 */
record RowsByDraws(
    String name,
    String variable,
    InferenceRows rows,
    AskedDraws draws,
    Values values,
    boolean whole)
    implements InferenceGroup {
  private static final int MOST = 4_000_000;
  private static final int CHUNK = 256;

  /** Values of rows by draws. */
  @FunctionalInterface
  interface Values {
    /**
     * Writes values.
     *
     * @param rows from the first to the last, exclusive
     * @param draws likewise
     * @param values by draws, from the first one on, and rows. Modified.
     */
    void write(int[] rows, int[] draws, double[][] values);
  }

  /** Returns log p(y | x, θ_s) of each row. */
  static RowsByDraws logLikelihoods(
      String name, RunOutput.Fitted fitted, InferenceRows rows, AskedDraws of) {
    double[][] thetas =
        Arrays.stream(of.reported())
            .map(draw -> fitted.model().fromInput(draw, fitted.schema().centers()))
            .toArray(double[][]::new);
    Values values =
        (rowRange, drawRange, to) -> {
          for (int i = rowRange[0]; i < rowRange[1]; i++) {
            double[] shift = shift(of, rows, i);
            for (int s = drawRange[0]; s < drawRange[1]; s++) {
              to[s - drawRange[0]][i] =
                  rows.logLikelihood(i, thetas[s], shift == null ? 0 : shift[s]);
            }
          }
        };
    return new RowsByDraws(name, fitted.schema().label().column(), rows, of, values, false);
  }

  private static double @Nullable [] shift(AskedDraws of, InferenceRows rows, int i) {
    PredictiveCheck.Shifts shifts = of.shifts();
    return shifts == null ? null : shifts.of(rows.block(i), rows.row(i));
  }

  /**
   * Returns a response of each row by each draw, each from the stream of its draw and row.
   *
   * @throws UserException if the model cannot draw responses
   */
  static RowsByDraws responses(
      String name, RunOutput.Fitted fitted, InferenceRows rows, AskedDraws of) {
    Expectation expectation =
        fitted.model().expectation().orElseThrow(() -> hasNoResponses(fitted, "no expectation()"));
    rows.requireResponses();
    Streams streams = new Streams(fitted.job().sampler().run().seed());
    int columns = fitted.schema().columns().size();
    boolean ofClasses = fitted.schema().label().kind() == LabelKind.CLASSES;
    int outputs = PosteriorPredictor.outputs(fitted.schema().label()).size();
    Values values =
        (rowRange, drawRange, to) -> {
          double[][] some = Arrays.copyOfRange(of.reported(), drawRange[0], drawRange[1]);
          PosteriorPredictor.Row room =
              new PosteriorPredictor(expectation, some, fitted.model().predictors(), outputs, 0.9)
                  .row();
          double[] x = new double[columns];
          for (int i = rowRange[0]; i < rowRange[1]; i++) {
            rows.input(i, x);
            double[] all = shift(of, rows, i);
            double[] shift =
                all == null ? null : Arrays.copyOfRange(all, drawRange[0], drawRange[1]);
            double[][] expected = room.expected(x, rows.offset(i), shift);
            for (int s = 0; s < some.length; s++) {
              var rng =
                  streams.stream(Streams.Purpose.REPLICATES, of.stream(), drawRange[0] + s + 1L, i);
              to[s][i] =
                  ofClasses
                      ? Responses.draw(expected, s, rng)
                      : Responses.draw(
                          Replicates.response(expectation, expected[0][s], room.ofRow()[s])
                              .orElseThrow(
                                  () ->
                                      hasNoResponses(fitted, "neither response() nor variance()")),
                          rows.trials(i),
                          rng);
            }
          }
        };
    return new RowsByDraws(
        name, fitted.schema().label().column(), rows, of, values, rows.isWhole());
  }

  private static UserException hasNoResponses(RunOutput.Fitted fitted, String defined) {
    return UserException.usage(
        "Family %s defines %s, so it cannot draw responses. Leave posterior_predictive and prior_predictive out of --groups."
            .formatted(fitted.model().spec().name(), defined));
  }

  /** Writes the variable, some draws at a time. */
  @Override
  public void write(JsonGenerator json) throws IOException {
    int each = draws.count() / draws.chains();
    int batch = Math.max(1, MOST / Math.max(1, rows.size()));
    int chunks = (rows.size() + CHUNK - 1) / CHUNK;
    json.writeArrayFieldStart(variable);
    for (int chain = 0; chain < draws.chains(); chain++) {
      json.writeStartArray();
      int end = (chain + 1) * each;
      for (int from = chain * each; from < end; from += batch) {
        int[] some = {from, Math.min(end, from + batch)};
        double[][] of = new double[some[1] - from][rows.size()];
        IntStream.range(0, chunks)
            .parallel()
            .forEach(
                chunk -> {
                  int[] of256 = {chunk * CHUNK, Math.min(rows.size(), (chunk + 1) * CHUNK)};
                  values.write(of256, some, of);
                });
        for (double[] one : of) {
          write(json, one, whole);
        }
      }
      json.writeEndArray();
    }
    json.writeEndArray();
  }

  /** Writes numbers as an array. */
  static void write(JsonGenerator json, double[] values, boolean whole) throws IOException {
    json.writeStartArray();
    for (double value : values) {
      if (whole && Math.abs(value) < Long.MAX_VALUE) {
        json.writeNumber((long) value);
      } else {
        json.writeNumber(value);
      }
    }
    json.writeEndArray();
  }
}
