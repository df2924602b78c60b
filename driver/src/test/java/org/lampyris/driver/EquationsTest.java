package org.lampyris.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every class and test that docs/equations.md names is there, with the member that it names, and
 * every type and package of docs/architecture.md and docs/own-algorithm.md.
 */
class EquationsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern NAME =
      Pattern.compile("`((?:[a-z]+\\.)*)([A-Z]\\w*)(?:[.#](\\w+))?`");

  private static final String MAIN = "src/main/java";

  /** A package in code, below {@code org.lampyris}; {@code <name>} stands for any below it. */
  private static final Pattern ROOM =
      Pattern.compile(
          "`((?:bounds|samplers|executors|dataprep|driver)(?:\\.[a-z]+)*)(?:\\.<name>)?`");

  @Test
  void namesLeadToFiles() throws IOException {
    List<Path> sources = sources();
    List<String> lost = new ArrayList<>();
    List<String> header = List.of();
    int rows = 0;
    for (String line : Files.readAllLines(ROOT.resolve("docs/equations.md"))) {
      if (!line.startsWith("|")) {
        header = List.of();
        continue;
      }
      List<String> cells = cells(line);
      if (header.isEmpty()) {
        header = cells;
      } else if (!line.startsWith("|---")) {
        rows++;
        for (int i = 0; i < cells.size(); i++) {
          boolean test = header.get(i).contains("test");
          if (test || header.get(i).equals("class")) {
            lost.addAll(lost(cells.get(i), test ? "src/test/java" : MAIN, sources));
          }
        }
      }
    }
    assertTrue(rows > 20, rows + " rows");
    assertEquals(List.of(), lost);
  }

  @ParameterizedTest
  @ValueSource(strings = {"docs/architecture.md", "docs/own-algorithm.md"})
  void roomsAndTypesAreThere(String page) throws IOException {
    List<Path> sources = sources();
    String text = Files.readString(ROOT.resolve(page));
    List<String> lost = lost(text.replaceAll("`(Architecture|Equations)Test`", ""), MAIN, sources);
    Matcher room = ROOM.matcher(text);
    while (room.find()) {
      String folder = "/" + room.group(1).replace('.', '/') + "/";
      if (sources.stream().noneMatch(path -> slashed(path).contains(folder))) {
        lost.add(room.group());
      }
    }
    assertEquals(List.of(), lost);
  }

  private static String slashed(Path path) {
    return path.toString().replace('\\', '/');
  }

  private static List<String> cells(String line) {
    String inner = line.substring(1, line.lastIndexOf('|'));
    return Arrays.stream(inner.split("(?<!\\\\)\\|", -1)).map(String::strip).toList();
  }

  private static List<String> lost(String cell, String folder, List<Path> sources)
      throws IOException {
    List<String> lost = new ArrayList<>();
    Matcher name = NAME.matcher(cell);
    while (name.find()) {
      String end = "/" + name.group(1).replace('.', '/') + name.group(2) + ".java";
      List<Path> found =
          sources.stream()
              .filter(path -> slashed(path).contains(folder) && slashed(path).endsWith(end))
              .toList();
      String member = name.group(3);
      if (found.isEmpty()
          || (member != null && !Files.readString(found.get(0)).contains(" " + member))) {
        lost.add(name.group());
      }
    }
    return lost;
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String module :
        List.of(
            "bounds",
            "samplers/engine",
            "samplers/exact",
            "samplers/approximate",
            "samplers/programs",
            "executors",
            "data-prep",
            "driver",
            "experiments")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src"))) {
        files.filter(path -> path.toString().endsWith(".java")).forEach(sources::add);
      }
    }
    return sources;
  }
}
