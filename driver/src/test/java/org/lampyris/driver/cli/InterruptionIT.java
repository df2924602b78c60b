package org.lampyris.driver.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.launcher.JavaModuleOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.driver.progress.Progress;

/** A process that is asked to end while a job of its command runs. */
class InterruptionIT {
  private static final String READY = "the job runs";
  private static final String PROGRESS =
      "\\d\\d:\\d\\d:\\d\\d (prepare|precompute|sampling)\\b.*|WARNING: Using incubator .*";

  @TempDir Path folder;

  /** The process: the steps are those that do nothing, but that sampling runs a job for ever. */
  public static void main(String[] args) {
    FakeSteps steps = new FakeSteps();
    steps.whileSampling =
        spark ->
            new JavaSparkContext(spark.sparkContext())
                .parallelize(List.of(1), 1)
                .foreach(
                    i -> {
                      System.out.println(READY);
                      new CountDownLatch(1).await();
                    });
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(new CommandLineInterface(steps, out, err, Progress::onStandardError).execute(args));
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  void saysWhatIsKeptAndLeavesNothingElse(String signal, int exitCode) throws Exception {
    assumeTrue(Files.exists(Path.of("/bin/kill")), "needs /bin/kill");
    assumeFalse(
        signal.equals("INT") && ignoresInterrupts(),
        "what was begun in the background, as by nohup, ignores SIGINT, and so does what it"
            + " begins");
    Path job = folder.resolve("job.yaml");
    Path output = folder.resolve("out");
    Files.writeString(job, "data: {input: t.csv, label: y}\noutput: " + output + "\n");
    Path err = folder.resolve("err");
    Process process = start(err, "run", "--config", job.toString());
    try {
      try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
        assertEquals(READY, out.readLine(), () -> text(err));
        new ProcessBuilder("/bin/kill", "-" + signal, Long.toString(process.pid()))
            .start()
            .waitFor();
        assertTrue(process.waitFor(1, TimeUnit.MINUTES), "the process hangs");
      }
    } finally {
      process.destroyForcibly();
    }
    assertEquals(exitCode, process.exitValue(), () -> text(err));
    List<String> said = text(err).lines().filter(line -> !line.matches(PROGRESS)).toList();
    assertEquals(1, said.size(), said.toString());
    for (String part :
        List.of(
            "lampyris: interrupted",
            output + "/prepared and",
            output + "/bounds are kept",
            "\"sample\"")) {
      assertTrue(said.get(0).contains(part), said.get(0));
    }
    try (Stream<Path> left = Files.list(output)) {
      List<String> names = left.map(file -> String.valueOf(file.getFileName())).sorted().toList();
      // What the table is made from, with its checksum: another attempt of "run" goes by it.
      assertEquals(List.of(".steps.json.crc", "prepared", "steps.json"), names);
    }
  }

  /** Returns whether the second bit is set of the signals that Linux says this process ignores. */
  private static boolean ignoresInterrupts() throws IOException {
    Path status = Path.of("/proc/self/status");
    return Files.exists(status)
        && Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).trim(), 16) & 2) != 0);
  }

  private Process start(Path err, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(JavaModuleOptions.defaultModuleOptionArray()));
    command.addAll(
        List.of(
            "-Dspark.master=local[1]",
            "-Dspark.ui.enabled=false",
            "-Dspark.driver.host=127.0.0.1",
            "-Dlog4j2.configurationFile=file:../submit-scripts/log4j2.properties",
            "-cp",
            ManagementFactory.getRuntimeMXBean().getClassPath(),
            InterruptionIT.class.getName()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command).redirectError(err.toFile()).start();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aProcessThatGoesOnIsNotInterrupted() {
    assertFalse(Interruption.isUnderWay());
  }
}
