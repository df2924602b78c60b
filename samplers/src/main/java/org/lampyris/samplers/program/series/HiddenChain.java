package org.lampyris.samplers.program.series;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.program.Density;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Trace;

/**
 * The latent nodes of a row as a Markov chain, derived from a trace: each follows from the one
 * before it at most, by way of deterministic nodes or not, and what is observed from one of them at
 * most.
 *
 * @param times the times, in their order
 */
record HiddenChain(List<Time> times) implements Serializable {
  /**
   * One time.
   *
   * @param latent h_t
   * @param transition the deterministic nodes that h_t is drawn from, in their order, by id
   * @param emissions what is observed of h_t, by id
   * @param emitting the deterministic nodes that these are drawn from
   */
  record Time(Node latent, int[] transition, int[] emissions, int[] emitting)
      implements Serializable {}

  /**
   * Derives it.
   *
   * @throws UserException (usage) with the node that prevents it
   */
  static HiddenChain of(Trace trace) {
    List<Node> latents =
        trace.entries().stream()
            .map(Trace.Entry::node)
            .filter(node -> node.kind() == Node.Kind.LATENT)
            .toList();
    if (latents.isEmpty()) {
      throw UserException.usage("particles draw latent values, and the rows have none.");
    }
    List<Set<Integer>> sources = new ArrayList<>();
    List<List<Integer>> emissions = new ArrayList<>();
    latents.forEach(latent -> emissions.add(new ArrayList<>()));
    for (Trace.Entry e : trace.entries()) {
      Set<Integer> from = new TreeSet<>();
      for (int parent : e.parents()) {
        Node node = trace.entries().get(parent).node();
        from.addAll(node.kind() == Node.Kind.LATENT ? Set.of(node.slot()) : sources.get(parent));
      }
      sources.add(e.isDeterministic() ? from : Set.of());
      Node node = e.node();
      if (node.kind() == Node.Kind.LATENT) {
        if (!Set.of(node.slot() - 1).containsAll(from) || !(e.distribution() instanceof Density)) {
          throw refused(node, "it follows from others than the one before it, or has no density");
        }
      } else if (node.kind() == Node.Kind.OBSERVED && !from.isEmpty()) {
        if (from.size() > 1) {
          throw refused(node, "it follows from several latent nodes");
        }
        emissions.get(from.iterator().next()).add(node.id());
      }
    }
    List<Time> times = new ArrayList<>();
    for (Node latent : latents) {
      List<Integer> seen = emissions.get(latent.slot());
      times.add(
          new Time(
              latent,
              trace.needed(List.of(latent.id())),
              seen.stream().mapToInt(i -> i).toArray(),
              trace.needed(seen)));
    }
    return new HiddenChain(times);
  }

  private static UserException refused(Node node, String why) {
    return UserException.usage(
        "particles draw a Markov chain, and %s prevents it: %s; draw it by another kind of move."
            .formatted(node, why));
  }
}
