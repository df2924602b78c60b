package org.lampyris.executors.table;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.util.ThreadUtils;
import org.lampyris.bounds.config.UserException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lease on a temporary folder in use: a file in it names the process and is rewritten every {@value
 * #EVERY} seconds. A killed process leaves its folder behind; the stale file shows others that it
 * can be removed. A process that paused for longer finds its file gone, and then publishes nothing:
 * {@link #requireHeld}.
 */
public final class Lease implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lease.class);

  static final String FILE = "_owner";
  static final int EVERY = 20;

  /** After so long without a sign a process that runs elsewhere is taken for dead. */
  private static final int SILENCE_SECONDS = 3 * EVERY;

  private static final long SILENCE_MILLIS = TimeUnit.SECONDS.toMillis(SILENCE_SECONDS);

  private final FileSystem fs;
  private final Path file;
  private final ScheduledExecutorService beat =
      ThreadUtils.newDaemonSingleThreadScheduledExecutor("lease");

  private final ScheduledFuture<?> writing;
  private volatile boolean lost;

  private Lease(FileSystem fs, Path folder) {
    this.fs = fs;
    this.file = new Path(folder, FILE);
    this.writing = beat.scheduleWithFixedDelay(this::again, EVERY, EVERY, TimeUnit.SECONDS);
  }

  /** Takes a folder, which exists and is new: it is removed if it cannot be written to. */
  public static Lease take(FileSystem fs, Path folder) throws IOException {
    Lease lease = new Lease(fs, folder);
    try {
      lease.write();
    } catch (IOException e) {
      lease.beat.shutdownNow();
      fs.delete(folder, true);
      throw e;
    }
    return lease;
  }

  private void again() {
    try {
      if (isLost()) {
        writing.cancel(false);
      } else {
        write();
      }
    } catch (IOException e) {
      // The next one may do; a disk that is full is told of by those who write more.
      return;
    }
  }

  /** Returns whether another process has removed the folder; it is never taken back. */
  private boolean isLost() throws IOException {
    lost = lost || !fs.exists(file);
    return lost;
  }

  /**
   * Refuses to go on if another process has taken over, before something is moved to its place.
   *
   * @throws UserException (usage) if the folder is no longer this process's
   */
  public void requireHeld() throws IOException {
    if (isLost()) {
      throw UserException.usage(
          "Another process has taken over %s, because this one gave no sign for %d s. This one writes nothing more; look for the result of the other."
              .formatted(file.getParent().getParent(), SILENCE_SECONDS));
    }
  }

  /**
   * Returns what the file system's clock said when this process last gave a sign.
   *
   * @throws UserException (usage) if the folder is no longer this process's
   */
  public long lastSign() throws IOException {
    try {
      return fs.getFileStatus(file).getModificationTime();
    } catch (FileNotFoundException e) {
      requireHeld();
      throw e;
    }
  }

  /**
   * Takes over the folder of a process that is taken for dead: should it live, it finds this out
   * before its next step, and leaves alone what is there by then.
   */
  public static void revoke(FileSystem fs, Path folder) throws IOException {
    fs.delete(new Path(folder, FILE), false);
  }

  private synchronized void write() throws IOException {
    if (beat.isShutdown()) {
      return; // stopped since it was due
    }
    try (OutputStream out = fs.create(file, true)) {
      out.write(self().getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String self() {
    ProcessHandle process = ProcessHandle.current();
    return "%s %d %s"
        .formatted(host(), process.pid(), process.info().startInstant().orElse(Instant.EPOCH));
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }

  /**
   * The process that uses a folder.
   *
   * @param name what messages call it
   * @param isKnown whether it was looked at: it lives, on this machine. Otherwise only its signs
   *     tell
   */
  public record Owner(String name, boolean isKnown) {}

  /**
   * Returns which process uses a folder of somebody else, if one does.
   *
   * @param now what the file system's clock says
   */
  public static Optional<Owner> user(FileSystem fs, Path folder, long now) throws IOException {
    Path file = new Path(folder, FILE);
    try (InputStream in = fs.open(file)) {
      String[] owner = new String(in.readAllBytes(), StandardCharsets.UTF_8).split(" ", 3);
      FileStatus status = fs.getFileStatus(file);
      boolean silent = now - status.getModificationTime() > SILENCE_MILLIS;
      if (owner.length == 3 && owner[0].equals(host())) {
        boolean lives =
            ProcessHandle.of(Long.parseLong(owner[1]))
                .flatMap(process -> process.info().startInstant())
                .filter(started -> started.toString().equals(owner[2]))
                .isPresent();
        // Containers may share a name; a process that has just given a sign is not removed.
        return lives || (!silent && isInContainer())
            ? Optional.of(owner(owner, !isInContainer()))
            : Optional.empty();
      }
      return silent ? Optional.empty() : Optional.of(owner(owner, false));
    } catch (FileNotFoundException | NumberFormatException e) {
      return isSilent(fs, folder, now)
          ? Optional.empty()
          : Optional.of(new Owner("a process that has just started", false));
    }
  }

  /** Returns whether a folder has not changed for long, or is gone since it was listed. */
  private static boolean isSilent(FileSystem fs, Path folder, long now) throws IOException {
    try {
      return now - fs.getFileStatus(folder).getModificationTime() > SILENCE_MILLIS;
    } catch (FileNotFoundException e) {
      return true;
    }
  }

  /**
   * Returns which process uses a folder of somebody else, if one does. Where that cannot be known
   * at once, because the process runs elsewhere, this waits for a sign of it: as long as a process
   * may be silent.
   *
   * @param now what the file system's clock says
   */
  public static Optional<Owner> userAfterWait(FileSystem fs, Path folder, long now)
      throws IOException {
    return userAfterWait(fs, folder, now, SILENCE_SECONDS);
  }

  static Optional<Owner> userAfterWait(FileSystem fs, Path folder, long now, int seconds)
      throws IOException {
    Optional<Owner> user = user(fs, folder, now);
    if (user.isEmpty() || user.get().isKnown()) {
      return user;
    }
    LOG.warn(
        "{} is held by {}; waiting for at most {} s to see whether it is alive",
        folder.getParent(),
        user.get().name(),
        seconds);
    long before = lastSign(fs, folder);
    for (int second = 0; second < seconds; second++) {
      try {
        TimeUnit.SECONDS.sleep(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return user;
      }
      if (!fs.exists(folder)) {
        return Optional.empty();
      }
      if (lastSign(fs, folder) != before) {
        return user;
      }
    }
    return Optional.empty();
  }

  private static long lastSign(FileSystem fs, Path folder) throws IOException {
    try {
      return fs.getFileStatus(new Path(folder, FILE)).getModificationTime();
    } catch (FileNotFoundException e) {
      return 0;
    }
  }

  private static boolean isInContainer() {
    return System.getenv("KUBERNETES_SERVICE_HOST") != null;
  }

  private static Owner owner(String[] owner, boolean isKnown) {
    return new Owner(
        owner.length == 3 ? "process %s on %s".formatted(owner[1], owner[0]) : "a process",
        isKnown);
  }

  /** Gives no further sign. The file stays, so that {@link #requireHeld} can still look for it. */
  synchronized void stop() {
    writing.cancel(false);
    beat.shutdownNow();
  }

  /** Gives the folder back. */
  @Override
  public synchronized void close() throws IOException {
    stop();
    fs.delete(file, false);
  }
}
