package org.lampyris.dataprep.design;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.NearestName;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.read.CellText;
import org.lampyris.dataprep.read.Columns.Categorical;
import org.lampyris.executors.table.TableSchema.Feature;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/** Choice of a categorical column's levels, its reference, and their order. */
public final class LevelChoice {
  /** More columns than this from one categorical column are taken for a mistake. */
  static final int MOST_LEVELS = 10_000;

  private static final String OTHER = "(other)";

  private LevelChoice() {}

  /**
   * Returns the column with its levels: the occurring ones in ascending order (numbers by value),
   * by their frequency or as they appear, or the configured ones in their order, and last the level
   * for all others, if any row has one. {@link CellText#MISSING} comes after those, whether listed
   * or not. Ties among the most frequent levels are broken by name.
   *
   * @param counts how many rows each level has, in the order of appearance in the input
   * @throws UserException if a wish cannot be met
   */
  public static Feature of(String name, Map<String, Long> counts, Categorical spec) {
    Set<String> kept = new HashSet<>(spec.levels().isEmpty() ? counts.keySet() : spec.levels());
    String other = spec.other();
    Integer top = spec.top();
    if (top != null) {
      kept = mostFrequent(counts, kept, top);
      other = other == null ? OTHER : other;
    }
    if (other != null) {
      kept.remove(other);
    }
    boolean missing = counts.containsKey(CellText.MISSING);
    kept.remove(CellText.MISSING);
    List<String> levels =
        new ArrayList<>(spec.levels().isEmpty() ? counts.keySet() : spec.levels());
    levels.retainAll(kept);
    if (spec.levels().isEmpty() && spec.order() != Categorical.Order.APPEARANCE) {
      levels.sort(
          spec.order() == Categorical.Order.VALUE ? CellText::compareLevels : byFrequency(counts));
    }
    if (missing) {
      // After the others, so that it is not the reference unless asked for.
      levels.add(CellText.MISSING);
      kept.add(CellText.MISSING);
    }
    boolean rest = !kept.containsAll(counts.keySet());
    if (rest && other != null) {
      levels.add(other);
    }
    if (levels.isEmpty()) {
      throw UserException.usage(
          "data.categorical." + name + " leaves no level. Correct its levels and top.");
    }
    return new Feature(
        name,
        FeatureKind.CATEGORICAL,
        1,
        List.copyOf(levels),
        reference(name, levels, spec.reference()),
        rest ? other : null);
  }

  private static Set<String> mostFrequent(Map<String, Long> counts, Set<String> among, int top) {
    return new HashSet<>(
        counts.entrySet().stream()
            .filter(entry -> among.contains(entry.getKey()))
            .filter(entry -> !entry.getKey().equals(CellText.MISSING))
            .map(Map.Entry::getKey)
            .sorted(byFrequency(counts))
            .limit(top)
            .toList());
  }

  /** Orders levels, the most frequent one first; equally frequent ones by value. */
  private static Comparator<String> byFrequency(Map<String, Long> counts) {
    return Comparator.<String, Long>comparing(
            level -> counts.getOrDefault(level, 0L), Comparator.reverseOrder())
        .thenComparing(CellText::compareLevels);
  }

  private static String reference(String name, List<String> levels, @Nullable String wanted) {
    if (wanted == null) {
      return levels.get(0);
    }
    if (!levels.contains(wanted)) {
      throw UserException.data(
          "the reference '%s' is not a level of column '%s'; %s"
              .formatted(wanted, name, NearestName.hint(wanted, levels)));
    }
    return wanted;
  }

  /** Returns a level that occurs and has no place in the column, or null. */
  static @Nullable String unseen(Feature feature, Map<String, Long> counts) {
    if (feature.other() != null) {
      return null;
    }
    Set<String> levels = new HashSet<>(feature.levels());
    return counts.keySet().stream()
        .filter(level -> !levels.contains(level))
        .min(CellText::compareLevels)
        .orElse(null);
  }
}
