package org.lampyris.bounds.family;

import java.lang.reflect.InvocationTargetException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;

/** The families by name, and those that a user brings along. */
public final class Providers {

  private static final Map<String, ModelProvider> BUILT_IN = builtIn();

  private Providers() {}

  private static Map<String, ModelProvider> builtIn() {
    Map<String, ModelProvider> families = new LinkedHashMap<>();
    families.put("logistic", new OnePredictorFamilies.Logistic());
    families.put("softmax", new SoftmaxFamily());
    families.put("robust", new OnePredictorFamilies.Robust());
    families.put("gaussian", new GaussianFamily());
    families.put("gamma", new OnePredictorFamilies.Gamma());
    families.put("poisson", new OnePredictorFamilies.Poisson());
    families.put("mixture", new MixtureFamily());
    return families;
  }

  /** Returns the names of the built-in families. */
  public static Set<String> names() {
    return Collections.unmodifiableSet(BUILT_IN.keySet());
  }

  /**
   * Returns the provider of a family.
   *
   * @param name a built-in family's name, or the name of a class with a point in it, which is
   *     loaded by the thread's context class loader
   * @throws UserException (usage) if there is none
   */
  public static ModelProvider named(String name) {
    ModelProvider provider = BUILT_IN.get(name);
    if (provider != null) {
      return provider;
    }
    if (name.indexOf('.') < 0) {
      throw UserException.usage(
          "there is no family \""
              + name
              + "\"; model.family is one of "
              + String.join(", ", BUILT_IN.keySet())
              + ", or the full name of a class that implements "
              + ModelProvider.class.getName());
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
          "model.family: there is no class "
              + name
              + " on the class path; hand its jar to spark-submit with --jars",
          e);
    } catch (NoSuchMethodException | IllegalAccessException | InstantiationException e) {
      throw unusable(name, "has no public constructor without parameters, or is not public", e);
    } catch (InvocationTargetException | LinkageError e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw unusable(name, "cannot be made: " + cause, e);
    }
  }

  private static UserException unusable(String name, String why, @Nullable Throwable cause) {
    String message = "model.family: the class " + name + " " + why;
    return cause == null ? UserException.usage(message) : UserException.usage(message, cause);
  }
}
