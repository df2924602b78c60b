package org.lampyris.driver.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import org.lampyris.bounds.config.ConfigNode;
import org.lampyris.bounds.config.Origin;
import org.lampyris.bounds.config.UserException;

/**
 * One {@code --set section.key=value}: the value is YAML, and a part of the path that holds dots
 * stands in double quotes, as in {@code --set 'model.priors."a.b"=normal(0, 1)'}.
 *
 * @param path the sections that the key is in, if any, and the key
 * @param origin where it was set, for messages
 */
public record SetOption(List<String> path, ConfigNode value, Origin origin) {
  public SetOption {
    path = List.copyOf(path);
  }

  /**
   * Returns the setting of an option with its own name.
   *
   * @param option the option's name, for messages
   * @param text the key's value, taken as it is
   * @param path the sections that the key is in, if any, and the key
   */
  public static SetOption flag(String option, String text, String... path) {
    Origin origin = Origin.option(option + " " + text);
    return new SetOption(List.of(path), new ConfigNode.Scalar(origin, text), origin);
  }

  /**
   * Returns a setting made by a program.
   *
   * @param value a text, a number, a boolean, or lists and maps of such
   * @param path the sections that the key is in, if any, and the key
   */
  public static SetOption value(Object value, List<String> path) {
    String key = String.join(".", path);
    try {
      // JSON is YAML.
      String text = new ObjectMapper().writeValueAsString(value);
      String given = "the given " + key;
      return new SetOption(path, YamlTree.value(text, given), Origin.option(given));
    } catch (JsonProcessingException e) {
      throw UserException.usage(key + " cannot be set to " + value + ".", e);
    }
  }

  /**
   * Returns the setting of an option that is named after a key of the job file.
   *
   * @param key the key's name with dots, and parts with dots in double quotes
   * @param text the value, as YAML
   */
  public static SetOption ofKey(String key, String text) {
    String option = "option " + key;
    List<String> path = new ArrayList<>();
    if (split(key, path) < key.length() || path.contains("")) {
      throw UserException.usage(
          option + " is not the name of a key. Write for instance sampler.draws.");
    }
    return new SetOption(path, given(text, option), Origin.option(option));
  }

  /** Reads the text after {@code --set}. */
  public static SetOption parse(String text) {
    String option = "--set " + text;
    List<String> path = new ArrayList<>();
    int end = split(text, path);
    if (end == text.length() || path.contains("")) {
      throw UserException.usage(
          option
              + " lacks the form section.key=value. Write for instance --set sampler.draws=2000.");
    }
    return new SetOption(path, given(text.substring(end + 1), option), Origin.option(option));
  }

  /**
   * Splits a key at its dots.
   *
   * @param path receives the parts. Modified.
   * @return the place of the equals sign behind the key, or the text's length
   */
  private static int split(String text, List<String> path) {
    StringBuilder part = new StringBuilder();
    boolean quoted = false;
    int i = 0;
    for (; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && c == '=') {
        break;
      } else if (!quoted && c == '.') {
        path.add(part.toString());
        part.setLength(0);
      } else {
        part.append(c);
      }
    }
    path.add(part.toString());
    return i;
  }

  /** Reads a value: text that YAML would cut at a #, or take for an alias or a tag, is text. */
  private static ConfigNode given(String text, String option) {
    if (text.isBlank()) {
      throw UserException.usage(option + " has no value. Write null to unset the key.");
    }
    String bare = text.strip();
    boolean marked = "#*&!%@`|>".indexOf(bare.charAt(0)) >= 0 && !bare.contains("\n");
    boolean plain = "[{\"'".indexOf(bare.charAt(0)) < 0;
    return marked || (plain && bare.matches(".*\\s#.*"))
        ? new ConfigNode.Scalar(Origin.option(option), bare)
        : YamlTree.value(text, option);
  }

  /** Sets the value in the tree, and creates the sections above it. {@code root} is modified. */
  void applyTo(ConfigNode.Mapping root) {
    ConfigNode.Mapping section = root;
    for (String key : path.subList(0, path.size() - 1)) {
      ConfigNode.Entry entry = section.entries().get(key);
      if (entry != null && entry.value() instanceof ConfigNode.Mapping inner) {
        section = inner;
      } else if (entry == null
          || (entry.value() instanceof ConfigNode.Scalar scalar && scalar.text() == null)) {
        ConfigNode.Mapping inner = ConfigNode.Mapping.empty(origin);
        section.entries().put(key, new ConfigNode.Entry(origin, inner));
        section = inner;
      } else {
        throw UserException.usage(
            origin + ": \"" + key + "\" has no keys below it; it is " + entry.value().kind() + ".");
      }
    }
    section.entries().put(path.get(path.size() - 1), new ConfigNode.Entry(origin, value));
  }
}
