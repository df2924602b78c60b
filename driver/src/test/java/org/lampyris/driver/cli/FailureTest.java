package org.lampyris.driver.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.spark.SparkException;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException;

class FailureTest {

  @Test
  void theUsersMistakeIsDugOut() {
    UserException user = UserException.data("t.csv, line 3: \"x\" is no number.");
    Failure failure =
        Failure.of(
            new SparkException(
                "Job aborted due to stage failure", new RuntimeException("wrapped", user)));
    assertEquals(new Failure(3, "t.csv, line 3: \"x\" is no number."), failure);
    assertEquals(2, Failure.of(UserException.usage("no")).exitCode());
  }

  @Test
  void theUsersMistakeIsFoundInATasksReport() {
    Failure failure =
        Failure.of(
            new SparkException(
                "Job aborted due to stage failure: Task 0 in stage 0.0 failed 1 times: "
                    + UserException.class.getName()
                    + ": the label is constant.\n\tat org.lampyris.X.y(X.java:1)"));
    assertEquals(new Failure(3, "the label is constant."), failure);
  }

  @Test
  void aFullDiskIsTold() {
    assumeTrue(Files.exists(Path.of("/dev/full")), "this system has no /dev/full");
    IOException full =
        assertThrows(
            IOException.class,
            () -> {
              try (FileOutputStream out = new FileOutputStream("/dev/full")) {
                out.write(1);
              }
            });
    Failure failure = Failure.of(new SparkException("Task failed", new UncheckedIOException(full)));
    assertEquals(2, failure.exitCode());
    assertTrue(failure.message().startsWith("no room to write "), failure.message());
    assertTrue(failure.message().contains("spark.local.dir"), failure.message());
    assertTrue(failure.message().contains("java.io.tmpdir"), failure.message());
  }

  @Test
  void aQuotaIsToldInItsOwnSentence() {
    Failure failure =
        Failure.of(
            new SparkException(
                "Job aborted due to stage failure: Task 0 in stage 5.0 failed 4 times, most recent"
                    + " failure: Lost task 0.3 in stage 5.0 (TID 12) (127.0.0.1 executor 0):"
                    + " org.apache.hadoop.hdfs.protocol.DSQuotaExceededException: The DiskSpace"
                    + " quota of /home/ann is exceeded: quota = 3 B = 3 B but diskspace consumed ="
                    + " 402653184 B = 384 MB\n"
                    + "\tat org.apache.hadoop.hdfs.Quota.verify(Quota.java)"));
    assertEquals(2, failure.exitCode());
    assertTrue(
        failure
            .message()
            .startsWith(
                "no room to write a folder of this job: The DiskSpace quota of /home/ann is"
                    + " exceeded: quota = 3 B = 3 B but diskspace consumed = 402653184 B = 384 MB."
                    + " Free some of the quota, have it raised, or choose another folder."),
        failure.message());
  }

  @Test
  void aLackOfPermissionIsTold() {
    assertTold(
        2,
        "inode=\"/b\"",
        new RuntimeException(
            new AccessControlException("Permission denied: user=a, inode=\"/b\"")));
    assertEquals(2, Failure.of(new IOException("/x/y (Permission denied)")).exitCode());
  }

  @Test
  void aMissingFileIsTold() {
    IOException missing =
        assertThrows(IOException.class, () -> new FileInputStream("/no/such/file").close());
    assertTold(3, "/no/such/file", new SparkException("Task failed", missing));
  }

  private static void assertTold(int exitCode, String what, Throwable thrown) {
    Failure failure = Failure.of(thrown);
    assertEquals(exitCode, failure.exitCode());
    assertTrue(failure.message().contains(what), failure.message());
  }

  @Test
  void anUnknownFileSystemIsTold() {
    IOException unknown =
        assertThrows(
            IOException.class,
            () -> FileSystem.get(URI.create("nosuch://host/x"), new Configuration(false)));
    assertTold(2, "nosuch", unknown);
  }

  @Test
  void executorsThatCannotBeAreTold() {
    assertTold(
        2,
        "spark.executor.memory is too small: it has 104857600 bytes, and must have at least"
            + " 471859200",
        new IllegalArgumentException(
            "[INVALID_EXECUTOR_MEMORY] Executor memory 104857600 must be at least 471859200.\n"
                + "Please increase executor memory."));
    SparkException cancelled =
        new SparkException(
            "[SPARK_JOB_CANCELLED] Job 0 cancelled no executor has come for 13 s"
                + " (spark.lampyris.executorTimeout) SQLSTATE: XXKDA");
    assertTold(
        1,
        "The cluster provides no executor: no executor has come for 13 s"
            + " (spark.lampyris.executorTimeout). ",
        new IllegalStateException(cancelled));
    assertFalse(Failure.of(cancelled).isInternal());
  }

  @Test
  void aMissingMasterIsTold() {
    assertTold(
        2,
        "submit-scripts/lampyris",
        new SparkException("A master URL must be set in your configuration"));
  }

  @Test
  void aClusterThatIsLostIsTold() {
    Failure failure =
        Failure.of(
            new IllegalStateException(
                new SparkException("Job 7 cancelled because SparkContext was shut down")));
    assertEquals(1, failure.exitCode());
    assertTrue(failure.message().startsWith("Spark stopped"), failure.message());
  }

  @Test
  void aLackOfMemoryNamesTheRemedy() {
    Failure failure = Failure.of(new SparkException("x", new OutOfMemoryError("Java heap space")));
    assertEquals(1, failure.exitCode());
    assertTrue(failure.message().contains("--driver-memory"), failure.message());
  }

  @Test
  void anythingElseIsOurFault() {
    Failure failure =
        Failure.of(new RuntimeException("a", new IllegalStateException("b\nsecond line")));
    assertTrue(failure.isInternal());
    assertEquals(
        "Internal error: java.lang.IllegalStateException: b (the log holds the stack trace; please"
            + " report it).",
        failure.message());
    assertFalse(Failure.of(UserException.usage("no")).isInternal());
  }

  @Test
  void causesInACircleEnd() {
    RuntimeException a = new RuntimeException("a");
    RuntimeException b = new RuntimeException("b", a);
    a.initCause(b);
    assertTrue(Failure.of(a).isInternal());
  }
}
