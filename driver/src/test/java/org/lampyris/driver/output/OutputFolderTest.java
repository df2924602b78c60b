package org.lampyris.driver.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.config.UserException;

class OutputFolderTest {
  private final Configuration conf = new Configuration();
  private final Path folder;

  OutputFolderTest(@TempDir Path temp) {
    this.folder = temp.resolve("a b").resolve("out");
  }

  private OutputFolder reserve(boolean overwrite) {
    return OutputFolder.reserve(conf, folder.toString(), List.of("one", "two"), overwrite);
  }

  private static void fill(OutputFolder output, String item, String text) throws IOException {
    Files.writeString(Path.of(output.temporary(item).toUri().getPath()), text);
  }

  private List<String> content() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void nothingIsSeenBeforeAllIsWritten() throws IOException {
    try (OutputFolder output = reserve(false)) {
      fill(output, "one", "1");
      fill(output, "two", "2");
      assertFalse(Files.exists(folder.resolve("one")));
      output.publish();
    }
    assertEquals(List.of("one", "two"), content());
    assertEquals("1", Files.readString(folder.resolve("one")));
  }

  @Test
  void aRunThatFailsLeavesNothing() throws IOException {
    try (OutputFolder output = reserve(false)) {
      fill(output, "one", "1");
    }
    assertFalse(Files.exists(folder));
  }

  @Test
  void whatExistsIsRefusedOrReplacedAndTheRestLeftAlone() throws IOException {
    Files.createDirectories(folder.resolve("prepared"));
    Files.writeString(folder.resolve("two"), "old");
    UserException e = assertThrows(UserException.class, () -> reserve(false));
    assertEquals(
        "The output folder "
            + folder
            + " already holds two. Choose another folder, or add --overwrite to replace it.",
        e.getMessage());
    try (OutputFolder output = reserve(true)) {
      fill(output, "one", "1");
      fill(output, "two", "2");
      assertEquals("old", Files.readString(folder.resolve("two")));
      output.publish();
    }
    assertEquals("2", Files.readString(folder.resolve("two")));
    assertEquals(List.of("one", "prepared", "two"), content());
  }

  @Test
  void whatThisTimeThereIsNoneOfIsRemoved() throws IOException {
    Files.createDirectories(folder.resolve("two"));
    Files.writeString(folder.resolve("two").resolve("part.csv"), "old");
    try (OutputFolder output = reserve(true)) {
      fill(output, "one", "1");
      output.publish("two");
    }
    assertEquals(List.of("one"), content());
  }

  /** Also where this time there is no such item. */
  @Test
  void whatSomebodyHasPutInAFolderStays() throws IOException {
    for (String item : List.of("one", "two")) {
      Files.createDirectories(folder.resolve(item).resolve("deep"));
      Files.writeString(folder.resolve(item).resolve("part.csv"), "old");
      Files.writeString(folder.resolve(item).resolve("deep/notes.txt"), "mine");
    }
    try (OutputFolder output = reserve(true)) {
      Path one = Files.createDirectories(Path.of(output.temporary("one").toUri().getPath()));
      Files.writeString(one.resolve("new.csv"), "new");
      output.publish("two");
    }
    assertEquals(List.of("one", "two"), content());
    assertEquals("mine", Files.readString(folder.resolve("one/deep/notes.txt")));
    assertEquals("new", Files.readString(folder.resolve("one/new.csv")));
    assertFalse(Files.exists(folder.resolve("one/part.csv")));
    assertEquals("mine", Files.readString(folder.resolve("two/deep/notes.txt")));
    assertFalse(Files.exists(folder.resolve("two/part.csv")));
  }

  /** What a killed process leaves beside its own folder; younger ones may be in use. */
  @Test
  void leftoversOfKilledProcessesAreRemoved() throws IOException {
    String uuid = "0b1c2d3e-0000-4000-8000-123456789abc";
    Path effects = Files.createDirectories(folder.resolve("effects.tmp-" + uuid));
    Path rows = Files.writeString(effects.resolve("rows.parquet"), "");
    Path work = Files.createDirectories(folder.resolve("_writing-" + uuid));
    Files.writeString(work.resolve("one"), "1");
    Path killed = Files.createDirectories(folder.resolve("_writing-" + uuid.replace('0', '2')));
    Files.writeString(killed.resolve("draws.csv"), "");
    Path kept = Files.createDirectories(folder.resolve("effects.tmp-" + uuid.replace('0', '3')));
    Path thesis = Files.writeString(kept.resolve("thesis.tex"), "");
    Path backup = Files.createDirectories(folder.resolve("effects.tmp-backup"));
    Path notes = Files.writeString(folder.resolve("_" + uuid), "");
    Path mine = Files.writeString(folder.resolve("_notes"), "");
    Path young = Files.writeString(folder.resolve("_" + uuid.replace('0', '1')), "");
    for (Path old : List.of(effects, rows, work, killed, kept, thesis, backup, notes, mine)) {
      Files.setLastModifiedTime(old, FileTime.fromMillis(0));
    }
    reserve(false).close();
    assertEquals(
        Stream.of(mine, young, work, kept, backup)
            .map(path -> path.getFileName().toString())
            .sorted()
            .toList(),
        content());
    assertTrue(Files.exists(work.resolve("one")), "a file of another kind is somebody's");
    assertTrue(Files.exists(kept.resolve("thesis.tex")));
  }

  @Test
  void theEarlierResultComesBackIfTheMoveFails() throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("one"), "old one");
    Files.writeString(folder.resolve("two"), "old two");
    try (OutputFolder output = reserve(true)) {
      fill(output, "one", "1");
      IOException e = assertThrows(IOException.class, output::publish);
      assertTrue(String.valueOf(e.getMessage()).endsWith("two was not written"));
    }
    assertEquals("old one", Files.readString(folder.resolve("one")));
    assertEquals("old two", Files.readString(folder.resolve("two")));
    assertEquals(List.of("one", "two"), content());
  }

  /** A process that paused for so long that another took over. */
  @Test
  void whoWasTakenOverPublishesNothing() throws IOException {
    try (OutputFolder output = reserve(false)) {
      Files.delete(Path.of(output.work().toUri().getPath()).resolve("_owner"));
      fill(output, "one", "1");
      fill(output, "two", "2");
      assertThrows(UserException.class, output::publish);
      assertFalse(Files.exists(folder.resolve("one")));
    }
  }

  @Test
  void aFolderThatCannotBeMadeIsTold(@TempDir Path temp) throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "");
    UserException e =
        assertThrows(
            UserException.class,
            () -> OutputFolder.reserve(conf, file.resolve("out").toString(), List.of("x"), false));
    assertEquals(UserException.Kind.USAGE, e.kind());
    assertTrue(
        String.valueOf(e.getMessage()).startsWith("The output folder " + file + "/out cannot be"),
        e.getMessage());
  }

  @Test
  void aFolderWithoutPermissionIsTold() {
    assumeTrue(
        Files.isDirectory(Path.of("/proc")), "a folder where nobody may write: Linux's /proc");
    UserException e =
        assertThrows(
            UserException.class,
            () -> OutputFolder.reserve(conf, "/proc/lampyris", List.of("x"), false));
    assertTrue(String.valueOf(e.getMessage()).contains("permissions"), e.getMessage());
  }

  @Test
  void whatIsNoPathIsTold() {
    UserException e =
        assertThrows(
            UserException.class, () -> OutputFolder.reserve(conf, "", List.of("x"), false));
    assertTrue(String.valueOf(e.getMessage()).startsWith("\"\" cannot be"), e.getMessage());
  }
}
