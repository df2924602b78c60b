package org.lampyris.executors.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.config.UserException;

class AtomicFolderTest {
  private static final Configuration CONF = new Configuration();

  @SuppressWarnings("NullAway.Init")
  @TempDir
  private Path parent;

  private AtomicFolder create(boolean overwrite) {
    return AtomicFolder.create(parent.resolve("out").toString(), overwrite, "marker", CONF);
  }

  private static void put(AtomicFolder folder, String file, String text) throws IOException {
    Path path = Path.of(java.net.URI.create(folder.path()));
    Files.writeString(path.resolve(file), text);
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(parent)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void appearsWholeOnCommitAndNotBefore() throws IOException {
    try (AtomicFolder folder = create(false)) {
      put(folder, "marker", "new");
      assertFalse(Files.exists(parent.resolve("out")));
      folder.commit();
    }
    assertEquals("new", Files.readString(parent.resolve("out/marker")));
    assertEquals(List.of("out"), names());
  }

  /** One of them would move away what the other has moved. */
  @Test
  void twoProcessesDoNotWriteOneFolder() throws IOException {
    try (AtomicFolder folder = create(false)) {
      put(folder, "marker", "new");
      UserException refused = assertThrows(UserException.class, () -> create(true));
      assertTold("is being written by process " + ProcessHandle.current().pid(), refused);
      folder.commit();
    }
    assertEquals("new", Files.readString(parent.resolve("out/marker")));
    assertEquals(List.of("out"), names());
  }

  @Test
  void leavesNothingBehindOnFailure() throws IOException {
    try (AtomicFolder folder = create(false)) {
      put(folder, "marker", "half");
    }
    assertEquals(List.of(), names());
  }

  @Test
  void existingFolderIsReplacedOnlyWhenAsked() throws IOException {
    Files.createDirectory(parent.resolve("out"));
    Files.writeString(parent.resolve("out/marker"), "old");
    UserException refused = assertThrows(UserException.class, () -> create(false));
    assertEquals(UserException.Kind.USAGE, refused.kind());
    assertTold("--overwrite", refused);
    try (AtomicFolder folder = create(true)) {
      put(folder, "marker", "half");
    }
    assertEquals("old", Files.readString(parent.resolve("out/marker")));
    try (AtomicFolder folder = create(true)) {
      put(folder, "marker", "new");
      folder.commit();
    }
    assertEquals("new", Files.readString(parent.resolve("out/marker")));
    assertEquals(List.of("out"), names());
  }

  @Test
  void foreignFolderIsNeverReplaced() throws IOException {
    Files.createDirectory(parent.resolve("out"));
    Files.writeString(parent.resolve("out/thesis.tex"), "precious");
    UserException refused = assertThrows(UserException.class, () -> create(true));
    assertTold("is not an earlier output", refused);
    assertEquals("precious", Files.readString(parent.resolve("out/thesis.tex")));
  }

  @Test
  void leftoversOfKilledProcessesAreRemovedAndFilesOfOthersStay() throws IOException {
    for (String file :
        List.of(
            "out/schema.json",
            "out.old-0123abcd/schema.json",
            "out.old-0123abcd/rows/part-00000.parquet",
            "out.old-0123abcd/rows/notes.txt",
            "out.old-beef/schema.json",
            "out.old-99999999/thesis.tex",
            "out.tmp-0123abcd/_temporary/0/part-00000.txt",
            "out.tmp-0123abcd/.schema.json.crc",
            "out.tmp-12345678/rows.parquet",
            "out.tmp-12345678/thesis.tex",
            "out.tmp-backup/schema.json",
            "another.tmp-0123abcd/schema.json")) {
      Files.createDirectories(parent.resolve(file.substring(0, file.lastIndexOf('/'))));
      Files.writeString(parent.resolve(file), file);
    }
    for (String name : List.of("out.tmp-0123abcd", "out.tmp-12345678")) {
      Files.setLastModifiedTime(parent.resolve(name), FileTime.fromMillis(0));
    }
    AtomicFolder.create(parent.resolve("out").toString(), true, "schema.json", CONF).close();
    try (Stream<Path> files = Files.walk(parent)) {
      assertEquals(
          List.of(
              "another.tmp-0123abcd/schema.json",
              "out.old-99999999/thesis.tex",
              "out.old-beef/schema.json",
              "out.tmp-12345678/thesis.tex",
              "out.tmp-backup/schema.json",
              "out/rows/notes.txt",
              "out/schema.json"),
          files
              .filter(Files::isRegularFile)
              .map(file -> parent.relativize(file).toString())
              .sorted()
              .toList());
    }
  }

  @Test
  void pathThatCannotBeMadeIsTold() throws IOException {
    Files.writeString(parent.resolve("file"), "");
    String below = parent.resolve("file/out").toString();
    UserException refused =
        assertThrows(UserException.class, () -> AtomicFolder.create(below, false, "marker", CONF));
    assertEquals(UserException.Kind.USAGE, refused.kind());
    assertTold(below, refused);
    String unknown = "nosuchsystem://host/out";
    assertTold(
        unknown,
        assertThrows(
            UserException.class, () -> AtomicFolder.create(unknown, false, "marker", CONF)));
  }

  @Test
  void roomAndPermissionAreToldWhateverWrapsThem() {
    UserException full =
        StorageProblem.writing(
            "out",
            new IllegalStateException(
                "job aborted", new IOException("write failed: No space left on device")));
    assertTold("no room to write out", full);
    UserException denied =
        StorageProblem.writing(
            "out", new IOException(new AccessControlException("user=a, access=WRITE")));
    assertTold("no permission to write to out", denied);
    UserException other = StorageProblem.writing("out", new IOException(new IOException("odd")));
    assertEquals("cannot write to out: odd", other.getMessage());
    assertEquals(2, other.kind().exitCode());
  }

  private static void assertTold(String part, Throwable problem) {
    String message = String.valueOf(problem.getMessage());
    assertTrue(message.contains(part), message);
  }
}
