package org.lampyris.samplers.program;

import java.io.Serializable;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;

/** How a node is drawn given its parents: sent to where the rows are. */
public interface Distribution extends Serializable {
  /** Returns how many numbers a draw has. */
  default int dimension() {
    return 1;
  }

  /** Returns what the distribution follows from; the nodes that they read are the parents. */
  List<Term> parameters();

  /** Draws, and writes the draw to {@code out} from {@code at} on. Modified. */
  void sample(Given given, UniformRandomProvider rng, double[] out, int at);
}
