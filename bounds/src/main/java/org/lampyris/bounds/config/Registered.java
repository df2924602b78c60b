package org.lampyris.bounds.config;

import java.util.List;

/**
 * Choice that the configuration makes by a name, such as an algorithm or a kernel.
 *
 * <p>An implementation is a public class with a public constructor without parameters, which a file
 * in {@code META-INF/services} names; {@link Registry} finds it in any jar on the class path.
 */
public interface Registered {
  /** Returns the name that the configuration has for it. */
  String name();

  /**
   * Returns the sections with its own settings, in addition to the key that chooses it. Several may
   * share a section, which is then read once.
   */
  default List<OwnSection<?>> sections() {
    return List.of();
  }
}
