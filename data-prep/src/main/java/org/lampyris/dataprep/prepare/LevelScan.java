package org.lampyris.dataprep.prepare;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How often each value of a column occurs. */
final class LevelScan implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Above this many different values they are not counted any more. */
  static final int LIMIT = 1_000_000;

  long missing;
  long nan;
  boolean tooMany;
  final HashMap<String, Long> counts = new HashMap<>();

  void add(@Nullable Object value) {
    if (value == null || (value instanceof String text && text.isBlank())) {
      missing++;
    } else if (value instanceof Number number && !Double.isFinite(number.doubleValue())) {
      nan++;
    } else {
      count(CellText.level(value), 1);
    }
  }

  private void count(String level, long times) {
    if (counts.size() < LIMIT || counts.containsKey(level)) {
      counts.merge(level, times, Long::sum);
    } else {
      tooMany = true;
    }
  }

  void merge(LevelScan that) {
    missing += that.missing;
    nan += that.nan;
    tooMany |= that.tooMany;
    for (Map.Entry<String, Long> entry : that.counts.entrySet()) {
      count(entry.getKey(), entry.getValue());
    }
  }
}
