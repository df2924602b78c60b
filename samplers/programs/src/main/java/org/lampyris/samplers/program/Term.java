package org.lampyris.samplers.program;

import java.io.Serializable;

/**
 * A number that follows from others, sent to where the rows are. What it reads is noted when the
 * program runs, once: a term that reads other nodes when their values are others is a {@linkplain
 * Program#when choice}, and has to be written as one.
 */
@FunctionalInterface
public interface Term extends Serializable {
  /** Returns the number. */
  double at(Given given);
}
