package org.lampyris.driver.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * ArviZ's groups {@code posterior} and {@code sample_stats} as JSON, with each variable as chains ×
 * draws, and other groups. Draws from the prior alone are {@code prior} and {@code
 * sample_stats_prior}. ArviZ 0.x reads it by {@code from_json}, 1.x by {@code from_dict} of what
 * {@code json.load} makes of it. Names of statistics are ArviZ's.
 *
 * <p>Memory: some four million numbers at once, whole variables.
 */
final class InferenceJson {
  private static final long MOST = 4_000_000;

  private InferenceJson() {}

  /** Writes; the stream is left open. */
  static void write(RunDraws run, List<InferenceGroup> others, OutputStream out)
      throws IOException {
    JsonFactory factory =
        JsonFactory.builder()
            // NaN as Python has it, and not in quotes.
            .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
            .disable(com.fasterxml.jackson.core.StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build();
    try (JsonGenerator json = factory.createGenerator(out)) {
      json.writeStartObject();
      boolean prior = run.run().isPriorOnly();
      json.writeObjectFieldStart(prior ? "prior" : "posterior");
      long size = (long) run.perChain() * run.chains().size();
      int atOnce = (int) Math.max(1, MOST / Math.max(1, size));
      for (int from = 0; from < run.names().size(); from += atOnce) {
        int to = Math.min(run.names().size(), from + atOnce);
        Draws some = run.run().drawsOf(run.names().subList(from, to));
        for (int j = 0; from + j < to; j++) {
          variable(json, run.names().get(from + j), List.of(some.values()[j]), false);
        }
      }
      json.writeEndObject();
      json.writeObjectFieldStart(prior ? "sample_stats_prior" : "sample_stats");
      statistics(json, run);
      json.writeEndObject();
      for (InferenceGroup other : others) {
        json.writeObjectFieldStart(other.name());
        other.write(json);
        json.writeEndObject();
      }
      json.writeEndObject();
    }
  }

  private static void statistics(JsonGenerator json, RunDraws run) throws IOException {
    if (run.hasLogPosterior()) {
      variable(json, "lp", List.of(run.logPosteriors()), false);
    }
    List<RunDraws.Stats> chains = List.copyOf(run.stats().values());
    if (chains.size() < run.chains().size()) {
      return;
    }
    variable(
        json, "acceptance_rate", chains.stream().map(RunDraws.Stats::acceptance).toList(), false);
    variable(json, "diverging", chains.stream().map(RunDraws.Stats::divergent).toList(), true);
    variable(
        json,
        "likelihood_evaluations",
        chains.stream().map(RunDraws.Stats::evaluations).toList(),
        false);
    if (chains.get(0).bright() != null) {
      variable(json, "bright_rows", chains.stream().map(RunDraws.Stats::bright).toList(), false);
    }
  }

  private static void variable(
      JsonGenerator json, String name, List<double[]> chains, boolean truth) throws IOException {
    json.writeArrayFieldStart(name);
    for (double[] chain : chains) {
      json.writeStartArray();
      for (double value : chain) {
        if (truth) {
          json.writeBoolean(value != 0);
        } else {
          json.writeNumber(value);
        }
      }
      json.writeEndArray();
    }
    json.writeEndArray();
  }
}
