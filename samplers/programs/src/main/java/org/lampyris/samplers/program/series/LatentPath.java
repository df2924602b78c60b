package org.lampyris.samplers.program.series;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.program.Density;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Trace;

/**
 * Latent nodes of a row in the order in which they are drawn, derived from a trace: the parents of
 * each, and the observations that follow. If each depends on the previous one alone, and each
 * observation on one of them, they form a hidden Markov chain, and the cost of a path grows with
 * its length; otherwise with its square.
 *
 * @param times the times, in their order
 */
record LatentPath(List<Time> times) implements Serializable {
  /**
   * One time.
   *
   * @param latent h_t
   * @param reach the first time whose latent node is read by what is listed here
   * @param transition the deterministic nodes that h_t is drawn from, in their order, by id
   * @param emissions what is observed of h_t, and of those before it, by id
   * @param emitting the deterministic nodes that these are drawn from
   * @param ahead the latent and observed nodes from t on that depend on those before t
   * @param leading the deterministic nodes that these are drawn from
   */
  record Time(
      Node latent,
      int reach,
      int[] transition,
      int[] emissions,
      int[] emitting,
      int[] ahead,
      int[] leading)
      implements Serializable {}

  /** The first and the last latent node that a node depends on; none if the last is below 0. */
  private record Span(int first, int last) {
    static final Span NONE = new Span(Integer.MAX_VALUE, -1);

    Span with(Span other) {
      return new Span(Math.min(first, other.first), Math.max(last, other.last));
    }
  }

  /**
   * Derives it.
   *
   * @throws UserException (usage) with the node that prevents it
   */
  static LatentPath of(Trace trace) {
    List<Node> latents =
        trace.entries().stream()
            .map(Trace.Entry::node)
            .filter(node -> node.kind() == Node.Kind.LATENT)
            .toList();
    if (latents.isEmpty()) {
      throw UserException.usage(
          "particles need latent values, and the rows have none. Choose another kind of move.");
    }
    int[] reach = new int[latents.size()];
    List<List<Integer>> emissions = new ArrayList<>();
    List<List<Integer>> ahead = new ArrayList<>();
    for (int t = 0; t < reach.length; t++) {
      reach[t] = t;
      emissions.add(new ArrayList<>());
      ahead.add(new ArrayList<>());
    }
    List<Span> spans = new ArrayList<>();
    for (Trace.Entry e : trace.entries()) {
      Node node = e.node();
      boolean latent = node.kind() == Node.Kind.LATENT;
      Span from = Span.NONE;
      for (int parent : e.parents()) {
        from = from.with(spans.get(parent));
      }
      spans.add(
          latent
              ? new Span(node.slot(), node.slot())
              : node.kind() == Node.Kind.LET ? from : Span.NONE);
      if (latent && !(e.distribution() instanceof Density)) {
        throw UserException.usage(
            "particles weigh paths by densities, and the density of %s is not available. Choose another kind of move."
                .formatted(node));
      }
      if (latent || (node.kind() == Node.Kind.OBSERVED && from.last() >= 0)) {
        int at = latent ? node.slot() : from.last();
        if (!latent) {
          emissions.get(at).add(node.id());
        }
        reach[at] = Math.min(reach[at], from.first());
        for (int t = at; t > from.first(); t--) {
          ahead.get(t).add(node.id());
          reach[t] = Math.min(reach[t], from.first());
        }
      }
    }
    List<Time> times = new ArrayList<>();
    for (int t = 0; t < reach.length; t++) {
      times.add(
          new Time(
              latents.get(t),
              reach[t],
              trace.needed(List.of(latents.get(t).id())),
              ids(emissions.get(t)),
              trace.needed(emissions.get(t)),
              ids(ahead.get(t)),
              trace.needed(ahead.get(t))));
    }
    return new LatentPath(times);
  }

  private static int[] ids(List<Integer> nodes) {
    return nodes.stream().mapToInt(Integer::intValue).toArray();
  }
}
