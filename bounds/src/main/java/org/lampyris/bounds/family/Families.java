package org.lampyris.bounds.family;

import java.lang.reflect.InvocationTargetException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;

/**
 * Registry of named families: Lampyris's own and those in users' jars, found by Java's service
 * loader.
 */
public final class Families {
  private final Map<String, ModelProvider> byName = new LinkedHashMap<>();

  private Families() {
    ClassLoader own = Families.class.getClassLoader();
    add(ServiceLoader.load(ModelProvider.class, own));
    ClassLoader users = Thread.currentThread().getContextClassLoader();
    if (users != own) {
      add(ServiceLoader.load(ModelProvider.class, users));
    }
  }

  /**
   * Finds the families, by Lampyris's class loader and by the thread's context class loader.
   *
   * @throws UserException (usage) if two have the same name, or one cannot be made
   */
  public static Families find() {
    return new Families();
  }

  private void add(ServiceLoader<ModelProvider> families) {
    try {
      for (ModelProvider family : families) {
        ModelProvider other = byName.putIfAbsent(family.name(), family);
        if (other != null && other.getClass() != family.getClass()) {
          throw UserException.usage(
              "two families have the name %s: the classes %s and %s. Remove the jar of one of them."
                  .formatted(
                      family.name(), other.getClass().getName(), family.getClass().getName()));
        }
      }
    } catch (ServiceConfigurationError e) {
      throw UserException.usage("a family cannot be constructed: " + e.getMessage(), e);
    }
  }

  /** Returns the names of all families. */
  public List<String> names() {
    return List.copyOf(byName.keySet());
  }

  /** Returns the keys of all families, without duplicates, short ones first. */
  public List<String> keys() {
    return byName.values().stream()
        .flatMap(family -> family.keys().stream())
        .distinct()
        .sorted(Comparator.comparingInt(String::length))
        .toList();
  }

  /** Returns the names of the families that have a key, for messages. */
  public String having(String key) {
    return String.join(
        ", ", names().stream().filter(name -> named(name).keys().contains(key)).toList());
  }

  /** Returns all families. */
  List<ModelProvider> all() {
    return List.copyOf(byName.values());
  }

  /** Returns the family of a name; empty for the name of a class. */
  public Optional<ModelProvider> registered(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /**
   * Returns the provider of a family.
   *
   * @param name a family's name, or the name of a class with a point in it, which is loaded by the
   *     thread's context class loader
   * @throws UserException (usage) if there is none
   */
  public ModelProvider named(String name) {
    ModelProvider provider = byName.get(name);
    if (provider != null) {
      return provider;
    }
    if (name.indexOf('.') < 0) {
      throw UserException.usage(
          ("there is no family \"%s\". Set model.family to one of %s, or to the full name of a"
                  + " class that implements %s.")
              .formatted(name, String.join(", ", names()), ModelProvider.class.getName()));
    }
    return load(name);
  }

  private static ModelProvider load(String name) {
    try {
      Class<?> type = Class.forName(name, true, Thread.currentThread().getContextClassLoader());
      if (!ModelProvider.class.isAssignableFrom(type)) {
        throw unusable(name, "does not implement " + ModelProvider.class.getName(), null);
      }
      return type.asSubclass(ModelProvider.class).getConstructor().newInstance();
    } catch (ClassNotFoundException e) {
      throw UserException.usage(
          "model.family: there is no class %s on the class path. Pass its jar to spark-submit with --jars."
              .formatted(name),
          e);
    } catch (NoSuchMethodException | IllegalAccessException | InstantiationException e) {
      throw unusable(name, "has no public constructor without parameters, or is not public", e);
    } catch (InvocationTargetException | LinkageError e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw unusable(name, "cannot be constructed: " + cause, e);
    }
  }

  private static UserException unusable(String name, String why, @Nullable Throwable cause) {
    return UserException.usage("model.family: the class " + name + " " + why, cause);
  }
}
