package org.lampyris.driver.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A run that version 0.1 has left: its table, bounds and checkpoint are read, or refused by their
 * version. The folder {@code written-by-0.1} holds the job file, the input and the run.
 */
class EarlierVersionIT {
  private static final String WRITTEN = "written-by-0.1";

  @TempDir private Path folder;

  private final Shell shell = new Shell("local[1]");
  private Path run = Path.of("");

  @BeforeEach
  void copy() throws IOException, URISyntaxException {
    URL written = Objects.requireNonNull(EarlierVersionIT.class.getResource(WRITTEN));
    Path from = Path.of(written.toURI());
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path to = folder.resolve(from.relativize(file).toString());
        if (!Files.isDirectory(file)) {
          Files.createDirectories(to.getParent());
          Files.copy(file, to);
        }
      }
    }
    run = folder.resolve("run");
    // It was made with relative paths.
    Path manifest = run.resolve("manifest.json");
    String text = Files.readString(manifest);
    Files.writeString(manifest, text.replace("\"run/", "\"" + run + "/"));
  }

  private int sample(String... more) {
    String[] args =
        Stream.concat(
                Stream.of(
                    "sample", folder.resolve("job.yaml").toString(), "--set", "output=" + run),
                Stream.of(more))
            .toArray(String[]::new);
    return shell.run(args);
  }

  /** Returns how many draws there are. */
  private int draws() throws IOException {
    return Files.readAllLines(run.resolve("draws.csv")).size() - 1;
  }

  private void requireSampled(int code, int draws) throws IOException {
    assertTrue(code == 0 || code == 4, shell::err);
    assertEquals(draws, draws());
  }

  @Test
  void itsTableAndBoundsAreSampled() throws IOException {
    requireSampled(sample("--overwrite", "--set", "sampler.draws=30"), 60);
  }

  @Test
  void itsCheckpointIsResumedOrRefusedByName() throws IOException {
    List<String> before = Files.readAllLines(run.resolve("draws.csv"));
    int code = sample("--resume", "--set", "sampler.draws=60");
    if (code == 2) {
      assertTrue(
          shell.err().contains("was written by Lampyris 0.1")
              || shell.err().contains("cannot be resumed: "),
          shell.err());
      assertEquals(before, Files.readAllLines(run.resolve("draws.csv")));
      return;
    }
    requireSampled(code, 120);
    List<String> after = Files.readAllLines(run.resolve("draws.csv"));
    assertEquals(before.subList(1, 41), after.subList(1, 41));
  }

  /** Commands that ask a finished run, each with what it writes or prints. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "summarize RUN",
        "compare RUN RUN",
        "hypothesis --run RUN a>0",
        "effects --run RUN --output NEW",
        "export RUN",
        "report RUN",
        "loo RUN --output NEW",
        "predict --config JOB --set output=RUN --input TABLE --to NEW"
      })
  void itsOutputAnswersQuestions(String command) throws IOException {
    int code = shell.run(words(command));
    assertTrue(code == 0 || code == 4, shell::err); // its draws are few
  }

  @Test
  void laterRowsFollowIt() throws IOException {
    List<String> rows = Files.readAllLines(folder.resolve("table.csv"));
    Files.write(folder.resolve("later.csv"), rows.subList(0, 100));
    int code =
        shell.run(
            words(
                "update --from RUN --set data.input=LATER --set prepared=NEW/p --set bounds=NEW/b"
                    + " --set output=NEW"));
    assertTrue(code == 0 || code == 4, shell::err);
  }

  private String[] words(String command) {
    return command
        .replace("RUN", run.toString())
        .replace("NEW", folder.resolve("new").toString())
        .replace("JOB", folder.resolve("job.yaml").toString())
        .replace("TABLE", folder.resolve("table.csv").toString())
        .replace("LATER", folder.resolve("later.csv").toString())
        .split(" ", -1);
  }

  @Test
  void otherVersionsAreRefusedByName() throws IOException {
    refused("prepared/schema.json", "has version 4, and this is Lampyris");
    refused("bounds/bounds.json", "has version 4, and this Lampyris");
  }

  private void refused(String file, String words) throws IOException {
    Path path = run.resolve(file);
    String text = Files.readString(path);
    Files.writeString(path, text.replace("\"version\" : 5", "\"version\" : 4"));
    assertEquals(3, sample("--overwrite"), shell.err());
    assertTrue(shell.err().contains(words), shell.err());
    assertEquals(80, draws());
    Files.writeString(path, text);
  }
}
