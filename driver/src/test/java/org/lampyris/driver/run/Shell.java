package org.lampyris.driver.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.lampyris.driver.cli.CommandLineInterface;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.progress.Progress;
import org.lampyris.driver.progress.Reading;

/** Runs commands in this process, with the properties that spark-submit would set. */
public final class Shell {
  private final Map<String, String> properties = new HashMap<>();
  private Supplier<Progress> progress = Silence::new;
  private String out = "";
  private String err = "";

  /** Takes the master. */
  public Shell(String master) {
    set("spark.master", master);
    set("spark.ui.enabled", "false");
    set("spark.driver.host", "127.0.0.1");
    set("spark.sql.shuffle.partitions", "2");
    set("spark.kryo.registrationRequired", "true");
  }

  /** Sets a property of Spark's. */
  public Shell set(String key, String value) {
    properties.put(key, value);
    return this;
  }

  /** Has the lines of the progress told. */
  public Shell told(Consumer<String> lines) {
    progress = () -> Progress.lines(lines);
    return this;
  }

  /** Runs a command and returns its exit code. */
  public int run(String... args) {
    return run(new Steps(), args);
  }

  /** Runs a command whose steps are others and returns its exit code. */
  public int run(Steps steps, String... args) {
    properties.forEach(System::setProperty);
    StringWriter results = new StringWriter();
    StringWriter complaints = new StringWriter();
    try {
      return new CommandLineInterface(
              steps, new PrintWriter(results), new PrintWriter(complaints), progress)
          .execute(args);
    } finally {
      properties.keySet().forEach(System::clearProperty);
      System.clearProperty("spark.app.name");
      out = results.toString();
      err = complaints.toString();
    }
  }

  /** Runs a command that samples, and holds that it did, be it with too few draws. */
  public void samples(String... args) {
    int exit = run(args);
    if (exit != 4) {
      assertEquals(0, exit, err);
    }
  }

  /** Runs a command and holds that it ends well. */
  public void succeeds(String... args) {
    assertEquals(0, run(args), () -> err);
  }

  /** Returns what the last command printed. */
  public String out() {
    return out;
  }

  /** Returns what the last command complained of. */
  public String err() {
    return err;
  }

  /** Returns the names of the files in a folder, but for Hadoop's checksums, sorted and joined. */
  public static String files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return String.join(
          " ",
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> !name.startsWith("."))
              .sorted()
              .toList());
    }
  }

  /** Shows nothing. */
  public static class Silence implements Progress {
    @Override
    public void start(String phase, long total) {}

    @Override
    public void step(long done, Reading reading) {}

    @Override
    public void note(String message) {}

    @Override
    public void warn(String message) {}

    @Override
    public void end() {}

    @Override
    public void close() {}
  }
}
