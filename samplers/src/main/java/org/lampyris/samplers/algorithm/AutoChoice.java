package org.lampyris.samplers.algorithm;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
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
        "algorithm: %s (expected likelihood evaluations for an effective draw: %s)"
            .formatted(chosen.name(), figures));
  }
}
