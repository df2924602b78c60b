package org.lampyris.driver.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.univocity.parsers.csv.CsvWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.executors.table.AtomicMove;
import org.lampyris.executors.table.Lease;
import org.lampyris.executors.table.OwnFiles;
import org.lampyris.executors.table.StorageProblem;

/**
 * Items of an output folder that are written elsewhere and moved into place together. The folder
 * never holds half of a result, and its other content is left alone.
 */
public record OutputFolder(FileSystem fs, Path folder, Path work, List<String> items, Lease lease)
    implements AutoCloseable {
  private static final String WORK = "_writing-";
  private static final String ASIDE = "earlier";

  /** A file that is there once all earlier items are aside. */
  private static final String TURNED = "_turned";

  /** Names of what killed processes leave beside that: effects, and notes half written. */
  private static final Pattern LEFT =
      Pattern.compile("(effects\\.tmp-|_)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /**
   * Checks that the items can be written, before the work that fills them starts.
   *
   * @param folder the output folder, made if it does not exist
   * @param items the files and folders that will be written
   * @throws UserException if an item exists and may not be replaced, or nothing can be written here
   */
  public static OutputFolder reserve(
      Configuration conf, String folder, List<String> items, boolean overwrite) {
    try {
      Path path = new Path(folder);
      FileSystem fs = path.getFileSystem(conf);
      if (!overwrite) {
        requireNone(fs, path, folder, items);
      }
      Path work = new Path(path, WORK + UUID.randomUUID());
      if (!fs.mkdirs(work)) {
        throw notWritable(folder, null);
      }
      fs.deleteOnExit(work); // for a run that is interrupted
      Lease lease = Lease.take(fs, work);
      OutputFolder reserved = new OutputFolder(fs, path, work, List.copyOf(items), lease);
      try {
        reserved.removeLeftovers();
      } catch (IOException | RuntimeException e) {
        reserved.close();
        throw e;
      }
      return reserved;
    } catch (IllegalArgumentException e) {
      throw UserException.usage(
          "\"" + folder + "\" cannot be an output folder's path: " + e.getMessage() + ".", e);
    } catch (IOException e) {
      throw notWritable(folder, e);
    }
  }

  /**
   * Refuses items that exist.
   *
   * @param folder what messages call the path
   */
  static void requireNone(FileSystem fs, Path path, String folder, List<String> items)
      throws IOException {
    for (String item : items) {
      if (fs.exists(new Path(path, item))) {
        throw UserException.usage(
            "The output folder %s already holds %s. Choose another folder, or add --overwrite to replace it."
                .formatted(folder, item));
      }
    }
  }

  /**
   * Removes the leftovers of killed runs.
   *
   * @throws UserException (usage) if a run that is under way writes to this folder
   */
  private void removeLeftovers() throws IOException {
    long now = lease.lastSign();
    for (FileStatus status : fs.listStatus(folder)) {
      Path other = status.getPath();
      if (other.getName().startsWith(WORK) && !other.getName().equals(work.getName())) {
        Optional<Lease.Owner> user = Lease.userAfterWait(fs, other, now);
        if (user.isPresent()) {
          throw UserException.usage(
              "The output folder %s is being written by %s. Name another folder, or wait. If that process was killed, this is known in a minute."
                  .formatted(folder, user.get().name()));
        }
        Lease.revoke(fs, other);
        finish(other);
        OwnFiles.delete(fs, other, null);
      }
    }
    // Nobody else writes here now: see above.
    for (FileStatus status : fs.listStatus(folder)) {
      if (LEFT.matcher(status.getPath().getName()).matches()
          && now - lastChange(status) > TimeUnit.MINUTES.toMillis(1)) {
        OwnFiles.delete(fs, status.getPath(), null);
      }
    }
  }

  /** Returns when a file changed, or the last in a folder: a store may not know of the folder. */
  private long lastChange(FileStatus status) throws IOException {
    long last = status.isFile() ? status.getModificationTime() : 0;
    if (status.isDirectory()) {
      for (FileStatus one : fs.listStatus(status.getPath())) {
        last = Math.max(last, one.getModificationTime());
      }
    }
    return last;
  }

  /**
   * Finishes what a killed process was about to publish: all its items were whole. If it had not
   * moved all earlier ones aside, they come back.
   */
  private void finish(Path other) throws IOException {
    Path aside = new Path(other, ASIDE);
    if (!fs.exists(aside)) {
      return;
    }
    boolean turned = fs.exists(new Path(aside, TURNED));
    List<Path> moved = new ArrayList<>();
    for (FileStatus status : fs.listStatus(turned ? other : aside)) {
      String name = status.getPath().getName();
      if (!name.equals(ASIDE) && !name.startsWith("_")) {
        moved.add(status.getPath());
      }
    }
    // The manifest last: results without it are not read.
    moved.sort(Comparator.comparing(path -> path.getName().equals(RunOutput.MANIFEST)));
    for (Path path : moved) {
      AtomicMove.into(fs, path, new Path(folder, path.getName()), lease);
    }
    if (turned) {
      drop(aside);
    }
  }

  /**
   * Removes earlier items, but for the files of others in those that are folders: they go to the
   * new ones. The sign that all were aside goes last, so that none comes back.
   */
  private void drop(Path aside) throws IOException {
    lease.requireHeld();
    for (FileStatus status : fs.listStatus(aside)) {
      String name = status.getPath().getName();
      if (!name.equals(TURNED)) {
        OwnFiles.rescue(fs, status.getPath(), new Path(folder, name));
        fs.delete(status.getPath(), true);
      }
    }
    fs.delete(aside, true);
  }

  private static UserException notWritable(String folder, @Nullable IOException e) {
    UserException known = e == null ? null : StorageProblem.known(folder, "write to", e);
    if (known != null) {
      return known;
    }
    String why = e == null || e.getMessage() == null ? "" : " (" + e.getMessage() + ")";
    String message =
        ("The output folder %s cannot be written%s. Check the path, its permissions and the free"
                + " space.")
            .formatted(folder, why);
    return e == null ? UserException.usage(message) : UserException.usage(message, e);
  }

  /** Returns the temporary path of an item until {@link #publish}. */
  public Path temporary(String item) {
    if (!items.contains(item)) {
      throw new IllegalArgumentException(item);
    }
    return new Path(work, item);
  }

  /** Returns a value as JSON, indented. */
  public static String asJson(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("maps, lists, texts and numbers can be written", e);
    }
  }

  /** Writes an item as JSON, indented. */
  public void json(String item, Object value) throws IOException {
    text(item, asJson(value) + "\n");
  }

  /** Writes an item as text, in UTF-8. */
  public void text(String item, String text) throws IOException {
    try (OutputStream out = fs.create(temporary(item), false)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * Writes an item as comma-separated text.
   *
   * @param lines writes all lines with {@link CsvWriter#writeRow(Object...)}
   */
  public void csv(String item, List<String> header, Consumer<CsvWriter> lines) throws IOException {
    CsvText.write(fs, temporary(item), header, lines);
  }

  /**
   * Refuses to go on once another process has taken over the folder.
   *
   * @throws UserException (usage) if one has
   */
  void requireHeld() {
    try {
      lease.requireHeld();
    } catch (IOException e) {
      throw StorageProblem.writing(folder.toString(), e);
    }
  }

  /**
   * Moves every item into place, and earlier ones aside; back if anything fails. Files of others in
   * an item that is a folder stay in it.
   *
   * <p>Two processes cannot both publish. Each makes its folder before it looks for others, so at
   * least one sees the other. It waits for a sign of it, and otherwise takes its lease and its
   * written items away before it publishes. A process that only paused looks at its lease before
   * each step, and has nothing left to move.
   *
   * @param unwritten items that this time there are none of: earlier ones are removed
   * @throws UserException (usage) if another process has taken over
   */
  public void publish(String... unwritten) throws IOException {
    Path aside = new Path(work, ASIDE);
    fs.mkdirs(aside);
    List<String> without = List.of(unwritten);
    // From here on the next process finishes it, if this one is ended.
    fs.cancelDeleteOnExit(work);
    AtomicMove.all(
        fs,
        items.stream()
            .map(
                item ->
                    new AtomicMove(
                        without.contains(item) ? null : temporary(item),
                        new Path(folder, item),
                        new Path(aside, item)))
            .toList(),
        new Path(aside, TURNED),
        lease);
    drop(aside);
  }

  /**
   * Removes unpublished items, and the folder itself if it is empty. If earlier items could neither
   * be replaced nor moved back, the next process does it.
   */
  @Override
  public void close() throws IOException {
    lease.close();
    Path aside = new Path(work, ASIDE);
    if (fs.exists(aside) && fs.listStatus(aside).length > 0) {
      return;
    }
    fs.delete(work, true);
    if (fs.exists(folder) && fs.listStatus(folder).length == 0) {
      fs.delete(folder, false);
    }
  }
}
