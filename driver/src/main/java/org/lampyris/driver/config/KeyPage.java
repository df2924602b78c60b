package org.lampyris.driver.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.KeyTree;
import org.lampyris.bounds.config.KeyTree.Values;

/**
 * The page of keys, docs/reference.md: a table for each section, with a row for each key. Keys and
 * their values come from the program. Meanings and defaults in words come from the page in docs/
 * when the jar was built.
 */
public final class KeyPage {
  private static final String INTRODUCTION =
      """
      # Keys

      All keys of a job file. `lampyris config --reference` prints this page, also with the families, kernels and algorithms of your own
      jars (`--jars`). `lampyris config --schema` prints the schema for an editor ([how](commands.md#in-an-editor)). `lampyris config
      --config job.yaml` checks a file and shows it with every default filled in.

      An unknown key, a repeated key, or a value of the wrong type is refused with its line and the nearest known key. A key without a
      value counts as absent. `--set section.key=value` overrides the file.
      """;

  private static final String ROW = "| `";

  /** Words about a key: its default and its meaning. */
  private record Words(String byDefault, String meaning) {
    static final Words NONE = new Words("", "");
  }

  private final Map<String, Words> words = new LinkedHashMap<>();

  KeyPage(String page) {
    for (String line : page.lines().toList()) {
      if (line.startsWith(ROW)) {
        String[] cells = line.substring(1).split("(?<!\\\\)\\|", -1);
        words.put(cells[0].strip().replace("`", ""), new Words(cells[2].strip(), cells[3].strip()));
      }
    }
  }

  /** Returns the page that the jar has. */
  static KeyPage shipped() {
    try (InputStream in = KeyPage.class.getResourceAsStream("reference.md")) {
      if (in == null) {
        throw new IllegalStateException("the jar has no page of keys");
      }
      return new KeyPage(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the page, with the families, kernels and algorithms of the class path. */
  public static String asMarkdown() {
    return shipped().written(KnownKeys.find());
  }

  /** Returns the meaning of a key, without Markdown; empty if unknown. */
  String plainMeaning(String key) {
    return words
        .getOrDefault(key, Words.NONE)
        .meaning
        .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
        .replaceAll("[`*]|\\\\(?=\\|)", "");
  }

  String written(KnownKeys keys) {
    Map<String, List<String>> sections = new LinkedHashMap<>();
    rows(keys, keys.all(), "", "", sections);
    StringBuilder page = new StringBuilder(INTRODUCTION);
    sections.forEach(
        (name, rows) -> {
          page.append(name.isEmpty() ? "\n## Folders\n" : "\n## `" + name + "`\n");
          page.append("\n| key | values | default | meaning |\n|---|---|---|---|\n");
          rows.forEach(row -> page.append(row).append('\n'));
        });
    return page.toString();
  }

  /** Adds the rows of the keys below one, by section; {@code sections} is modified. */
  private void rows(
      KnownKeys known,
      KeyTree parent,
      String path,
      String section,
      Map<String, List<String>> sections) {
    parent
        .keys()
        .forEach(
            (key, tree) -> {
              String name = path + key;
              List<Values> values = tree.values();
              if (values.contains(new Values.Keys())) {
                rows(known, tree, name + ".", path.contains("[") ? section : name, sections);
                return;
              }
              KeyTree any = tree.keys().getOrDefault(KeyTree.ANY, new KeyTree());
              boolean byName = values.contains(new Values.ByName());
              boolean list = values.contains(new Values.Sections());
              String shown = byName ? name + ".<name>" : name;
              String can = byName ? of(any.values()) : of(values);
              sections
                  .computeIfAbsent(section, none -> new ArrayList<>())
                  .add(
                      row(
                          shown,
                          path.equals("model.") && can.isEmpty() ? ofFamilies(known, key) : can));
              if (byName || list) {
                rows(known, any, byName ? shown + "." : name + "[].", section, sections);
              }
            });
  }

  private String row(String key, String values) {
    Words said = words.getOrDefault(key, Words.NONE);
    return ROW + String.join(" | ", key + "`", values, said.byDefault, said.meaning) + " |";
  }

  /** Returns the values of a key of section {@code model}, for each family. */
  private static String ofFamilies(KnownKeys known, String key) {
    Map<String, List<String>> families = new LinkedHashMap<>();
    known
        .ofFamilies()
        .forEach(
            (family, own) -> {
              if (own.containsKey(key)) {
                families
                    .computeIfAbsent(of(own.get(key).values()), any -> new ArrayList<>())
                    .add(family);
              }
            });
    List<String> parts = new ArrayList<>();
    families.forEach((values, names) -> parts.add(ConfigText.listed(names, "and") + ": " + values));
    return String.join("; ", parts);
  }

  private static String of(List<Values> values) {
    return String.join(" or ", values.stream().map(KeyPage::of).distinct().toList());
  }

  private static String of(Values values) {
    if (values instanceof Values.Choice choice) {
      List<String> names = choice.names().stream().map(name -> "`" + name + "`").toList();
      return ConfigText.listed(names, "or")
          + (choice.form() == null ? "" : choice.end().replaceFirst("\\.$", ""));
    }
    if (values instanceof Values.Real real) {
      return real.interval().toString();
    }
    if (values instanceof Values.Whole) {
      return values.toString();
    }
    if (values instanceof Values.Flag) {
      return "`true` or `false`";
    }
    if (values instanceof Values.Texts) {
      return "a list";
    }
    if (values instanceof Values.Sections) {
      return "a list of sections";
    }
    return values instanceof Values.Keys ? "a section" : "a text";
  }
}
