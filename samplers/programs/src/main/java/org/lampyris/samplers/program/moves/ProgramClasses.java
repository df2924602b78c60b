package org.lampyris.samplers.program.moves;

import java.util.List;
import org.lampyris.samplers.run.SentClasses;

/** Classes that programs keep with the rows. */
public final class ProgramClasses implements SentClasses {
  @Override
  public List<Class<?>> sentClasses() {
    return List.of(LocalState.class);
  }
}
