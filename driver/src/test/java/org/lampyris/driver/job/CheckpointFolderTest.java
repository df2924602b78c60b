package org.lampyris.driver.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.config.UserException;
import org.lampyris.executors.table.LibraryVersion;

/** Checkpoints one after the other, and what happens to them on a disk. */
class CheckpointFolderTest {
  private static final int PLACES = 2;
  private static final List<String> DAMAGES = List.of("cut", "flipped", "empty", "missing");

  @TempDir private Path output = Path.of("set by JUnit");
  private final Configuration conf = new Configuration();
  private final List<String> warnings = new ArrayList<>();
  private final Map<String, FileCheck> parts = new TreeMap<>();
  private CheckpointFolder folder = new CheckpointFolder(conf, "set before each");

  @BeforeEach
  void three() throws IOException {
    folder = new CheckpointFolder(conf, output.toString());
    for (int k = 1; k <= 3; k++) {
      write(k);
    }
  }

  private void write(int number) throws IOException {
    for (String of : List.of(CheckpointFolder.DRAWS, CheckpointFolder.STEPS)) {
      org.apache.hadoop.fs.Path hidden = folder.hidden(of, number);
      Files.write(Path.of(hidden.toUri().getPath()), bytes(of + number));
      folder.show(hidden, folder.part(of, number), parts);
    }
    for (int place = 0; place < PLACES; place++) {
      folder.rows(number).write(place, bytes("rows " + place + " of " + number));
    }
    CheckpointFolder.Description description = description(number);
    folder.write(description, bytes("states of " + number));
    folder.tidy(description, 0);
  }

  private CheckpointFolder.Description description(int number) {
    JsonNode configuration =
        new ObjectMapper().createObjectNode().put("step", 1e-5).put("name", "Käfer");
    return new CheckpointFolder.Description(
        CheckpointFolder.FORMAT,
        number,
        new RunIdentity(LibraryVersion.get(), "table", "bounds", configuration),
        "firefly",
        new CheckpointFolder.Reached(100, 10L * number, List.of(7L, 8L)),
        IntStream.rangeClosed(1, number).boxed().toList(),
        4,
        PLACES,
        parts);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A process that paused, and was taken for dead, finds the names of the next one taken. */
  @Test
  void aCheckpointOfAnotherProcessIsNotReplaced() throws IOException {
    List<String> before = content("");
    String document = Files.readString(file("checkpoint-000003.json"));
    assertThrows(
        FileAlreadyExistsException.class, () -> folder.write(description(3), bytes("states of 3")));
    org.apache.hadoop.fs.Path hidden = folder.hidden(CheckpointFolder.DRAWS, 3);
    Files.write(Path.of(hidden.toUri().getPath()), bytes("late"));
    assertThrows(
        IOException.class,
        () -> folder.show(hidden, folder.part(CheckpointFolder.DRAWS, 3), parts));
    Files.delete(Path.of(hidden.toUri().getPath()));
    assertEquals(before, content(""));
    assertEquals(document, Files.readString(file("checkpoint-000003.json")));
    assertEquals(3, last().orElseThrow().number());
  }

  /** Its tasks may still write states of rows when another process has gone on. */
  @Test
  void statesOfAProcessThatWasTakenOverHaveNamesOfTheirOwn() throws IOException {
    CheckpointFolder late = new CheckpointFolder(conf, output.toString());
    late.rows(3).write(1, bytes("late"));
    assertThrows(FileAlreadyExistsException.class, () -> late.write(description(3), bytes("late")));
    CheckpointFolder.Description found = last().orElseThrow();
    assertEquals(3, found.number());
    assertArrayEquals(bytes("rows 1 of 3"), folder.rows(found).read(1));
    assertEquals(16, content("").size());
    folder.tidy(found, 0);
    assertEquals(14, content("").size(), "what the document does not name goes");
  }

  private Optional<CheckpointFolder.Description> last() {
    return folder.last(
        (rows, places) ->
            IntStream.range(0, places).mapToObj(rows::damage).flatMap(Optional::stream).findFirst(),
        warnings::add);
  }

  /** Returns a file; the folder of a checkpoint's states by its number alone. */
  private Path file(String name) throws IOException {
    Path all = output.resolve("checkpoint");
    String[] parts = name.split("/", 2);
    if (parts.length == 2 && Files.isDirectory(all)) {
      try (Stream<Path> folders = Files.list(all)) {
        Optional<Path> states =
            folders
                .filter(path -> withoutEpoch(path.getFileName() + "/").equals(parts[0] + "/"))
                .findFirst();
        if (states.isPresent()) {
          return states.get().resolve(parts[1]);
        }
      }
    }
    return all.resolve(name);
  }

  private static String withoutEpoch(String name) {
    return name.replaceAll("(state-\\d{6})-[0-9a-f]{8}/", "$1/");
  }

  /** Damages a file, with or without the checksum that a local file has beside it. */
  private void damage(String name, String how, boolean checked) throws IOException {
    Path file = file(name);
    byte[] bytes = Files.readAllBytes(file);
    if (!checked) {
      Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
    }
    switch (how) {
      case "cut" -> Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
      case "empty" -> Files.write(file, new byte[0]);
      case "missing" -> Files.delete(file);
      default -> {
        // A digit becomes another: 7 and 8 differ by the last bit of four.
        int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("0 ") < 0 ? 1 : 0;
        bytes[bytes.length - 2 - at] ^= 1;
        Files.write(file, bytes);
      }
    }
  }

  private List<String> content(String of) throws IOException {
    try (Stream<Path> files = Files.walk(file(of))) {
      return files
          .filter(Files::isRegularFile)
          .map(path -> withoutEpoch(output.resolve("checkpoint").relativize(path).toString()))
          .filter(name -> !name.endsWith(".crc"))
          .sorted()
          .toList();
    }
  }

  @Test
  void theLastTwoAreKept() throws IOException {
    assertEquals(
        List.of(
            "checkpoint-000002.json",
            "checkpoint-000003.json",
            "draws/part-000001.snappy.parquet",
            "draws/part-000002.snappy.parquet",
            "draws/part-000003.snappy.parquet",
            "sampler_stats/part-000001.snappy.parquet",
            "sampler_stats/part-000002.snappy.parquet",
            "sampler_stats/part-000003.snappy.parquet",
            "state-000002/chains.bin",
            "state-000002/rows-00000.bin",
            "state-000002/rows-00001.bin",
            "state-000003/chains.bin",
            "state-000003/rows-00000.bin",
            "state-000003/rows-00001.bin"),
        content(""));
    CheckpointFolder.Description found = last().orElseThrow();
    assertEquals(3, found.number());
    assertEquals(description(3).identity(), found.identity());
    assertEquals(description(3).reached(), found.reached());
    assertArrayEquals(bytes("rows 1 of 3"), folder.rows(found).read(1));
    assertEquals(List.of(), warnings);
  }

  /** Each file of the newest, in each way; a document that is missing is none. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "checkpoint-000003.json",
        "draws/part-000003.snappy.parquet",
        "sampler_stats/part-000003.snappy.parquet",
        "state-000003/chains.bin",
        "state-000003/rows-00001.bin"
      })
  void theOlderIsUsedIfTheNewerIsDamaged(String name) throws IOException {
    Path document = file("checkpoint-000003.json");
    byte[] whole = Files.readAllBytes(file(name));
    for (String how : DAMAGES) {
      for (boolean checked : new boolean[] {true, false}) {
        damage(name, how, checked);
        warnings.clear();
        assertEquals(2, last().orElseThrow().number(), name + " " + how);
        if (!Files.exists(document)) {
          assertEquals(List.of(), warnings);
        } else {
          assertEquals(1, warnings.size(), name + " " + how);
          String warning = warnings.get(0);
          assertTrue(warning.startsWith(folder + "/checkpoint-000003.json is damaged ("), warning);
          assertTrue(
              warning.contains(
                  "resumes from "
                      + folder
                      + "/checkpoint-000002.json instead, after 20 iterations"),
              warning);
          if (!name.endsWith("json")) {
            assertTrue(warning.contains(Path.of(name).getFileName().toString()), warning);
          }
        }
        Files.deleteIfExists(file(name).resolveSibling("." + file(name).getFileName() + ".crc"));
        Files.write(file(name), whole);
        assertEquals(3, last().orElseThrow().number(), "mended");
      }
    }
  }

  /** A change that leaves the document readable: one more iteration. */
  @Test
  void aNumberThatHasChangedIsFound() throws IOException {
    Path document = file("checkpoint-000003.json");
    String text = Files.readString(document);
    Files.deleteIfExists(file(".checkpoint-000003.json.crc"));
    Files.writeString(document, text.replace("\"iteration\" : 30", "\"iteration\" : 31"));
    assertEquals(2, last().orElseThrow().number());
    // Another way to write the same is no damage.
    Files.writeString(document, text.replaceAll(" : ", ":"));
    assertEquals(3, last().orElseThrow().number());
  }

  @Test
  void bothDamagedAreRefusedByName() throws IOException {
    damage("state-000003/rows-00000.bin", "cut", false);
    damage("state-000002/chains.bin", "missing", false);
    UserException refused = assertThrows(UserException.class, this::last);
    assertEquals(UserException.Kind.DATA, refused.kind());
    String message = withoutEpoch(String.valueOf(refused.getMessage()));
    for (String part :
        List.of(
            "checkpoint-000003.json is damaged (the content of rows-00000.bin has changed",
            "checkpoint-000002.json is damaged (state-000002/chains.bin is missing)",
            "start again with --overwrite")) {
      assertTrue(message.contains(part), message);
    }
  }

  /** A part of both; the checkpoint before the older one is gone. */
  @Test
  void anOldPartThatIsDamagedDamagesBoth() throws IOException {
    damage("draws/part-000001.snappy.parquet", "flipped", false);
    assertThrows(UserException.class, this::last);
  }

  @Test
  void anotherFormatIsRefusedByName() throws IOException {
    Path document = file("checkpoint-000003.json");
    Files.delete(file(".checkpoint-000003.json.crc"));
    String text =
        Files.readString(document)
            .replaceFirst("\"lampyris\" : \"[^\"]*\"", "\"lampyris\" : \"0.0.1\"");
    for (String other :
        List.of(
            text.replace("\"format\" : 1", "\"format\" : 99"),
            text.replace("\"format\" : 1,", "").replace("\"places\"", "\"spots\""))) {
      Files.writeString(document, other);
      UserException refused = assertThrows(UserException.class, this::last);
      String message = String.valueOf(refused.getMessage());
      assertTrue(message.contains("was written by Lampyris 0.0.1 in another format"), message);
      assertTrue(message.contains("Resume with Lampyris 0.0.1, or start again"), message);
    }
  }

  /** What was left by a killed process goes; what somebody else has put there stays. */
  @Test
  void onlyOwnFilesAreRemoved() throws IOException {
    List<String> strangers =
        List.of(
            "notes.txt",
            "_draft",
            "checkpoint-000001.json.bak",
            "draws/mine.parquet",
            "state-000002/notes.txt",
            "state-mine/notes.txt",
            "sampler_stats/part-000009.csv");
    String uuid = "_0b1c2d3e-0000-4000-8000-123456789abc";
    List<String> left =
        List.of(
            uuid,
            "draws/_part-000004-" + uuid.substring(1),
            "draws/part-000004.snappy.parquet",
            "state-000001/chains.bin",
            "state-000004/rows-00000.bin",
            "state-000004/" + uuid);
    for (List<String> all : List.of(strangers, left)) {
      for (String name : all) {
        Files.createDirectories(file(name).getParent());
        Files.writeString(file(name), name);
      }
    }
    folder.tidy(last().orElseThrow(), 0); // as when a run resumes
    write(4);
    write(5);
    List<String> now = content("");
    assertTrue(now.containsAll(strangers), now.toString());
    assertFalse(now.contains(uuid) || now.contains("state-000001/chains.bin"), now.toString());
    assertFalse(now.stream().anyMatch(name -> name.startsWith("draws/_")), now.toString());
    assertEquals(5, last().orElseThrow().number());
    folder.discard(5, new IOException("full"));
    assertEquals(4, last().orElseThrow().number());
    folder.clear();
    assertEquals(strangers.stream().sorted().toList(), content(""));
    for (String name : strangers) {
      assertEquals(name, Files.readString(file(name)));
      Files.delete(file(name));
    }
    Files.delete(file("state-mine"));
    folder.clear();
    assertFalse(Files.exists(file("")));
  }
}
