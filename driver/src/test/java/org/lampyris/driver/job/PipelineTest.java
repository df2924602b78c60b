package org.lampyris.driver.job;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.config.ConfigReader;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.SetOption;

class PipelineTest {
  @TempDir Path folder;

  @BeforeEach
  void table() throws IOException {
    Files.writeString(folder.resolve("t.csv"), "y,a\n1,2\n");
  }

  private Pipeline made(String... settings) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("job.yaml"),
            "data: {input: \"%1$s/t.csv\", label: y}\noutput: \"%1$s/out\"\n".formatted(folder));
    List<SetOption> overrides = Stream.of(settings).map(SetOption::parse).toList();
    JobConfig job = new ConfigReader().read(file, overrides, "run", List.of());
    return Pipeline.of(new Configuration(), job);
  }

  private void writes(String name, String text) throws IOException {
    Path file = folder.resolve("out").resolve(name);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, text);
    Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
  }

  private void makesAll() throws IOException {
    Pipeline made = made();
    Runnable unused = made.table().begin();
    writes("prepared/schema.json", "a table");
    made.table().end();
    Runnable unusedToo = made.bounds().begin();
    writes("bounds/bounds.json", "bounds");
    made.bounds().end();
  }

  @Test
  void whatWasMadeIsKnownAgain() throws IOException {
    assertFalse(made().table().isMade());
    assertFalse(made().table().isOwn());
    makesAll();
    assertTrue(made().table().isMade());
    assertTrue(made().bounds().isMade());
    assertFalse(made("model.prior=flat").table().isMade());
    assertFalse(made("precompute.tolerance=0.001").bounds().isMade());
    assertTrue(made("precompute.tolerance=0.001").table().isMade());
  }

  @Test
  void whatOnlyBeganIsNotThere() throws IOException {
    Runnable unused = made().table().begin();
    writes("prepared/schema.json", "a table");
    assertFalse(made().table().isMade());
    assertTrue(made().table().isOwn());
    made().table().end();
    Runnable unusedToo = made().bounds().begin();
    writes("bounds/bounds.json", "bounds");
    assertTrue(made().table().isMade());
    assertFalse(made().bounds().isMade());
    assertTrue(made().bounds().isOwn());
  }

  @Test
  void whatAnotherRunHasPutThereIsAnother() throws IOException {
    makesAll();
    writes("bounds/bounds.json", "others");
    assertTrue(made().table().isMade());
    assertFalse(made().bounds().isMade());
    writes("prepared/schema.json", "another table");
    assertFalse(made().table().isMade());
    Files.delete(folder.resolve("out/prepared/schema.json"));
    assertFalse(made().table().isMade());
  }

  /** A folder that no attempt of this run has noted is not its own. */
  @Test
  void foldersOfOthersAreNotOwned() throws IOException {
    makesAll();
    assertFalse(made("prepared=" + folder + "/theirs").table().isOwn());
    assertFalse(made("bounds=" + folder + "/theirs").bounds().isOwn());
    assertTrue(made("model.prior=flat").table().isOwn());
    // Bounds that are there stay the run's own while its table is made anew.
    Runnable unused = made("model.prior=flat").table().begin();
    assertTrue(made("model.prior=flat").bounds().isOwn());
    assertFalse(made().bounds().isMade());
  }

  @Test
  void whatCameToNothingIsTakenBack() throws IOException {
    Path file = folder.resolve("out/steps.json");
    made().table().begin().run();
    assertFalse(Files.exists(file));
    makesAll();
    String before = Files.readString(file);
    made("model.prior=flat").table().begin().run();
    assertEquals(before, Files.readString(file));
    assertTrue(made().bounds().isMade());
  }

  /** Labels may be flipped in place, by a tool that keeps the file's time. */
  @Test
  void otherBytesOfTheSameSizeAndTimeAreAnotherInput() throws IOException {
    makesAll();
    Path table = folder.resolve("t.csv");
    FileTime time = Files.getLastModifiedTime(table);
    Files.writeString(table, "y,a\n0,2\n");
    Files.setLastModifiedTime(table, time);
    assertFalse(made().table().isMade());
    Files.writeString(table, "y,a\n1,2\n");
    Files.setLastModifiedTime(table, time);
    assertTrue(made().table().isMade());
  }

  /** Taken over before a step, while it runs, or while it fails. */
  @Test
  void notesAreLeftToTheProcessThatHasTakenOver() throws IOException {
    makesAll();
    Pipeline.Step step = made("model.prior=flat").table();
    Path file = folder.resolve("out/steps.json");
    boolean[] lost = {true};
    Going.Fence fence =
        () -> {
          if (lost[0]) {
            throw UserException.usage("taken over");
          }
        };
    String before = Files.readString(file);
    assertThrows(UserException.class, () -> step.make(fence, () -> {}));
    assertEquals(before, Files.readString(file));
    String theirs = "{\"by\": \"another\"}";
    for (boolean fails : new boolean[] {false, true}) {
      lost[0] = false;
      Runnable work =
          () -> {
            assertDoesNotThrow(() -> writes("steps.json", theirs));
            lost[0] = true;
            if (fails) {
              throw new IllegalStateException("failed");
            }
          };
      assertThrows(UserException.class, () -> step.make(fence, work));
      assertEquals(theirs, Files.readString(file));
    }
  }

  /** A kill while the notes are written leaves the earlier ones. */
  @Test
  void notesAreReplacedAsAWhole() throws IOException {
    makesAll();
    try (Stream<Path> files = Files.list(folder.resolve("out"))) {
      assertEquals(
          List.of("bounds", "prepared", "steps.json"),
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> !name.endsWith(".crc"))
              .sorted()
              .toList());
    }
  }
}
