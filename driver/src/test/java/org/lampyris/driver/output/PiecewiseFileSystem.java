package org.lampyris.driver.output;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * A local file system that behaves as an object store does: a folder is renamed by copying its
 * files and deleting them, one by one. After a number of changes the process is dead: every further
 * one fails. After a number of looks at its lease it pauses, while another process does something.
 */
public class PiecewiseFileSystem extends RawLocalFileSystem {
  private static final URI ROOT = URI.create("piece:///");

  /** How many changes are left. */
  private static long left = Long.MAX_VALUE;

  /** How many looks at a lease are left before the pause. */
  private static long looks = Long.MAX_VALUE;

  private static Pause pause = () -> {};

  /** Which changes fail. */
  private static Predicate<Event> failing = event -> false;

  private static List<Event> log = Collections.synchronizedList(new ArrayList<>());

  /** Kind of an event. */
  public enum Kind {
    LOOK,
    MADE,
    REMOVED
  }

  /** A look at a lease, or a change of a file or folder. */
  public record Event(Kind kind, String path) {}

  /** What another process does meanwhile. */
  interface Pause {
    void take() throws IOException;
  }

  /** Returns what has happened since this was last asked for. */
  public static List<Event> events() {
    List<Event> events = log;
    log = Collections.synchronizedList(new ArrayList<>());
    return events;
  }

  /** Has changes fail; the process lives on. */
  public static void failAt(Predicate<Event> changes) {
    failing = changes;
  }

  /** Returns a configuration that knows it, as {@code piece:}. */
  static Configuration configuration() {
    Configuration conf = new Configuration();
    conf.setClass("fs.piece.impl", PiecewiseFileSystem.class, RawLocalFileSystem.class);
    conf.setBoolean("fs.piece.impl.disable.cache", true);
    conf.setClass("fs.ofs.impl", Whole.class, RawLocalFileSystem.class);
    return conf;
  }

  /** Lets the process live for a number of changes. */
  static void dieAfter(long changes) {
    left = changes;
  }

  /** Has the process pause before the look at its lease that comes after a number of others. */
  static void pauseAfter(long number, Pause meanwhile) {
    looks = number;
    pause = meanwhile;
  }

  private static void look(Path path) throws IOException {
    if (path.getName().equals("_owner")) {
      log.add(new Event(Kind.LOOK, path.toUri().getPath()));
      if (looks-- == 0) {
        pause.take();
      }
    }
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    look(path);
    return super.getFileStatus(path);
  }

  @Override
  public boolean exists(Path path) throws IOException {
    look(path);
    return super.exists(path);
  }

  private static void change(Kind kind, Path path) throws IOException {
    if (left-- <= 0) {
      throw new IOException("killed");
    }
    Event event = new Event(kind, path.toUri().getPath());
    log.add(event);
    if (failing.test(event)) {
      throw new IOException("failed");
    }
  }

  @Override
  public URI getUri() {
    return ROOT;
  }

  @Override
  public String getScheme() {
    return ROOT.getScheme();
  }

  @Override
  public FSDataOutputStream create(
      Path file,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    change(Kind.MADE, file);
    return super.create(file, permission, overwrite, bufferSize, replication, blockSize, progress);
  }

  @Override
  public FSDataOutputStream create(
      Path file,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    change(Kind.MADE, file);
    return super.create(file, overwrite, bufferSize, replication, blockSize, progress);
  }

  @Override
  public boolean mkdirs(Path folder) throws IOException {
    if (!pathToFile(folder).exists()) {
      change(Kind.MADE, folder);
    }
    return super.mkdirs(folder);
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    if (pathToFile(path).exists()) {
      boolean isFolder = pathToFile(path).isDirectory();
      if (recursive && isFolder) {
        for (FileStatus status : listStatus(path)) {
          delete(status.getPath(), true);
        }
      }
      if (!isFolder) { // an empty folder is nothing to a store
        change(Kind.REMOVED, path);
      }
    }
    return super.delete(path, recursive);
  }

  /** One that renames a folder at once, known by its scheme. */
  public static final class Whole extends PiecewiseFileSystem {
    @Override
    public URI getUri() {
      return URI.create("ofs:///");
    }

    @Override
    public String getScheme() {
      return getUri().getScheme();
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
      change(Kind.REMOVED, from);
      change(Kind.MADE, to);
      return pathToFile(from).renameTo(pathToFile(to));
    }
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    if (pathToFile(from).isDirectory()) {
      mkdirs(to);
      for (FileStatus status : listStatus(from)) {
        rename(status.getPath(), new Path(to, status.getPath().getName()));
      }
      return super.delete(from, true);
    }
    // The copy is a change, too.
    FileUtil.copy(this, from, this, to, false, true, getConf());
    change(Kind.REMOVED, from);
    return super.delete(from, false);
  }
}
