package org.lampyris.driver.output;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** Group of ArviZ's InferenceData that is written beside the draws. */
public interface InferenceGroup {
  /** Returns the name of the group, as ArviZ has it. */
  String name();

  /** Writes its variables as fields of an object, each an array of arrays. */
  void write(JsonGenerator json) throws IOException;
}
