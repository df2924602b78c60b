package org.lampyris.bounds.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Predicate;

/**
 * Registry of all choices of a kind, by name: the services on the class path, including a user's
 * jar, in the order of the class path and of the lines in service files.
 */
public final class Registry<T extends Registered> {
  private final Map<String, T> byName = new LinkedHashMap<>();

  private Registry(Class<T> kind) {
    try {
      for (T one : ServiceLoader.load(kind)) {
        T other = byName.putIfAbsent(one.name(), one);
        if (other != null) {
          throw UserException.usage(
              "the classes %s and %s both have the name \"%s\". Rename one of them."
                  .formatted(other.getClass().getName(), one.getClass().getName(), one.name()));
        }
      }
    } catch (ServiceConfigurationError e) {
      throw UserException.usage(
          "a class named in META-INF/services cannot be used: " + e.getMessage(), e);
    }
  }

  /**
   * Finds all of a kind by the thread's context class loader. Nothing is kept, so that a class
   * loader with more jars finds more.
   *
   * @throws UserException (usage) if two have one name, or a class cannot be made
   */
  public static <T extends Registered> Registry<T> of(Class<T> kind) {
    return new Registry<>(kind);
  }

  /** Returns all. */
  public List<T> all() {
    return List.copyOf(byName.values());
  }

  /** Returns the names of all. */
  public List<String> names() {
    return List.copyOf(byName.keySet());
  }

  /** Returns the names of some. */
  public List<String> names(Predicate<T> which) {
    return byName.values().stream().filter(which).map(Registered::name).toList();
  }

  /**
   * Returns the choice with a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public T named(String name) {
    T one = byName.get(name);
    if (one == null) {
      throw new IllegalArgumentException("there is no " + name + " among " + names());
    }
    return one;
  }

  /** Returns the sections with settings, without duplicates. */
  public List<OwnSection<?>> sections() {
    Map<String, OwnSection<?>> sections = new LinkedHashMap<>();
    for (T one : byName.values()) {
      one.sections().forEach(section -> sections.putIfAbsent(section.key(), section));
    }
    return new ArrayList<>(sections.values());
  }
}
