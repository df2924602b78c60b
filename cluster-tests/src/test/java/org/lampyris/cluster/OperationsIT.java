package org.lampyris.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/operations.md says of room, of memory, and of the driver on a Worker. */
class OperationsIT {
  private static final String KEYS =
      "algorithm: firefly, plan: stepwise, kernel: mala, warmup: 40, draws: 80,"
          + " checkpoint_minutes: 0.02";
  private static final String RUN = "run";

  @TempDir static Path folder;
  private static Night night;
  private static String expected;

  @BeforeAll
  static void begin() throws IOException, InterruptedException {
    night = new Night(folder, 10_000);
    expected = night.localDraws(KEYS);
  }

  @AfterAll
  static void end() {
    night.close();
  }

  @Test
  void aQuotaThatIsHitWhileWritingCostsNothingDrawn() throws Exception {
    String job = night.job("quota", KEYS);
    try (Submission run = night.submit(RUN, "--config", job, "--not-converged", "0")) {
      assertTrue(run.awaits("sample: "), Night.said(run));
      night.hdfs().leaveRoom("/night/quota", 1);
      assertEquals(2, run.exitCode(), Night.said(run));
      String said = run.err();
      assertTrue(said.contains("warning: no checkpoint is kept now: "), said);
      assertTrue(said.contains("quota"), said);
      assertFalse(said.contains("\tat "), said);
      assertFalse(said.contains("Internal error"), said);
    }
    night.hdfs().leaveAllRoom("/night/quota");
    try (Submission again = night.submit(RUN, "--config", job, "--not-converged", "0")) {
      Night.succeeds(again);
      assertTrue(again.err().contains("resumed after "), again.err());
    }
    assertEquals(expected, night.draws("quota"));
  }

  @Test
  void theDriverRunsOnAWorker() throws Exception {
    String job = night.job("driver", KEYS);
    try (Submission run =
        night.submit(
            List.of(
                "--properties-file",
                "../submit-scripts/presets/standalone-cluster.conf",
                "--deploy-mode",
                "cluster",
                "--executor-cores",
                "1"),
            RUN,
            "--config",
            job)) {
      Night.succeeds(run);
    }
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    while (!night.hdfs().exists("/night/driver/report.html")) {
      assertTrue(System.nanoTime() < end, () -> "no report: " + names("/night/driver"));
      Waiting.briefly();
    }
    assertEquals(expected, night.draws("driver"));
  }

  private static List<String> names(String path) {
    try {
      return night.hdfs().names(path);
    } catch (IOException e) {
      return List.of(e.toString());
    }
  }

  @Test
  void rowsThatDoNotFitAreReadFromDisk() throws Exception {
    String job = night.job("memory", KEYS);
    try (Submission run =
        night.submit(
            List.of("--conf", "spark.memory.fraction=0.002"),
            RUN,
            "--config",
            job,
            "--not-converged",
            "0")) {
      Night.succeeds(run);
      String said = run.err();
      assertTrue(said.contains("do not fit into memory, and are read from disk"), said);
      assertTrue(said.contains("spark.executor.memory, for "), said);
    }
    assertEquals(expected, night.draws("memory"));
  }
}
