package org.lampyris.driver.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.config.ConfigText;

/**
 * The schema takes every job file of the repository, and refuses what the program does. That it
 * takes all that the program takes, {@link ConfigReaderTest} holds it to.
 */
class JobSchemaTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern BLOCK =
      Pattern.compile("^```yaml\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL);
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final SchemaCheck SCHEMA = new SchemaCheck();

  @ParameterizedTest
  @ValueSource(strings = {"submit-scripts/quickstart.yaml", "examples/own-model/sech.yaml"})
  void jobFilesAreValid(String file) throws IOException {
    assertEquals(List.of(), SCHEMA.problems(Files.readString(ROOT.resolve(file))));
  }

  @Test
  void thePagesShowValidJobFiles() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
    }
    List<String> problems = new ArrayList<>();
    int blocks = 0;
    for (Path page : pages) {
      for (String block :
          BLOCK.matcher(Files.readString(page)).results().map(found -> found.group(1)).toList()) {
        JsonNode job = YAML.readTree(block);
        // The others are of experiments, which have keys of their own.
        if (ConfigText.keys(JobConfig.class).contains(job.fieldNames().next())) {
          blocks++;
          SCHEMA.problems(job).forEach(problem -> problems.add(page + ": " + problem));
        }
      }
    }
    assertTrue(blocks >= 4, blocks + " blocks");
    assertEquals(List.of(), problems);
  }

  @Test
  void theConfigurationsOfExperimentsAreValid() throws IOException {
    List<String> problems = new ArrayList<>();
    int files = 0;
    try (Stream<Path> list = Files.list(ROOT.resolve("experiments"))) {
      for (Path file : list.filter(path -> path.toString().endsWith(".yaml")).toList()) {
        JsonNode job = YAML.readTree(Files.readString(file)).path("configuration");
        if (job.isObject()) {
          files++;
          SCHEMA.problems(job).forEach(problem -> problems.add(file + ": " + problem));
        }
      }
    }
    assertTrue(files >= 5, files + " files");
    assertEquals(List.of(), problems);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sampeler: {draws: 10}",
        "sampler: {drawz: 10}",
        "sampler: {hmc: {leapfrog: 3}}",
        "sampler: {draws: many}",
        "sampler: {draws: 10.5}",
        "sampler: {draws: 0}",
        "sampler: {chains: 10001}",
        "sampler: {step_size: 0}",
        "sampler: {target_acceptance: 1}",
        "sampler: {algorithm: fireflies}",
        "sampler: {kernel: nuts}",
        "sampler: {shards: {combine: average}}",
        "sampler: [draws]",
        "data: {input: [a.csv, b.csv]}",
        "data: {format: excel}",
        "data: {features: x}",
        "data: {features: [[x]]}",
        "data: {intercept: maybe}",
        "data: {categorical: {dow: {tops: 3}}}",
        "data: {categorical: {dow: {top: 0}}}",
        "model: {family: logit}",
        "model: {family: {name: logistic}}",
        "model: {priors: {x: [flat]}}",
        "model: {sigma: 1}",
        "model: {family: poisson, sigma: 1}",
        "model: {family: mixture, sigma: -1}",
        "model: {family: ordinal, order: low}",
        "model: {random: {group: g}}",
        "model: {random: [{grup: g}]}",
        "model: {random: [{group: g, prior: {sdd: flat}}]}",
        "generate: {correlation: 1}",
        "output: [a, b]"
      })
  void mistakesAreInvalid(String yaml) {
    assertNotEquals(List.of(), SCHEMA.problems(yaml), yaml);
    assertNotEquals(
        List.of(), SCHEMA.problems(yaml + "\nprepared: a\n"), "beside a valid key: " + yaml);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "model: {family: com.acme.MyModel, label_kind: count, options: {knots: 3}}",
        "model: {family: gaussian, sigma: 2}",
        "model: {family: gaussian, sigma: \"half_normal(0, 3)\"}",
        "model: {family: softmax, reference_class: 3}",
        "model: {family:, prior: flat}",
        "data: {features: [1, true, x]}",
        "sampler:"
      })
  void whatTheProgramTakesIsValid(String yaml) {
    assertEquals(List.of(), SCHEMA.problems(yaml));
  }

  @Test
  void itTellsOfKeysAndDefaults() throws IOException {
    JsonNode draws =
        new ObjectMapper().readTree(JobSchema.asJson()).at("/properties/sampler/properties/draws");
    assertEquals(1000, draws.path("default").asInt());
    assertEquals(1, draws.path("minimum").asInt());
    assertEquals("draws kept per chain", draws.path("description").asText());
  }
}
