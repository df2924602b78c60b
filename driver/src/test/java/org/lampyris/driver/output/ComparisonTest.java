package org.lampyris.driver.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException;

class ComparisonTest {
  private static final String MANIFEST =
      """
      {"data": {"fingerprint": "f00d", "coefficients": ["v0", "v1"],
                "priors": ["normal(0, 2.5000000001)", "flat"]},
       "modelled": {"family": "logistic", "label": "y", "rows": 12},
       "counts": {"setup_evaluations": 500, "likelihood_evaluations": 96500},
       "seconds": {"prepare": 1.25, "load": 2, "warm-up": 3, "sample": 8},
       "decisions": [{"topic": "plan", "choice": "stepwise", "figures": {}, "text": "one job"}],
       "chains": [{"evaluations_per_iteration": 10}, {"evaluations_per_iteration": 20},
                  {"evaluations_per_iteration": 10}, {"evaluations_per_iteration": 20}],
       "configuration": {
         "data": {"input": "t.csv", "label": "y", "storage": "double", "missing": null},
         "model": {"family": "logistic", "prior": "auto", "df": null},
         "sampler": {"algorithm": "metropolis", "kernel": "hmc", "seed": 1, "thin": 3}}}
      """;

  private static JsonNode manifest(String... replaced) {
    String text = MANIFEST;
    for (int i = 0; i < replaced.length; i += 2) {
      assertTrue(text.contains(replaced[i]), replaced[i]);
      text = text.replace(replaced[i], replaced[i + 1]);
    }
    try {
      return new ObjectMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  /** Returns 4 chains of 250 independent draws of N(0, 1) for v0, v1, …, v0 then mapped. */
  private static Draws normals(int variables, long seed, DoubleUnaryOperator first) {
    SplittableRandom random = new SplittableRandom(seed);
    double[][][] values = new double[variables][4][250];
    for (int j = 0; j < variables; j++) {
      for (double[] chain : values[j]) {
        for (int i = 0; i < chain.length; i++) {
          double x = random.nextGaussian();
          chain[i] = j == 0 ? first.applyAsDouble(x) : x;
        }
      }
    }
    return new Draws(IntStream.range(0, variables).mapToObj(j -> "v" + j).toList(), values);
  }

  private static ComparedRun run(String folder, Draws draws) {
    return of(folder, draws, manifest());
  }

  private static ComparedRun of(String folder, Draws draws, JsonNode manifest) {
    return ComparedRun.of(new RunOutput(new Configuration(), folder, manifest), draws);
  }

  private static Comparison comparison(int variables, DoubleUnaryOperator first) {
    return Comparison.of(
        List.of(
            run("runs/a", normals(variables, 1, x -> x)),
            run("runs/b", normals(variables, 2, x -> x)),
            run("runs/c", normals(variables, 3, first))));
  }

  private static List<String> doubts(ComparedRun... runs) {
    return Comparison.of(List.of(runs)).doubts();
  }

  private static List<String> doubts(JsonNode manifest) {
    return doubts(
        run("runs/a", normals(2, 1, x -> x)), of("runs/b", normals(2, 2, x -> x), manifest));
  }

  @Test
  void runsOfOneDistributionDoNotDiffer() {
    Comparison same = comparison(5, x -> x);
    assertEquals(List.of(), same.doubts());
    assertEquals(List.of("No difference exceeds its Monte-Carlo error."), same.verdict());
    // Two runs against the first, three figures of five variables and one of all together.
    assertEquals(32, same.chance().comparisons());
    assertFalse(ComparisonTable.render(same).contains(" !\n"));
  }

  /** A coefficient that is in the model in 16 % of the draws, and one that is in none. */
  @Test
  void modelsThatAreChosenAmongAreCompared() {
    DoubleUnaryOperator now = x -> x > 1 ? x : 0;
    Comparison same = comparison(3, now, now);
    assertEquals(List.of("No difference exceeds its Monte-Carlo error."), same.verdict());
    Comparison none = comparison(3, x -> 0, x -> 0);
    assertEquals(List.of("v1", "v2"), none.variables());
    assertEquals(List.of("No difference exceeds its Monte-Carlo error."), none.verdict());
    String apart = comparison(3, now, x -> x > 0.3 ? x : 0).verdict().get(0);
    assertTrue(apart.contains("v0's distribution by a distance of 0.2"), apart);
  }

  private static Comparison comparison(
      int variables, DoubleUnaryOperator reference, DoubleUnaryOperator first) {
    return Comparison.of(
        List.of(
            run("runs/a", normals(variables, 1, reference)),
            run("runs/b", normals(variables, 2, first))));
  }

  @Test
  void theVerdictNamesWhatDiffersAndByHowMuch() {
    List<String> shifted = comparison(5, x -> x + 0.5).verdict();
    assertEquals(1, shifted.size(), shifted::toString);
    String line = shifted.get(0);
    assertTrue(
        line.matches(
            "runs/c differs from runs/a: v0's mean by 0\\.[456]\\d* posterior sds \\(Monte-Carlo"
                + " error 0\\.04\\d\\), v0's distribution by a distance of 0\\.[12]\\d* \\(by"
                + " chance up to 0\\.\\d+\\), all means and covariances by a divergence of"
                + " 0\\.1\\d* \\(by chance up to 0\\.0\\d+\\)\\."),
        line);
    String wider = comparison(5, x -> 1.3 * x).verdict().get(0);
    assertTrue(
        wider.matches(
            ".*: v0's sd by a factor of 1\\.[23]\\d* \\(Monte-Carlo error 3\\.\\d %\\), .*"),
        wider);
    assertFalse(wider.contains("mean by"), wider);
  }

  @Test
  void theTableHasTheRunsSideBySideAndMarksWhatDiffers() {
    String table = ComparisonTable.render(comparison(2, x -> x + 0.5));
    assertTrue(
        table.startsWith("run 1: runs/a (reference)\nrun 2: runs/b\nrun 3: runs/c\n\n"), table);
    assertTrue(table.contains("\nalgorithm "), table);
    assertTrue(table.contains("\nRun 3 against run 1:\nvariable"), table);
    List<String> marked = table.lines().filter(line -> line.endsWith(" !")).toList();
    assertEquals(1, marked.size(), table);
    assertTrue(marked.get(0).startsWith("v0 "), table);
    assertTrue(table.contains("! marks what is beyond 3.38 errors"), table);
    table
        .lines()
        .forEach(line -> assertTrue(line.length() <= 100 || line.contains("differs from"), line));
  }

  @Test
  void ofManyVariablesTheWorstTenAreShown() {
    Comparison many = comparison(40, x -> x + 0.5);
    String table = ComparisonTable.render(many);
    String last = table.substring(table.indexOf("Run 3 against"));
    assertEquals(10, last.lines().filter(line -> line.matches("v\\d+ .*")).count(), last);
    assertTrue(last.contains("\nv0 "), last);
    assertTrue(last.contains("The 10 of 40 variables that differ most"), last);
    assertEquals(0, many.worstFirst(many.others().get(1)).get(0));
    double[] largest =
        many.worstFirst(many.others().get(0)).stream()
            .mapToDouble(j -> -many.others().get(0).differences().get(j).largest(many.chance()))
            .toArray();
    assertEquals(40, largest.length);
    assertTrue(IntStream.range(1, 40).allMatch(i -> largest[i - 1] <= largest[i]));
  }

  @Test
  void variablesThatDependOnOthersHaveNoJointFigure() {
    Draws draws = normals(2, 1, x -> x);
    draws.values()[1] = draws.values()[0];
    Comparison comparison =
        Comparison.of(List.of(run("runs/a", draws), run("runs/b", normals(2, 2, x -> x))));
    String table = ComparisonTable.render(comparison);
    assertTrue(
        table.contains("Gaussian KL divergence: none, because variables are dependent"), table);
    assertEquals(List.of("No difference exceeds its Monte-Carlo error."), comparison.verdict());
  }

  @Test
  void figuresAreThoseOfTheManifest() {
    ComparedRun run = run("runs/a", normals(2, 1, x -> x));
    Map<String, Object> figures = run.figures();
    assertEquals("metropolis", figures.get("algorithm"));
    assertEquals("hmc", figures.get("kernel"));
    assertEquals("yes", figures.get("exact"));
    assertEquals(4L, figures.get("chains"));
    assertEquals(250L, figures.get("draws_per_chain"));
    assertEquals(97_000L, figures.get("evaluations"));
    assertEquals(15.0, figures.get("evaluations_per_iteration"));
    double ess =
        Math.min(
            run.marginals().get(0).summary().mixing().essBulk(),
            run.marginals().get(1).summary().mixing().essBulk());
    assertEquals(ess, figures.get("effective_draws"));
    // 4 chains of 250 draws, each of three iterations of 15 evaluations.
    assertEquals(45_000 / ess, figures.get("evaluations_per_effective_draw"));
    assertEquals(ess / 8, figures.get("effective_draws_per_second"));
    assertEquals(1.25, figures.get("seconds_prepare"));
    assertEquals(3.0, figures.get("seconds_warm-up"));
  }

  @Test
  void anAlgorithmThatWasChosenIsNamedWithItsKernel() {
    String decisions = "\"text\": \"one job\"}";
    JsonNode chosen =
        manifest(
            decisions,
            decisions + ", {\"topic\": \"algorithm\", \"choice\": \"mhss\"}",
            "\"metropolis\", \"kernel\": \"hmc\"",
            "\"auto\", \"kernel\": \"auto\"");
    Map<String, Object> figures = of("runs/a", normals(1, 1, x -> x), chosen).figures();
    assertEquals("mhss", figures.get("algorithm"));
    assertEquals("pcn", figures.get("kernel"));
    assertEquals("yes", figures.get("exact"));
    Map<String, Object> unknown =
        of("a", normals(1, 1, x -> x), manifest("\"metropolis\"", "\"acme\"")).figures();
    assertEquals("acme", unknown.get("algorithm"));
    assertFalse(unknown.containsKey("exact"));
  }

  @Test
  void variablesThatNotAllHaveAreNamed() {
    Draws three = normals(3, 1, x -> x);
    Draws two = new Draws(List.of("v1", "w"), normals(2, 2, x -> x).values());
    Comparison comparison = Comparison.of(List.of(run("runs/a", three), run("runs/b", two)));
    assertEquals(List.of("v1"), comparison.variables());
    List<String> doubts = comparison.doubts();
    assertEquals(2, doubts.size(), doubts.toString());
    assertTrue(doubts.get(0).endsWith(": v0, v2 in runs/a."), doubts.get(0));
    assertTrue(doubts.get(1).endsWith(": w in runs/b."), doubts.get(1));
    Draws other = new Draws(List.of("z"), normals(1, 2, x -> x).values());
    UserException none =
        assertThrows(
            UserException.class,
            () -> Comparison.of(List.of(run("runs/a", three), run("runs/z", other))));
    assertEquals(UserException.Kind.USAGE, none.kind());
    assertTrue(String.valueOf(none.getMessage()).contains("runs/a and runs/z"), none::getMessage);
  }

  @Test
  void whatARunIsOffByIsTold() {
    String decisions = "\"text\": \"one job\"}]";
    List<String> told =
        doubts(
            manifest(decisions, decisions + ", \"bias\": {\"sentence\": \"1 of 200 is wrong\"}"));
    assertEquals(1, told.size());
    assertTrue(told.get(0).endsWith(" is not exact: 1 of 200 is wrong"), told.get(0));
  }

  @Test
  void otherDataAreToldByWhatDiffers() {
    String fingerprint = "f00d";
    List<String> rows =
        doubts(manifest(fingerprint, "beef", "\"rows\": 12", "\"rows\": 13", "t.csv", "u.csv"));
    assertEquals(
        List.of(
            "runs/b and runs/a have different data: they differ in data.input (u.csv, t.csv),"
                + " modelled.rows (13, 12)."),
        rows);
    List<String> silent = doubts(manifest(fingerprint, "beef"));
    assertTrue(
        silent.get(0).contains("their configurations are the same, but the rows"),
        silent::toString);
    List<String> apart =
        doubts(manifest(fingerprint, "beef", "\"seed\": 1", "\"seed\": 2", "double", "float"));
    assertEquals(1, apart.size());
    assertTrue(
        apart
            .get(0)
            .startsWith(
                "runs/b and runs/a were prepared separately and differ in data.storage (float,"
                    + " double), sampler.seed (2, 1), so their fingerprints"),
        apart::toString);
    // Where the fingerprint is the same the data are, whatever they are called.
    assertEquals(List.of(), doubts(manifest("t.csv", "u.csv", "\"seed\": 1", "\"seed\": 2")));
  }

  @Test
  void anotherModelIsToldByWhatDiffers() {
    assertEquals(
        List.of(
            "runs/b and runs/a have different models: they differ in model.df (4, none), the prior"
                + " of v1 (cauchy(0, 1), flat)."),
        doubts(manifest("\"df\": null", "\"df\": 4", "flat", "cauchy(0, 1)")));
    assertEquals(1, doubts(manifest("2.5000000001)", "2.51)")).size());
    // The last digits of a sum, one prior in two ways of saying it, and another sampler.
    assertEquals(
        List.of(),
        doubts(
            manifest(
                "\"prior\": \"auto\"",
                "\"prior\": \"normal(0, 1)\"",
                "2.5000000001)",
                "2.500000000000001)",
                "hmc",
                "slice")));
  }

  @Test
  void drawsThatFallShortAreNamed() {
    Draws drifting = normals(2, 2, x -> x);
    for (int c = 0; c < 4; c++) {
      for (int i = 0; i < 250; i++) {
        drifting.values()[1][c][i] += c;
      }
    }
    List<String> doubts = doubts(run("runs/a", normals(2, 1, x -> x)), run("runs/b", drifting));
    assertEquals(1, doubts.size(), doubts::toString);
    assertTrue(
        doubts
            .get(0)
            .startsWith(
                "runs/b: its Monte-Carlo errors cannot be trusted. R-hat > 1.01 or ESS < 400 for 1"
                    + " of 2 coefficients: v1 (R-hat "),
        doubts::toString);
  }

  @Test
  void drawsWithoutManifestAreComparedAllTheSame() {
    ComparedRun bare = of("runs/b", normals(2, 2, x -> x), MissingNode.getInstance());
    Comparison comparison = Comparison.of(List.of(run("runs/a", normals(2, 1, x -> x)), bare));
    assertEquals(1, comparison.doubts().size());
    assertTrue(comparison.doubts().get(0).startsWith("runs/b has no manifest.json, so"));
    assertEquals(
        List.of("chains", "draws_per_chain", "effective_draws"),
        List.copyOf(bare.figures().keySet()));
    assertTrue(ComparisonTable.render(comparison).contains("No difference exceeds"));
  }

  private static ComparedRun withEvidence(String folder, double log, String... replaced) {
    ObjectNode manifest = (ObjectNode) manifest(replaced);
    manifest.putObject("evidence").put("log_evidence", log).put("standard_error", 0.03);
    return of(folder, normals(2, 1, x -> x), manifest);
  }

  private static List<String> factors(ComparedRun... runs) {
    return BayesFactors.lines(List.of(runs));
  }

  @Test
  void evidencesGiveBayesFactors() {
    ComparedRun a = withEvidence("runs/a", -100.5);
    String[] without = {"\"auto\"", "\"normal(0, 1)\""};
    ComparedRun b = withEvidence("runs/b", -98.5, without);
    List<String> lines = factors(a, run("runs/none", normals(2, 1, x -> x)), b);
    assertEquals(
        List.of(
            "Log Bayes factor of run 3 over run 1: 2.000 (standard error 0.042).",
            "Posterior probabilities of the models, if all were equally probable: run 1 0.119, run"
                + " 3 0.881."),
        lines.subList(0, 2));
    assertTrue(lines.get(2).contains("The default priors (run 1) are wide"), lines::toString);
    assertEquals(2, factors(b, b).size());
    assertEquals(List.of(), factors(a));
    lines =
        factors(
            b,
            withEvidence("runs/c", -98.5, "\"auto\"", "\"normal(0, 1)\"", "flat", "normal(0, 9)"));
    assertEquals(
        "Runs 2 and 1 have other priors of v1 (normal(0, 9), flat), so their Bayes factor compares"
            + " priors, too. Set model.priors for both to the same.",
        lines.get(2));
    double[] both =
        BayesFactors.probabilities(List.of(a.output(), b.output(), a.output())).orElseThrow();
    assertEquals(1 / (2 + Math.exp(2)), both[0], 1e-12);
    assertEquals(Math.exp(2) / (2 + Math.exp(2)), both[1], 1e-12);
    RunOutput none = run("runs/none", normals(2, 1, x -> x)).output();
    assertTrue(BayesFactors.probabilities(List.of(a.output(), none)).isEmpty());
    assertTrue(ComparisonTable.render(Comparison.of(List.of(a, b))).contains("over run 1: 2.00"));
    assertEquals(-98.5, b.figures().get("log_evidence"));
  }

  @Test
  void evidencesOfOtherResponsesAreNotCompared() {
    ComparedRun a = withEvidence("runs/a", -100.5);
    String[] apart = {"f00d", "beef"};
    assertEquals(3, factors(a, withEvidence("runs/b", -99, apart)).size());
    for (String[] other :
        List.of(
            new String[] {"f00d", "beef", "t.csv", "u.csv"},
            new String[] {"f00d", "beef", "\"rows\": 12", "\"rows\": 13"},
            new String[] {"\"family\": \"logistic\"", "\"family\": \"binomial\""})) {
      List<String> lines = factors(a, withEvidence("runs/b", -99, other));
      assertEquals(1, lines.size());
      assertTrue(lines.get(0).startsWith("No Bayes factor of run 2 over run 1, because their"));
    }
  }
}
