package org.lampyris.driver.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lampyris.samplers.program.Distributions.bernoulli;
import static org.lampyris.samplers.program.Distributions.coin;
import static org.lampyris.samplers.program.Distributions.normal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Program;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.named.ProgramModel;

/** Programs that job files name, from the command line to the files. */
class ProgramIT {
  private static final int ROWS = 1200;

  /** For a dozen comparisons a false alarm in 10,000, if each is of a normal mean. */
  private static final double MOST_Z = 4.5;

  @TempDir Path folder;

  private final Shell shell = new Shell("local[2]");
  private final double[] heights = new double[ROWS];

  /** Log-odds that are linear in the columns: the program of docs/programs.md. */
  public static final class LogOdds implements ProgramModel {
    @Override
    public Trace trace(FamilySpec spec, List<String> columns) {
      Program program = new Program();
      Node w = program.global("w", normal(columns.size(), 0, 2.5));
      program.perRow(row -> row.observe("y", bernoulli(w.dot()), v -> v.response()));
      return program.trace();
    }
  }

  /** Rows with latent values about a mean that may be 0: see {@link #truth}. */
  public static final class Panel implements ProgramModel {
    @Override
    public Trace trace(FamilySpec spec, List<String> columns) {
      double sd = Double.parseDouble(spec.text("sd").orElse("1"));
      int x = ProgramModel.column(columns, "x");
      Program program = new Program();
      Node shifted = program.global("shifted", coin(0.5));
      Node mu =
          program.when("mu", shifted, () -> program.global("g", normal(0, v -> 0.2)), () -> v -> 0);
      program.perRow(
          row -> {
            Node h = row.latent("h", normal(mu, v -> sd));
            row.observe("x", normal(h, v -> 0.5), v -> v.feature(x));
          });
      return program.trace();
    }
  }

  /** A class that cannot be made. */
  public static final class Failing implements ProgramModel {
    public Failing() {
      throw new IllegalStateException("no licence");
    }

    @Override
    public Trace trace(FamilySpec spec, List<String> columns) {
      return new Program().trace();
    }
  }

  /** Programs that are refused, or fail, as an option says. */
  public static final class Wrong implements ProgramModel {
    @Override
    public Trace trace(FamilySpec spec, List<String> columns) {
      Program program = new Program();
      switch (spec.text("how").orElseThrow()) {
        case "column" -> ProgramModel.column(columns, "z");
        case "rows" -> program.global("w", normal(2, 0, 1));
        default -> throw new ArithmeticException("by zero");
      }
      return program.trace();
    }
  }

  @BeforeEach
  void table() throws IOException {
    Random random = new Random(11);
    List<String> rows = new ArrayList<>(List.of("y,a,b,x"));
    for (int n = 0; n < ROWS; n++) {
      double a = 1 + random.nextGaussian();
      double b = random.nextGaussian();
      double p = 1 / (1 + Math.exp(-(0.5 * a - 0.8 * b)));
      heights[n] = 0.06 + Math.sqrt(1.25) * random.nextGaussian();
      rows.add("%d,%s,%s,%s".formatted(random.nextDouble() < p ? 1 : 0, a, b, heights[n]));
    }
    Files.write(folder.resolve("t.csv"), rows);
  }

  /** Writes a job file; all runs of a name share the table. */
  private String job(String name, String columns, String model, String sampler) throws IOException {
    return Files.writeString(
            folder.resolve(name + ".yaml"),
            """
            data: {input: "%s/t.csv", label: y, features: [%s], intercept: false, block_rows: 128}
            model: %s
            sampler: %s
            prepared: "%s/%s-p"
            bounds: "%s/%s-b"
            output: "%s/%s"
            """
                .formatted(
                    folder, columns, model, sampler, folder, name, folder, name, folder, name))
        .toString();
  }

  private static String program(Class<?> type) {
    return "family: \"%s\", label_kind: binary".formatted(type.getName());
  }

  /** Returns mean, sd and Monte-Carlo standard error by variable. */
  private Map<String, double[]> summary(String name) throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve(name).resolve("summary.csv"));
    List<String> header = List.of(lines.get(0).split(",", -1));
    Map<String, double[]> summary = new HashMap<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      summary.put(
          cells[0],
          List.of("mean", "sd", "mcse_mean").stream()
              .mapToDouble(column -> Double.parseDouble(cells[header.indexOf(column)]))
              .toArray());
    }
    return summary;
  }

  private String draws(String name) throws IOException {
    return Files.readString(folder.resolve(name).resolve("draws.csv"));
  }

  private JsonNode manifest(String name) throws IOException {
    return new ObjectMapper().readTree(folder.resolve(name).resolve("manifest.json").toFile());
  }

  @Test
  void aProgramHasThePosteriorOfTheFamily() throws IOException {
    String length = "{chains: 4, warmup: 400, draws: 2000, seed: 5%s}";
    shell.samples(
        "run",
        "--config",
        job("program", "a, b", "{" + program(LogOdds.class) + "}", length.formatted("")));
    shell.samples(
        "run",
        "--config",
        job(
            "family",
            "a, b",
            "{family: logistic, prior: \"normal(0, 2.5)\"}",
            length.formatted(", algorithm: metropolis")));
    Map<String, double[]> program = summary("program");
    Map<String, double[]> family = summary("family");
    assertEquals(2, program.size());
    for (String column : List.of("a", "b")) {
      double[] is = Objects.requireNonNull(program.get("w[" + column + "]"));
      double[] truth = Objects.requireNonNull(family.get(column));
      double z = (is[0] - truth[0]) / Math.hypot(is[2], truth[2]);
      assertTrue(Math.abs(z) < MOST_Z, column + ": " + z);
      assertEquals(truth[1], is[1], 0.12 * truth[1], column);
    }
    shell.succeeds("summarize", folder.resolve("program").toString());
    assertTrue(shell.out().contains("w[a]"), shell.out());
    assertTrue(
        Files.readString(folder.resolve("program/report.html")).contains("as in the program"));
    shell.succeeds(
        "compare", folder.resolve("program").toString(), folder.resolve("program").toString());
    assertEquals(2, shell.run("loo", folder.resolve("program").toString()));
    assertTrue(shell.err().contains("has no likelihood of a row"), shell.err());
  }

  /** Sequential tests read fewer rows, and the manifest says that their bias is not measured. */
  @Test
  void approximateTestsReadFewerRows() throws IOException {
    String model = "{" + program(LogOdds.class) + "}";
    String keys = "{chains: 1, warmup: 100, draws: 300, program: {epsilon: %s, batch: 50%s}}";
    shell.samples("run", "--config", job("exact", "a, b", model, keys.formatted(0, "")));
    shell.samples("run", "--config", job("some", "a, b", model, keys.formatted(0.2, "")));
    shell.samples(
        "run", "--config", job("begin", "a, b", model, keys.formatted(0, ", warmup_epsilon: 0.2")));
    assertTrue(manifest("exact").path("bias").isMissingNode());
    assertTrue(manifest("begin").path("bias").isMissingNode());
    assertTrue(
        manifest("some").path("bias").toString().contains("not measured for a program"),
        manifest("some").path("bias")::toString);
    assertEquals(2.0 * 400 * ROWS, evaluations("exact"));
    assertTrue(evaluations("some") < 0.9 * evaluations("exact"), () -> "tests of all rows");
    double begun = evaluations("begin");
    assertTrue(begun < evaluations("exact") && begun > 2.0 * 300 * ROWS, () -> "" + begun);
  }

  private double evaluations(String name) {
    try {
      return manifest(name).path("counts").path("likelihood_evaluations").asDouble();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /**
   * Given shifted, x_n ~ N(g, 1.25) and g ~ N(0, 0.04) are conjugate; without, x_n ~ N(0, 1.25).
   *
   * @return P(shifted), E[mu], E[mu²]
   */
  private double[] truth() {
    double sum = 0;
    for (double x : heights) {
      sum += x;
    }
    double v = 1 / (1 / 0.04 + ROWS / 1.25);
    double m = v * sum / 1.25;
    double odds = Math.sqrt(v / 0.04) * Math.exp(0.5 * m * m / v);
    double p = odds / (1 + odds);
    return new double[] {p, p * m, p * (v + m * m)};
  }

  @Test
  void latentRowsAndBranchesHaveTheExactPosterior() throws IOException {
    shell.samples(
        "run",
        "--config",
        job(
            "panel",
            "x",
            "{" + program(Panel.class) + "}",
            "{chains: 4, warmup: 300, draws: 6000, seed: 2, program: {particles: 5}}"));
    Map<String, double[]> summary = summary("panel");
    double[] truth = truth();
    assertTrue(truth[0] > 0.2 && truth[0] < 0.9, "neither branch is certain: " + truth[0]);
    double[] shifted = Objects.requireNonNull(summary.get("shifted"));
    double[] mu = Objects.requireNonNull(summary.get("mu"));
    assertEquals(List.of("mu", "shifted"), summary.keySet().stream().sorted().toList());
    assertTrue(Math.abs(shifted[0] - truth[0]) < MOST_Z * shifted[2], shifted[0] + " " + truth[0]);
    assertTrue(shifted[2] < 0.03, "mcse " + shifted[2]);
    assertTrue(Math.abs(mu[0] - truth[1]) < MOST_Z * mu[2], mu[0] + " " + truth[1]);
    double sd = Math.sqrt(truth[2] - truth[1] * truth[1]);
    assertEquals(sd, mu[1], 0.12 * sd);
  }

  /** Rows with the chains, and on executors in 1, 2 or 8 partitions. */
  @Test
  void plansAndPartitionsDrawTheSameBits() throws IOException {
    for (Class<?> type : List.of(LogOdds.class, Panel.class)) {
      String name = type.getSimpleName();
      String job =
          job(
              name,
              type == Panel.class ? "x" : "a, b",
              "{" + program(type) + "}",
              "{chains: 2, warmup: 6, draws: 10, program: {epsilon: 0.05}}");
      shell.samples("run", "--config", job);
      String expected = draws(name);
      assertTrue(expected.lines().distinct().count() > 10, expected);
      for (int partitions : new int[] {1, 2, 8}) {
        String out = name + partitions;
        shell.samples(
            "sample",
            "--config",
            job,
            "--set",
            "sampler.plan=stepwise",
            "--set",
            "data.partitions=" + partitions,
            "--set",
            "output=" + folder.resolve(out));
        assertEquals(expected, draws(out), out);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "stepwise"})
  void haltedAndResumedIsTheSame(String plan) throws IOException {
    String job =
        job(
            "panel",
            "x",
            "{" + program(Panel.class) + ", options: {sd: 0.9}}",
            "{chains: 2, warmup: 25, draws: 40, plan: %s, checkpoint_minutes: 0.00001}"
                .formatted(plan));
    shell.samples("run", "--config", job);
    String output = "output=" + folder.resolve("halted");
    assertEquals(
        1, shell.run(ResumeIT.haltingAfter(1), "sample", "--config", job, "--set", output));
    assertTrue(Files.notExists(folder.resolve("halted/draws.csv")));
    shell.samples("sample", "--config", job, "--set", output, "--resume");
    assertEquals(draws("panel"), draws("halted"));
    assertEquals(
        2,
        shell.run(
            "sample",
            "--config",
            job,
            "--set",
            output,
            "--set",
            "sampler.program.drift=1",
            "--resume"));
    assertTrue(shell.err().contains("sampler.program.drift was 0.1, and is now 1"), shell.err());
    shell.samples(
        "sample",
        "--config",
        job,
        "--set",
        "output=" + folder.resolve("seed"),
        "--set",
        "sampler.seed=2");
    assertNotEquals(draws("panel"), draws("seed"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "2 | com.acme.Absent | | there is no class com.acme.Absent on the class path",
        "2 | java.lang.String | | does not implement org.lampyris.bounds.family.ModelProvider",
        "2 | Failing | | cannot be constructed: java.lang.IllegalStateException: no licence",
        "3 | Wrong | model.options.how=column | reads the column 'z', but the table has a, b. Name it",
        "2 | Wrong | model.options.how=rows | the program does not read rows",
        "2 | Wrong | model.options.how=zero | fails: java.lang.ArithmeticException: by zero. Correct",
        "2 | LogOdds | sampler.algorithm=firefly | so sampler.algorithm: firefly has no place",
        "2 | LogOdds | sampler.prior_only=true | so sampler.prior_only has no place",
        "2 | LogOdds | model.prior=flat | so a prior in the section model has no place",
        "2 | LogOdds | sampler.kernel=hmc | does not heed sampler.kernel. Remove it",
        "2 | LogOdds | sampler.evidence=bridge | does not heed sampler.evidence. Remove it",
        "2 | LogOdds | data.weight=x | does not heed data.weight. Remove it",
        "2 | LogOdds | data.intercept=true | Set data.intercept: false",
        "2 | LogOdds | sampler.program.drift=0 | sampler.program.drift must be a number above 0",
      })
  void mistakesAreToldInASentence(int code, String type, String set, String says)
      throws IOException {
    String name = type.contains(".") ? type : getClass().getName() + "$" + type;
    List<String> command =
        new ArrayList<>(
            List.of(
                "run",
                "--config",
                job(
                    "wrong",
                    "a, b",
                    "{family: \"%s\", label_kind: binary}".formatted(name),
                    "{chains: 1, draws: 2, warmup: 1}")));
    if (set != null) {
      command.addAll(List.of("--set", set));
    }
    assertEquals(code, shell.run(command.toArray(String[]::new)), shell.err());
    assertTrue(shell.err().contains(says), shell.err());
    assertEquals(1, shell.err().strip().lines().count(), shell.err());
  }

  /** The class of docs/programs.md is {@link LogOdds}; its job file runs. */
  @Test
  void theExampleOfThePageRuns() throws IOException {
    String page = Files.readString(Path.of("../docs/programs.md"));
    String section = page.substring(page.indexOf("## In a job file"), page.indexOf("## Branches"));
    String own =
        Files.readString(
            Path.of("src/test/java").resolve(getClass().getName().replace('.', '/') + ".java"));
    String example = block(section, "java").replace("public final", "public static final");
    assertTrue(own.replaceAll("\\s+", " ").contains(example.replaceAll("\\s+", " ")), example);
    Path table = folder.resolve("t.csv");
    Files.writeString(
        table, Files.readString(table).replace("y,a,b,x", "clicked,age,visits,height"));
    String job =
        block(section, "yaml")
            .replace("clicks.csv", table.toString())
            .replace("com.acme.LogOdds", "\"" + LogOdds.class.getName() + "\"")
            .replace("runs/log-odds", folder.resolve("page").toString());
    Path file = Files.writeString(folder.resolve("page.yaml"), job);
    shell.samples("run", "--config", file.toString(), "--set", "sampler.draws=50");
    assertEquals(
        List.of("w[age]", "w[visits]"), summary("page").keySet().stream().sorted().toList());
  }

  private static String block(String section, String language) {
    String opening = "```" + language + "\n";
    int from = section.indexOf(opening) + opening.length();
    return section.substring(from, section.indexOf("```", from));
  }

  @Test
  void theAlgorithmIsForPrograms() throws IOException {
    String job = job("family", "a, b", "{family: logistic}", "{algorithm: program}");
    assertEquals(2, shell.run("run", "--config", job), shell.err());
    assertTrue(shell.err().contains("logistic is no program"), shell.err());
  }
}
