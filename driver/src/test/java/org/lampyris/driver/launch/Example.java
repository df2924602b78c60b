package org.lampyris.driver.launch;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A folder of {@code examples} as a user has it: packed into a jar, and run by the launcher. */
final class Example {
  /** The jar that users have. */
  static final Path LAMPYRIS = Path.of("target", "lampyris.jar");

  private static final Path LAUNCHER = Path.of("..", "submit-scripts", "lampyris");

  private final Path source;
  private final Path folder;

  /**
   * Takes an example.
   *
   * @param name its folder
   * @param folder where to write
   */
  Example(String name, Path folder) {
    this.source = Path.of("..", "examples", name);
    this.folder = folder;
  }

  /** Returns whether there is all that the launcher needs. */
  static boolean canLaunch() {
    return Files.exists(LAMPYRIS) && Files.exists(LAUNCHER) && Files.exists(Path.of("/bin/bash"));
  }

  /** Returns a file of the example. */
  Path file(String name) {
    return source.resolve(name);
  }

  /**
   * Compiles the example and packs its classes and service files.
   *
   * @param classPath what it is compiled against
   */
  Path jar(String classPath) throws IOException {
    Path classes = Files.createDirectories(folder.resolve("classes"));
    compile(classPath, classes);
    Path jar = folder.resolve("example.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out)) {
      add(entries, classes, classes);
      for (Path root : List.of(source, source.resolve("src"))) {
        if (Files.exists(root.resolve("META-INF"))) {
          add(entries, root, root.resolve("META-INF"));
        }
      }
    }
    return jar;
  }

  private void compile(String classPath, Path classes) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assertNotNull(compiler, "no compiler");
    List<Path> sources;
    try (Stream<Path> files = Files.walk(source)) {
      sources = files.filter(file -> file.toString().endsWith(".java")).toList();
    }
    StringWriter said = new StringWriter();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
      List<String> options =
          List.of("-cp", classPath, "-d", classes.toString(), "--release", "17", "-proc:none");
      boolean compiled =
          compiler
              .getTask(said, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
              .call();
      assertTrue(compiled, said::toString);
    }
  }

  private static void add(JarOutputStream entries, Path root, Path from) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        entries.putNextEntry(new JarEntry(root.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, entries);
      }
    }
  }

  /** Runs the launcher and returns its exit code and what it complained of. */
  Map.Entry<Integer, String> lampyris(String... args) throws IOException {
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
    // An archive is worth its making from the second or third start on.
    builder.environment().put("LAMPYRIS_CLASS_ARCHIVE", "off");
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

  /** Returns the rows of {@code summary.csv} by their variables. */
  static Map<String, double[]> summary(Path output) throws IOException {
    Map<String, double[]> rows = new TreeMap<>();
    List<String> lines = Files.readAllLines(output.resolve("summary.csv"));
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.replace("\"", "").split(",", -1);
      rows.put(cells[0], Arrays.stream(cells).skip(1).mapToDouble(Double::parseDouble).toArray());
    }
    return rows;
  }
}
