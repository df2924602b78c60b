package org.lampyris.executors.table;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.lampyris.bounds.config.UserException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folder that appears whole or not at all: it is written under a temporary name next to its place,
 * and renamed at the end. Where a rename is not atomic, as on object stores, it is moved file by
 * file, and the file that readers look for comes last. Closing it without {@link #commit} removes
 * what was written.
 *
 * <p>Not safe for use by several threads.
 */
public final class AtomicFolder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AtomicFolder.class);

  /** A file in a folder that is being moved to its place file by file. */
  private static final String PARTIAL = "_partial";

  private final FileSystem fileSystem;
  private final Path target;
  private final Path temporary;
  private final boolean overwrite;
  private final String marker;
  private final Lease lease;
  private boolean committed;

  private AtomicFolder(
      FileSystem fileSystem,
      Path target,
      Path temporary,
      boolean overwrite,
      String marker,
      Lease lease) {
    this.fileSystem = fileSystem;
    this.marker = marker;
    this.lease = lease;
    this.target = target;
    this.temporary = temporary;
    this.overwrite = overwrite;
  }

  /**
   * Refuses an output folder that may not be replaced.
   *
   * @param overwrite whether an existing one may be replaced
   * @param marker a file that identifies a folder written by the same command; a folder without it
   *     is not replaced, which protects other files from a mistyped path
   * @throws UserException (usage) if the folder exists and may not be replaced
   */
  public static void requireFree(
      String folder, boolean overwrite, String marker, Configuration conf) {
    try {
      Path path = new Path(folder);
      FileSystem fs = path.getFileSystem(conf);
      if (!fs.exists(path)) {
        return;
      }
      FileStatus status = fs.getFileStatus(path);
      if (!status.isDirectory()) {
        throw UserException.usage(
            "the output " + folder + " is a file. Name a folder that does not exist yet.");
      }
      if (!overwrite) {
        throw UserException.usage(
            "the output folder %s exists. Name another one, or replace it with --overwrite."
                .formatted(folder));
      }
      if (fs.listStatus(path).length > 0
          && !fs.exists(new Path(path, marker))
          && !fs.exists(new Path(path, PARTIAL))) {
        throw UserException.usage(
            ("the output folder %s is not replaced, because it contains no %s and so is not an"
                    + " earlier output. Name another folder, or remove it yourself.")
                .formatted(folder, marker));
      }
    } catch (IOException | IllegalArgumentException e) {
      throw StorageProblem.writing(folder, e);
    }
  }

  /**
   * Refuses to write over an input, which would be removed before it is replaced.
   *
   * @throws UserException (usage) if the input lies in the folder
   */
  public static void requireApart(String output, String input, Configuration conf) {
    try {
      if (qualified(input, conf).startsWith(qualified(output, conf))) {
        throw UserException.usage(
            "the input %s lies in the output folder %s. Name another output folder."
                .formatted(input, output));
      }
    } catch (IOException | IllegalArgumentException e) {
      throw StorageProblem.reading("the input " + input, e);
    }
  }

  private static String qualified(String path, Configuration conf) throws IOException {
    Path given = new Path(path);
    return given.getFileSystem(conf).makeQualified(given) + "/";
  }

  /**
   * Begins to write a folder.
   *
   * @param overwrite whether an existing one is replaced; {@link #requireFree} looks first
   * @param marker see {@link #requireFree}
   * @throws UserException (usage) if it exists, cannot be written, or is being written by another
   *     process
   */
  public static AtomicFolder create(
      String folder, boolean overwrite, String marker, Configuration conf) {
    requireFree(folder, overwrite, marker, conf);
    try {
      Path given = new Path(folder);
      FileSystem fs = given.getFileSystem(conf);
      Path path = fs.makeQualified(given);
      Path temporary = sibling(path, "tmp");
      if (!fs.mkdirs(temporary)) {
        throw new IOException("the folder cannot be created");
      }
      AtomicFolder made =
          new AtomicFolder(fs, path, temporary, overwrite, marker, Lease.take(fs, temporary));
      try {
        made.removeLeftovers();
      } catch (IOException | RuntimeException e) {
        made.close();
        throw e;
      }
      return made;
    } catch (IOException | IllegalArgumentException e) {
      throw StorageProblem.writing(folder, e);
    }
  }

  /**
   * Removes temporary folders of killed processes, and what they have replaced. If one was killed
   * with nothing in the place of what it was to replace, that is left.
   *
   * @throws UserException (usage) if a living process writes the same folder
   */
  private void removeLeftovers() throws IOException {
    long now = lease.lastSign();
    for (FileStatus status : fileSystem.listStatus(target.getParent())) {
      Path other = status.getPath();
      if (isBeside(other, "tmp") && !other.equals(temporary)) {
        Optional<Lease.Owner> user = Lease.userAfterWait(fileSystem, other, now);
        if (user.isPresent()) {
          throw UserException.usage(
              "The folder %s is being written by %s. Name another folder, or wait."
                  .formatted(target, user.get().name()));
        }
        Lease.revoke(fileSystem, other);
        OwnFiles.delete(fileSystem, other, null);
      } else if (isBeside(other, "old")
          && fileSystem.exists(new Path(other, marker))
          && fileSystem.exists(target)) {
        // Replaced, by a process that was killed before it could remove it.
        OwnFiles.rescue(fileSystem, other, target);
        fileSystem.delete(other, true);
      }
    }
  }

  /** Returns whether {@link #sibling} has made a path. */
  private boolean isBeside(Path other, String kind) {
    return other.getName().matches(Pattern.quote(target.getName()) + "\\." + kind + "-[0-9a-f]{8}");
  }

  private static Path sibling(Path path, String kind) {
    return path.suffix("." + kind + "-" + UUID.randomUUID().toString().substring(0, 8));
  }

  /** Returns the temporary folder to write into. */
  public String path() {
    return temporary.toString();
  }

  /**
   * Moves the folder to its place.
   *
   * @throws UserException (usage) if that cannot be done; then what was there before still is
   */
  public void commit() {
    try {
      Path old = sibling(target, "old");
      boolean replaced = fileSystem.exists(target);
      if (replaced && !overwrite) {
        throw UserException.usage(
            "the output folder " + target + " was created by another process in the meantime");
      }
      if (!AtomicMove.isAtomic(fileSystem)) {
        movePieces();
        committed = true;
        return;
      }
      lease.stop(); // its file is moved, too
      AtomicMove.all(fileSystem, List.of(new AtomicMove(temporary, target, old)), null, lease);
      committed = true;
      fileSystem.delete(new Path(target, Lease.FILE), false);
      if (replaced) {
        OwnFiles.rescue(fileSystem, old, target);
        fileSystem.delete(old, true);
      }
    } catch (IOException e) {
      throw StorageProblem.writing(target.toString(), e);
    }
  }

  /**
   * Moves file by file, and the marker, which readers look for, last. If this process is killed
   * meanwhile, the folder has no marker, and the next one may replace it. Only the owner of the
   * lease moves: whoever takes over removes what this process has written before it moves its own.
   */
  private void movePieces() throws IOException {
    Path partial = new Path(target, PARTIAL);
    lease.requireHeld();
    fileSystem.create(partial, true).close();
    OwnFiles.delete(fileSystem, new Path(target, marker), lease);
    OwnFiles.delete(fileSystem, target, lease);
    for (FileStatus status : fileSystem.listStatus(temporary)) {
      String name = status.getPath().getName();
      if (!name.equals(marker) && !name.equals(Lease.FILE)) {
        AtomicMove.into(fileSystem, status.getPath(), new Path(target, name), lease);
      }
    }
    Path last = new Path(temporary, marker);
    if (fileSystem.exists(last)) {
      AtomicMove.into(fileSystem, last, new Path(target, marker), lease);
    }
    lease.requireHeld();
    fileSystem.delete(partial, false);
    lease.close();
    fileSystem.delete(temporary, true);
  }

  /** Removes the folder, unless it was committed. */
  @Override
  public void close() {
    if (!committed) {
      try {
        lease.close();
        fileSystem.delete(temporary, true);
      } catch (IOException e) {
        // The failure that led here is the one to report; this one only leaves a temporary folder.
        LOG.warn("{} could not be removed", temporary, e);
      }
    }
  }
}
