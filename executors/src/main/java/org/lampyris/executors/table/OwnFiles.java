package org.lampyris.executors.table;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * Files in folders that Lampyris replaces, told from files that somebody has put beside them: by
 * the kinds that it writes. Others are never deleted.
 */
public final class OwnFiles {
  private static final Pattern OWN =
      Pattern.compile( // not the sign of a folder that is half moved, which is deleted last
          ".*\\.(csv|parquet|json|html|svg|libsvm|gz)|_SUCCESS|_owner|_turned"
              + "|part-\\d{5}.*|(chains|rows-\\d+)\\.bin|\\..*\\.crc");

  private OwnFiles() {}

  /** Returns whether a file of this name in a folder of results may be Lampyris's. */
  static boolean isOwn(String name) {
    return OWN.matcher(name).matches();
  }

  /**
   * Moves the files of others from a folder that is about to be deleted to the one in its place;
   * where that has a file of the name, beside it.
   */
  public static void rescue(FileSystem fs, Path from, Path to) throws IOException {
    if (!fs.exists(from) || !fs.getFileStatus(from).isDirectory()) {
      return;
    }
    for (FileStatus status : fs.listStatus(from)) {
      Path file = status.getPath();
      Path place = new Path(to, file.getName());
      if (status.isDirectory()) {
        rescue(fs, file, place);
      } else if (!isOwn(file.getName())) {
        for (int k = 1; fs.exists(place); k++) {
          place = new Path(to, file.getName() + "." + k);
        }
        fs.mkdirs(to);
        if (!fs.rename(file, place)) {
          throw new IOException(file + " cannot be renamed to " + place);
        }
      }
    }
  }

  /**
   * Deletes a file, or the files in a folder that may be Lampyris's, and folders left empty.
   *
   * @param lease is looked at before each file; null if nobody else can write there
   */
  public static void delete(FileSystem fs, Path path, @Nullable Lease lease) throws IOException {
    FileStatus status;
    try {
      status = fs.getFileStatus(path);
    } catch (FileNotFoundException e) {
      return;
    }
    if (status.isFile()) {
      if (lease != null) {
        lease.requireHeld();
      }
      fs.delete(path, false);
      return;
    }
    boolean all = true;
    for (FileStatus one : fs.listStatus(path)) {
      if (one.isDirectory() || isOwn(one.getPath().getName())) {
        delete(fs, one.getPath(), lease);
      }
      all &= !fs.exists(one.getPath());
    }
    if (all) {
      // Recursive, for hidden checksums of files that are gone.
      fs.delete(path, true);
    }
  }
}
