package org.lampyris.executors.table;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.jspecify.annotations.Nullable;

/**
 * Move of a file or folder to its place, which may already exist.
 *
 * <p>Where a rename is not atomic, as on object stores, a process that is killed can leave a folder
 * half moved. So readers look for a document that is moved last, and {@link #into} can be repeated.
 *
 * @param written what is moved; null to clear the place only
 * @param place where it shall be
 * @param aside where what is in its place is kept for the time being
 */
public record AtomicMove(@Nullable Path written, Path place, Path aside) {
  /** File systems that rename a file or a folder at once, whatever is in it. */
  private static final Set<String> ATOMIC =
      Set.of("file", "hdfs", "webhdfs", "swebhdfs", "viewfs", "abfs", "abfss", "ofs", "o3fs");

  /** Option of S3A to create a file by a request that fails if there is one; others ignore it. */
  private static final String CONDITIONAL = "fs.option.create.conditional.overwrite";

  /** Returns whether a folder is renamed at once. */
  static boolean isAtomic(FileSystem fs) {
    return ATOMIC.contains(fs.getUri().getScheme());
  }

  private static boolean isLocal(FileSystem fs) {
    return fs.getUri().getScheme().equals("file");
  }

  /**
   * Moves all to their places, in order, and existing items aside before, in the reverse order.
   *
   * @param turned an empty file that is made between the two; null for none
   * @param lease is looked at before each step
   * @throws IOException if one cannot be moved; then what was there before is there again
   * @throws org.lampyris.bounds.config.UserException (usage) if another process has taken over;
   *     then what is there is left to it
   */
  public static void all(FileSystem fs, List<AtomicMove> moves, @Nullable Path turned, Lease lease)
      throws IOException {
    lease.requireHeld(); // whoever took over has removed what was written
    for (AtomicMove move : moves) {
      if (move.written != null && !fs.exists(move.written)) {
        throw new FileNotFoundException(move.written + " was not written");
      }
    }
    Deque<AtomicMove> kept = new ArrayDeque<>();
    Deque<AtomicMove> placed = new ArrayDeque<>();
    try {
      for (int k = moves.size() - 1; k >= 0; k--) {
        AtomicMove move = moves.get(k);
        if (fs.exists(move.place)) {
          kept.push(move);
          into(fs, move.place, move.aside, lease);
        }
      }
      if (turned != null) {
        put(fs, turned, new byte[0], true);
      }
      for (AtomicMove move : moves) {
        if (move.written != null) {
          placed.push(move);
          into(fs, move.written, move.place, lease);
        }
      }
    } catch (IOException e) {
      try {
        back(fs, placed, turned, kept, lease);
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  /** Takes moves back, so that at every moment all could still go on, or all could go back. */
  private static void back(
      FileSystem fs,
      Deque<AtomicMove> placed,
      @Nullable Path turned,
      Deque<AtomicMove> kept,
      Lease lease)
      throws IOException {
    for (AtomicMove move : placed) {
      if (move.written != null && fs.exists(move.place)) {
        into(fs, move.place, move.written, lease);
      }
    }
    if (turned != null) {
      fs.delete(turned, false);
    }
    for (AtomicMove move : kept) {
      if (fs.exists(move.aside)) {
        into(fs, move.aside, move.place, lease);
      }
    }
  }

  /**
   * Moves a file or folder to a place where a killed process may have moved a part of it already:
   * files that are there are replaced. A folder is moved file by file where that takes long.
   *
   * @param lease is looked at before each step
   */
  public static void into(FileSystem fs, Path from, Path to, Lease lease) throws IOException {
    lease.requireHeld();
    boolean exists = fs.exists(to);
    boolean file = fs.getFileStatus(from).isFile();
    if (file && exists) {
      fs.delete(to, true);
      lease.requireHeld();
    }
    if (file || (isAtomic(fs) && !exists)) {
      rename(fs, from, to);
      return;
    }
    fs.mkdirs(to);
    for (FileStatus status : fs.listStatus(from)) {
      into(fs, status.getPath(), new Path(to, status.getPath().getName()), lease);
    }
    if (fs.listStatus(from).length == 0) { // else it has files of another process
      fs.delete(from, true); // recursive, for hidden checksums of files that are gone
    }
  }

  /**
   * Writes a file whole or not at all, in place of an earlier one, and to the disk where the file
   * system can. Where a rename is not atomic, as on object stores, it is written as it is: there a
   * file appears when it is complete.
   */
  public static void write(Configuration conf, Path file, byte[] bytes) throws IOException {
    write(conf, file, bytes, true);
  }

  /**
   * Writes a new file as {@link #write} does. If two processes write it, the second fails: where
   * the file system renames, by that; on object stores, by a conditional request.
   *
   * @throws org.apache.hadoop.fs.FileAlreadyExistsException if it exists
   */
  public static void writeNew(Configuration conf, Path file, byte[] bytes) throws IOException {
    write(conf, file, bytes, false);
  }

  private static void write(Configuration conf, Path file, byte[] bytes, boolean replaces)
      throws IOException {
    FileSystem fs = file.getFileSystem(conf);
    FileContext context;
    try {
      context = isAtomic(fs) ? FileContext.getFileContext(file.toUri(), conf) : null;
    } catch (UnsupportedFileSystemException e) {
      context = null;
    }
    if (context == null) {
      put(fs, file, bytes, replaces);
      return;
    }
    Path hidden = new Path(file.getParent(), "_" + UUID.randomUUID());
    try {
      put(fs, hidden, bytes, true);
      if (replaces && isLocal(fs)) { // Hadoop's own way to overwrite deletes the earlier one first
        rename(fs, hidden, file);
      } else {
        context.rename(
            fs.makeQualified(hidden),
            fs.makeQualified(file),
            replaces ? Options.Rename.OVERWRITE : Options.Rename.NONE);
      }
      force(fs, file.getParent());
    } catch (IOException e) {
      fs.delete(hidden, false);
      throw e;
    }
  }

  private static void put(FileSystem fs, Path file, byte[] bytes, boolean replaces)
      throws IOException {
    try (FSDataOutputStream out = replaces ? fs.create(file, true) : created(fs, file)) {
      out.write(bytes);
      if (out.hasCapability(StreamCapabilities.HSYNC)) {
        out.hsync();
      }
    }
    force(fs, file);
  }

  private static FSDataOutputStream created(FileSystem fs, Path file) throws IOException {
    FSDataOutputStreamBuilder<?, ?> builder = fs.createFile(file).overwrite(false).recursive();
    return builder.opt(CONDITIONAL, true).build();
  }

  /**
   * Has a local file or folder written to its disk, so that it outlasts a power cut. Other file
   * systems are left alone: {@link #write} asks their streams while it writes.
   */
  public static void force(FileSystem fs, Path path) throws IOException {
    if (isLocal(fs)) {
      // A folder can be forced on Unix only; elsewhere it cannot be opened.
      java.nio.file.Path local = java.nio.file.Path.of(path.toUri().getPath());
      try (FileChannel channel = FileChannel.open(local, StandardOpenOption.READ)) {
        channel.force(true);
      } catch (AccessDeniedException e) {
        return;
      }
    }
  }

  private static void rename(FileSystem fs, Path from, Path to) throws IOException {
    if (!fs.rename(from, to)) {
      throw new IOException(from + " cannot be renamed to " + to);
    }
  }
}
