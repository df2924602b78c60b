package org.lampyris.driver.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every mistake a user can mend, through the real command line: the exit code, one sentence that
 * names the file, the place and the remedy, and nothing half-written.
 */
class CommandErrorsIT {
  private static final int USAGE = 2;
  private static final int DATA = 3;
  private static final String[] GOOD = {
    "y,a,b,c", "1,0.5,2,x", "0,1.5,1,z", "1,-0.5,7,x", "0,2.5,3,z", "1,3.5,4,x", "0,0.25,5,z"
  };

  private final Path folder;
  private final Shell shell = new Shell("local[2]");

  CommandErrorsIT(@TempDir Path folder) {
    this.folder = folder;
  }

  private Path table(String name, String... lines) throws IOException {
    return Files.writeString(folder.resolve(name), String.join("\n", lines) + "\n");
  }

  private Path broken(String name, String... more) throws IOException {
    List<String> lines = new ArrayList<>(List.of(GOOD));
    lines.addAll(List.of(more));
    return table(name, lines.toArray(String[]::new));
  }

  private String job(Path input, String more) throws IOException {
    return Files.writeString(
            folder.resolve("job.yaml"),
            String.format(
                Locale.ROOT,
                "data: {input: \"%s\", label: y}%noutput: \"%s\"%n%s%n",
                input,
                folder.resolve("out"),
                more))
        .toString();
  }

  /** Holds that {@code run} is refused with these words, in one line, and leaves nothing. */
  private void refused(int exitCode, String job, List<String> words) {
    says(exitCode, words, "run", "--config", job);
    assertFalse(Files.exists(folder.resolve("out")), "nothing half-written");
  }

  private void says(int exitCode, List<String> words, String... command) {
    int exit = shell.run(command);
    String err = shell.err();
    assertEquals(exitCode, exit, err);
    assertEquals(1, err.strip().lines().count(), err);
    assertTrue(err.startsWith("lampyris: "), err);
    words.forEach(word -> assertTrue(err.contains(word), () -> "\"" + word + "\" in: " + err));
  }

  @Test
  void missingFile() throws IOException {
    Path input = folder.resolve("no/where.csv");
    refused(USAGE, job(input, ""), List.of(input.toString(), "does not exist", "data.input"));
    says(
        USAGE, List.of(folder + "/none.yaml"), "run", "--config", folder.resolve("none.yaml") + "");
  }

  @Test
  void emptyFile() throws IOException {
    refused(DATA, job(table("h.csv", "y,a"), ""), List.of("h.csv is empty: it has no rows"));
  }

  @Test
  void unknownKeyWithTheNearest() throws IOException {
    refused(
        USAGE,
        job(table("t.csv", GOOD), "sampler: {chians: 4}"),
        List.of(
            "job.yaml:3:11",
            "unknown key \"sampler.chians\"",
            "the nearest known key is \"chains\""));
  }

  @Test
  void absentColumn() throws IOException {
    refused(
        DATA,
        job(table("t.csv", "yy,a", "1,2", "0,3"), ""),
        List.of("t.csv has no column 'y'", "did you mean 'yy'?"));
  }

  @Test
  void nonNumericCell() throws IOException {
    refused(
        DATA,
        job(broken("t.csv", "1,oops,3,x"), ""),
        List.of("t.csv, line 8: column 'a' holds 'oops'"));
  }

  @Test
  void nanAndInfinity() throws IOException {
    refused(
        DATA,
        job(broken("n.csv", "1,nan,3,x"), ""),
        List.of("column 'a'", "no value in 1 row", "n.csv, line 8"));
    refused(
        DATA,
        job(broken("i.csv", "1,2,-inf,x"), ""),
        List.of("column 'b'", "is infinite in 1 row", "i.csv, line 8"));
  }

  @Test
  void labelOutsideTheDomain() throws IOException {
    refused(
        DATA,
        job(broken("t.csv", "2,1,1,x"), ""),
        List.of("label 'y'", "3 different values (0, 1, 2)", "t.csv, line 8"));
  }

  @Test
  void oneClassOnly() throws IOException {
    refused(
        DATA,
        job(table("t.csv", "y,a", "1,2", "1,3", "1,5"), ""),
        List.of("label 'y'", "is 1 in every row", "both classes"));
  }

  @Test
  void constantColumn() throws IOException {
    refused(
        DATA,
        job(table("t.csv", "y,a,k", "1,2,5", "0,3,5", "1,7,5", "0,1,5"), ""),
        List.of("column 'k'", "is constant: 5 in every row", "data.features"));
  }

  @Test
  void categoryUnseenBefore() throws IOException {
    Path old = folder.resolve("old");
    shell.succeeds(
        "prepare", "--config", job(table("old.csv", GOOD), ""), "--set", "prepared=" + old);
    says(
        DATA,
        List.of("column 'c'", "has the category 'w'", "new.csv, line 8", "earlier table"),
        "prepare",
        "--config",
        job(broken("new.csv", "1,1,1,w"), ""),
        "--set",
        "data.like=" + old);
    assertFalse(Files.exists(folder.resolve("out/prepared")), "nothing half-written");
  }

  @Test
  void priorThatDoesNotParse() throws IOException {
    refused(
        USAGE,
        job(table("t.csv", GOOD), "model: {prior: \"nromal(0, 1)\"}"),
        List.of(
            "job.yaml:3:",
            "model.prior: cannot read the prior \"nromal(0, 1)\"",
            "normal(mean, sd)"));
    // What the columns are is known before the table is prepared.
    says(
        USAGE,
        List.of("model.priors names \"aa\"", "did you mean \"a\"?"),
        "run",
        "--config",
        job(table("t.csv", GOOD), "model: {priors: {aa: flat}}"));
    assertFalse(Files.exists(folder.resolve("out")), "nothing was prepared");
    // Which levels there are only once it is.
    says(
        USAGE,
        List.of("model.priors names \"c[x]\"", "did you mean \"c["),
        "run",
        "--config",
        job(table("t.csv", GOOD), "model: {priors: {\"c[x]\": flat}}"));
  }

  @Test
  void outputThatCannotBeWritten() throws IOException {
    Path input = table("t.csv", GOOD);
    table("plain", "a file");
    says(
        USAGE,
        List.of(folder + "/plain/out", "cannot be written"),
        "run",
        "--config",
        job(input, ""),
        "--set",
        "output=" + folder.resolve("plain/out"));
    shell.set("spark.hadoop.fs.full.impl", TroubledFileSystem.Full.class.getName());
    shell.set("spark.hadoop.fs.locked.impl", TroubledFileSystem.Locked.class.getName());
    for (String command : List.of("prepare", "run")) {
      says(
          USAGE,
          List.of("o room to write", "full:" + folder, "Free some"),
          command,
          "--config",
          job(input, ""),
          "--set",
          "output=full:" + folder.resolve("full"));
      assertEquals("", files("full"), "nothing half-written");
      says(
          USAGE,
          List.of("ermission", "locked:" + folder),
          command,
          "--config",
          job(input, ""),
          "--set",
          "output=locked:" + folder.resolve("locked"));
      assertEquals("", files("locked"), "nothing half-written");
    }
  }

  private String files(String name) throws IOException {
    Path path = folder.resolve(name);
    return Files.exists(path) ? Shell.files(path) : "";
  }

  @Test
  void resultsThatExistAndBoundsThatDoNotBelong() throws IOException {
    List<String> lines = new ArrayList<>(List.of("y,a"));
    for (int i = 0; i < 60; i++) {
      lines.add((i * 7 % 11 < 5 ? 1 : 0) + "," + (i % 13 - 6 + 0.5 * (i % 3)));
    }
    String job =
        job(
            table("t.csv", lines.toArray(String[]::new)),
            "sampler: {chains: 1, warmup: 2, draws: 5}");
    says(DATA, List.of("holds no prepared table", "prepare"), "sample", "--config", job);
    shell.succeeds("prepare", "--config", job);
    says(DATA, List.of("holds no precomputed bounds", "precompute"), "sample", "--config", job);
    shell.succeeds("precompute", "--config", job);
    shell.samples("sample", "--config", job);
    String draws = Files.readString(folder.resolve("out/draws.csv"));

    says(USAGE, List.of("out already holds draws", "--overwrite"), "run", "--config", job);
    says(USAGE, List.of("out already holds draws", "--overwrite"), "sample", "--config", job);
    says(USAGE, List.of("out/prepared exists", "--overwrite"), "prepare", "--config", job);
    says(USAGE, List.of("out/bounds exists", "--overwrite"), "precompute", "--config", job);

    unfit(job, List.of("a prior", "normal(0.0, 2.5)", "cauchy"), "model.prior=cauchy(0, 1)");
    shell.succeeds(
        "prepare",
        "--config",
        job,
        "--set",
        "data.order=content",
        "--set",
        "prepared=" + folder + "/other");
    unfit(job, List.of("the table with fingerprint"), "prepared=" + folder.resolve("other"));
    Path bounds = folder.resolve("out/bounds/bounds.json");
    String written = Files.readString(bounds);
    // Of a version that wrote no checksum: one would tell that first.
    String family =
        written
            .replace("\"logistic\"", "\"softmax\"")
            .replaceFirst(",\\s*\"checksum\"\\s*:\\s*\"[^\"]*\"", "");
    assertFalse(family.equals(written));
    Files.delete(folder.resolve("out/bounds/.bounds.json.crc"));
    Files.writeString(bounds, family);
    unfit(job, List.of("the family softmax", "logistic", "Run precompute again"));
    assertEquals(draws, Files.readString(folder.resolve("out/draws.csv")), "draws are kept");
  }

  private void unfit(String job, List<String> words, String... settings) {
    List<String> command = new ArrayList<>(List.of("sample", "--config", job, "--overwrite"));
    for (String setting : settings) {
      command.add("--set");
      command.add(setting);
    }
    List<String> all = new ArrayList<>(words);
    all.add("precompute again");
    says(DATA, all, command.toArray(String[]::new));
  }

  @Test
  void noStartFromAFlatPrior() throws IOException {
    String job =
        job(
            table("t.csv", "y,a", "1,2", "0,3", "1,5", "0,4", "0,2", "1,1"),
            "model: {prior: flat}\nsampler: {init: prior}");
    says(USAGE, List.of("sampler.init: prior", "init: laplace"), "run", "--config", job);
  }
}
