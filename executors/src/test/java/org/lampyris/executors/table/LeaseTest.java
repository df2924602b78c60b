package org.lampyris.executors.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.config.UserException;

class LeaseTest {
  private static final Lease.Owner ELSEWHERE = new Lease.Owner("process 12 on elsewhere", false);

  @TempDir private java.nio.file.Path folder = java.nio.file.Path.of("set by JUnit");
  private FileSystem fs = new org.apache.hadoop.fs.RawLocalFileSystem();

  @BeforeEach
  void open() throws IOException {
    fs = FileSystem.get(java.net.URI.create("file:///"), new Configuration());
  }

  private Path path() {
    return new Path(folder.toString());
  }

  private void ownedBy(String owner) throws IOException {
    Files.writeString(folder.resolve(Lease.FILE), owner);
  }

  private Optional<Lease.Owner> userAfterWait(int seconds) throws IOException {
    return Lease.userAfterWait(fs, path(), System.currentTimeMillis(), seconds);
  }

  @Test
  void aLivingProcessOfThisMachineIsKnownAtOnce() throws IOException {
    try (Lease lease = Lease.take(fs, path())) {
      assertTrue(userAfterWait(1_000_000).orElseThrow().isKnown());
      lease.requireHeld();
    }
    assertFalse(Files.exists(folder.resolve(Lease.FILE)));
  }

  /** It may have been killed a moment ago: its file is still fresh. */
  @Test
  void aProcessElsewhereThatGivesNoSignIsDead() throws IOException {
    ownedBy("elsewhere 12 2026-01-01T00:00:00Z");
    assertEquals(Optional.of(ELSEWHERE), Lease.user(fs, path(), System.currentTimeMillis()));
    assertEquals(Optional.empty(), userAfterWait(1));
  }

  /** Its process has ended since the folder was listed, or the store lists what is gone. */
  @Test
  void aFolderThatIsGoneIsNobodys() throws IOException {
    assertEquals(
        Optional.empty(),
        Lease.user(fs, new Path(path(), "_writing-gone"), System.currentTimeMillis()));
  }

  @Test
  void aProcessElsewhereThatGivesASignIsAlive() throws IOException {
    ownedBy("elsewhere 12 2026-01-01T00:00:00Z");
    CompletableFuture<Void> sign =
        CompletableFuture.runAsync(
            () -> {
              try {
                Files.setLastModifiedTime(
                    folder.resolve(Lease.FILE), FileTime.from(Instant.now().plusSeconds(5)));
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            },
            CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS));
    assertEquals(Optional.of(ELSEWHERE), userAfterWait(60));
    sign.join();
  }

  /** Whoever waited out a paused process has removed its folder. */
  @Test
  void whoWasTakenOverPublishesNothing() throws IOException {
    try (Lease lease = Lease.take(fs, path())) {
      lease.requireHeld();
      Files.delete(folder.resolve(Lease.FILE));
      UserException refused = assertThrows(UserException.class, lease::requireHeld);
      assertEquals(UserException.Kind.USAGE, refused.kind());
      // It stays so, whatever appears there later.
      ownedBy("elsewhere 12 2026-01-01T00:00:00Z");
      assertThrows(UserException.class, lease::requireHeld);
    }
  }
}
