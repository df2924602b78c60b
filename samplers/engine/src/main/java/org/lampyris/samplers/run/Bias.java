package org.lampyris.samplers.run;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Measured bias of an approximate algorithm.
 *
 * @param knob what the user turns to make it less, with its value
 * @param figures what was measured, by name, in order
 * @param sentence says it in words
 */
public record Bias(String knob, Map<String, Double> figures, String sentence) {
  /** Copies the figures. */
  public Bias {
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
  }
}
