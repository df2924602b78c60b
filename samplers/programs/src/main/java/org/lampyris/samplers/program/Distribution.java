package org.lampyris.samplers.program;

import java.io.Serializable;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;

/** Distribution of a node given its parents, sent to the rows. */
public interface Distribution extends Serializable {
  /** Returns how many numbers a draw has. */
  default int dimension() {
    return 1;
  }

  /** Returns the distribution's parameters; the nodes that they read are its parents. */
  List<Term> parameters();

  /** Draws, and writes the draw to {@code out} from {@code at} on. Modified. */
  void sample(Given given, UniformRandomProvider rng, double[] out, int at);
}
