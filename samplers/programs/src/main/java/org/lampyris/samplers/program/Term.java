package org.lampyris.samplers.program;

import java.io.Serializable;

/**
 * Number computed from other nodes, sent to the rows. Its reads are recorded once, when the program
 * runs. A term that reads different nodes for different values is a {@linkplain Program#when
 * choice}, and must be written as one.
 */
@FunctionalInterface
public interface Term extends Serializable {
  /** Returns the number. */
  double at(Given given);
}
