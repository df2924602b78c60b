package org.lampyris.driver.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.EffectsConfig;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.prior.ConfiguredPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.dataprep.design.FeatureNames;
import org.lampyris.driver.config.ConfigReader;
import org.lampyris.driver.config.EffectiveConfig;
import org.lampyris.driver.config.JobConfig;

class EffectsConfigTest {
  private static final String TWO =
      """
      model:
        family: poisson
        random:
          - {group: carrier, effects: ["(Intercept)", distance],
             prior: {sd: "half_normal(0, 1)", correlation: lkj(2)}}
          - {group: origin}
      """;

  @TempDir private Path folder;

  private JobConfig read(String yaml) {
    try {
      Path file = Files.writeString(folder.resolve("job.yaml"), yaml);
      return KnownEffects.with(
          folder, () -> new ConfigReader().read(file, List.of(), "run", List.of()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void theEntriesAreRead() {
    JobConfig config = read(TWO);
    GroupingEffects carrier =
        config.model().random().get(0).parsed(k -> new UnivariatePrior.Flat());
    assertEquals(List.of("(Intercept)", "distance"), carrier.effects());
    assertEquals(
        List.of("half_normal(0.0, 1.0)", "half_normal(0.0, 1.0)", "lkj(2.0)"), carrier.priors());
    assertEquals(
        new EffectsConfig(
            "origin",
            List.of("(Intercept)"),
            new EffectsConfig.Priors(ConfiguredPrior.AUTO, "lkj(1)")),
        config.model().random().get(1));
    assertTrue(KnownEffects.with(folder, () -> config.sampler().type()).isEmpty());
    assertEquals(config, read(EffectiveConfig.asYaml(config)));
  }

  @Test
  void thereAreNoneByDefault() {
    assertEquals(List.of(), read("model: {random: []}").model().random());
    assertEquals(read(""), read("model: {random: []}"));
  }

  @Test
  void anEffectThatNoColumnCanBeIsRefusedBeforeRowsAreRead() {
    JobConfig config = read("model: {random: [{group: g, effects: [distnce, 'a[x]']}]}");
    FeatureNames features =
        new FeatureNames(List.of("(Intercept)", "distance"), List.of("a"), List.of());
    assertEquals(
        "model.random lets 'distnce' vary by g, which is no coefficient of the table; did you mean"
            + " 'distance'?",
        assertThrows(UserException.class, () -> config.requirePriorsOf(features)).getMessage());
    read("model: {random: [{group: g, effects: ['(Intercept)', 'a[x]']}]}")
        .requirePriorsOf(new FeatureNames(List.of("x"), List.of("a"), List.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "random: 3| job.yaml:1:17: model.random must be a list of sections, for instance [{group:"
            + " a}], but is \"3\".",
        "random: [g]| job.yaml:1:18: model.random[1] must be a section with keys of its own, but is"
            + " \"g\".",
        "random: [{group: g}, {gruop: h}]| job.yaml:1:31: unknown key \"model.random[2].gruop\";"
            + " the nearest known key is \"group\".",
        "random: [{effects: [x]}]| job.yaml:1:18: model.random[1].group must be a column of the"
            + " input, for instance group: hospital, but is empty.",
        "random: [{group: g, effects: []}]| job.yaml:1:38: model.random[1].effects must be"
            + " coefficients that vary by group, each once, for instance [\"(Intercept)\"], but is"
            + " a list.",
        "random: [{group: g}, {group: g}]| job.yaml:1:17: model.random lets '(Intercept)' vary by"
            + " 'g' twice. Remove it from one entry of that group.",
        "random: [{group: g, prior: {sd: flat}}]| job.yaml:1:41: model.random[1].prior.sd: the"
            + " prior of a standard deviation must exclude negative values, unlike flat. Write for"
            + " instance half_normal(0, 1) or exponential(1).",
        "random: [{group: g, prior: {sd: 'normal(0, 1)'}}]| job.yaml:1:41:"
            + " model.random[1].prior.sd: the prior of a standard deviation must exclude negative"
            + " values, unlike normal(0, 1). Write for instance half_normal(0, 1) or"
            + " exponential(1).",
        "random: [{group: g, prior: {correlation: lkj(0)}}]| job.yaml:1:50:"
            + " model.random[1].prior.correlation: the prior of correlations must be lkj(shape),"
            + " with a shape above 0, for instance lkj(2), or none for effects without"
            + " correlations, and not lkj(0)",
        "family: softmax, random: [{group: g}]| job.yaml:1:34: model.random is for the families"
            + " logistic, probit, cloglog, cauchit, binomial, ordinal, robust, gaussian, gamma,"
            + " poisson, negative_binomial, zero_inflated_poisson, hurdle_poisson,"
            + " zero_inflated_negative_binomial, hurdle_negative_binomial, beta, weibull,"
            + " lognormal, loglogistic and exponential,"
            + " and the family here is softmax. Remove it, or change model.family.",
        "family: org.example.Own, random: [{group: g}]| job.yaml:1:42: model.random is for the"
            + " families logistic, probit, cloglog, cauchit, binomial, ordinal, robust, gaussian,"
            + " gamma, poisson, negative_binomial, zero_inflated_poisson, hurdle_poisson,"
            + " zero_inflated_negative_binomial, hurdle_negative_binomial, beta,"
            + " weibull, lognormal, loglogistic and"
            + " exponential, and the family here is org.example.Own. Remove it, or change"
            + " model.family.",
      })
  void whatIsWrongIsToldWithItsPlace(String model, String message) {
    String told = refused("model: {" + model + "}");
    assertEquals(message, told.replace(folder + "/", ""));
  }

  private String refused(String yaml) {
    return String.valueOf(assertThrows(UserException.class, () -> read(yaml)).getMessage());
  }

  @Test
  void theAlgorithmAndTheModelGoTogether() {
    String other = refused(TWO + "sampler: {algorithm: sgld}");
    assertTrue(
        other.contains(
            "job.yaml:7:22: model.random has effects of groups, which sgld cannot draw. Set"
                + " sampler.algorithm: "),
        other);
    String without = refused("sampler: {algorithm: " + KnownEffects.NAME + "}");
    assertTrue(
        without.contains(
            "sampler.algorithm: known-effects draws effects of groups, but model.random has none."
                + " Name a group there, or choose another algorithm."),
        without);
  }
}
