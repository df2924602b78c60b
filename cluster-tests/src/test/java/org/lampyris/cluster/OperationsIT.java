package org.lampyris.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.launcher.JavaModuleOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What docs/operations.md says of room, of memory, of presets and of metrics, as it is typed there.
 */
class OperationsIT {
  private static final String KEYS =
      "algorithm: firefly, plan: stepwise, kernel: mala, warmup: 20, draws: 40,"
          + " checkpoint_minutes: 0.02";

  /** More draws of a chain than the driver has in memory. */
  private static final String MANY_DRAWS =
      "algorithm: firefly, plan: segment, warmup: 500, draws: 40000, checkpoint_minutes: 0.05";

  private static final String RUN = "run";

  /** HDFS asks for the room of a whole block, and Parquet for blocks of 128 MiB. */
  private static final List<String> SMALL_BLOCKS =
      List.of("--conf", "spark.hadoop.dfs.blocksize=1m");

  /** Enough for small files in small blocks, three times, and too little for a part of Parquet. */
  private static final long ROOM = 60 << 20;

  private static final long STANDSTILL_MILLIS = 20_000;

  @TempDir static Path folder;
  private static Night night;
  private static String expected;

  @BeforeAll
  static void begin() throws IOException, InterruptedException {
    night = new Night(folder, 5_000, 5, "14g");
    expected = night.localDraws(KEYS);
  }

  @AfterAll
  static void end() {
    night.close();
  }

  private static Submission run(String job, String... options) throws IOException {
    List<String> all = new ArrayList<>(List.of(RUN, "--config", job, "--not-converged", "0"));
    all.addAll(List.of(options));
    return night.submit(all.toArray(String[]::new));
  }

  /** Holds that a command ends for lack of room in a folder, in a sentence, with nothing half. */
  private static String endsForLackOfRoom(Submission run, String quotaOn, String output)
      throws IOException, InterruptedException {
    int code = run.exitCode();
    String said = run.err();
    assertEquals(2, code, said);
    String last = said.lines().reduce("", (before, line) -> line);
    assertTrue(last.startsWith("lampyris: no room to write "), said);
    assertTrue(last.matches(".*quota.*" + quotaOn + " is exceeded.*"), said);
    assertTrue(last.contains("have it raised, or choose another folder"), said);
    assertFalse(said.contains("\tat "), said);
    assertFalse(said.contains("Internal error"), said);
    List<String> left =
        night.hdfs().tree(output).stream()
            .filter(path -> path.matches(".*/(_.*|.*\\.tmp.*|\\..*)"))
            .filter(path -> !path.endsWith("/_SUCCESS"))
            .toList();
    assertEquals(List.of(), left);
    return said;
  }

  @ParameterizedTest
  @ValueSource(strings = {"space", "names"})
  void aQuotaThatIsHitWhileChainsRun(String kind) throws Exception {
    String name = "quota-" + kind;
    String output = "/night/" + name;
    String job = night.job(name, KEYS);
    try (Submission run = run(job)) {
      assertTrue(run.awaits("sample …"), Night.said(run));
      if (kind.equals("space")) {
        night.hdfs().leaveRoom(output, 1);
      } else {
        night.hdfs().leaveNoNames(output);
      }
      String said = endsForLackOfRoom(run, output, output);
      assertTrue(said.contains("warning: no checkpoint was written: no room to write "), said);
      assertTrue(said.contains("the chains continue"), said);
    }
    assertFalse(night.hdfs().exists(output + "/draws.csv"));
    night.hdfs().leaveAllRoom(output);
    try (Submission again =
        night.submit("sample", "--resume", "--config", job, "--not-converged", "0")) {
      Night.succeeds(again);
      assertTrue(again.err().contains("resumed after "), again.err());
    }
    assertEquals(expected, night.draws(name));
  }

  /** A quota that is lifted in time costs nothing at all. */
  @Test
  void aQuotaThatIsLiftedWhileChainsRun() throws Exception {
    String output = "/night/lifted";
    String job = night.job("lifted", KEYS);
    try (Submission run = run(job)) {
      assertTrue(run.awaits("warm-up …"), Night.said(run));
      night.hdfs().leaveRoom(output, 1);
      assertTrue(run.awaits("no checkpoint is kept now"), Night.said(run));
      night.hdfs().leaveAllRoom(output);
      Night.succeeds(run);
    }
    assertEquals(expected, night.draws("lifted"));
  }

  /** The chains have ended, and their last checkpoint holds all: nothing is drawn again. */
  @Test
  void aQuotaThatIsHitWhileResultsAreWritten() throws Exception {
    String output = "/night/results";
    String job = night.job("results", KEYS);
    try (Submission run = run(job, SMALL_BLOCKS.toArray(String[]::new))) {
      assertTrue(run.awaits("sample: done in"), Night.said(run));
      night.hdfs().leaveRoom(output, ROOM);
      endsForLackOfRoom(run, output, output);
    }
    assertFalse(night.hdfs().exists(output + "/draws.csv"));
    night.hdfs().leaveAllRoom(output);
    try (Submission again = run(job)) {
      Night.succeeds(again);
      assertTrue(again.err().contains("resumed after 60 iterations"), again.err());
    }
    assertEquals(expected, night.draws("results"));
  }

  /** What Spark keeps beside the output while chains run is under the quota, too. */
  @Test
  void aQuotaOnTheFolderAbove() throws Exception {
    String job = night.job("above/out", KEYS);
    try (Submission run = run(job)) {
      assertTrue(run.awaits("sample …"), Night.said(run));
      night.hdfs().leaveRoom("/night/above", 1);
      endsForLackOfRoom(run, "/night/above", "/night/above");
    }
    night.hdfs().leaveAllRoom("/night/above");
    try (Submission again = run(job)) {
      Night.succeeds(again);
      assertTrue(again.err().contains("resumed after "), again.err());
    }
    assertEquals(expected, night.draws("above/out"));
  }

  @Test
  void aQuotaThatIsHitInPrepare() throws Exception {
    String job = night.job("unprepared", KEYS);
    String prepared = night.hdfs().uri() + "/night/small/prepared";
    night.hdfs().leaveRoom("/night/small", ROOM);
    String[] options = {SMALL_BLOCKS.get(0), SMALL_BLOCKS.get(1), "--set", "prepared=" + prepared};
    try (Submission run = run(job, options)) {
      String said = endsForLackOfRoom(run, "/night/small", "/night/unprepared");
      assertTrue(said.contains("prepare: block pass 1: writing"), said);
      assertFalse(said.contains("precompute"), said);
    }
    assertEquals(List.of(), night.hdfs().tree("/night/small"));
    night.hdfs().leaveAllRoom("/night/small");
    try (Submission again = run(job, options)) {
      Night.succeeds(again);
    }
    assertEquals(expected, night.draws("unprepared"));
  }

  /** Runs a command where a folder is a file system of so many KiB; needs no privileges. */
  private static List<String> within(Path small, long kibibytes) throws IOException {
    Files.createDirectories(small);
    return List.of(
        "unshare",
        "--map-root-user",
        "--mount",
        "/bin/bash",
        "-c",
        "mount -t tmpfs -o size=%dk tmpfs '%s' && exec \"$@\"".formatted(kibibytes, small),
        "bash");
  }

  private static boolean mayMount() throws InterruptedException {
    try {
      List<String> command = new ArrayList<>(within(folder.resolve("mounted"), 1 << 10));
      command.add("true");
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException e) {
      return false; // there is no unshare
    }
  }

  /** Results, on a local file system of their own. */
  @Test
  void anOutputFolderThatIsFull() throws Exception {
    assumeTrue(mayMount(), "a file system of a few KiB cannot be mounted here");
    Path small = folder.resolve("small output");
    Path local = night.localFolder(KEYS);
    String output = "output=" + small.resolve("out");
    try (Submission run = night.local(local, within(small, 300), "--set", output)) {
      assertEquals(2, run.exitCode(), run.err());
      List<String> said = run.err().lines().filter(line -> line.startsWith("lampyris: ")).toList();
      assertEquals(1, said.size(), run.err());
      assertTrue(said.get(0).contains("No space left on device"), said.get(0));
      assertTrue(said.get(0).contains(small.toString()), said.get(0));
      assertFalse(run.err().contains("Internal error"), run.err());
    }
    try (Submission again = night.local(local, List.of(), "--set", output)) {
      Night.succeeds(again);
    }
    assertEquals(expected, Files.readString(small.resolve("out/draws.csv")));
  }

  /** The draws that the driver puts aside, or the rows of Spark that do not fit into memory. */
  @ParameterizedTest
  @ValueSource(strings = {"java.io.tmpdir", "spark.local.dir"})
  void aLocalDiskThatIsFull(String property) throws Exception {
    assumeTrue(mayMount(), "a file system of a few MiB cannot be mounted here");
    boolean ofTheDriver = property.equals("java.io.tmpdir");
    String keys = ofTheDriver ? MANY_DRAWS : KEYS;
    Path small = folder.resolve("small " + property);
    Path local = night.localFolder(keys);
    // Spark puts the jar there before anything else.
    long jar = Files.size(Path.of("../driver/target/lampyris.jar")) >> 10;
    long room = ofTheDriver ? 3 << 10 : jar + (1 << 9);
    String[] options =
        ofTheDriver
            ? new String[] {
              "--driver-java-options",
              "-Djava.io.tmpdir=\"" + small + "\"",
              "--conf",
              "spark.local.dir=" + folder.resolve("spark")
            }
            : new String[] {
              "--conf", "spark.local.dir=" + small, "--conf", "spark.memory.fraction=0.0005"
            };
    try (Submission run = night.local(local, within(small, room), options)) {
      int code = run.exitCode();
      String said = run.err();
      assertEquals(2, code, said);
      String last =
          said.lines().filter(line -> line.startsWith("lampyris: ")).reduce("", (a, b) -> b);
      assertTrue(
          last.startsWith(
              ofTheDriver
                  ? "lampyris: draws cannot be written to the temporary folder "
                  : "lampyris: no room to write "),
          last);
      assertTrue(last.contains("No space left on device"), said);
      assertTrue(last.contains(property), said);
      assertFalse(said.contains("Internal error"), said);
    }
    assertFalse(Files.exists(local.resolve("out/draws.csv")));
    try (Submission again = night.local(local, List.of())) {
      Night.succeeds(again);
    }
    assertEquals(
        ofTheDriver ? night.localDraws(keys) : expected,
        Files.readString(local.resolve("out/draws.csv")));
  }

  /** A preset as it stands, but for what is in angle brackets. */
  private static Path preset(String name) throws IOException {
    String text = Files.readString(Path.of("../submit-scripts/presets", name));
    String filled = text.replace("spark://<host>:7077", night.spark().url());
    assertFalse(filled.equals(text), text);
    return Files.writeString(folder.resolve(name), filled);
  }

  @Test
  void thePresetForClientDeployMode() throws Exception {
    night.job("client", KEYS);
    try (Submission run =
        night.submitBy(
            preset("standalone-client.conf"),
            RUN,
            "--config",
            "hdfs:///night/client.yaml",
            "--not-converged",
            "0")) {
      assertTrue(run.awaits("warm-up …"), Night.said(run));
      assertFalse(night.spark().executors().isEmpty(), "on the cluster");
      Night.succeeds(run);
    }
    assertEquals(expected, night.draws("client"));
  }

  @Test
  void thePresetForClusterDeployMode() throws Exception {
    night.job("cluster", KEYS);
    try (Submission run =
        night.submitBy(
            preset("standalone-cluster.conf"), RUN, "--config", "hdfs:///night/cluster.yaml")) {
      Night.succeeds(run); // it was submitted
    }
    assertFalse(night.spark().drivers().isEmpty(), "the driver is on a Worker");
    for (long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        !night.spark().drivers().isEmpty(); ) {
      assertTrue(System.nanoTime() < end, "the driver does not end");
      Waiting.briefly();
    }
    assertTrue(
        night.hdfs().exists("/night/cluster/report.html"),
        night.hdfs().tree("/night/cluster").toString());
    assertEquals(expected, night.draws("cluster"));
  }

  @Test
  void twoJobsIntoOneFolder() throws Exception {
    String job = night.job("shared", KEYS);
    try (Submission first = run(job)) {
      assertTrue(first.awaits("warm-up …"), Night.said(first));
      String process = "process " + first.process().pid();
      try (Submission second = run(job)) {
        assertEquals(2, second.exitCode(), second.err());
        String last = second.err().lines().reduce("", (before, line) -> line);
        assertTrue(last.startsWith("lampyris: The output folder "), second.err());
        assertTrue(last.contains(" is being written by " + process), last);
      }
      Night.succeeds(first);
    }
    assertEquals(expected, night.draws("shared"));
  }

  /** As one whose machine swaps: its tasks take that much longer. */
  @Test
  void anExecutorThatStandsStillForAWhile() throws Exception {
    String job = night.job("slow", KEYS);
    try (Submission run = run(job)) {
      assertTrue(run.awaits("warm-up …"), Night.said(run));
      ProcessHandle executor = night.spark().executors().get(0);
      try {
        Signals.send("STOP", executor);
        Waiting.millis(STANDSTILL_MILLIS);
      } finally {
        Signals.send("CONT", executor);
      }
      Night.succeeds(run);
    }
    assertEquals(expected, night.draws("slow"));
  }

  /** Less memory than Spark takes, and more than a Worker has. */
  @ParameterizedTest
  @CsvSource({"100m, 2, spark.executor.memory is too small", "100g, 1, no executor has come for"})
  void executorMemoryThatCannotBe(String memory, int code, String words) throws Exception {
    String job = night.job("executor-" + memory, KEYS);
    try (Submission run =
        run(job, "--executor-memory", memory, "--conf", "spark.lampyris.executorTimeout=10")) {
      assertEquals(code, run.exitCode(), run.err());
      List<String> said = run.err().lines().filter(line -> line.startsWith("lampyris: ")).toList();
      assertEquals(1, said.size(), run.err());
      assertTrue(said.get(0).contains(words), said.get(0));
      assertFalse(run.err().contains("\tat "), run.err());
    }
  }

  /** A Master restarts a supervised driver until it ends with code 0. */
  @Test
  void aMistakeIsNotRepeatedUnderSupervision() throws Exception {
    String job = night.job("mistaken", KEYS);
    try (Submission run =
        run(
            job,
            "--deploy-mode",
            "cluster",
            "--supervise",
            "--driver-java-options",
            JavaModuleOptions.defaultModuleOptions(),
            "--set",
            "sampler.draws=0")) {
      Night.succeeds(run); // it was submitted
    }
    Waiting.until(() -> !night.spark().hasDriver(), () -> night.spark().driverLog());
    String said = night.spark().driverLog();
    assertTrue(said.contains("lampyris: --set sampler.draws=0: "), said);
    assertTrue(said.contains("exit code 2 becomes 0"), said);
  }

  @Test
  void rowsThatDoNotFitAreReadFromDisk() throws Exception {
    String job = night.job("memory", KEYS);
    try (Submission run =
        run(job, "--executor-memory", "500m", "--conf", "spark.memory.fraction=0.002")) {
      Night.succeeds(run);
      String said = run.err();
      assertTrue(
          Pattern.compile(
                  "of the \\d+\\.\\d MiB of rows do not fit in memory.* set spark.executor.memory"
                      + " \\(for \\d executors?\\) to \\d+\\.\\d GiB")
              .matcher(said)
              .find(),
          said);
    }
    assertEquals(expected, night.draws("memory"));
  }

  /** The three lines of docs/operations.md for Prometheus, and what is answered. */
  @Test
  void metricsAreThereForPrometheus() throws Exception {
    String page = Files.readString(Path.of("../docs/operations.md"));
    List<String> options = new ArrayList<>();
    Matcher conf = Pattern.compile("(?m)^--conf (spark\\.metrics\\.\\S+)$").matcher(page);
    while (conf.find()) {
      options.addAll(List.of("--conf", conf.group(1)));
    }
    assertEquals(6, options.size(), options.toString());
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    options.addAll(List.of("--conf", "spark.ui.enabled=true", "--conf", "spark.ui.port=" + port));
    String job = night.job("metrics", KEYS);
    String answer = "";
    try (Submission run = run(job, options.toArray(String[]::new))) {
      assertTrue(run.awaits("sample …"), Night.said(run));
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics/prometheus/"))
              .build();
      answer =
          HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
      Night.succeeds(run);
    }
    Matcher iteration =
        Pattern.compile("(?m)^metrics_lampyris_driver_lampyris_iteration_Value\\S* (\\d+)")
            .matcher(answer);
    assertTrue(iteration.find(), answer);
    int number = Integer.parseInt(iteration.group(1));
    assertTrue(number >= 20 && number <= 60, answer);
    Matcher alerts = Pattern.compile("metrics_lampyris_driver_\\w+").matcher(page);
    while (alerts.find()) {
      assertTrue(answer.contains(alerts.group() + "{"), alerts.group() + " in " + answer);
    }
    for (String name :
        List.of("acceptance", "bright", "evaluations", "evaluationsPerIteration", "chains")) {
      assertTrue(answer.contains("metrics_lampyris_driver_lampyris_" + name + "_"), answer);
    }
    System.out.println(
        answer
            .lines()
            .filter(line -> line.startsWith("metrics_lampyris_driver_lampyris"))
            .reduce("", (a, b) -> a + "\n" + b));
  }
}
