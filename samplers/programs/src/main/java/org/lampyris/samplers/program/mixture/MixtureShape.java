package org.lampyris.samplers.program.mixture;

import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.program.Clusters;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Scaffold;
import org.lampyris.samplers.program.Trace;

/**
 * Shape of a mixture, derived from a trace: the label, the nodes that it selects, the
 * concentration, and the conjugate family, if there is one.
 *
 * @param label z
 * @param alpha the process's concentration
 * @param needed the deterministic nodes that a row's densities follow from, in their order
 * @param absorbing the nodes of a row whose densities the label decides
 * @param conjugate the family of means and covariances; null without one
 * @param observed what is normal in each cluster, by id; −1 without
 */
record MixtureShape(
    Node label, Node alpha, int[] needed, int[] absorbing, @Nullable Node conjugate, int observed)
    implements Serializable {
  static MixtureShape of(Trace trace) {
    Node label =
        trace.entries().stream()
            .filter(Clusters::isLabel)
            .map(Trace.Entry::node)
            .findFirst()
            .orElseThrow(() -> UserException.usage("no row of the program draws a label."));
    Node process = trace.entries().get(trace.entry(label).parents().get(0)).node();
    Node alpha = trace.entries().get(trace.entry(process).parents().get(0)).node();
    Scaffold concentration = trace.scaffold(alpha);
    if (!concentration.absorbing().equals(List.of(label))
        || !concentration.deterministic().equals(List.of(alpha, process))) {
      throw refused(alpha, "nodes other than labels depend on it");
    }
    int[] absorbing = trace.scaffold(label).absorbing().stream().mapToInt(Node::id).toArray();
    for (int id : absorbing) {
      if (trace.entries().get(id).node().kind() != Node.Kind.OBSERVED) {
        throw refused(trace.entries().get(id).node(), "a label determines it, and it is latent");
      }
    }
    Node conjugate = null;
    int observed = -1;
    for (Trace.Entry e : trace.entries()) {
      if (e.distribution() instanceof NormalInverseWishart) {
        List<Node> rows = trace.scaffold(e.node()).absorbing();
        if (conjugate != null || rows.size() != 1) {
          throw refused(e.node(), "there is another one, or several nodes depend on it");
        }
        if (!NormalInverseWishart.isOf(trace.entry(rows.get(0)).distribution(), e.node())) {
          throw refused(rows.get(0), "it is not normal by " + e.node());
        }
        conjugate = e.node();
        observed = rows.get(0).id();
      }
    }
    List<Integer> ids = IntStream.of(absorbing).boxed().toList();
    return new MixtureShape(label, alpha, trace.needed(ids), absorbing, conjugate, observed);
  }

  private static UserException refused(Node node, String why) {
    return UserException.usage(
        "labels cannot be drawn as in a mixture, because of %s: %s.".formatted(node, why));
  }

  /** Returns the same with labels that select only the normal values of each cluster. */
  MixtureShape ofNormals(Trace trace) {
    return new MixtureShape(
        label, alpha, trace.needed(List.of(observed)), new int[] {observed}, conjugate, observed);
  }

  /** Returns the conjugate family's distribution; null without one. */
  @Nullable NormalInverseWishart base(Trace trace) {
    return conjugate == null ? null : (NormalInverseWishart) trace.entry(conjugate).drawn();
  }

  /** Returns how many numbers the sums of a cluster's rows have; the first is their number. */
  int statistics(Trace trace) {
    NormalInverseWishart base = base(trace);
    return base == null ? 1 : base.statistics();
  }
}
