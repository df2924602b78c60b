package org.lampyris.samplers.run;

import java.util.List;

/**
 * Names of the classes of a module, an algorithm or a user's jar that travel between the driver and
 * the executors, for serialisers that need registration. Found by {@link java.util.ServiceLoader}.
 */
public interface SentClasses {
  /**
   * Returns resident blocks, states of rows, and shares of answers. Closures (rules, questions,
   * work) and the states of chains need not be named; records cannot be.
   */
  default List<Class<?>> sentClasses() {
    return List.of();
  }
}
