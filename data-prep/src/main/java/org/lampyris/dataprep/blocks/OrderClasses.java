package org.lampyris.dataprep.blocks;

import java.util.List;
import org.lampyris.samplers.run.SentClasses;

/** What the ordering of rows sends. */
public final class OrderClasses implements SentClasses {
  @Override
  public List<Class<?>> sentClasses() {
    return List.of(InputOrder.class, int[].class, long[].class, long[][].class);
  }
}
