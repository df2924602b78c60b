package org.lampyris.driver.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.progress.Progress;
import picocli.CommandLine;

/** What commands tell without Spark: help with examples that can be typed, and dry runs. */
class HelpTest {
  private static final String PROMPT = "  lampyris ";

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLineInterface commands =
      new CommandLineInterface(
          new Steps(), new PrintWriter(out), new PrintWriter(err), Progress::onStandardError);

  private String told(int exitCode, String... args) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    assertEquals(exitCode, commands.execute(args), () -> out.toString() + err);
    return out.toString() + err;
  }

  @Test
  void everyCommandHasAnExampleThatParses() {
    Map<String, CommandLine> all = commands.commands().getSubcommands();
    assertTrue(all.size() >= 14, all.keySet().toString());
    List<String> names = new ArrayList<>(all.keySet());
    names.remove("generate-completion");
    for (String name : names) {
      List<String> examples =
          told(ExitCode.OK, name, "--help")
              .lines()
              .filter(line -> line.startsWith(PROMPT))
              .toList();
      assertFalse(examples.isEmpty(), name);
      for (String example : examples) {
        String[] args = example.substring(PROMPT.length()).replaceFirst(" > .*", "").split(" +");
        assertEquals(name, args[0]);
        commands.commands().parseArgs(args);
      }
    }
  }

  @Test
  void shellsCanComplete() {
    String script = told(ExitCode.OK, "generate-completion");
    assertTrue(script.contains("--dry-run") && script.contains("complete -F"), script);
  }

  private String job(String more) throws IOException {
    Path table = folder.resolve("clicks.csv");
    if (!Files.exists(table)) {
      Files.writeString(table, "clicked,age,country\n1,30,DE\n0,40,FR\n");
    }
    return Files.writeString(
            folder.resolve("job.yaml"),
            "data: {input: %s, label: clicked%s}\noutput: %s\n"
                .formatted(table, more, folder.resolve("run")))
        .toString();
  }

  @Test
  void aDryRunTellsWhatWouldBeDoneAndDoesNothing() throws IOException {
    String text = told(ExitCode.OK, "run", "--config", job(""), "--dry-run");
    assertEquals(
        """
        read: %1$s/clicks.csv (csv, 36 B in 1 file, 3 columns)
        prepare: %1$s/run/prepared
        precompute: %1$s/run/bounds
        sample: 4 chains, each 1000 draws after 500 iterations of warm-up, or as many independent draws, by auto
        write: %1$s/run
        Nothing was done.
        """
            .formatted(folder),
        text);
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(
          List.of("clicks.csv", "job.yaml"),
          files.map(file -> file.getFileName().toString()).sorted().toList());
    }
    String prepare = told(ExitCode.OK, "prepare", "--config", job(""), "--dry-run");
    assertTrue(prepare.contains("write: " + folder.resolve("run/prepared")), prepare);
    String generate = told(ExitCode.OK, "generate", "--output", folder + "/g", "--dry-run");
    assertTrue(generate.contains("write: " + folder.resolve("g")), generate);
  }

  @Test
  void aJobFileNeedsNoOption() throws IOException {
    String job = job("");
    String other = folder.resolve("other.yaml").toString();
    assertEquals(
        told(ExitCode.OK, "run", "--config", job, "--dry-run"),
        told(ExitCode.OK, "run", job, "--dry-run"));
    assertEquals(
        told(ExitCode.OK, "config", "--config", job, "--set", "sampler.draws=7"),
        told(ExitCode.OK, "config", "--set", "sampler.draws=7", job));
    assertTrue(
        told(ExitCode.USAGE, "run", other, "--config", job, "--dry-run")
            .contains("Two job files are given: " + job + " by --config, and " + other));
    assertTrue(told(ExitCode.USAGE, "run", job, other).contains("Unmatched argument"));
    assertTrue(told(ExitCode.USAGE, "predict", job).contains("--input"));
  }

  @Test
  void aDryRunKnowsTheColumnsOfAFormula() throws IOException {
    String job =
        "data: {input: %s}\nmodel: {family: poisson, formula: %s}\noutput: %s\n"
            .formatted(folder.resolve("clicks.csv"), "%s", folder.resolve("run"));
    job("");
    Path file = folder.resolve("formula.yaml");
    Files.writeString(file, job.formatted("floor(clicked) ~ country + offset(log(age))"));
    assertTrue(
        told(ExitCode.OK, "run", "--config", file.toString(), "--dry-run").contains("3 columns"));
    Files.writeString(file, job.formatted("clicked ~ country + offset(log(agee))"));
    assertTrue(
        told(ExitCode.DATA, "run", "--config", file.toString(), "--dry-run")
            .contains("has no column 'agee' for model.formula; did you mean 'age'?"));
  }

  @Test
  void theConfigurationKnowsTheTypesOfColumns() throws IOException {
    job("");
    Path file = folder.resolve("types.yaml");
    Map<String, String> refused =
        Map.of(
            "clicked ~ log(country)", "the column 'country' holds categories instead of numbers",
            "clicked ~ country + (0 + country | age)", "'country' has levels, and varies by age",
            "clicked ~ mo(country)", "'DE' is no whole number. Write mo(ordered(country",
            "clicked ~ age + offset(country)", "the offset column 'country'",
            "country ~ age", "needs a count",
            "log(country) ~ age", "the column 'country' holds categories");
    for (Map.Entry<String, String> one : refused.entrySet()) {
      Files.writeString(
          file,
          "data: {input: %s}\nmodel: {family: poisson, formula: \"%s\"}\noutput: %s\n"
              .formatted(folder.resolve("clicks.csv"), one.getKey(), folder.resolve("run")));
      boolean usage = one.getValue().startsWith("the column") || one.getKey().contains("(0 +");
      int code = usage ? ExitCode.USAGE : ExitCode.DATA;
      String config = told(code, "config", file.toString());
      assertTrue(config.contains(one.getValue()), config);
      assertEquals(config, told(code, "run", file.toString(), "--dry-run"));
    }
    Files.writeString(
        file,
        "data: {input: %s}\nmodel: {formula: \"%s\"}\noutput: %s\n"
            .formatted(
                folder.resolve("clicks.csv"),
                "clicked ~ factor(age) + mo(ordered(country, levels = c('DE', 'FR')))",
                folder.resolve("run")));
    told(ExitCode.OK, "config", file.toString());
  }

  @Test
  void theConfigurationIsCheckedAgainstATableThatExists() throws IOException {
    String job = job("");
    assertTrue(
        told(ExitCode.OK, "config", "--config", job)
            .contains("\n# data.input: csv, 36 B in 1 file, 3 columns\n"));
    assertTrue(
        told(ExitCode.DATA, "config", "--config", job(", features: [agee]"))
            .contains("has no column 'agee' for the feature; did you mean 'age'?"));
    Files.delete(folder.resolve("clicks.csv"));
    assertFalse(
        told(ExitCode.OK, "config", "--config", job, "--set", "data.input=gone.csv")
            .contains("# data.input"));
  }

  @Test
  void anArgumentWithAnAtIsNoFile() {
    assertTrue(told(ExitCode.USAGE, "run", "@job.txt").contains("file @job.txt does not exist"));
  }

  @Test
  void controlCharactersAreShown() throws IOException {
    Files.writeString(folder.resolve("clicks.csv"), "clicked,\u001b[31mred\n1,2\n");
    String text = told(ExitCode.DATA, "run", "--config", job(", features: [age]"), "--dry-run");
    assertTrue(text.contains("clicked, \\u001b[31mred"), text);
    assertFalse(text.contains("\u001b"), text);
  }

  @Test
  void aDryRunRefusesWhatTheCommandWould() throws IOException {
    assertTrue(
        told(ExitCode.DATA, "run", "--config", job(", features: [agee]"), "--dry-run")
            .contains("has no column 'agee' for the feature; did you mean 'age'?"));
    assertTrue(
        told(ExitCode.USAGE, "sample", "--config", job(""), "--dry-run")
            .contains("There is no prepared table in " + folder.resolve("run/prepared")));
    Files.createDirectories(folder.resolve("run/prepared"));
    assertTrue(
        told(ExitCode.USAGE, "run", "--config", job(""), "--dry-run").contains("--overwrite"));
    assertTrue(
        told(ExitCode.USAGE, "prepare", "--config", job(""), "--dry-run").contains("--overwrite"));
    assertTrue(
        told(ExitCode.OK, "prepare", "--config", job(""), "--dry-run", "--overwrite")
            .contains("replace: "));
    Files.createDirectories(folder.resolve("run/draws"));
    assertTrue(
        told(ExitCode.USAGE, "run", "--config", job(""), "--dry-run").contains("already holds"));
    Files.delete(folder.resolve("clicks.csv"));
    Files.writeString(folder.resolve("clicks.csv"), "");
    assertTrue(
        told(ExitCode.DATA, "prepare", "--config", job(""), "--dry-run", "--overwrite")
            .contains("is empty"));
  }
}
