package org.lampyris.driver.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.config.ConfigReader;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.SetOption;

class MadeFromTest {
  @TempDir Path folder;

  @BeforeEach
  void table() throws IOException {
    Files.writeString(folder.resolve("t.csv"), "y,a\n1,2\n");
  }

  private MadeFrom made(String... settings) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("job.yaml"),
            "data: {input: \"%1$s/t.csv\", label: y}\noutput: \"%1$s/out\"\n".formatted(folder));
    List<SetOption> overrides = Stream.of(settings).map(SetOption::parse).toList();
    JobConfig job = new ConfigReader().read(file, overrides, "run", List.of());
    return MadeFrom.of(new Configuration(), job);
  }

  private void writes(String name, String text) throws IOException {
    Path file = folder.resolve("out").resolve(name);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, text);
    Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
  }

  private void makesAll() throws IOException {
    MadeFrom made = made();
    Runnable unused = made.beginTable();
    writes("prepared/schema.json", "a table");
    made.endTable();
    made.beginBounds();
    writes("bounds/bounds.json", "bounds");
    made.endBounds();
  }

  @Test
  void whatWasMadeIsKnownAgain() throws IOException {
    assertFalse(made().isTable());
    assertFalse(made().ownsTable());
    makesAll();
    assertTrue(made().isTable());
    assertTrue(made().isBounds());
    assertFalse(made("model.prior=flat").isTable());
    assertFalse(made("precompute.tolerance=0.001").isBounds());
    assertTrue(made("precompute.tolerance=0.001").isTable());
  }

  @Test
  void whatOnlyBeganIsNotThere() throws IOException {
    Runnable unused = made().beginTable();
    writes("prepared/schema.json", "a table");
    assertFalse(made().isTable());
    assertTrue(made().ownsTable());
    made().endTable();
    made().beginBounds();
    writes("bounds/bounds.json", "bounds");
    assertTrue(made().isTable());
    assertFalse(made().isBounds());
    assertTrue(made().ownsBounds());
  }

  @Test
  void whatAnotherRunHasPutThereIsAnother() throws IOException {
    makesAll();
    writes("bounds/bounds.json", "others");
    assertTrue(made().isTable());
    assertFalse(made().isBounds());
    writes("prepared/schema.json", "another table");
    assertFalse(made().isTable());
    Files.delete(folder.resolve("out/prepared/schema.json"));
    assertFalse(made().isTable());
  }

  /** A folder that no attempt of this run has noted is not its own. */
  @Test
  void foldersOfOthersAreNotOwned() throws IOException {
    makesAll();
    assertFalse(made("prepared=" + folder + "/theirs").ownsTable());
    assertFalse(made("bounds=" + folder + "/theirs").ownsBounds());
    assertTrue(made("model.prior=flat").ownsTable());
    // Bounds that are there stay the run's own while its table is made anew.
    Runnable unused = made("model.prior=flat").beginTable();
    assertTrue(made("model.prior=flat").ownsBounds());
    assertFalse(made().isBounds());
  }

  @Test
  void whatCameToNothingIsTakenBack() throws IOException {
    Path file = folder.resolve("out/steps.json");
    made().beginTable().run();
    assertFalse(Files.exists(file));
    makesAll();
    String before = Files.readString(file);
    made("model.prior=flat").beginTable().run();
    assertEquals(before, Files.readString(file));
    assertTrue(made().isBounds());
  }
}
