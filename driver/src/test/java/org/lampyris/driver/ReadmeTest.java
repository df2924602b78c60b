package org.lampyris.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.chain.Column;

/** What the README says of the program is so, and its links and those of docs/ lead somewhere. */
class ReadmeTest {
  private static final Path ROOT = Path.of("..");
  private static final Path README = ROOT.resolve("README.md");
  private static final Path DOCS = ROOT.resolve("docs");
  private static final int MOST_WORDS = 2_000;
  private static final Pattern NAV = Pattern.compile(": ([a-z/-]+\\.md|[a-z/]*README\\.md)");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("^#+ +(.*)$", Pattern.MULTILINE);
  private static final Pattern CODE_BLOCK =
      Pattern.compile("^```.*?^```", Pattern.MULTILINE | Pattern.DOTALL);

  private static List<String> code(String text) {
    return CODE.matcher(text).results().map((MatchResult found) -> found.group(1)).toList();
  }

  @Test
  void linksLeadSomewhere() throws IOException {
    List<Path> pages =
        new ArrayList<>(
            List.of(README, ROOT.resolve("CONTRIBUTING.md"), ROOT.resolve("CHANGELOG.md")));
    for (String folder : List.of("docs", "examples")) {
      try (Stream<Path> docs = Files.walk(ROOT.resolve(folder))) {
        docs.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
      }
    }
    List<String> lost = new ArrayList<>();
    for (Path page : pages) {
      String text = CODE_BLOCK.matcher(Files.readString(page)).replaceAll("");
      for (MatchResult found : LINK.matcher(text).results().toList()) {
        String[] link = found.group(1).split("#", 2);
        if (link[0].contains(":")) {
          continue;
        }
        Path target = link[0].isEmpty() ? page : page.resolveSibling(link[0]);
        if (!Files.exists(target)
            || (link.length > 1 && !anchors(Files.readString(target)).contains(link[1]))) {
          lost.add(page + ": " + found.group(1));
        }
      }
    }
    assertEquals(List.of(), lost);
  }

  /** Returns the anchors of a page's headings, as GitHub makes them. */
  private static List<String> anchors(String page) {
    return HEADING
        .matcher(CODE_BLOCK.matcher(page).replaceAll(""))
        .results()
        .map(
            found ->
                found
                    .group(1)
                    .strip()
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-'))
        .toList();
  }

  /** The site has every page: mkdocs leaves out none in silence, and names none that is gone. */
  @Test
  void theSiteHasEveryPage() throws IOException {
    List<String> named =
        NAV.matcher(Files.readString(ROOT.resolve("mkdocs.yml")))
            .results()
            .map(found -> found.group(1))
            .sorted()
            .toList();
    try (Stream<Path> docs = Files.walk(DOCS)) {
      assertEquals(
          docs.map(page -> DOCS.relativize(page).toString().replace('\\', '/'))
              .filter(page -> page.endsWith(".md") && !page.matches("decisions/(\\d|template).*"))
              .sorted()
              .toList(),
          named);
    }
  }

  @Test
  void theReadmeIsShort() throws IOException {
    int words = Files.readString(README).strip().split("\\s+").length;
    assertTrue(words <= MOST_WORDS, words + " words");
  }

  @Test
  void columnsOfAlgorithmsAreNamed() throws IOException {
    String stats =
        Files.readAllLines(DOCS.resolve("output.md")).stream()
            .filter(line -> line.startsWith("| `sampler_stats/`"))
            .collect(Collectors.joining());
    for (SamplingAlgorithm algorithm : SamplingAlgorithm.registry().all()) {
      assertTrue(
          code(stats).containsAll(algorithm.columns().stream().map(Column::name).toList()),
          algorithm.name());
    }
  }
}
