package org.lampyris.driver.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineageFolderTest {
  @Test
  void onlyFoldersOfSparkAreRemoved(@TempDir Path temp) throws IOException {
    Path folder = temp.resolve("out.checkpoints");
    FileSystem fs = FileSystem.getLocal(new Configuration());
    for (int k = 0; k < 2; k++) {
      Path rdd = folder.resolve(UUID.nameUUIDFromBytes(new byte[] {(byte) k}).toString());
      Files.createDirectories(rdd.resolve("rdd-7"));
      Files.writeString(rdd.resolve("rdd-7/part-00000"), "");
    }
    Path notes = Files.writeString(folder.resolve("notes.txt"), "mine");
    Path mine = Files.createDirectories(folder.resolve("rdd-7"));
    LineageFolder.delete(fs, new org.apache.hadoop.fs.Path(folder.toString()));
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(List.of(notes, mine), left.sorted().toList());
    }
    Files.delete(notes);
    Files.delete(mine);
    LineageFolder.delete(fs, new org.apache.hadoop.fs.Path(folder.toString()));
    assertFalse(Files.exists(folder));
    LineageFolder.delete(fs, new org.apache.hadoop.fs.Path(folder.toString()));
  }
}
