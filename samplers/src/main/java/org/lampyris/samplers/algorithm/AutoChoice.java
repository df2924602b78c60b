package org.lampyris.samplers.algorithm;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.lampyris.samplers.run.SamplingContext;

/**
 * The exact algorithm that should need the fewest likelihood evaluations for an effective draw, by
 * what each algorithm expects. A wrong choice costs time, never exactness.
 *
 * @param settings with the algorithm and a kernel
 * @param line says what was chosen and why
 */
public record AutoChoice(SamplerSettings settings, String line) {
  private static final String SAID = "algorithm: ";

  /** Chooses for a section {@code sampler} whose algorithm is {@code auto}. */
  public static AutoChoice of(SamplerSettings settings, SamplingContext context) {
    Map<SamplingAlgorithm, Double> costs = new LinkedHashMap<>();
    for (SamplingAlgorithm algorithm : SamplingAlgorithm.registry().all()) {
      OptionalDouble cost = algorithm.evaluationsPerDraw(context, settings);
      cost.ifPresent(evaluations -> costs.put(algorithm, evaluations));
    }
    SamplingAlgorithm chosen =
        costs.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow().getKey();
    String figures =
        costs.entrySet().stream()
            .map(
                cost ->
                    String.format(Locale.ROOT, "%s %.3g", cost.getKey().name(), cost.getValue()))
            .collect(Collectors.joining(", "));
    return new AutoChoice(
        settings.with(chosen),
        SAID
            + "%s (expected likelihood evaluations for an effective draw: %s)"
                .formatted(chosen.name(), figures));
  }

  /** Returns the algorithm that was chosen, of what a run has decided; empty if none was. */
  public static Optional<String> chosen(List<String> decisions) {
    return decisions.stream()
        .filter(line -> line.startsWith(SAID))
        .map(line -> line.substring(SAID.length()).replaceFirst(" \\(.*", ""))
        .findFirst();
  }
}
