package org.lampyris.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Plain English in pages and messages: at most 30 words a sentence, and no hard constructions.
 *
 * <p>Reads README.md, CONTRIBUTING.md and docs/ without code blocks and headings; a table cell is a
 * paragraph. In main code it reads the string literals of {@code UserException.usage} and {@code
 * data}, {@code progress.note} and {@code warn}, and picocli's {@code description}. Literals joined
 * by {@code +} are one text. A resource counts the known offenders by file; a count can only fall.
 */
class PlainEnglishTest {
  private static final Path ROOT = Path.of("..");
  private static final String RECORD = "src/test/resources/plain-english.txt";
  private static final int MOST_WORDS = 30;

  private static final Pattern CODE_BLOCK =
      Pattern.compile("^ *```.*?^ *```", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern BREAK =
      Pattern.compile("\\n\\s*\\n|\\n(?=\\s*(?:[-*]|\\d+\\.) )|(?<!\\\\)\\||\\n(?=\\|)");
  private static final Pattern SENTENCE_END =
      Pattern.compile("(?<!\\bal)(?<=[.!?])[)\"”]*\\s+(?=[\\p{Lu}\"“(`])|(?<=[.!?])[)\"]+\\s*$");
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
      Pattern.compile("\"\"\"(.*?)\"\"\"|\"((?:[^\"\\\\]|\\\\.)*)\"|'\\\\?.'|.", Pattern.DOTALL);

  @Test
  void sentencesAreShortAndPlain() throws IOException {
    SortedMap<String, List<String>> found = new TreeMap<>();
    try (Stream<Path> files = Files.walk(ROOT)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String path = ROOT.relativize(file).toString().replace('\\', '/');
        List<String> texts = new ArrayList<>();
        if (path.matches("README\\.md|CONTRIBUTING\\.md|docs/.*\\.md")) {
          texts.addAll(paragraphs(Files.readString(file)));
        } else if (path.matches("[^/]+/src/main/java/.*\\.java")) {
          texts.addAll(messages(Files.readString(file)));
          path =
              path.replaceFirst("/.*/", "/"); // a type that moves within its module keeps its count
        }
        for (String text : texts) {
          found.computeIfAbsent(path, none -> new ArrayList<>()).addAll(offences(text));
        }
      }
    }
    found.values().removeIf(List::isEmpty);
    Map<String, Integer> known = new TreeMap<>();
    for (String line : Files.readAllLines(Path.of(RECORD))) {
      int space = line.indexOf(' ');
      known.put(line.substring(space + 1), Integer.valueOf(line.substring(0, space)));
    }
    Files.writeString(
        Path.of("target", "plain-english.txt"),
        found.entrySet().stream()
            .map(entry -> entry.getValue().size() + " " + entry.getKey() + "\n")
            .collect(Collectors.joining()));
    known.keySet().forEach(file -> found.putIfAbsent(file, List.of()));
    List<String> wrong = new ArrayList<>();
    found.forEach(
        (file, now) -> {
          int before = known.getOrDefault(file, 0);
          if (now.size() > before) {
            wrong.add(file + ": mend " + (now.size() - before) + " of these sentences:");
            wrong.addAll(now);
          } else if (now.size() < before) {
            wrong.add(file + ": lower the count in driver/" + RECORD + " to " + now.size());
          }
        });
    assertEquals("", String.join("\n", wrong), "driver/target/plain-english.txt has all counts");
  }

  /** Returns the paragraphs, list items and table cells of a page. */
  private static List<String> paragraphs(String page) {
    String prose =
        CODE_BLOCK
            .matcher(page)
            .replaceAll("\n")
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
      StringBuilder between = new StringBuilder();
      for (int depth = 0; depth >= 0 && token.find(); ) {
        String found = token.group();
        if (!found.startsWith("\"")) {
          depth += "({".contains(found) ? 1 : ")}".contains(found) ? -1 : 0;
          depth = option && depth == 0 && found.equals(",") ? -1 : depth;
          between.append(found.strip());
          continue;
        }
        String gap = between.toString();
        if (gap.startsWith("+") && gap.endsWith("+")) {
          text.append(gap.equals("+") ? "" : "%s");
        } else {
          texts.add(text.toString());
          text.setLength(0);
        }
        text.append(token.group(1) == null ? token.group(2) : token.group(1));
        between.setLength(0);
      }
      texts.add(text.toString());
    }
    return texts;
  }

  private static List<String> offences(String text) {
    List<String> offences = new ArrayList<>();
    for (String sentence : SENTENCE_END.split(text.replaceAll("(?:\\s|%n|\\\\n)+", " "))) {
      long words = WORD.matcher(sentence).results().count();
      List<String> avoided = AVOIDED.matcher(sentence).results().map(MatchResult::group).toList();
      if (words > MOST_WORDS || !avoided.isEmpty()) {
        offences.add(
            "  " + (words > MOST_WORDS ? words + " words " : "") + avoided + ": " + sentence);
      }
    }
    return offences;
  }
}
