package org.lampyris.dataprep.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.io.ZStdCompressionCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.config.UserException;

/** Which files an input is of, by names of every kind, and which are none. */
class InputFilesTest {
  @TempDir Path folder;

  private InputFiles list(String name) {
    return InputFiles.list(
        folder.resolve(name).toString(), StandardCharsets.UTF_8, new Configuration());
  }

  private String refused(String name) {
    UserException refused = assertThrows(UserException.class, () -> list(name));
    return String.valueOf(refused.getMessage());
  }

  @Test
  void aNameThatIsThereIsItselfAndOthersArePatterns() throws IOException {
    for (String name : List.of("in {a} #%20ä.csv", "b[1].csv", "c?*.csv", "d\\e.csv")) {
      Path file = Files.writeString(folder.resolve(name), "y,x\n");
      InputFiles files = list(name);
      assertTrue(files.named());
      assertEquals(List.of("file:" + file), List.of(files.paths()));
    }
    Files.writeString(folder.resolve("b1.csv"), "y,x\n");
    assertEquals(1, list("b[1].csv").files().size());
    assertEquals(2, list("b*.csv").files().size());
    assertEquals(false, list("b*.csv").named());
    assertTrue(refused("f[1].csv").contains("does not exist"));
  }

  @Test
  void aColonIsRefusedWithItsRemedy() throws IOException {
    assertTrue(refused("2024:01.csv").contains("has a colon in its name"));
    assumeTrue(!System.getProperty("os.name").startsWith("Windows"));
    Files.createDirectory(folder.resolve("c"));
    Files.writeString(folder.resolve("c/2024:01.csv"), "y,x\n");
    assertTrue(refused("c").contains("c/2024:01.csv has a colon in its name"));
    assertTrue(refused("c").endsWith("Rename it."));
  }

  @Test
  void aPipeIsRefused() throws Exception {
    Path pipe = folder.resolve("pipe.csv");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/mkfifo")));
    assertEquals(0, new ProcessBuilder("/usr/bin/mkfifo", pipe.toString()).start().waitFor());
    assertTrue(refused("pipe.csv").contains("is a pipe or a device"));
    assertTrue(refused("").contains("is a pipe or a device"));
    assertTrue(refused("/dev/zero").contains("is a pipe or a device"));
  }

  @Test
  void aLineThatDoesNotEndIsRefused() throws IOException {
    String part = "x".repeat(1 << 20);
    try (var out = Files.newBufferedWriter(folder.resolve("long.csv"))) {
      for (int k = 0; k < 65; k++) {
        out.write(part);
      }
    }
    InputFiles files = list("long.csv");
    UserException refused =
        assertThrows(
            UserException.class,
            () -> new CsvRecords(files.open(files.files().get(0)), ",").next());
    assertTrue(String.valueOf(refused.getMessage()).contains("has a line of more than 67108864"));
  }

  @Test
  void zstdIsReadFromFilesOfSeveralFrames() throws IOException {
    try (OutputStream out = Files.newOutputStream(folder.resolve("t.csv.zst"))) {
      for (String text : List.of("y,x\n1,", "2\n")) {
        var codec = new ZStdCompressionCodec(new SparkConf(false));
        var frame = new java.io.ByteArrayOutputStream();
        try (OutputStream in = codec.compressedOutputStream(frame)) {
          in.write(text.getBytes(StandardCharsets.UTF_8));
        }
        frame.writeTo(out);
      }
    }
    InputFiles files = list("t.csv.zst");
    assertTrue(files.unsplittable());
    try (var reader = files.open(files.files().get(0))) {
      assertEquals(List.of("y,x", "1,2"), reader.lines().toList());
    }
  }

  @Test
  void numbersOfSixteenBitsAreExact() {
    float[] values = {1, -2, 65504, 0x1p-14f, 0x1p-24f, 0x1p-14f - 0x1p-24f, 0x1.554p-2f, -0f};
    int[] bits = {0x3C00, 0xC000, 0x7BFF, 0x0400, 0x0001, 0x03FF, 0x3555, 0x8000};
    for (int k = 0; k < bits.length; k++) {
      assertEquals(values[k], ParquetTable.Half.of(bits[k]));
    }
    assertEquals(Float.NEGATIVE_INFINITY, ParquetTable.Half.of(0xFC00));
    assertTrue(Float.isNaN(ParquetTable.Half.of(0x7E00)));
  }
}
