package org.lampyris.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.cluster.Night.Rows;

/**
 * The draws on a cluster, whatever befalls it, are those of local mode, byte by byte. Prints the
 * faults with the time that the commands took.
 */
class FaultsIT {
  private static final String STEPWISE =
      "algorithm: firefly, plan: stepwise, kernel: mala, warmup: 60, draws: 60";
  private static final String SEGMENTS =
      "algorithm: firefly, plan: segment, pool_mib: 1, warmup: 6000, draws: 12000";
  private static final String RUN = "run";
  private static final String SAMPLE = "sample";
  private static final String GONE = "is gone";

  @TempDir static Path folder;
  private static Night night;

  /** The draws of local mode, by the sampler's keys and the rows. */
  private static final Map<String, String> EXPECTED = new HashMap<>();

  private static final List<String> TIMES = new ArrayList<>();

  @BeforeAll
  static void begin() throws IOException, InterruptedException {
    night = new Night(folder, 40_000);
    night.generate();
    EXPECTED.put(SEGMENTS + Rows.IN_ORDER, night.localDraws(SEGMENTS));
    for (Rows rows : Rows.values()) {
      EXPECTED.put(STEPWISE + rows, night.localDraws(STEPWISE, rows));
    }
    measured("none", RUN, "whole", STEPWISE, List.of(), submission -> {});
  }

  @AfterAll
  static void end() {
    System.out.println(String.join("\n", TIMES));
    night.close();
  }

  /** What befalls a command while it runs. */
  private interface Fault {
    void befall(Submission submission) throws IOException, InterruptedException;
  }

  private static String measured(
      String fault, String command, String name, String keys, List<String> options, Fault befalls)
      throws IOException, InterruptedException {
    return measured(fault, command, name, keys, Rows.IN_ORDER, options, befalls);
  }

  /** Runs a command on a job and holds its draws against those of local mode. */
  private static String measured(
      String fault,
      String command,
      String name,
      String keys,
      Rows rows,
      List<String> options,
      Fault befalls)
      throws IOException, InterruptedException {
    String job = night.job(name, keys, rows);
    List<String> arguments =
        new ArrayList<>(List.of(command, "--config", job, "--not-converged", "0"));
    if (command.equals(SAMPLE)) { // on what the whole run has made
      for (String made : List.of("prepared", "bounds")) {
        arguments.addAll(
            List.of("--set", made + "=" + night.hdfs().uri() + "/night/whole/" + made));
      }
    }
    long begun = System.nanoTime();
    String said;
    try (Submission submission = night.submit(options, arguments.toArray(String[]::new))) {
      befalls.befall(submission);
      Night.succeeds(submission);
      said = submission.err();
    }
    assertEquals(EXPECTED.get(keys + rows), night.draws(name), said);
    TIMES.add(
        String.format(
            Locale.ROOT,
            "| %s | %s | %.0f s |",
            fault,
            command,
            (System.nanoTime() - begun) / 1e9));
    return said;
  }

  @ParameterizedTest
  @CsvSource({
    "prepare, run, prepare: block pass 1, 0, stepwise, IN_ORDER",
    "prepare, run, prepare: block pass 1, 0, stepwise, BY_CONTENT",
    "prepare, run, prepare: one pass, 0, stepwise, STORED_AS_READ",
    "prepare, run, prepare: one pass, 0, stepwise, NOT_STORED",
    "precompute, run, precompute: pass 1, 100, stepwise, IN_ORDER",
    "precompute, run, precompute: pass 1, 0, stepwise, NOT_STORED",
    "warm-up, sample, warm-up …, 2000, stepwise, IN_ORDER",
    "sample, sample, sample …, 1500, stepwise, IN_ORDER",
    "sample, run, sample …, 1500, stepwise, NOT_STORED",
    "warm-up, sample, warm-up …, 1500, segment, IN_ORDER",
    "sample, sample, sample …, 500, segment, IN_ORDER"
  })
  void anExecutorIsKilled(
      String phase, String command, String line, long millis, String plan, Rows rows)
      throws Exception {
    String said =
        measured(
            "SIGKILL to an executor, %s, %s, %s".formatted(phase, plan, rows),
            command,
            "executor-%s-%s-%s".formatted(phase, plan, rows),
            plan.equals("segment") ? SEGMENTS : STEPWISE,
            rows,
            List.of(),
            submission -> {
              assertTrue(submission.awaits(line), Night.said(submission));
              Waiting.millis(millis);
              Signals.send("KILL", night.spark().executors().get(0));
            });
    int gone = said.indexOf(GONE);
    assertTrue(gone > said.indexOf(phase + " …"), said);
    assertTrue(gone < said.indexOf(phase + ": done in"), said);
  }

  @Test
  void aWorkerIsLost() throws Exception {
    String said =
        measured(
            "a Worker and its executor are lost, sample, stepwise",
            SAMPLE,
            "worker",
            STEPWISE,
            List.of(),
            submission -> {
              assertTrue(submission.awaits("sample …"), Night.said(submission));
              night.spark().loseWorker();
            });
    assertTrue(said.contains(GONE), said);
    night.spark().addWorker();
  }

  /** As a machine that swaps, or whose disk hangs: Spark takes the executor for alive. */
  @Test
  void anExecutorPauses() throws Exception {
    String said =
        measured(
            "an executor pauses for 20 s, sample, stepwise",
            SAMPLE,
            "paused",
            STEPWISE,
            List.of(),
            submission -> {
              assertTrue(submission.awaits("sample …"), Night.said(submission));
              ProcessHandle executor = night.spark().executors().get(0);
              Signals.send("STOP", executor);
              Waiting.millis(20_000);
              Signals.send("CONT", executor);
            });
    assertFalse(said.contains(GONE), said);
  }

  @ParameterizedTest
  @CsvSource({"prepare: block pass 1, prepare", "warm-up …, warm-up"})
  void aDatanodeIsLost(String line, String phase) throws Exception {
    measured(
        "a data node is lost, " + phase + ", stepwise",
        RUN,
        "datanode-" + phase,
        STEPWISE,
        List.of(),
        submission -> {
          assertTrue(submission.awaits(line), Night.said(submission));
          night.hdfs().loseDatanode();
        });
    night.hdfs().findDatanode();
  }

  @Test
  void speculationAndDynamicAllocation() throws Exception {
    String said =
        measured(
            "speculation and dynamic allocation, stepwise",
            RUN,
            "dynamic",
            STEPWISE,
            List.of(
                "--conf", "spark.speculation=true",
                "--conf", "spark.speculation.multiplier=1.01",
                "--conf", "spark.speculation.quantile=0.1",
                "--conf", "spark.speculation.minTaskRuntime=1ms",
                "--conf", "spark.speculation.interval=10ms",
                "--conf", "spark.dynamicAllocation.enabled=true",
                "--conf", "spark.dynamicAllocation.minExecutors=0",
                "--conf", "spark.dynamicAllocation.executorIdleTimeout=2s",
                "--conf", "spark.dynamicAllocation.shuffleTracking.timeout=5s",
                "--conf", "spark.dynamicAllocation.cachedExecutorIdleTimeout=20s"),
            submission -> {});
    // Executors that are given back are no loss.
    assertFalse(said.contains(GONE), said);
  }
}
