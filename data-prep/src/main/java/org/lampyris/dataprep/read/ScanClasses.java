package org.lampyris.dataprep.read;

import java.util.List;
import org.lampyris.samplers.run.SentClasses;

/** What the scans of an input send. */
public final class ScanClasses implements SentClasses {
  @Override
  public List<Class<?>> sentClasses() {
    return List.of(
        LevelScan.class,
        NumberScan.class,
        RowCounts.class,
        VectorScan.class,
        TableScan.class,
        Columns.Missing.class,
        boolean[].class,
        long[].class);
  }
}
