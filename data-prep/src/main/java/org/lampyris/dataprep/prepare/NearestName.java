package org.lampyris.dataprep.prepare;

import java.util.Collection;
import java.util.Locale;
import org.apache.spark.unsafe.types.UTF8String;

/** Finds what somebody who mistyped a name may have meant. */
final class NearestName {
  private NearestName() {}

  /**
   * Returns a clause for a message: the nearest name, or all names if none is near and they are
   * few.
   *
   * @param name what was asked for
   * @param known what there is
   */
  static String hint(String name, Collection<String> known) {
    String best = null;
    int bestDistance = Math.max(2, name.length() / 3) + 1;
    for (String candidate : known) {
      int distance = distance(name, candidate);
      if (distance < bestDistance) {
        bestDistance = distance;
        best = candidate;
      }
    }
    if (best != null) {
      return "did you mean '" + best + "'?";
    }
    return "there are: "
        + String.join(", ", known.stream().limit(20).toList())
        + (known.size() > 20 ? ", …" : "");
  }

  private static int distance(String a, String b) {
    return UTF8String.fromString(a.toLowerCase(Locale.ROOT))
        .levenshteinDistance(UTF8String.fromString(b.toLowerCase(Locale.ROOT)));
  }
}
