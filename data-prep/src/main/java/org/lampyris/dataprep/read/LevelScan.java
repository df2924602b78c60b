package org.lampyris.dataprep.read;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** How often each value of a column occurs. */
public final class LevelScan implements CellScan<LevelScan> {
  /** How many different values of a categorical column are counted. */
  public static final int LIMIT = 1_000_000;

  /** How many different values of a label are counted: the most classes there may be. */
  static final int LABEL_LIMIT = 1_000;

  long infinite;
  private boolean tooMany;
  private final HashMap<String, Long> counts = new HashMap<>();
  private final int limit;

  /** Begins to count so many different values. */
  public LevelScan(int limit) {
    this.limit = limit;
  }

  @Override
  public void add(RowCells row, int column) {
    if (row.isInfinite(column)) {
      infinite++;
    } else {
      count(row.level(column), 1);
    }
  }

  /** Counts a row of a level. */
  public void add(String level) {
    count(level, 1);
  }

  private void count(String level, long times) {
    if (counts.size() < limit || counts.containsKey(level)) {
      counts.merge(level, times, Long::sum);
    } else {
      tooMany = true;
    }
  }

  /** Returns how often each value occurs, as far as they are counted. */
  public Map<String, Long> counts() {
    return Collections.unmodifiableMap(counts);
  }

  /** Returns whether there are values that are not counted. */
  public boolean tooMany() {
    return tooMany;
  }

  /** Takes what others have in place of its own. */
  void replace(LevelScan that) {
    counts.clear();
    tooMany = false;
    infinite = 0;
    merge(that);
  }

  @Override
  public void merge(LevelScan that) {
    infinite += that.infinite;
    tooMany |= that.tooMany;
    for (Map.Entry<String, Long> entry : that.counts.entrySet()) {
      count(entry.getKey(), entry.getValue());
    }
  }
}
