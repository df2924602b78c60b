package org.lampyris.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A command of Lampyris that {@code submit-scripts/lampyris} runs in a process of its own. */
final class Submission implements AutoCloseable {
  private final Process process;
  private final Path err;
  private final Path out;

  /**
   * Starts it.
   *
   * @param folder where its standard output and error go
   * @param arguments of spark-submit and of Lampyris
   */
  Submission(Path folder, String... arguments) throws IOException {
    this(folder, Map.of(), List.of(), arguments);
  }

  /**
   * Starts it in an environment.
   *
   * @param environment what is added to it
   * @param before a command that runs another one, which follows
   */
  Submission(Path folder, Map<String, String> environment, List<String> before, String... arguments)
      throws IOException {
    err = Files.createTempFile(folder, "submission", ".err");
    out = Files.createTempFile(folder, "submission", ".out");
    List<String> command = new ArrayList<>(before);
    command.addAll(List.of("/bin/bash", "../submit-scripts/lampyris"));
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(err.toFile()).redirectOutput(out.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("SPARK_"));
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    builder.environment().putAll(environment);
    process = builder.start();
  }

  String err() throws IOException {
    return Files.readString(err);
  }

  String out() throws IOException {
    return Files.readString(out);
  }

  ProcessHandle process() {
    return process.toHandle();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits until its standard error holds a text; returns whether it came before the end. */
  boolean awaits(String text) throws IOException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(Waiting.MOST_MINUTES);
    while (!err().contains(text)) {
      if (!process.isAlive()) {
        return err().contains(text);
      }
      if (System.nanoTime() > end) {
        throw new IllegalStateException("\"" + text + "\" does not come: " + err());
      }
      Waiting.briefly();
    }
    return true;
  }

  /** Waits for its end and returns the exit code. */
  int exitCode() throws IOException, InterruptedException {
    if (!process.waitFor(Waiting.MOST_MINUTES, TimeUnit.MINUTES)) {
      throw new IllegalStateException("it does not end: " + err());
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
