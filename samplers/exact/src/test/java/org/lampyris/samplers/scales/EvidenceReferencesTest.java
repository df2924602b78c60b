package org.lampyris.samplers.scales;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.algorithm.BridgeSampling;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.multilevel.InterceptsByQuadrature;
import org.lampyris.samplers.run.SamplingContext;
import org.lampyris.samplers.testdata.MemoryRun;

/**
 * Evidences by bridge sampling against R's package bridgesampling, on tables that {@code
 * experiments/evidence.R} wrote with them; each within 4 standard errors.
 */
class EvidenceReferencesTest {
  private static final Map<String, Object> KEYS =
      Map.of("algorithm", "metropolis", "chains", 4, "warmup", 300, "draws", 1000);

  private static List<String> lines(String name) {
    try (InputStream in = EvidenceReferencesTest.class.getResourceAsStream(name + ".csv")) {
      String text =
          new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().skip(1).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static double[][] table(String name) {
    return lines(name).stream()
        .map(line -> Arrays.stream(line.split(",")).mapToDouble(Double::parseDouble).toArray())
        .toArray(double[][]::new);
  }

  private static void assertReference(String name, Decision found) {
    String[] reference =
        lines("evidence").stream()
            .map(line -> line.split(","))
            .filter(cells -> cells[0].equals(name))
            .findFirst()
            .orElseThrow();
    Map<String, Double> figures = found.figures();
    double log = Objects.requireNonNull(figures.get(Decision.LOG_EVIDENCE), found.text());
    double error = Objects.requireNonNull(figures.get(Decision.STANDARD_ERROR));
    System.out.printf(
        "proof | evidence of %s: %.4f (%.4f); bridgesampling %s (%s)%n",
        name, log, error, reference[1], reference[2]);
    double both = Math.hypot(error, Double.parseDouble(reference[2]));
    assertEquals(Double.parseDouble(reference[1]), log, 4 * both);
    assertTrue(both < 0.1, found.text());
  }

  @ParameterizedTest
  @CsvSource({"infert, logistic", "warpbreaks, poisson"})
  void evidencesAreThoseOfBridgesampling(String name, String family) {
    double[][] rows = table(name);
    double[] x = new double[4 * rows.length];
    for (int i = 0; i < rows.length; i++) {
      x[4 * i] = 1;
      System.arraycopy(rows[i], 1, x, 4 * i + 1, 3);
    }
    double[] y = Arrays.stream(rows).mapToDouble(row -> row[0]).toArray();
    MemoryRun run =
        new MemoryRun(
            FamilySpec.of(family),
            List.of(new DenseBlock(0, 4, x, y, null)),
            List.of("(Intercept)", "x1", "x2", "x3"),
            Map.of());
    SamplerSettings settings = MemoryRun.settings(KEYS);
    SamplingContext context = run.context(KEYS);
    assertReference(
        name,
        BridgeSampling.evidence(
            settings,
            context,
            settings.type().orElseThrow().run(context, settings.own()).chains()));
    // Perfect draws know it by themselves, in another way.
    Map<String, Object> perfect = new HashMap<>(KEYS);
    perfect.put("algorithm", "perfect");
    run.run(perfect).decisions().stream()
        .filter(one -> one.topic().equals(Decision.EVIDENCE))
        .forEach(one -> assertReference(name, one));
  }

  @Test
  void effectsOfGroupsAreIntegratedOut() {
    double[][] rows = table("sprays");
    double[] ones = new double[rows.length];
    Arrays.fill(ones, 1);
    long[] keys = Arrays.stream(rows).mapToLong(row -> (long) row[1]).toArray();
    DenseBlock block =
        new DenseBlock(0, 1, ones, Arrays.stream(rows).mapToDouble(row -> row[0]).toArray(), null);
    ModelOfTable base =
        ModelOfTable.of(
            FamilySpec.of("poisson"),
            List.of("(Intercept)"),
            PriorConfig.of("normal(0, 2.5)", Map.of(), PriorConfig.Scale.STANDARDIZED),
            null);
    ScaledRun run =
        new ScaledRun(
            List.of(block.grouped(new long[][] {keys})),
            base,
            List.of(InterceptsByQuadrature.intercepts(6, false)),
            7);
    assertReference("sprays", run.evidence(KEYS));
  }
}
