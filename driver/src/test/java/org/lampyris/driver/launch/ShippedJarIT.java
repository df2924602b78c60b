package org.lampyris.driver.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The jars that users run, whose libraries have names of their own: another version of a library
 * that comes first on the class path must not be used.
 */
class ShippedJarIT {
  /** A reference to a renamed library by its old name, in the bytes of a class. */
  private static final Pattern OLD_NAME =
      Pattern.compile(
          "(?<!org/lampyris/shaded/)(?:org/yaml/snakeyaml|com/fasterxml/jackson/dataformat/yaml"
              + "|me/tongfei/progressbar|org/ejml|pabeles|org/apache/commons/(?:numbers|statistics)"
              + "|picocli)/\\w*");

  /** Classes of the renamed libraries that lack all that is called. */
  private static final List<String> FAKES =
      List.of(
          "org.yaml.snakeyaml.LoaderOptions",
          "org.yaml.snakeyaml.DumperOptions",
          "org.yaml.snakeyaml.parser.ParserImpl",
          "org.yaml.snakeyaml.reader.StreamReader",
          "com.fasterxml.jackson.dataformat.yaml.YAMLFactory",
          "com.fasterxml.jackson.dataformat.yaml.YAMLMapper",
          "picocli.CommandLine");

  @TempDir Path folder;

  @BeforeEach
  void needs() {
    assumeTrue(Files.exists(Example.LAMPYRIS), "needs the packed jar (mvn package)");
  }

  @Test
  void librariesHaveNamesOfTheirOwn() throws IOException {
    try (JarFile jar = new JarFile(Example.LAMPYRIS.toFile())) {
      List<String> others =
          jar.stream()
              .map(JarEntry::getName)
              .filter(name -> name.endsWith(".class"))
              .filter(
                  name ->
                      !name.matches(
                          "org/(lampyris|apache/commons/rng|jline|jspecify/annotations)/.*"))
              .toList();
      assertEquals(List.of(), others);
      // Scanners for vulnerabilities look here.
      assertNotNull(jar.getEntry("META-INF/maven/org.yaml/snakeyaml/pom.properties"));
    }
    assertEquals(List.of(), oldNames(Example.LAMPYRIS));
  }

  private static List<String> oldNames(Path file) throws IOException {
    List<String> found = new ArrayList<>();
    try (JarFile jar = new JarFile(file.toFile())) {
      for (JarEntry entry : jar.stream().filter(e -> e.getName().endsWith(".class")).toList()) {
        byte[] bytes = jar.getInputStream(entry).readAllBytes();
        Matcher matcher = OLD_NAME.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
        if (matcher.find()) {
          found.add(entry.getName() + " names " + matcher.group());
        }
      }
    }
    return found;
  }

  @Test
  void anotherVersionThatComesFirstIsNotUsed() throws IOException, InterruptedException {
    Path fakes = fakes();
    String spark = Files.readString(Path.of("target", "spark.classpath")).strip();
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                String.join(
                    File.pathSeparator, fakes.toString(), spark, Example.LAMPYRIS.toString()),
                "org.lampyris.driver.Lampyris",
                "config",
                "--config",
                Files.writeString(
                        folder.resolve("job.yaml"),
                        "data: {input: table.csv, label: why}\noutput: runs/one\n")
                    .toString())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      assertTrue(process.waitFor(2, TimeUnit.MINUTES), "the command hangs");
    } finally {
      process.destroyForcibly();
    }
    String said = Files.readString(out);
    assertEquals(0, process.exitValue(), said);
    assertTrue(said.contains("label: why"), said);
  }

  /** Compiles the fakes, which would end the command wherever they were used. */
  private Path fakes() throws IOException {
    Path classes = Files.createDirectories(folder.resolve("fakes"));
    List<String> options = new ArrayList<>(List.of("-proc:none", "-d", classes.toString()));
    for (String name : FAKES) {
      int dot = name.lastIndexOf('.');
      String of = name.substring(0, dot);
      String simple = name.substring(dot + 1);
      Path sources = Files.createDirectories(folder.resolve("src").resolve(of));
      options.add(
          Files.writeString(
                  sources.resolve(simple + ".java"),
                  "package %s;\npublic class %s {}\n".formatted(of, simple))
              .toString());
    }
    assertEquals(
        0,
        ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new)));
    return classes;
  }
}
