package org.lampyris.executors.table;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.UnsupportedFileSystemException;

/**
 * Move of a file or folder to its place, which may already exist.
 *
 * @param place where it shall be
 * @param aside where what is in its place is kept for the time being
 */
public record AtomicMove(Path written, Path place, Path aside) {
  /**
   * Moves all to their places, and existing items aside.
   *
   * @throws IOException if one cannot be moved; then what was there before is there again
   */
  public static void all(FileSystem fs, List<AtomicMove> moves) throws IOException {
    List<AtomicMove> kept = new ArrayList<>();
    List<AtomicMove> placed = new ArrayList<>();
    try {
      for (AtomicMove move : moves) {
        if (fs.exists(move.place)) {
          rename(fs, move.place, move.aside);
          kept.add(move);
        }
      }
      for (AtomicMove move : moves) {
        rename(fs, move.written, move.place);
        placed.add(move);
      }
    } catch (IOException e) {
      for (AtomicMove move : placed) {
        fs.delete(move.place, true);
      }
      for (AtomicMove move : kept) {
        fs.rename(move.aside, move.place);
      }
      throw e;
    }
  }

  /**
   * Writes a file whole or not at all, in place of an earlier one, and to the disk where the file
   * system can. Where the file system cannot
   * replace a file by renaming, as on object stores, it is written as it is: there a file appears
   * when it is complete.
   */
  public static void write(Configuration conf, Path file, byte[] bytes) throws IOException {
    FileContext context;
    try {
      context = FileContext.getFileContext(file.toUri(), conf);
    } catch (UnsupportedFileSystemException e) {
      put(file.getFileSystem(conf), file, bytes);
      return;
    }
    FileSystem fs = file.getFileSystem(conf);
    Path hidden = new Path(file.getParent(), "_" + UUID.randomUUID());
    try {
      put(fs, hidden, bytes);
      context.rename(fs.makeQualified(hidden), fs.makeQualified(file), Options.Rename.OVERWRITE);
      force(fs, file.getParent());
    } catch (IOException e) {
      fs.delete(hidden, false);
      throw e;
    }
  }

  private static void put(FileSystem fs, Path file, byte[] bytes) throws IOException {
    try (FSDataOutputStream out = fs.create(file, true)) {
      out.write(bytes);
      if (out.hasCapability(StreamCapabilities.HSYNC)) {
        out.hsync();
      }
    }
    force(fs, file);
  }

  /**
   * Has a local file or folder written to its disk, so that it outlasts a power cut. Other file
   * systems are left alone: {@link #write} asks their streams while it writes.
   */
  public static void force(FileSystem fs, Path path) throws IOException {
    if (fs.getUri().getScheme().equals("file")) {
      // A folder can be forced on Unix only; elsewhere it cannot be opened.
      try (FileChannel channel =
          FileChannel.open(java.nio.file.Path.of(path.toUri().getPath()), StandardOpenOption.READ)) {
        channel.force(true);
      } catch (AccessDeniedException e) {
        return;
      }
    }
  }

  private static void rename(FileSystem fs, Path from, Path to) throws IOException {
    if (!fs.exists(from)) {
      throw new FileNotFoundException(from + " was not written");
    }
    if (!fs.rename(from, to)) {
      throw new IOException(from + " cannot be renamed to " + to);
    }
  }
}
