package org.lampyris.driver.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.spark.launcher.JavaModuleOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.Lampyris;
import org.lampyris.driver.run.Shell;

/**
 * A run in a process of its own that is killed once it has kept a checkpoint, and asked to end once
 * it has kept another: given again, it comes to the draws of the run that nothing ended. While it
 * lives, a second run into its folder is refused. The long form, on a cluster, at random moments,
 * is {@code KillsIT} of {@code cluster-tests}.
 */
class KilledIT {
  @TempDir Path folder;

  private Path job(String output) throws IOException {
    return Files.writeString(
        folder.resolve(output + ".yaml"),
        """
        data: {input: "%1$s/table.csv", label: y}
        sampler: {algorithm: firefly, kernel: mala, plan: stepwise, warmup: 30, draws: 120, chains: 2,
          checkpoint_minutes: 0.005}
        output: "%1$s/%2$s"
        """
            .formatted(folder, output));
  }

  private Process start(Path job, Path err) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(JavaModuleOptions.defaultModuleOptionArray()));
    command.addAll(
        List.of(
            "-Dspark.master=local[2]",
            "-Dspark.ui.enabled=false",
            "-Dspark.driver.host=127.0.0.1",
            "-Dlog4j2.configurationFile=file:../submit-scripts/log4j2.properties",
            "-cp",
            ManagementFactory.getRuntimeMXBean().getClassPath(),
            Lampyris.class.getName(),
            "run",
            "--config",
            job.toString()));
    return new ProcessBuilder(command)
        .redirectError(err.toFile())
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** Returns the greatest number of a checkpoint that counts; 0 if there is none. */
  private static int kept(Path output) throws IOException {
    Path checkpoints = output.resolve("checkpoint");
    if (!Files.exists(checkpoints)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(checkpoints)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("checkpoint-\\d+\\.json"))
          .mapToInt(name -> Integer.parseInt(name.replaceAll("\\D", "")))
          .max()
          .orElse(0);
    }
  }

  @Test
  void killedAndAskedToEndTheDrawsAreTheSame() throws Exception {
    assumeTrue(Files.exists(Path.of("/bin/kill")), "needs /bin/kill");
    List<String> rows = new ArrayList<>(List.of("y,a"));
    for (int i = 0; i < 2000; i++) {
      rows.add((Math.sin(17.0 * i) < 0.5 * Math.sin(i) ? 1 : 0) + "," + Math.sin(i));
    }
    Files.write(folder.resolve("table.csv"), rows);
    Path killed = folder.resolve("killed");
    Path err = folder.resolve("err");
    for (String signal : List.of("KILL", "TERM")) {
      int before = kept(killed);
      Process process = start(job("killed"), err);
      try {
        while (kept(killed) == before) {
          assertTrue(process.isAlive(), () -> text(err));
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        if (signal.equals("KILL")) {
          send("STOP", process);
          isRefusedBeside(process);
        }
        send(signal, process);
        assertTrue(process.waitFor(1, TimeUnit.MINUTES), "the process hangs");
      } finally {
        process.destroyForcibly();
      }
      assertEquals(signal.equals("KILL") ? 137 : 143, process.exitValue(), () -> text(err));
    }
    Shell shell = new Shell("local[2]");
    shell.samples("run", "--config", job("killed").toString());
    shell.samples("run", "--config", job("whole").toString());
    assertEquals(
        Files.readString(folder.resolve("whole/draws.csv")),
        Files.readString(killed.resolve("draws.csv")));
  }

  private static void send(String signal, Process process)
      throws IOException, InterruptedException {
    new ProcessBuilder("/bin/kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
  }

  /** Another run into the folder of one that lives, though it gives no sign: it changes nothing. */
  private void isRefusedBeside(Process process) throws IOException {
    Shell other = new Shell("local[2]");
    assertEquals(2, other.run("run", "--config", job("killed").toString()), other.err());
    assertTrue(
        other.err().contains("is being written by process " + process.pid() + " on "), other.err());
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
