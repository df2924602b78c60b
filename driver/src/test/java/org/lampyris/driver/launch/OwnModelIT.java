package org.lampyris.driver.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The worked example of a model of the user's own: compiled against the jar that users have,
 * packed, and run through the launcher, by its class and by its name. Firefly must agree with
 * Metropolis on all rows, within 5 combined Monte-Carlo standard errors for two means (false-alarm
 * rate about 10⁻⁶).
 */
class OwnModelIT {
  private static final Path JAR = Path.of("target", "lampyris.jar");
  private static final Path EXAMPLE = Path.of("..", "examples", "own-model");
  private static final String SERVICE =
      "META-INF/services/org.lampyris.bounds.family.ModelProvider";
  private static final String[] BY_NAME = {
    "--set", "model={family: sech, sigma: 0.5, prior: \"normal(0, 10)\"}"
  };
  private static final Path LAUNCHER = Path.of("..", "submit-scripts", "lampyris");

  @TempDir Path folder;

  @BeforeEach
  void needs() {
    assumeTrue(
        Files.exists(JAR) && Files.exists(LAUNCHER) && Files.exists(Path.of("/bin/bash")),
        "needs bash and the packed jar (mvn package)");
  }

  private Path exampleJar() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assertNotNull(compiler, "no compiler");
    Path classes = Files.createDirectories(folder.resolve("classes"));
    List<Path> sources;
    try (Stream<Path> files = Files.walk(EXAMPLE)) {
      sources = files.filter(file -> file.toString().endsWith(".java")).toList();
    }
    StringWriter said = new StringWriter();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
      List<String> options =
          List.of("-cp", JAR.toString(), "-d", classes.toString(), "--release", "17", "-proc:none");
      boolean compiled =
          compiler
              .getTask(said, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
              .call();
      assertTrue(compiled, said::toString);
    }
    Path jar = folder.resolve("own-model.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out);
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        entries.putNextEntry(new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, entries);
      }
      entries.putNextEntry(new JarEntry(SERVICE));
      Files.copy(EXAMPLE.resolve("src").resolve(SERVICE), entries);
    }
    return jar;
  }

  private Path table() throws IOException {
    Random random = new Random(5);
    List<String> lines = new ArrayList<>(List.of("y,x"));
    for (int n = 0; n < 400; n++) {
      double x = random.nextGaussian();
      double u = random.nextDouble();
      // The quantile function of the standard hyperbolic secant.
      double noise = 2 / Math.PI * Math.log(Math.tan(Math.PI / 2 * u));
      lines.add(String.format(Locale.ROOT, "%.6f,%.6f", 1 - 2 * x + 0.5 * noise, x));
    }
    return Files.write(folder.resolve("table.csv"), lines);
  }

  /** Runs the launcher and returns its exit code and what it complained of. */
  private Map.Entry<Integer, String> lampyris(String... args) throws IOException {
    List<String> command = new ArrayList<>(List.of("/bin/bash", LAUNCHER.toString()));
    command.addAll(Arrays.asList(args));
    command.addAll(
        List.of(
            "--master", "local[2]", "--driver-memory", "1g", "--conf", "spark.ui.enabled=false"));
    Path err = Files.createTempFile(folder, "err", null);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectError(err.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().keySet().removeIf(name -> name.startsWith("SPARK_"));
    Process process = builder.start();
    process.getOutputStream().close();
    try {
      assertTrue(process.waitFor(10, TimeUnit.MINUTES), "the launcher hangs");
      return Map.entry(process.exitValue(), Files.readString(err));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      process.destroyForcibly();
    }
  }

  private Map<String, double[]> summary(String output) throws IOException {
    Map<String, double[]> rows = new TreeMap<>();
    List<String> lines = Files.readAllLines(folder.resolve(output).resolve("summary.csv"));
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.replace("\"", "").split(",", -1);
      rows.put(cells[0], Arrays.stream(cells).skip(1).mapToDouble(Double::parseDouble).toArray());
    }
    return rows;
  }

  private Map<String, double[]> run(String algorithm, Path table, Path jar, String... more)
      throws IOException {
    List<String> args =
        new ArrayList<>(
            List.of(
                "run",
                "--config",
                EXAMPLE.resolve("sech.yaml").toString(),
                "--set",
                "data.input=" + table,
                "--set",
                "output=" + folder.resolve(algorithm),
                "--set",
                "sampler.algorithm=" + algorithm,
                "--set",
                "sampler.draws=800",
                "--set",
                "sampler.warmup=300",
                "--jars",
                jar.toString()));
    args.addAll(Arrays.asList(more));
    Map.Entry<Integer, String> outcome = lampyris(args.toArray(String[]::new));
    assertTrue(outcome.getKey() == 0 || outcome.getKey() == 4, outcome::toString);
    return summary(algorithm);
  }

  @Test
  void theExampleRunsFromItsOwnJar() throws IOException {
    try (JarFile shaded = new JarFile(JAR.toFile())) {
      assertNull(shaded.getEntry("com/acme/SechFamily.class"), "the example is in Lampyris' jar");
    }
    Path table = table();
    Path jar = exampleJar();
    Map<String, double[]> firefly = run("firefly", table, jar);
    Map<String, double[]> metropolis = run("metropolis", table, jar, BY_NAME);
    assertEquals(List.of("(Intercept)", "x"), List.copyOf(firefly.keySet()));
    double[] truth = {1, -2};
    int j = 0;
    for (Map.Entry<String, double[]> row : firefly.entrySet()) {
      double[] one = row.getValue();
      double[] two = metropolis.getOrDefault(row.getKey(), new double[0]);
      assertEquals(two[0], one[0], 5 * Math.hypot(one[9], two[9]), row.getKey());
      assertEquals(truth[j++], one[0], 5 * one[2], row.getKey());
    }
  }

  @Test
  void aMissingJarIsTold() throws IOException {
    Map.Entry<Integer, String> outcome =
        lampyris(
            "run",
            "--config",
            EXAMPLE.resolve("sech.yaml").toString(),
            "--set",
            "data.input=" + table(),
            "--set",
            "output=" + folder.resolve("none"));
    assertEquals(2, outcome.getKey(), outcome::toString);
    assertTrue(outcome.getValue().contains("com.acme.SechFamily"), outcome::toString);
    assertTrue(outcome.getValue().contains("--jars"), outcome::toString);
  }
}
