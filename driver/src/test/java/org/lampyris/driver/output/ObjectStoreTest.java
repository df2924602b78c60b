package org.lampyris.driver.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.config.UserException;
import org.lampyris.executors.table.AtomicFolder;

/**
 * Results on a file system whose renames are not atomic, written by processes that are killed after
 * every possible number of changes. Whoever finds the document that readers look for finds all.
 */
class ObjectStoreTest {
  private static final String MARKER = "schema.json";
  private static final int MOST = 200;

  /** The first look at a lease is the one that takes it. */
  private static final int AFTER_TAKING = 1;

  private final Configuration conf = PiecewiseFileSystem.configuration();
  private final Path temp;

  ObjectStoreTest(@TempDir Path temp) {
    this.temp = temp;
  }

  @AfterEach
  void live() {
    PiecewiseFileSystem.dieAfter(Long.MAX_VALUE);
    PiecewiseFileSystem.pauseAfter(Long.MAX_VALUE, () -> {});
    PiecewiseFileSystem.failAt(event -> false);
  }

  /**
   * Holds that this process looks at its lease between any two changes that others can see, and
   * that it revokes another's lease before it touches the other's files.
   */
  private static void holdsLooks(Object of) {
    List<PiecewiseFileSystem.Event> events = PiecewiseFileSystem.events();
    String own = events.get(0).path();
    boolean looked = false;
    boolean touched = false;
    for (PiecewiseFileSystem.Event event : events) {
      String path = event.path();
      if (event.kind() == PiecewiseFileSystem.Kind.LOOK) {
        looked |= path.startsWith(own);
      } else if (!path.matches(".*(/_writing-|\\.(tmp|old)-).*|.*/prepared/_owner")) {
        assertTrue(looked, () -> of + ": no look before " + path + " in " + events);
        looked = false;
      } else if (!path.startsWith(own) && !path.contains(".old-")) {
        assertFalse(touched && path.endsWith("/_owner"), () -> of + ": revoked late in " + events);
        touched = true;
      }
    }
  }

  /** Returns the files in a folder with what is in them. */
  private static Map<String, String> content(Path folder) throws IOException {
    Map<String, String> content = new TreeMap<>();
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        // A kill between the copy and the removal of somebody's file leaves it twice.
        for (Path file :
            files.filter(Files::isRegularFile).filter(f -> !f.endsWith("notes.txt.1")).toList()) {
          content.put(folder.relativize(file).toString(), Files.readString(file));
        }
      }
    }
    return content;
  }

  private static Path local(org.apache.hadoop.fs.Path path) throws IOException {
    Path local = Path.of(path.toUri().getPath());
    Files.createDirectories(local.getParent());
    return local;
  }

  /** Publishes results: a folder, a file and the manifest; without the file if it is not given. */
  private void publish(Path folder, String generation, boolean withFile) throws IOException {
    List<String> items = List.of("draws", "summary.csv", RunOutput.MANIFEST);
    try (OutputFolder output = OutputFolder.reserve(conf, "piece:" + folder, items, true)) {
      for (int k = 0; k < 3; k++) {
        org.apache.hadoop.fs.Path part =
            new org.apache.hadoop.fs.Path(output.temporary("draws"), k + generation + ".parquet");
        Files.writeString(local(part), generation);
      }
      Files.writeString(
          local(new org.apache.hadoop.fs.Path(output.temporary("draws"), "same.csv")), generation);
      if (withFile) {
        Files.writeString(local(output.temporary("summary.csv")), generation);
      }
      Files.writeString(local(output.temporary(RunOutput.MANIFEST)), generation);
      output.publish(withFile ? new String[0] : new String[] {"summary.csv"});
    }
  }

  private static Map<String, String> whole(String generation, boolean withFile) {
    Map<String, String> all = new TreeMap<>(Map.of(RunOutput.MANIFEST, generation));
    for (int k = 0; k < 3; k++) {
      all.put("draws/" + k + generation + ".parquet", generation);
    }
    all.put("draws/same.csv", generation);
    if (withFile) {
      all.put("summary.csv", generation);
    }
    all.put("draws/notes.txt", "mine");
    return all;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void resultsWithAManifestAreWholeWheneverTheirProcessIsKilled(boolean withFile)
      throws IOException {
    int ended = -1;
    int incomplete = 0;
    for (int changes = 0; ended < 0; changes++) {
      assertTrue(changes < MOST, "it never ends");
      Path folder = temp.resolve("run-" + changes);
      publish(folder, "a", true);
      Files.writeString(folder.resolve("draws/notes.txt"), "mine");
      PiecewiseFileSystem.dieAfter(changes);
      try {
        publish(folder, "b", withFile);
        ended = changes;
      } catch (IOException | UserException e) {
        incomplete++;
      }
      PiecewiseFileSystem.dieAfter(Long.MAX_VALUE);
      Map<String, String> seen = visible(folder);
      if (seen.containsKey(RunOutput.MANIFEST)) {
        String generation = String.valueOf(seen.get(RunOutput.MANIFEST));
        // Until the next process comes, the notes may be with what was moved aside.
        seen.put("draws/notes.txt", "mine");
        assertEquals(
            whole(generation, generation.equals("a") || withFile), seen, changes + " changes");
      }
      dead(folder);
      // The next process that writes here finishes it, or takes it back, or writes it again.
      PiecewiseFileSystem.events();
      OutputFolder.reserve(conf, "piece:" + folder, List.of("other"), true).close();
      holdsLooks(changes);
      Map<String, String> after = content(folder);
      String generation = String.valueOf(after.get(RunOutput.MANIFEST));
      assertEquals(
          whole(generation, generation.equals("a") || withFile), after, changes + " changes");
      publish(folder, "c", true);
      assertEquals(whole("c", true), content(folder), changes + " changes");
    }
    assertTrue(incomplete > 10, incomplete + " were killed");
  }

  /**
   * A process pauses before any of its steps, is taken for dead, and goes on once another one has
   * published into the same folder: what that has published stays as it is.
   */
  @Test
  void aProcessThatWasTakenOverLeavesTheResultsOfTheOther() throws IOException {
    int refused = 0;
    boolean[] paused = {true};
    for (int looks = AFTER_TAKING; paused[0]; looks++) {
      assertTrue(looks < MOST, "it never ends");
      Path folder = temp.resolve("paused-" + looks);
      publish(folder, "a", true);
      Files.writeString(folder.resolve("draws/notes.txt"), "mine");
      paused[0] = false;
      PiecewiseFileSystem.pauseAfter(
          looks,
          () -> {
            dead(folder);
            publish(folder, "c", false);
            paused[0] = true;
          });
      try {
        publish(folder, "b", true);
      } catch (UserException e) {
        refused++;
        assertTrue(String.valueOf(e.getMessage()).startsWith("Another process"), e.getMessage());
      }
      PiecewiseFileSystem.pauseAfter(Long.MAX_VALUE, () -> {});
      assertEquals(paused[0] ? whole("c", false) : whole("b", true), visible(folder), looks + "");
      dead(folder);
      publish(folder, "d", true);
      assertEquals(whole("d", true), content(folder), looks + " looks");
    }
    assertTrue(refused > 10, refused + " were taken over");
  }

  /**
   * Whichever change fails, the earlier results or the new ones are whole, and no step is blind.
   */
  @Test
  void everyStepOfResultsComesAfterALookAtTheLease() throws IOException {
    boolean failed = true;
    for (int changes = 0; failed; changes++) {
      assertTrue(changes < MOST, "it never ends");
      Path folder = temp.resolve("failed-" + changes);
      publish(folder, "a", true);
      Files.writeString(folder.resolve("draws/notes.txt"), "mine");
      failed = false;
      PiecewiseFileSystem.events();
      int[] before = {changes};
      PiecewiseFileSystem.failAt(event -> before[0]-- == 0);
      try {
        publish(folder, "b", true);
      } catch (IOException | UserException e) {
        failed = true;
      }
      PiecewiseFileSystem.failAt(event -> false);
      holdsLooks(changes);
      dead(folder);
      OutputFolder.reserve(conf, "piece:" + folder, List.of("other"), true).close();
      holdsLooks(changes);
      Map<String, String> after = content(folder);
      assertEquals(whole(String.valueOf(after.get(RunOutput.MANIFEST)), true), after, changes + "");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"piece:", "ofs:"})
  void everyStepOfATableComesAfterALookAtTheLease(String scheme) throws IOException {
    Path folder = temp.resolve("table").resolve("prepared");
    write(scheme, folder, "a");
    PiecewiseFileSystem.events();
    write(scheme, folder, "b");
    holdsLooks(scheme);
    Map<String, String> table = table("b");
    table.remove("notes.txt");
    assertEquals(table, content(folder));
    try (Stream<Path> beside = Files.list(folder.getParent())) {
      assertEquals(List.of(folder), beside.toList());
    }
  }

  /** Its written files are gone: the message says why, and not that they are missing. */
  @ParameterizedTest
  @ValueSource(strings = {"piece:", "ofs:"})
  void aProcessThatWasTakenOverNamesTheOther(String scheme) throws IOException {
    Path folder = temp.resolve("over").resolve("prepared");
    write(scheme, folder, "a");
    try (AtomicFolder made = AtomicFolder.create(scheme + folder, true, MARKER, conf)) {
      FileSystem fs = new org.apache.hadoop.fs.Path(made.path()).getFileSystem(conf);
      fs.delete(new org.apache.hadoop.fs.Path(made.path()), true);
      UserException e = assertThrows(UserException.class, made::commit);
      assertTrue(String.valueOf(e.getMessage()).startsWith("Another process"), e.getMessage());
    }
    assertEquals(4, content(folder).size());
    Path results = temp.resolve("results");
    try (OutputFolder output =
        OutputFolder.reserve(conf, scheme + results, List.of(RunOutput.MANIFEST), true)) {
      output.fs().delete(output.work(), true);
      assertThrows(UserException.class, output::publish);
    }
  }

  /** Returns what readers see: not what is being written. */
  private static Map<String, String> visible(Path folder) throws IOException {
    Map<String, String> all = content(folder);
    all.keySet().removeIf(name -> name.startsWith("_writing-"));
    return all;
  }

  /** Has the folders of a killed process, which is this one, look as another's of long ago. */
  private static void dead(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.equals("_owner")) {
          String[] words = Files.readString(file).split(" ", -1);
          Files.writeString(file, words[0] + " 1 1970-01-01T00:00:01Z");
        } else if (name.startsWith("_writing-") || name.contains(".tmp-")) {
          Files.setLastModifiedTime(file, FileTime.fromMillis(0));
        }
      }
    }
  }

  private void write(Path folder, String generation) throws IOException {
    write("piece:", folder, generation);
  }

  private void write(String scheme, Path folder, String generation) throws IOException {
    try (AtomicFolder made = AtomicFolder.create(scheme + folder, true, MARKER, conf)) {
      for (String name : List.of("a.parquet", "levels/b.parquet", MARKER, "z.parquet")) {
        Files.writeString(local(new org.apache.hadoop.fs.Path(made.path(), name)), generation);
      }
      made.commit();
    }
  }

  private static Map<String, String> table(String generation) {
    Map<String, String> all = new TreeMap<>();
    for (String name : List.of("a.parquet", "levels/b.parquet", MARKER, "z.parquet")) {
      all.put(name, generation);
    }
    all.put("notes.txt", "mine");
    return all;
  }

  @Test
  void aTableWithItsSchemaIsWholeWheneverItsProcessIsKilled() throws IOException {
    int ended = -1;
    int without = 0;
    for (int changes = 0; ended < 0; changes++) {
      assertTrue(changes < MOST, "it never ends");
      Path folder = temp.resolve("table-" + changes).resolve("prepared");
      write(folder, "a");
      Files.writeString(folder.resolve("notes.txt"), "mine");
      PiecewiseFileSystem.dieAfter(changes);
      try {
        write(folder, "b");
        ended = changes;
      } catch (IOException | UserException e) {
        // It is dead.
      }
      PiecewiseFileSystem.dieAfter(Long.MAX_VALUE);
      Map<String, String> seen = content(folder);
      seen.remove("_partial");
      if (seen.containsKey(MARKER)) {
        assertEquals(table(String.valueOf(seen.get(MARKER))), seen, changes + " changes");
      } else {
        without++;
        assertEquals("mine", seen.get("notes.txt"));
      }
      dead(Objects.requireNonNull(folder.getParent()));
      PiecewiseFileSystem.events();
      write(folder, "c");
      holdsLooks(changes);
      assertEquals(table("c"), content(folder), changes + " changes");
      try (Stream<Path> beside = Files.list(folder.getParent())) {
        assertEquals(List.of(folder), beside.toList(), changes + " changes");
      }
    }
    assertTrue(without > 3, without + " were without a schema for a time");
  }

  @Test
  void aProcessThatWasTakenOverLeavesTheTableOfTheOther() throws IOException {
    int refused = 0;
    boolean[] paused = {true};
    for (int looks = AFTER_TAKING; paused[0]; looks++) {
      assertTrue(looks < MOST, "it never ends");
      Path folder = temp.resolve("paused-table-" + looks).resolve("prepared");
      write(folder, "a");
      Files.writeString(folder.resolve("notes.txt"), "mine");
      paused[0] = false;
      PiecewiseFileSystem.pauseAfter(
          looks,
          () -> {
            dead(Objects.requireNonNull(folder.getParent()));
            write(folder, "c");
            paused[0] = true;
          });
      try {
        write(folder, "b");
      } catch (UserException e) {
        refused++;
        assertTrue(String.valueOf(e.getMessage()).startsWith("Another process"), e.getMessage());
      }
      PiecewiseFileSystem.pauseAfter(Long.MAX_VALUE, () -> {});
      Map<String, String> seen = content(folder);
      seen.remove("_partial");
      assertEquals(table(paused[0] ? "c" : "b"), seen, looks + " looks");
      write(folder, "d");
      assertEquals(table("d"), content(folder), looks + " looks");
    }
    assertTrue(refused > 3, refused + " were taken over");
  }

  /** A folder of somebody else's that has no such document is not replaced. */
  @Test
  void whatIsNotOursIsNotReplaced() throws IOException {
    Path folder = Files.createDirectories(temp.resolve("mine"));
    Files.writeString(folder.resolve("a.parquet"), "mine");
    assertThrows(UserException.class, () -> write(folder, "b"));
    assertEquals(Map.of("a.parquet", "mine"), content(folder));
    assertFalse(Files.exists(folder.resolve(MARKER)));
  }
}
