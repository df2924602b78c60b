package org.lampyris.driver.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.output.CsvText;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.run.Shell;

/** Effects through the command line against brms, emmeans and R, from the same tables and draws. */
class MarginalIT {
  @TempDir private static Path folder;
  private final Shell shell = new Shell("local[2]");

  @BeforeAll
  static void sample() throws IOException {
    for (int k = 1; k <= 6; k++) {
      copy("effects-" + k + "-table.csv", "table" + k + ".csv");
    }
    Shell shell = new Shell("local[2]");
    shell.samples(run("1", "model.formula=y ~ log(d) * f + h + I(h^2)", "model.family=logistic"));
    shell.samples(
        run(
            "2",
            "data.label=y",
            "data.features=[g, k, x]",
            "data.categorical=[k]",
            "model.offset=e",
            "model.family=poisson"));
    shell.samples(
        run(
            "3",
            "model.formula=y ~ f * g + poly(x, 2) + ns(z, 3)",
            "model.family=gaussian",
            "data.weight=w"));
    shell.samples(
        run("4", "model.formula=y ~ f + x", "model.family=softmax", "model.reference_class=p"));
    shell.samples(run("5", "model.formula=y ~ x * f + (1 | g)", "model.family=logistic"));
    shell.samples(run("6", "model.formula=y ~ f + x", "model.family=ordinal"));
    for (String one : List.of("1", "2", "3", "4", "5", "6")) {
      Path draws = folder.resolve(one).resolve("draws");
      Files.move(draws, folder.resolve(one).resolve("draws-of-the-run"));
      Files.delete(folder.resolve(one).resolve("draws.csv"));
      Files.delete(folder.resolve(one).resolve(".draws.csv.crc"));
      copy("effects-" + one + "-draws.csv", one + "/draws.csv");
    }
  }

  private static void copy(String resource, String to) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(MarginalIT.class.getResourceAsStream("/questions/" + resource))) {
      Files.copy(in, folder.resolve(to));
    }
  }

  private static String[] run(String name, String... settings) {
    List<String> command = new ArrayList<>(List.of("run"));
    List<String> all =
        new ArrayList<>(
            List.of(
                "data.input=" + folder.resolve("table" + name + ".csv"),
                "sampler.warmup=100",
                "sampler.draws=100",
                "sampler.chains=2",
                "output=" + folder.resolve(name)));
    all.addAll(List.of(settings));
    all.forEach(setting -> command.addAll(List.of("--set", setting)));
    return command.toArray(String[]::new);
  }

  private List<String[]> lines(Path file) throws IOException {
    return CsvText.read(new Configuration(), new org.apache.hadoop.fs.Path(file.toString()));
  }

  /** Holds each of R's figures against the effect of the same column, value and level. */
  private int compare(String name, String expected, String... options) throws IOException {
    Path to = folder.resolve("effects-" + expected);
    List<String> command =
        new ArrayList<>(List.of("effects", "--run", folder.resolve(name).toString()));
    command.addAll(List.of("--output", to.toString()));
    command.addAll(List.of(options));
    shell.succeeds(command.toArray(String[]::new));
    copy(expected, "expected-" + expected);
    List<String[]> ours = lines(to.resolve("effects.csv"));
    List<String[]> theirs = lines(folder.resolve("expected-" + expected));
    for (String[] r : theirs.subList(1, theirs.size())) {
      String[] found =
          ours.stream()
              .filter(one -> one[0].equals(r[0]) && one[1].equals(r[1]) && one[3].equals(r[3]))
              .filter(one -> one[4].equals(r[4].strip()))
              .filter(one -> same(one[2], r[2]))
              .findFirst()
              .orElseThrow(() -> new AssertionError(String.join(" ", r)));
      for (int k = 0; k < 4; k++) {
        double figure = Double.parseDouble(r[5 + k]);
        assertEquals(
            figure,
            Double.parseDouble(found[5 + k]),
            1e-6 * (1e-3 + Math.abs(figure)),
            String.join(" ", r));
      }
    }
    return theirs.size() - 1;
  }

  /** Returns whether two values are the same level, or the same number but for its last digit. */
  private static boolean same(String ours, String theirs) {
    try {
      double number = Double.parseDouble(theirs);
      return Math.abs(Double.parseDouble(ours) - number) <= 1e-12 * Math.abs(number);
    } catch (NumberFormatException e) {
      return ours.equals(theirs);
    }
  }

  @Test
  void aTypicalRowHasTheEffectsOfEmmeans() throws IOException {
    assertEquals(13, compare("1", "effects-1-means.csv", "--points", "5"));
    assertTrue(shell.out().contains("f: c - b"), shell.out());
    assertEquals(
        "1-d.svg 2-f.svg 3-h.svg",
        Shell.files(folder.resolve("effects-effects-1-means.csv/effects")));
  }

  @Test
  void rowsOfTheTableHaveTheAverageEffectsOfR() throws IOException {
    assertEquals(7, compare("1", "effects-1-rows.csv", "--at", "rows", "--contrasts", "reference"));
  }

  @Test
  void offsetsAndTwoFactorsHaveTheEffectsOfR() throws IOException {
    assertEquals(10, compare("2", "effects-2-means.csv"));
  }

  @Test
  void weightedRowsPolynomialsAndSplinesHaveTheEffectsOfLm() throws IOException {
    assertEquals(17, compare("3", "effects-3-means.csv", "--points", "3"));
    assertEquals(17, compare("3", "effects-3-rows.csv", "--points", "3", "--at", "rows"));
  }

  @Test
  void classesHaveTheEffectsOfMultinomAndPolr() throws IOException {
    assertEquals(30, compare("4", "effects-4-means.csv", "--points", "3"));
    assertEquals(30, compare("4", "effects-4-rows.csv", "--points", "3", "--at", "rows"));
    assertEquals(40, compare("6", "effects-6-means.csv", "--points", "3"));
    assertEquals(40, compare("6", "effects-6-rows.csv", "--points", "3", "--at", "rows"));
  }

  @Test
  void effectsOfGroupsAreLeftOutAsByLme4() throws IOException {
    assertEquals(10, compare("5", "effects-5-means.csv", "--points", "3"));
    assertEquals(10, compare("5", "effects-5-rows.csv", "--points", "3", "--at", "rows"));
  }

  /**
   * The table of each run above is a small CSV. Two files need Spark, and have the same effects.
   */
  @Test
  void smallTablesAreReadWithoutSpark() throws IOException {
    for (MarginalEffects.Base base : MarginalEffects.Base.values()) {
      RunOutput run = RunOutput.ofEnded(new Configuration(), folder.resolve("2").toString());
      MarginalEffects.How how =
          new MarginalEffects.How(List.of(), base, false, true, 1_000, 1_000, 5, 0.9);
      MarginalEffects.Result without =
          MarginalEffects.of(
              () -> {
                throw new AssertionError("starts Spark");
              },
              run,
              how,
              fitted -> fitted.job().data().source(),
              fitted -> {
                throw new AssertionError("starts Spark");
              });
      Path halves = Files.createDirectories(folder.resolve("halves"));
      List<String> table = Files.readAllLines(folder.resolve("table2.csv"));
      Files.write(halves.resolve("1.csv"), table.subList(0, 100));
      List<String> second = new ArrayList<>(table.subList(100, table.size()));
      second.add(0, table.get(0));
      Files.write(halves.resolve("2.csv"), second);
      Path to = folder.resolve("halves-" + base);
      String at = base.name().toLowerCase(Locale.ROOT);
      shell.succeeds(
          "effects",
          "--run",
          folder.resolve("2").toString(),
          "--input",
          halves.toString(),
          "--at",
          at,
          "--points",
          "5",
          "--output",
          to.toString());
      List<String[]> lines = lines(to.resolve("effects.csv"));
      assertEquals(lines.size() - 1, without.all().size());
      for (int k = 0; k < without.all().size(); k++) {
        double spark = Double.parseDouble(lines.get(k + 1)[5]);
        assertEquals(spark, without.all().get(k).mean(), 1e-7 * (1e-3 + Math.abs(spark)));
      }
    }
  }

  @Test
  void wrongOptionsAreExplained() {
    String run = folder.resolve("1").toString();
    assertEquals(2, shell.run("effects", "--run", run, "--of", "dd"));
    assertTrue(shell.err().contains("did you mean 'd'?"), shell.err());
    assertEquals(2, shell.run("effects", "--run", run, "--at", "typical"));
    assertTrue(shell.err().contains("--at is typical. Set it to means or rows."), shell.err());
    assertEquals(2, shell.run("effects", "--run", run, "--groups"));
    assertTrue(shell.err().contains("Set --at to rows."), shell.err());
    assertEquals(2, shell.run("effects", "--run", run, "--interval", "1"));
    assertEquals(3, shell.run("effects", "--run", folder.toString()));
  }
}
