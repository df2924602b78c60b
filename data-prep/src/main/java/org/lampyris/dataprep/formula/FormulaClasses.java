package org.lampyris.dataprep.formula;

import java.util.List;
import org.lampyris.samplers.run.SentClasses;

/** Classes that the scan of a formula's columns sends. */
public final class FormulaClasses implements SentClasses {
  @Override
  public List<Class<?>> sentClasses() {
    return List.of(FormulaScan.class, ValueSketch.class, long[][].class, Object[].class);
  }
}
