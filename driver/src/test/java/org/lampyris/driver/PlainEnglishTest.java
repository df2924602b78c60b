package org.lampyris.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Plain English in pages and messages: at most 30 words a sentence, and no hard constructions.
 * Reads README.md, CONTRIBUTING.md and docs/ without code blocks and headings; a table cell is a
 * paragraph. In main code it reads the string literals of {@code UserException.usage} and {@code
 * data}, {@code progress.note} and {@code warn}, and picocli's {@code description}. Literals joined
 * by {@code +} are one text. A resource counts the known offenders by page, and by module and type,
 * so that a move between packages changes nothing. A count can only fall.
 */
class PlainEnglishTest {
  private static final Path ROOT = Path.of("..");
  private static final String RECORD = "src/test/resources/plain-english.txt";
  private static final String SOURCES =
      "README.md CONTRIBUTING.md docs bounds/src/main samplers/engine/src/main"
          + " samplers/exact/src/main samplers/approximate/src/main samplers/programs/src/main"
          + " executors/src/main data-prep/src/main driver/src/main experiments/src/main";
  private static final int MOST_WORDS = 30;
  private static final Pattern BREAK =
      Pattern.compile("<br>|\\n\\s*\\n|\\n(?=\\s*(?:[-*]|\\d+\\.) )|(?<!\\\\)\\||\\n(?=\\|)");
  private static final Pattern SENTENCE_END =
      Pattern.compile("(?<!\\bal)(?<=[.!?])[)\"”]*\\s+(?=[\\p{Lu}\\p{InGreek}\\d\"“(*])");
  private static final Pattern AVOIDED =
      Pattern.compile(
          "(?i:\\b(?:that of|those of|of which|by which|is of|tells|anew|goes on)\\b)"
              + "|^\\W*(?:What|Of|Where)\\b(?!.*\\?$)");
  private static final Pattern WORD = Pattern.compile("\\S*[\\p{L}\\p{N}]\\S*");
  private static final Pattern MESSAGE =
      Pattern.compile(
          "(?:UserException\\s*\\.(?:usage|data)|progress(?:\\(\\))?\\s*\\.(?:note|warn))\\("
              + "|\\bdescription\\s*=");
  private static final Pattern TOKEN =
      Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"|'\\\\?.'|.", Pattern.DOTALL);

  @Test
  void sentencesAreShortAndPlain() throws IOException {
    Map<String, List<String>> found = new TreeMap<>();
    for (Path file : files()) {
      String path = ROOT.relativize(file).toString().replace('\\', '/');
      String text = Files.readString(file);
      boolean page = path.endsWith(".md");
      String key = page ? path : path.replaceFirst("/.*/", "/");
      for (String paragraph : page ? paragraphs(text) : messages(text)) {
        found.computeIfAbsent(key, none -> new ArrayList<>()).addAll(offences(paragraph));
      }
    }
    found.values().removeIf(List::isEmpty);
    Map<String, Integer> known =
        Files.readAllLines(Path.of(RECORD)).stream()
            .map(line -> line.split(" ", 2))
            .collect(Collectors.toMap(line -> line[1], line -> Integer.valueOf(line[0])));
    Files.writeString(
        Path.of("target", "plain-english.txt"),
        found.entrySet().stream()
            .map(entry -> entry.getValue().size() + " " + entry.getKey() + "\n")
            .collect(Collectors.joining()));
    known.keySet().forEach(file -> found.putIfAbsent(file, List.of()));
    List<String> wrong = new ArrayList<>();
    found.forEach(
        (file, now) -> {
          int more = now.size() - known.getOrDefault(file, 0);
          if (more != 0) {
            String mend = ": mend " + more + " of:" + String.join("", now);
            String lower = ": lower its count in driver/" + RECORD + " to " + now.size();
            wrong.add(file + (more > 0 ? mend : lower));
          }
        });
    assertEquals("", String.join("\n", wrong), "driver/target/plain-english.txt has all counts");
  }

  private static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    for (String source : SOURCES.split(" ", -1)) {
      try (Stream<Path> all = Files.walk(ROOT.resolve(source))) {
        all.filter(file -> file.toString().matches(".*\\.(md|java)")).forEach(files::add);
      }
    }
    return files;
  }

  /** Returns the paragraphs, list items and table cells of a page. */
  private static List<String> paragraphs(String page) {
    String prose =
        page.replaceAll("(?ms)^ *```.*?^ *```", "\n")
            .replaceAll("`[^`]+`", "Code")
            .replaceAll("(?m)^#.*$", "\n")
            .replaceAll("!?\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
            .replaceAll("\\*\\*", "");
    return BREAK.splitAsStream(prose).map(String::strip).toList();
  }

  /** Returns the texts of the literals in a file's messages and descriptions. */
  private static List<String> messages(String source) {
    List<String> texts = new ArrayList<>();
    Matcher call = MESSAGE.matcher(source);
    while (call.find()) {
      boolean option = call.group().endsWith("=");
      Matcher token = TOKEN.matcher(source).region(call.end(), source.length());
      StringBuilder text = new StringBuilder();
      int last = call.end();
      for (int depth = 0; depth >= 0 && token.find(); ) {
        String found = token.group();
        if (!found.startsWith("\"")) {
          depth += "({".contains(found) ? 1 : ")}".contains(found) ? -1 : 0;
          depth = option && depth == 0 && found.equals(",") ? -1 : depth;
          continue;
        }
        String gap = source.substring(last, token.start()).strip();
        last = token.end();
        if (!gap.startsWith("+") || !gap.endsWith("+")) {
          texts.add(text.toString());
          text.setLength(0);
        } else if (gap.length() > 1) {
          text.append("%s");
        }
        text.append(token.group(1));
      }
      texts.add(text.toString());
    }
    return texts;
  }

  private static List<String> offences(String text) {
    List<String> offences = new ArrayList<>();
    for (String sentence : SENTENCE_END.split(text.replaceAll("(?:\\s|%n|\\\\n)+", " "), -1)) {
      long words = WORD.matcher(sentence).results().count();
      List<String> avoided = AVOIDED.matcher(sentence).results().map(one -> one.group()).toList();
      if (words > MOST_WORDS || !avoided.isEmpty()) {
        offences.add("\n  " + words + " words " + avoided + ": " + sentence);
      }
    }
    return offences;
  }
}
