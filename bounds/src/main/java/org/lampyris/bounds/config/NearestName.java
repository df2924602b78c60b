package org.lampyris.bounds.config;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Finds the name that was probably meant. */
public final class NearestName {
  private NearestName() {}

  /**
   * Returns the known name with the smallest edit distance, ignoring case and {@code -} versus
   * {@code _}; empty if the best one differs in more than half of the longer name, which would
   * mislead.
   */
  public static Optional<String> of(String name, Collection<String> known) {
    String best = null;
    int least = Integer.MAX_VALUE;
    for (String candidate : known) {
      int distance = LevenshteinDistance.getDefaultInstance().apply(plain(name), plain(candidate));
      if (2 * distance <= Math.max(name.length(), candidate.length()) && distance < least) {
        least = distance;
        best = candidate;
      }
    }
    return Optional.ofNullable(best);
  }

  /** Returns a clause for a message: the nearest name, or all names if none is near. */
  public static String hint(String name, Collection<String> known) {
    return of(name, known)
        .map(nearest -> "did you mean '" + nearest + "'?")
        .orElseGet(
            () ->
                "there are: "
                    + String.join(", ", known.stream().limit(20).toList())
                    + (known.size() > 20 ? ", …" : ""));
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replace('-', '_');
  }
}
