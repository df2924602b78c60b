package org.lampyris.bounds.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keys of each section that the reading of a configuration asks for, with their allowed values. It
 * is noted by {@link Section} while a configuration is read, so that it says of a key what the code
 * that reads it says. Mutable.
 */
public final class KeyTree {
  /** Allowed values of a key. */
  public sealed interface Values {
    /** Keys that are known. */
    record Keys() implements Values {}

    /** Keys that the user chooses, each with a value of the same kind. */
    record ByName() implements Values {}

    /** A list, each item with the same keys. */
    record Sections() implements Values {}

    /** Any text; numbers, true and false are texts as well. */
    record Text() implements Values {}

    /** A list of texts. */
    record Texts() implements Values {}

    /** True or false. */
    record Flag() implements Values {}

    /** A whole number in {@code [least, most]}. */
    record Whole(long least, long most) implements Values {
      @Override
      public String toString() {
        if (least == Long.MIN_VALUE) {
          return "a whole number";
        }
        return most >= Integer.MAX_VALUE
            ? "a whole number of at least " + least
            : "a whole number from " + least + " to " + most;
      }
    }

    /** A number in an interval. */
    record Real(Interval interval) implements Values {}

    /**
     * One of a few texts.
     *
     * @param form what other texts do as well, a regular expression; null for none
     * @param end what is said after the names
     */
    record Choice(List<String> names, @Nullable String form, String end) implements Values {
      /** Copies the list. */
      public Choice {
        names = List.copyOf(names);
      }
    }
  }

  /** Name in {@link #keys} for names that the user chooses, and for items of a list. */
  public static final String ANY = "*";

  private final Map<String, KeyTree> keys = new LinkedHashMap<>();
  private final Set<Values> values = new LinkedHashSet<>();

  /** Returns the children, by key. */
  public Map<String, KeyTree> keys() {
    return Collections.unmodifiableMap(keys);
  }

  /** Returns the kinds of value that were read; any of them is allowed. */
  public List<Values> values() {
    return List.copyOf(values);
  }

  /** Returns the notes on a key, empty at first. */
  KeyTree key(String name) {
    return keys.computeIfAbsent(name, any -> new KeyTree());
  }

  KeyTree note(Values what) {
    values.add(what);
    return this;
  }
}
