package org.lampyris.driver.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.config.KeyPage;
import org.lampyris.driver.config.SchemaCheck;
import org.lampyris.driver.run.Shell;

/**
 * The worked example of an algorithm of the user's own: one class and one service file, in a jar of
 * their own, and Kryo registration required. Delayed acceptance must agree with Metropolis on all
 * rows, within 6 combined Monte-Carlo standard errors for two means (false-alarm rate below 10⁻⁸).
 */
class OwnAlgorithmIT {
  @TempDir private static Path folder;

  private static Path jar = Path.of("none");
  private static String job = "";

  private static Example example() {
    return new Example("own-algorithm", folder);
  }

  @BeforeAll
  static void pack() throws IOException {
    Random random = new Random(7);
    List<String> lines = new ArrayList<>(List.of("y,x"));
    for (int n = 0; n < 300; n++) {
      double x = random.nextGaussian();
      boolean y = random.nextDouble() < 1 / (1 + Math.exp(-0.5 - x));
      lines.add(String.format(Locale.ROOT, "%d,%.6f", y ? 1 : 0, x));
    }
    Files.write(folder.resolve("table.csv"), lines);
    jar = example().jar(System.getProperty("java.class.path"));
    job = example().file("delayed.yaml").toString();
  }

  /** Runs a command with the example's jar on the class path, as {@code --jars} does. */
  private static void withJar(Runnable command) throws IOException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader jars = new URLClassLoader(new URL[] {jar.toUri().toURL()}, before)) {
      thread.setContextClassLoader(jars);
      command.run();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static String[] command(String name, String output, String... settings) {
    List<String> all = new ArrayList<>(List.of(name, "--config", job));
    List<String> own =
        List.of(
            "data.input=" + folder.resolve("table.csv"),
            "data.block_rows=32",
            "sampler.warmup=300",
            "sampler.draws=1500",
            "prepared=" + folder.resolve("prepared"),
            "bounds=" + folder.resolve("bounds"),
            "output=" + folder.resolve(output));
    Stream.concat(own.stream(), Stream.of(settings))
        .forEach(setting -> all.addAll(List.of("--set", setting)));
    return all.toArray(String[]::new);
  }

  @Test
  void itsKeysAreInTheSchemaAndOnThePage() throws IOException {
    String yaml = Files.readString(Path.of(job));
    assertFalse(new SchemaCheck().problems(yaml).isEmpty(), "without the jar");
    withJar(
        () -> {
          SchemaCheck schema = new SchemaCheck();
          assertEquals(List.of(), schema.problems(yaml));
          assertFalse(schema.problems(yaml.replace("inflation", "inflatoin")).isEmpty());
          assertTrue(KeyPage.asMarkdown().contains("| `sampler.delayed.inflation` | a number "));
        });
  }

  @Test
  void itIsOneClassAndOneServiceFile() throws IOException {
    try (Stream<Path> files = Files.walk(example().file(""))) {
      assertEquals(
          List.of("DelayedAcceptance.java", "org.lampyris.samplers.algorithm.SamplingAlgorithm"),
          files
              .filter(Files::isRegularFile)
              .map(file -> file.getFileName().toString())
              .filter(name -> !name.endsWith(".md") && !name.endsWith(".yaml"))
              .sorted()
              .toList());
    }
  }

  @Test
  void itSamplesThePosterior() throws IOException {
    Shell shell = new Shell("local[2]");
    withJar(
        () -> {
          shell.samples(command("run", "one", "data.partitions=1"));
          shell.samples(command("sample", "three", "data.partitions=3"));
          shell.samples(
              command(
                  "sample", "all", "sampler.algorithm=metropolis", "sampler.kernel=random-walk"));
        });
    assertEquals(
        Files.readString(folder.resolve("one/draws.csv")),
        Files.readString(folder.resolve("three/draws.csv")));
    Map<String, double[]> all = Example.summary(folder.resolve("all"));
    Map<String, double[]> delayed = Example.summary(folder.resolve("one"));
    assertEquals(List.of("(Intercept)", "x"), List.copyOf(delayed.keySet()));
    delayed.forEach(
        (name, one) -> {
          double[] two = all.getOrDefault(name, new double[0]);
          assertEquals(two[0], one[0], 6 * Math.hypot(one[9], two[9]), name);
        });
    assertTrue(statistics("one").contains("surrogate_accepted"));
    assertFalse(statistics("all").contains("surrogate_accepted"));
  }

  /** Returns the statistics of iterations as they lie on disk, which name their columns. */
  private static String statistics(String output) throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.list(folder.resolve(output).resolve("sampler_stats"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".parquet")).toList()) {
        all.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
    }
    return all.toString();
  }

  @Test
  void messagesKnowIt() throws IOException {
    Shell shell = new Shell("local[2]");
    withJar(
        () -> {
          assertEquals(2, shell.run(command("config", "none", "sampler.delayed.inflate=2")));
          assertTrue(shell.err().contains("\"inflation\""), shell::err);
          assertEquals(2, shell.run(command("config", "none", "sampler.delayed.inflation=0.5")));
          assertTrue(shell.err().contains("a number of at least 1"), shell::err);
          assertEquals(2, shell.run(command("config", "none", "sampler.algorithm=delay")));
          assertTrue(shell.err().contains("delayed"), shell::err);
          assertEquals(0, shell.run(command("config", "none")), shell::err);
          assertTrue(shell.out().contains("inflation: 1.1"), shell::out);
        });
    assertEquals(2, shell.run(command("config", "none")));
    assertTrue(shell.err().contains("unknown key \"sampler.delayed\""), shell::err);
  }

  @Test
  void theLauncherAddsIt() throws IOException {
    assumeTrue(Example.canLaunch(), "needs bash and the packed jar (mvn package)");
    List<String> command =
        new ArrayList<>(
            List.of(command("run", "launched", "sampler.draws=50", "prepared=" + folder + "/p")));
    command.addAll(List.of("--set", "bounds=" + folder + "/b", "--jars", jar.toString()));
    command.addAll(List.of("--conf", "spark.kryo.registrationRequired=true"));
    Map.Entry<Integer, String> outcome = example().lampyris(command.toArray(String[]::new));
    assertTrue(outcome.getKey() == 0 || outcome.getKey() == 4, outcome::toString);
  }
}
