package org.lampyris.samplers.program;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * A Dirichlet process, from which rows take labels: exchangeable, and coupled by it, so that a
 * label has no density that its parents alone decide.
 *
 * @param process the process's node
 * @param alpha its concentration
 */
public record Clusters(Node process, Node alpha) {
  /** Returns how a row's label is drawn. */
  public Distribution label() {
    return new Label(process);
  }

  /** Returns whether a node is drawn as a label. */
  public static boolean isLabel(Trace.Entry entry) {
    return entry.distribution() instanceof Label;
  }

  /** A label; its value is the number of a cluster as the last sweep numbered them. */
  record Label(Node process) implements Distribution {
    @Override
    public List<Term> parameters() {
      return List.of(process);
    }

    /** Every row starts in the first cluster; labels are drawn by a sweep over all of them. */
    @Override
    public void sample(Given given, UniformRandomProvider rng, double[] out, int at) {
      out[at] = 0;
    }
  }
}
