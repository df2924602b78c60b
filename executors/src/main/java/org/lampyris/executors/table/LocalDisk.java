package org.lampyris.executors.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.spark.SparkConf;
import org.slf4j.LoggerFactory;

/**
 * The local disk, as Hadoop sees it. Hadoop without its native library starts a process, {@code
 * chmod}, for each file and folder that it makes: some 90 in a run, and a tenth of the time of one
 * on a small table. Java sets the same permissions itself.
 */
public final class LocalDisk extends LocalFileSystem {
  /** Called by Hadoop. */
  public LocalDisk() {
    super(new Disk());
  }

  /**
   * Has a session in this process use it, unless the user has named another class.
   *
   * @param conf of the session that is to be opened. Modified where its master is {@code local}.
   */
  public static void use(SparkConf conf) {
    String key = "spark.hadoop.fs.file.impl";
    if (!conf.get("spark.master", "").startsWith("local") || conf.contains(key)) {
      return;
    }
    conf.set(key, LocalDisk.class.getName());
    try {
      FileSystem open = FileSystem.get(URI.create("file:///"), new Configuration());
      if (!(open instanceof LocalDisk)) {
        open.close(); // else Hadoop would give out the one that spark-submit has opened
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns what a session in this process would have of Hadoop's configuration, without the 0.2 s
   * that Spark takes to say so.
   */
  public static Configuration configuration() {
    Configuration conf = new Configuration();
    conf.set("fs.file.impl", LocalDisk.class.getName());
    conf.set("parquet.page.verify-checksum.enabled", "true");
    return conf;
  }

  /** Has Hadoop open it in a process without a session; whoever uses it reports a failure. */
  public static void warmUp() {
    try {
      FileSystem.get(URI.create("file:///"), configuration());
    } catch (IOException | RuntimeException e) {
      LoggerFactory.getLogger(LocalDisk.class).debug("The local disk cannot be opened yet", e);
    }
  }

  private static final class Disk extends RawLocalFileSystem {
    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
      if (permission.getStickyBit()) {
        super.setPermission(path, permission);
        return;
      }
      try {
        Files.setPosixFilePermissions(
            pathToFile(path).toPath(), PosixFilePermissions.fromString(permission.toString()));
      } catch (UnsupportedOperationException e) { // as on Windows
        super.setPermission(path, permission);
      }
    }
  }
}
