package org.lampyris.executors.table;

import java.util.List;
import org.lampyris.samplers.run.SentClasses;

/** Classes that tables of blocks send. */
public final class TableClasses implements SentClasses {
  @Override
  public List<Class<?>> sentClasses() {
    return List.of(LevelRuns.class, PackedBlock.class, BlockFiles.class);
  }
}
