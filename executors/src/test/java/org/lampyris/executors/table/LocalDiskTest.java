package org.lampyris.executors.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalDiskTest {
  private static final URI ROOT = URI.create("file:///");

  @SuppressWarnings("NullAway.Init")
  @TempDir
  private java.nio.file.Path folder;

  private String permissions(String name) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name)));
  }

  @Test
  void filesAndFoldersHaveThePermissionsThatHadoopGives() throws IOException {
    Configuration conf = new Configuration();
    for (String mask : List.of("022", "027", "077")) {
      conf.set("fs.permissions.umask-mode", mask);
      for (FileSystem fs : List.of(new LocalFileSystem(), new LocalDisk())) {
        fs.initialize(ROOT, conf);
        String name = fs.getClass().getSimpleName() + mask;
        fs.mkdirs(new Path(folder.resolve(name).toString()));
        fs.create(new Path(folder.resolve(name + ".txt").toString())).close();
        fs.setPermission(
            new Path(folder.resolve(name).toString()), new FsPermission((short) 01750));
      }
      assertEquals(permissions("LocalFileSystem" + mask), permissions("LocalDisk" + mask));
      String file = permissions("LocalDisk" + mask + ".txt");
      assertEquals(permissions("LocalFileSystem" + mask + ".txt"), file);
      assertEquals(mask.equals("022"), file.endsWith("r--"), file);
    }
  }

  @Test
  void isForSessionsOfThisProcessAndNotInstead() throws IOException {
    SparkConf cluster = new SparkConf(false).setMaster("yarn");
    LocalDisk.use(cluster);
    assertFalse(cluster.contains("spark.hadoop.fs.file.impl"), "executors may not have the class");
    SparkConf other =
        new SparkConf(false).setMaster("local[2]").set("spark.hadoop.fs.file.impl", "mine");
    LocalDisk.use(other);
    assertEquals("mine", other.get("spark.hadoop.fs.file.impl"));
    FileSystem.get(ROOT, new Configuration()); // as spark-submit does, which Hadoop keeps
    SparkConf local = new SparkConf(false).setMaster("local[2]");
    LocalDisk.use(local);
    Configuration conf = new Configuration();
    conf.set("fs.file.impl", local.get("spark.hadoop.fs.file.impl"));
    assertInstanceOf(LocalDisk.class, FileSystem.get(ROOT, conf));
  }

  /** Hadoop's own way deletes a file before it renames another in its place. */
  @Test
  void aDocumentIsThereWhileItIsWrittenAnew() throws IOException {
    Configuration conf = new Configuration();
    java.nio.file.Path document = folder.resolve("steps.json");
    Path path = new Path(document.toString());
    AtomicMove.write(conf, path, new byte[] {1});
    AtomicBoolean goesOn = new AtomicBoolean(true);
    CompletableFuture<Boolean> alwaysThere =
        CompletableFuture.supplyAsync(
            () -> {
              boolean there = true;
              while (goesOn.get()) {
                there &= Files.exists(document);
              }
              return there;
            });
    for (int k = 0; k < 100; k++) {
      AtomicMove.write(conf, path, new byte[] {(byte) k});
    }
    goesOn.set(false);
    assertTrue(alwaysThere.join());
    assertEquals(99, Files.readAllBytes(document)[0]);
  }
}
