package org.lampyris.driver.predict;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.util.AccumulatorV2;
import org.lampyris.bounds.config.Text;
import org.lampyris.dataprep.read.CellText;

/**
 * Counts the rows of a new table whose groups or levels the model has not seen. Rows are counted by
 * partition and levels by hash, so that a task that runs again changes nothing.
 */
final class UnknownLevels extends AccumulatorV2<UnknownLevels.Cell, UnknownLevels> {
  /** Largest number of levels that is counted. */
  private static final int MOST_LEVELS = 100_000;

  /**
   * A cell with an unknown level.
   *
   * @param group whether it is a group with effects; else a category
   */
  record Cell(String column, boolean group, String level) {}

  /** Counts of a column. */
  private static final class Tally implements Serializable {
    private final boolean group;
    private final HashMap<Integer, Long> rows = new HashMap<>();
    private final HashSet<Long> levels = new HashSet<>();
    private boolean more;
    private String first;

    Tally(boolean group, String first) {
      this.group = group;
      this.first = first;
    }

    void add(Iterable<Long> hashes, String level) {
      for (long hash : hashes) {
        if (levels.size() < MOST_LEVELS || levels.contains(hash)) {
          levels.add(hash);
        } else {
          more = true;
        }
      }
      first = CellText.compareLevels(level, first) < 0 ? level : first;
    }

    void merge(Tally that) {
      add(that.levels, that.first);
      more |= that.more;
      rows.putAll(that.rows);
    }

    long rows() {
      return rows.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  private TreeMap<String, Tally> columns = new TreeMap<>();

  @Override
  public boolean isZero() {
    return columns.isEmpty();
  }

  @Override
  public UnknownLevels copy() {
    UnknownLevels copy = new UnknownLevels();
    copy.merge(this);
    return copy;
  }

  @Override
  public void reset() {
    columns = new TreeMap<>();
  }

  @Override
  public void add(Cell cell) {
    Tally tally = tally(cell.column, cell.group, cell.level);
    byte[] text = cell.level.getBytes(StandardCharsets.UTF_8);
    long hash = XXH64.hashUnsafeBytes(text, Platform.BYTE_ARRAY_OFFSET, text.length, 0);
    tally.add(List.of(hash), cell.level);
    tally.rows.merge(TaskContext.getPartitionId(), 1L, Long::sum);
  }

  private Tally tally(String column, boolean group, String first) {
    return columns.computeIfAbsent((group ? "g " : "c ") + column, name -> new Tally(group, first));
  }

  @Override
  public void merge(AccumulatorV2<Cell, UnknownLevels> other) {
    other
        .value()
        .columns
        .forEach(
            (name, theirs) -> tally(name.substring(2), theirs.group, theirs.first).merge(theirs));
  }

  @Override
  public UnknownLevels value() {
    return this;
  }

  /**
   * Returns the counts, as sentences.
   *
   * @param rows how many rows have been predicted, or would have been but for these
   */
  List<String> sentences(NewLevels rule, long rows) {
    List<String> lines = new ArrayList<>();
    columns.forEach(
        (name, of) -> {
          String column = name.substring(2);
          if (!of.group) {
            lines.add(
                Text.of(
                    "Column '%s' has a level unknown to the model in %,d %s, such as '%s'.",
                    column, of.rows(), of.rows() == 1 ? "row" : "rows", of.first));
            return;
          }
          boolean one = of.rows() == 1;
          String groups = of.levels.size() == 1 ? "group" : "groups";
          lines.add(
              Text.of(
                  "%,d %s to %s%,d %s of '%s' that the run has not seen, such as '%s'. As set by"
                      + " --new-groups, %s.%s",
                  of.rows(),
                  one ? "row belongs" : "rows belong",
                  of.more ? "more than " : "",
                  of.levels.size(),
                  groups,
                  column,
                  of.first,
                  said(rule),
                  of.rows() < rows
                      ? ""
                      : Text.of(
                          " No row belongs to a group in the run. Compare how both tables write"
                              + " '%s'.",
                          column)));
        });
    return lines;
  }

  private static String said(NewLevels rule) {
    return switch (rule) {
      case GAUSSIAN -> "their effects are drawn from the distribution of the groups' effects";
      case ZERO -> "their effects are 0";
      case REFUSE -> "they have no prediction";
    };
  }

  /**
   * Returns the numbers of rows and unknown levels, by column, for a document.
   *
   * @param groups whether to return groups with effects instead of categories
   */
  Map<String, Object> of(boolean groups) {
    Map<String, Object> found = new LinkedHashMap<>();
    columns.forEach(
        (name, of) -> {
          if (of.group == groups) {
            Map<String, Object> told = new LinkedHashMap<>();
            told.put(groups ? "groups" : "levels", of.levels.size());
            told.put("rows", of.rows());
            found.put(name.substring(2), told);
          }
        });
    return Collections.unmodifiableMap(found);
  }
}
