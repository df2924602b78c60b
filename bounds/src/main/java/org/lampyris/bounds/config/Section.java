package org.lampyris.bounds.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.KeyTree.Values;

/**
 * A section of the configuration, read strictly: every key must be known, every value of its type
 * and in its range. Messages name file, line, column, key and what would do.
 */
public final class Section {
  private final String path;
  private final ConfigNode.Mapping mapping;
  private final KeyTree asked;

  private Section(String path, ConfigNode.Mapping mapping, KeyTree asked) {
    this.path = path;
    this.mapping = mapping;
    this.asked = asked;
  }

  /** Returns the whole configuration as a section. */
  public static Section root(ConfigNode.Mapping mapping, String... known) {
    return root(mapping, new KeyTree(), known);
  }

  /**
   * Returns the whole configuration as a section.
   *
   * @param asked where to note what is asked of it. Modified.
   */
  public static Section root(ConfigNode.Mapping mapping, KeyTree asked, String... known) {
    return new Section("", mapping, asked).requireKnown(known);
  }

  private Section requireKnown(String... known) {
    List<String> names = Arrays.asList(known);
    asked.note(new Values.Keys());
    names.forEach(asked::key);
    for (Map.Entry<String, ConfigNode.Entry> entry : mapping.entries().entrySet()) {
      if (!names.contains(entry.getKey())) {
        Optional<String> nearest = NearestName.of(entry.getKey(), names);
        throw UserException.usage(
            "%s: unknown key \"%s\"; %s."
                .formatted(
                    entry.getValue().keyOrigin(),
                    name(entry.getKey()),
                    nearest
                        .map(n -> "the nearest known key is \"" + n + "\"")
                        .orElse("known here: " + String.join(", ", names))));
      }
    }
    return this;
  }

  /** Returns a key's full name, as {@code --set} takes it. */
  public String name(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  /** Returns the position of a key's value, or of the section if the key is absent. */
  public Origin originOf(String key) {
    ConfigNode.Entry entry = mapping.entries().get(key);
    return entry == null ? mapping.origin() : entry.value().origin();
  }

  /** Returns whether a key has a value. */
  public boolean has(String key) {
    return node(key) != null;
  }

  /** Returns a section below this one: an empty one if it is absent. */
  public Section section(String key, String... known) {
    return open(key).requireKnown(known);
  }

  /**
   * Returns the sections of a list, named by their number from 1; none if the key is absent.
   *
   * @param known the keys that each of them can have
   */
  public List<Section> sections(String key, String... known) {
    ConfigNode node = node(key);
    KeyTree item = asked(key).note(new Values.Sections()).key(KeyTree.ANY);
    List<Section> sections = new ArrayList<>();
    if (node == null) {
      return sections;
    }
    if (!(node instanceof ConfigNode.Sequence sequence)) {
      throw wrong(key, node, "a list of sections, for instance [{" + known[0] + ": a}]");
    }
    for (ConfigNode one : sequence.items()) {
      String place = key + "[" + (sections.size() + 1) + "]";
      if (!(one instanceof ConfigNode.Mapping inner)) {
        throw wrong(place, one, "a section with keys of its own");
      }
      sections.add(new Section(name(place), inner, item).requireKnown(known));
    }
    return sections;
  }

  private KeyTree asked(String key) {
    return asked.key(asked.values().contains(new Values.ByName()) ? KeyTree.ANY : key);
  }

  private Section open(String key) {
    ConfigNode node = node(key);
    KeyTree below = asked(key);
    if (node == null) {
      return new Section(name(key), ConfigNode.Mapping.empty(originOf(key)), below);
    }
    if (node instanceof ConfigNode.Mapping inner) {
      return new Section(name(key), inner, below);
    }
    throw wrong(key, node, "a section with keys of its own");
  }

  /** Reads a section whose keys the user chooses: {@code read} reads the value of each in it. */
  public <T> Map<String, T> map(String key, BiFunction<Section, String, T> read) {
    asked(key).note(new Values.ByName());
    Section section = open(key);
    Map<String, T> values = new LinkedHashMap<>();
    for (String name : section.mapping.entries().keySet()) {
      values.put(name, read.apply(section, name));
    }
    return Collections.unmodifiableMap(values);
  }

  /**
   * Reads a section with keys chosen by the user, or a list of such keys.
   *
   * @param named what the keys of a list stand for
   */
  public <T> Map<String, T> map(String key, BiFunction<Section, String, T> read, T named) {
    asked(key).note(new Values.ByName());
    if (!(node(key) instanceof ConfigNode.Sequence)) {
      asked(key).note(new Values.Texts());
      return map(key, read);
    }
    Map<String, T> values = new LinkedHashMap<>();
    texts(key).forEach(name -> values.put(name, named));
    return Collections.unmodifiableMap(values);
  }

  /** Returns a text, or null if the key is absent. */
  public @Nullable String text(String key) {
    asked(key).note(new Values.Text());
    return read(key, "a text", null);
  }

  private @Nullable String read(String key, String must, @Nullable String byDefault) {
    ConfigNode node = node(key);
    return node == null ? byDefault : scalar(key, node, must);
  }

  /** Returns a text, or the default. */
  public String text(String key, String byDefault) {
    String text = text(key);
    return text == null ? byDefault : text;
  }

  /** Returns a list of texts; empty if the key is absent. */
  public List<String> texts(String key) {
    asked(key).note(new Values.Texts());
    ConfigNode node = node(key);
    if (node == null) {
      return List.of();
    }
    if (node instanceof ConfigNode.Sequence sequence) {
      return sequence.items().stream().map(item -> scalar(key, item, "a list of names")).toList();
    }
    throw wrong(key, node, "a list, for instance [a, b]");
  }

  /** Returns true or false. */
  public boolean flag(String key, boolean byDefault) {
    asked(key).note(new Values.Flag());
    String text = read(key, "true or false", null);
    if (text == null) {
      return byDefault;
    }
    return switch (text) {
      case "true", "True", "TRUE" -> true;
      case "false", "False", "FALSE" -> false;
      default -> throw wrong(key, "true or false");
    };
  }

  /** Returns a whole number in {@code [least, most]}. */
  public long whole(String key, long byDefault, long least, long most) {
    Long value = whole(key, least, most);
    return value == null ? byDefault : value;
  }

  /** Returns a whole number in {@code [least, most]} that fits an {@code int}. */
  public int whole(String key, int byDefault, int least, int most) {
    return Math.toIntExact(whole(key, (long) byDefault, least, most));
  }

  /** Returns a whole number in {@code [least, most]}, or null if the key is absent. */
  public @Nullable Long whole(String key, long least, long most) {
    Values.Whole whole = new Values.Whole(least, most);
    asked(key).note(whole);
    String range = whole.toString();
    String text = read(key, range, null);
    if (text == null) {
      return null;
    }
    long value = parse(key, () -> Long.parseLong(text.replace("_", "")), range);
    if (value < least || value > most) {
      throw wrong(key, range);
    }
    return value;
  }

  /** Returns a number in an interval, or the default. */
  public double number(String key, double byDefault, Interval interval) {
    Double value = number(key, interval);
    return value == null ? byDefault : value;
  }

  /** Returns a number in an interval, or null if the key is absent. */
  public @Nullable Double number(String key, Interval interval) {
    asked(key).note(new Values.Real(interval));
    String text = read(key, interval.toString(), null);
    if (text == null) {
      return null;
    }
    double value = parse(key, () -> Double.parseDouble(text), interval.toString());
    if (!interval.contains(value)) {
      throw wrong(key, interval.toString());
    }
    return value;
  }

  /** Returns one of a few choices, written with hyphens. */
  public <E extends Enum<E>> E choice(String key, E byDefault) {
    List<E> values = Arrays.asList(byDefault.getDeclaringClass().getEnumConstants());
    List<String> names = values.stream().map(ConfigText::of).toList();
    String text = choice(key, names);
    return text == null ? byDefault : values.get(names.indexOf(text));
  }

  /** Returns one of a few texts, or null if the key is absent. */
  public @Nullable String choice(String key, List<String> names) {
    return choice(key, names, null, ".");
  }

  /**
   * Returns one of a few texts or one of a form, or null if the key is absent.
   *
   * @param form a regular expression that must match some part of the text; null for none
   * @param end how the list of choices ends in messages
   */
  public @Nullable String choice(
      String key, List<String> names, @Nullable String form, String end) {
    asked(key).note(new Values.Choice(names, form, end));
    String text = read(key, "a text", null);
    if (text == null
        || names.contains(text)
        || (form != null && Pattern.compile(form).matcher(text).find())) {
      return text;
    }
    throw unknownChoice(key, text, names, end);
  }

  private UserException unknownChoice(String key, String text, List<String> names, String end) {
    String known = "known: " + String.join(", ", names) + end;
    String nearest =
        NearestName.of(text, names).map(n -> "did you mean \"" + n + "\"? ").orElse("");
    return UserException.usage(
        originOf(key) + ": " + name(key) + " \"" + text + "\" is not known; " + nearest + known);
  }

  /** Runs a check of a value; errors get the value's position. */
  public <T> T checked(String key, Function<String, T> check, String text) {
    try {
      return check.apply(text);
    } catch (IllegalArgumentException e) {
      throw UserException.usage(originOf(key) + ": " + name(key) + ": " + e.getMessage(), e);
    }
  }

  /** Returns the error that a key's value must have a certain form. */
  public UserException wrong(String key, String must) {
    ConfigNode node = node(key);
    return wrong(key, node == null ? new ConfigNode.Scalar(originOf(key), null) : node, must);
  }

  private UserException wrong(String key, ConfigNode node, String must) {
    return UserException.usage(
        node.origin() + ": " + name(key) + " must be " + must + ", but is " + node.kind() + ".");
  }

  private <T> T parse(String key, Supplier<T> read, String must) {
    try {
      return read.get();
    } catch (NumberFormatException e) {
      throw wrong(key, must);
    }
  }

  private String scalar(String key, ConfigNode node, String must) {
    if (node instanceof ConfigNode.Scalar scalar && scalar.text() != null) {
      return scalar.text();
    }
    throw wrong(key, node, must);
  }

  private @Nullable ConfigNode node(String key) {
    ConfigNode.Entry entry = mapping.entries().get(key);
    if (entry == null
        || (entry.value() instanceof ConfigNode.Scalar scalar && scalar.text() == null)) {
      return null;
    }
    return entry.value();
  }
}
