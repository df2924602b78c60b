package org.lampyris.driver.question;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.output.CsvText;
import org.lampyris.driver.output.OutputFolder;
import org.lampyris.driver.output.RunOutput;

/**
 * Hypotheses against brms and posterior on the same draws, closed forms, and texts that are wrong.
 */
class HypothesisTest {
  private static final String RESOURCES = "/questions/";

  private static final List<String> NAMES =
      List.of(
          "(Intercept)",
          "x1",
          "x1:x2",
          "dow[Sat]",
          "dow[Fri]",
          "log(x2)",
          "poly(x, 2)1",
          "exp",
          "sd_g__Intercept");

  @TempDir private Path folder;
  private final Configuration conf = new Configuration();

  @BeforeEach
  void drawsOfR() throws IOException {
    copy("hypothesis-draws.csv", folder.resolve("draws.csv"));
    manifest(
        "zero",
        Map.of(
            "(Intercept)", "normal(0.0, 1.0)",
            "x1", "normal(0.0, 2.5)",
            "dow[Fri]", "normal(0.0, 2.0)",
            "dow[Sat]", "normal(0.0, 3.0)",
            "sd_g__Intercept", "half_student_t(3.0, 0.0, 2.5)",
            "sigma", "exponential(1.0)"));
  }

  private static void copy(String resource, Path to) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(HypothesisTest.class.getResourceAsStream(RESOURCES + resource))) {
      Files.copy(in, to);
    }
  }

  private void manifest(String interceptAt, Map<String, String> priors) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    var manifest = mapper.createObjectNode();
    var data = manifest.putObject("data");
    priors.forEach(
        (name, prior) -> {
          data.withArray("coefficients").add(name);
          data.withArray("priors").add(prior);
        });
    manifest.withObject("/configuration/model").put("intercept_at", interceptAt);
    mapper.writeValue(folder.resolve("manifest.json").toFile(), manifest);
  }

  private Answers answers(double interval, String... hypotheses) throws IOException {
    return Answers.of(RunOutput.open(conf, folder.toString()), List.of(hypotheses), interval);
  }

  private static double number(String cell) {
    return switch (cell) {
      case "NA" -> Double.NaN;
      case "Inf" -> Double.POSITIVE_INFINITY;
      default -> Double.parseDouble(cell);
    };
  }

  @Test
  void answersAreThoseOfR() throws IOException {
    List<String[]> lines = expected("hypothesis.csv");
    assertEquals(13, lines.size());
    assertAnswers(lines, 0);
  }

  /** The draws of the six tables of effects, in which names have brackets, colons and functions. */
  @Test
  void answersOfSixTablesAreThoseOfBrms() throws IOException {
    Map<String, List<String[]>> tables =
        expected("hypothesis-tables.csv").stream()
            .collect(Collectors.groupingBy(line -> line[0], TreeMap::new, Collectors.toList()));
    assertEquals(6, tables.size());
    for (Map.Entry<String, List<String[]>> table : tables.entrySet()) {
      assertTrue(table.getValue().size() >= 4);
      Files.delete(folder.resolve("draws.csv"));
      copy("effects-" + table.getKey() + "-draws.csv", folder.resolve("draws.csv"));
      assertAnswers(table.getValue(), 1);
    }
  }

  /** Returns what R answers, a line each without the header. */
  private List<String[]> expected(String resource) throws IOException {
    Path file = folder.resolve(resource);
    copy(resource, file);
    List<String[]> lines = CsvText.read(conf, new org.apache.hadoop.fs.Path(file.toString()));
    return lines.subList(1, lines.size());
  }

  /** Holds answers against lines of R's, whose hypotheses stand in a column. */
  private void assertAnswers(List<String[]> lines, int at) throws IOException {
    Answers answers = answers(0.95, lines.stream().map(line -> line[at]).toArray(String[]::new));
    for (int k = 0; k < lines.size(); k++) {
      Answer answer = answers.answers().get(k);
      String[] r = lines.get(k);
      double[] figures = {
        answer.summary().mean(),
        answer.summary().sd(),
        answer.lower(),
        answer.upper(),
        answer.summary().mixing().mcseMean(),
        answer.probability(),
        answer.probabilityError(),
        answer.evidenceRatio()
      };
      for (int j = 0; j < figures.length; j++) {
        double expected = number(r[at + 1 + j]);
        String what = r[at] + " " + j;
        if (Double.isNaN(expected)) {
          assertTrue(Double.isNaN(figures[j]), what);
        } else {
          double off = Double.isInfinite(expected) ? 1e-9 : 1e-9 * (1 + Math.abs(expected));
          assertEquals(expected, figures[j], off, what);
        }
      }
    }
  }

  private static double value(String text) {
    return Hypothesis.parse(text, NAMES).quantity().of(name -> 2 + NAMES.indexOf(name));
  }

  @Test
  void namesAreTakenAsTheyAreWritten() {
    assertEquals(3 * 4, value("x1*x1:x2"));
    assertEquals(2 - 5, value("Intercept-dow[Sat]"));
    assertEquals(2 + 7, value("(Intercept) + log(x2)"));
    assertEquals(Math.log(7), value("log(log(x2))"));
    assertEquals(8, value("poly(x, 2)1"));
    assertEquals(3 + 3, value("(x1) + `x1`"));
    assertEquals(9 * Math.exp(3), value("exp * exp(x1)"), 1e-12);
    assertEquals(-9, value("-x1^2"));
    assertEquals(Math.pow(3, 8), value("x1^2^3"));
    assertEquals(Math.pow(3, -2), value("x1^-2"));
    assertEquals(3.0 / 4 / 5, value("x1 / x1:x2 / dow[Sat]"));
    assertEquals(3 - 4 - 5, value("x1 - x1:x2 - dow[Sat]"));
    assertEquals(1.5e-3 * 3 + .5, value("1.5e-3*x1+.5"));
    assertEquals(3 - 5, value("x1 == dow[Sat]"));
  }

  @Test
  void textsThatAreWrongAreExplained() {
    Map<String, String> wrong =
        Map.ofEntries(
            Map.entry("x2 > 0", "no parameter 'x2'; did you mean 'x1'?"),
            Map.entry("dow[Sst] > 0", "no parameter 'dow[Sst]'; did you mean 'dow[Sat]'?"),
            Map.entry("`x 1`", "no parameter 'x 1'; did you mean 'x1'?"),
            Map.entry("`x1", "a backtick ` has no partner"),
            Map.entry("sin(x1)", "there is no function sin"),
            Map.entry("poly(x, 2)2", "did you mean 'poly(x, 2)1'?"),
            Map.entry("x1 +", "it ends where a number or a parameter is due"),
            Map.entry("(x1 > 0", "a parenthesis is not closed"),
            Map.entry("min(x1)", "min needs two numbers"),
            Map.entry("x1 > 0 > 1", "'> 1' does not continue it"),
            Map.entry("x1 ~ 0", "'~ 0' does not continue it"),
            Map.entry("x1 x1", "'x1' does not continue it"),
            Map.entry("& x1", "'& x1' is no number and no parameter"),
            Map.entry("1 > 0", "it names no parameter"));
    wrong.forEach(
        (text, reason) -> {
          UserException e =
              assertThrows(UserException.class, () -> Hypothesis.parse(text, NAMES), text);
          assertEquals(UserException.Kind.USAGE, e.kind());
          String message = String.valueOf(e.getMessage());
          assertTrue(message.startsWith("Hypothesis \"" + text + "\": "), message);
          assertTrue(message.contains(reason), message);
        });
  }

  @Test
  void referenceLevelsAreNamed() {
    UserException e =
        assertThrows(
            UserException.class,
            () -> Hypothesis.parse("dow[Sat] > dow[Mon]", NAMES, List.of("dow[Mon]")));
    assertTrue(
        String.valueOf(e.getMessage()).contains("'dow[Mon]' is a reference level, whose"),
        e::getMessage);
  }

  @Test
  void undefinedQuantitiesAreRefused() {
    UserException e = assertThrows(UserException.class, () -> answers(0.9, "log(x1)"));
    assertTrue(
        String.valueOf(e.getMessage()).contains("is not a finite number in "), e::getMessage);
    assertThrows(UserException.class, () -> answers(1, "x1"));
  }

  /** A normal posterior in quantiles, for which probability and density have closed forms. */
  @Test
  void aNormalPosteriorHasItsProbabilityAndItsRatio() throws IOException {
    int n = 40_000;
    Random random = new Random(5);
    List<String> lines = new ArrayList<>(List.of(".chain,.iteration,.draw,b,s"));
    for (int i = 0; i < n; i++) {
      double b = 0.5 + 0.4 * random.nextGaussian();
      double s = Math.abs(random.nextGaussian());
      lines.add((1 + i / 10_000) + "," + (1 + i % 10_000) + "," + (i + 1) + "," + b + "," + s);
    }
    Files.write(folder.resolve("draws.csv"), lines);
    manifest("centers", Map.of("b", "student_t(4.0, 0.0, 1.0)", "s", "half_normal(0.0, 2.0)"));
    List<Answer> answers = answers(0.9, "b > 0", "b = 0", "s = 0", "b = s", "b = 40").answers();
    // Φ(0.5/0.4) = 0.894350; four standard errors, passed by chance 1 time in 16,000.
    assertEquals(0.894350, answers.get(0).probability(), 4 * 0.0015372);
    assertEquals(0.0015372, answers.get(0).probabilityError(), 2e-4);
    // Posterior density at 0: exp(−0.5·1.25²)/(0.4·√(2π)) = 0.456622; prior density: 0.375. The
    // kernel's bias and error together are 3 % at four standard errors.
    assertEquals(0.456622 / 0.375, answers.get(1).evidenceRatio(), 0.04);
    // Half-normal draws have 2/√(2π) at their end, a prior of scale 2 half of it.
    assertEquals(2, answers.get(2).evidenceRatio(), 0.1);
    assertTrue(Double.isNaN(answers.get(3).evidenceRatio()));
    assertTrue(answers.get(3).remark().contains("is not known"), answers.get(3).remark());
    assertTrue(
        answers.get(4).remark().contains("beyond the 40,000 draws"), answers.get(4).remark());
  }

  @Test
  void aPointThatDrawsLieAtHasTheirShare() throws IOException {
    List<String> lines = new ArrayList<>(List.of(".chain,.iteration,b"));
    Random random = new Random(6);
    for (int i = 0; i < 400; i++) {
      lines.add(
          (1 + i / 100) + "," + (1 + i % 100) + "," + (i % 4 == 0 ? 0 : random.nextGaussian()));
    }
    Files.write(folder.resolve("draws.csv"), lines);
    Answer answer = answers(0.9, "b = 0").answers().get(0);
    assertEquals(0.25, answer.probability());
    assertTrue(answer.remark().contains("variable selection"), answer.remark());
  }

  @Test
  void linesJsonAndFilesAgree() throws IOException {
    Answers answers = answers(0.9, "sigma > 0", "exp(x1)", "x1 > 0");
    List<String> lines = answers.lines();
    assertEquals(lines, answers.toString().lines().toList());
    assertTrue(
        lines.get(0).matches("hypothesis +mean +sd +q5 +q95 +probability +MCSE +evidence"),
        lines::toString);
    assertTrue(lines.get(1).matches("sigma > 0 .* 1\\.0000 +0\\.0000 +infinite"), lines::toString);
    assertTrue(
        lines.get(4).startsWith("sigma > 0: It holds in all of the 1,000 draws"), lines::toString);
    try (OutputFolder target =
        OutputFolder.reserve(conf, folder.resolve("out").toString(), Answers.ITEMS, false)) {
      answers.write(target);
    }
    JsonNode json = new ObjectMapper().readTree(folder.resolve("out/hypothesis.json").toFile());
    assertEquals(new ObjectMapper().readTree(answers.json()), json);
    JsonNode third = json.path("hypotheses").path(2);
    assertEquals(answers.answers().get(2).probability(), third.path("probability").asDouble());
    assertTrue(json.path("hypotheses").path(0).path("evidence_ratio").isNull());
    List<String> csv = Files.readAllLines(folder.resolve("out/hypothesis.csv"));
    assertEquals(4, csv.size());
    assertTrue(csv.get(3).startsWith("x1 > 0," + third.path("mean").asDouble()), csv.get(3));
    assertFalse(csv.get(2).contains("NaN"), csv.get(2));
  }
}
