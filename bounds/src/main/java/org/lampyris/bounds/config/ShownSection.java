package org.lampyris.bounds.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A section whose keys are not the components of a record, as the effective configuration has it.
 */
public interface ShownSection {
  /** Returns every key and its value, in order; a key without a value holds null. */
  Map<String, @Nullable Object> shown();
}
