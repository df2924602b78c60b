package org.lampyris.samplers.program;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;

/**
 * Scaffold of a target: the nodes whose conditional distribution a change of the target affects,
 * derived from a trace. It has the target set D, computed from the target alone; the transient set
 * T, which exists because of D; and the absorbing set A, the random children of both. If the rows'
 * dependencies all hang on one node of D outside the rows, the border b, the scaffold splits into a
 * global section and a local one for each child of b:
 *
 * <pre>log P_a = Σ_{n ∈ global} log w_n + Σ_i l_i, l_i = Σ_{n ∈ local_i} log w_n.</pre>
 *
 * <p>The paper's border is the first descendant of the target with several branches. A child of the
 * target outside the rows is one node for any number of rows, so it belongs to the global section
 * here. The border is the one node of D outside the rows with children in them. Children of the
 * border in the same row whose sections share a node are one section: the sections are to be
 * disjoint.
 *
 * <p>Source: Chen, Mansinghka and Ghahramani (2014), Definitions 2 to 8.
 *
 * @param target v
 * @param deterministic D, v included
 * @param unstable T, in either branch of a choice
 * @param absorbing A
 * @param borders nodes of D outside of the rows with children in them
 * @param label what names a row's cluster; null unless v is one a cluster
 * @param local what one row has of it
 * @param refusal why v cannot be moved by subsampling, and how that is mended; null if it can
 */
public record Scaffold(
    Node target,
    List<Node> deterministic,
    List<Node> unstable,
    List<Node> absorbing,
    List<Node> borders,
    @Nullable Node label,
    Local local,
    @Nullable String refusal)
    implements Serializable {

  /**
   * Local part of a scaffold in one row.
   *
   * @param sections the local sections
   * @param whole all of them as one
   */
  public record Local(List<LocalSection> sections, LocalSection whole) implements Serializable {}

  /** Returns the local sections of one row. */
  public List<LocalSection> sections() {
    return local.sections;
  }

  static Scaffold of(Trace trace, Node target) {
    int n = trace.entries().size();
    boolean[] d = new boolean[n];
    boolean[] t = new boolean[n];
    boolean[] a = new boolean[n];
    d[target.id()] = true;
    for (Trace.Entry e : trace.entries()) {
      int id = e.node().id();
      boolean exists =
          e.existsBy().stream().noneMatch(by -> d[by.condition()] || t[by.condition()]);
      boolean reads = e.parents().stream().anyMatch(p -> d[p] || t[p]);
      if (id != target.id()) {
        t[id] = !exists;
        d[id] = exists && reads && e.isDeterministic();
        a[id] = exists && reads && !e.isDeterministic();
      }
    }
    addClusters(trace, target, d, t);
    List<Node> borders =
        nodes(
            trace,
            id ->
                d[id]
                    && !node(trace, id).kind().isInPlate()
                    && trace.children(id).stream()
                        .anyMatch(c -> (d[c] || a[c]) && node(trace, c).kind().isInPlate()));
    List<LocalSection> sections = sections(trace, d, a);
    List<Integer> all =
        sections.stream().flatMap(s -> s.nodes().stream()).map(Node::id).sorted().toList();
    Local local = new Local(sections, section(trace, all, d));
    Scaffold bare =
        new Scaffold(
            target,
            nodes(trace, id -> d[id]),
            nodes(trace, id -> t[id]),
            nodes(trace, id -> a[id]),
            borders,
            target.kind() == Node.Kind.PER_CLUSTER ? label(trace, target) : null,
            local,
            null);
    return new Scaffold(
        target,
        bare.deterministic,
        bare.unstable,
        bare.absorbing,
        borders,
        bare.label,
        local,
        bare.prevented(trace));
  }

  /** A label determines which clusters exist, so their values exist because of it. */
  private static void addClusters(Trace trace, Node target, boolean[] d, boolean[] t) {
    if (target.kind() == Node.Kind.LATENT
        && trace.entry(target).drawn() instanceof Clusters.Label) {
      for (Trace.Entry e : trace.entries()) {
        if (e.node().kind() == Node.Kind.PER_CLUSTER) {
          t[e.node().id()] = !d[e.node().id()];
        }
      }
    }
  }

  private static Node label(Trace trace, Node family) {
    return trace.entries().stream()
        .filter(e -> e.parents().contains(family.id()))
        .flatMap(e -> e.parents().stream().map(id -> trace.entries().get(id)))
        .filter(e -> e.distribution() instanceof Clusters.Label)
        .map(Trace.Entry::node)
        .findFirst()
        .orElseThrow(
            () ->
                UserException.usage(
                    "no row reads %s. Read it in perRow, or remove it.".formatted(family)));
  }

  /** One pass: a node joins the sections of its parents, and merges them. */
  private static List<LocalSection> sections(Trace trace, boolean[] d, boolean[] a) {
    Map<Integer, List<Integer>> sections = new TreeMap<>();
    int[] of = new int[d.length];
    for (Trace.Entry e : trace.entries()) {
      int id = e.node().id();
      if (e.node().kind().isInPlate() && (d[id] || a[id])) {
        List<Integer> joined = new ArrayList<>();
        for (int parent : e.parents()) {
          if (d[parent] && node(trace, parent).kind().isInPlate()) {
            List<Integer> other = sections.remove(of[parent]);
            joined.addAll(other == null ? List.of() : other);
          }
        }
        joined.add(id);
        joined.sort(null);
        joined.forEach(member -> of[member] = joined.get(0));
        sections.put(joined.get(0), joined);
      }
    }
    return sections.values().stream().map(g -> section(trace, g, d)).toList();
  }

  private static LocalSection section(Trace trace, List<Integer> group, boolean[] d) {
    int[] absorbing = group.stream().filter(id -> !d[id]).mapToInt(i -> i).toArray();
    int[] needed = trace.needed(group.stream().filter(id -> !d[id]).toList());
    boolean[] changes = new boolean[needed.length];
    for (int i = 0; i < needed.length; i++) {
      changes[i] = d[needed[i]];
    }
    return new LocalSection(
        group.stream().map(id -> node(trace, id)).toList(), needed, changes, absorbing);
  }

  private @Nullable String prevented(Trace trace) {
    if (target.kind().isInPlate()) {
      return "%s is drawn in every row, so its scaffold has no border: the number of its nodes, %d, does not grow with the rows"
          .formatted(target, deterministic.size() + unstable.size() + absorbing.size());
    }
    if (target.kind().isDeterministic()) {
      return "%s is computed, not drawn".formatted(target);
    }
    if (!unstable.isEmpty()) {
      return "%s exists because of %s, so a move would change which nodes exist (ScaffoldMh does that)"
          .formatted(unstable.get(0), target);
    }
    if (borders.isEmpty()) {
      return "no row depends on %s, so its scaffold has no border (ScaffoldMh needs none)"
          .formatted(target);
    }
    if (borders.size() > 1) {
      return "rows depend on %s through %s, which is more than one border (ScaffoldMh needs none)"
          .formatted(target, borders.stream().map(Node::name).collect(Collectors.joining(" and ")));
    }
    return withoutDensity(trace, absorbing);
  }

  private @Nullable String withoutDensity(Trace trace, List<Node> nodes) {
    List<Node> dense = new ArrayList<>(nodes);
    dense.add(0, target);
    for (Node node : dense) {
      if (!(trace.entry(node).distribution() instanceof Density)) {
        return trace.entry(node).distribution() instanceof Clusters.Label label
            ? "%s is coupled across the rows by %s".formatted(node, label.process())
            : "the density of %s is not available".formatted(node);
      }
    }
    return null;
  }

  /**
   * Returns the node that separates the global section from local ones.
   *
   * @throws UserException (usage) with the node that prevents it, if a subsample of the local
   *     sections could not decide on a move
   */
  public Node border() {
    if (refusal != null) {
      throw refused(refusal);
    }
    return borders.get(0);
  }

  /**
   * Returns why Metropolis–Hastings that evaluates the whole scaffold cannot move v; null if it
   * can.
   */
  public @Nullable String unmovable(Trace trace) {
    if (target.kind() == Node.Kind.GLOBAL) {
      List<Node> dense = new ArrayList<>(unstable);
      dense.removeIf(node -> node.kind() != Node.Kind.GLOBAL);
      dense.addAll(absorbing);
      return withoutDensity(trace, dense);
    }
    return "%s is not drawn once for all rows".formatted(target);
  }

  /** Returns the error that v cannot be moved by subsampling, with the reason. */
  public UserException refused(String why) {
    return UserException.usage(
        "%s cannot be moved by subsampling, because %s. Choose another kind of move."
            .formatted(target, why));
  }

  /** Returns whether a node's value or density may change with the target. */
  boolean touches(Node node) {
    return deterministic.contains(node) || unstable.contains(node) || absorbing.contains(node);
  }

  /** Returns the nodes of the global section. */
  public List<Node> global() {
    return scaffold(node -> !node.kind().isInPlate());
  }

  /** Returns the absorbing nodes of the global section. */
  List<Node> globalAbsorbing() {
    return absorbing.stream().filter(node -> !node.kind().isInPlate()).toList();
  }

  /** Returns Σ_{n ∈ global} log w_n of a symmetric proposal. */
  public double logGlobal(Trace trace, Globals now, Globals then, int cluster) {
    Given at = Given.of(now, 0);
    Given proposed = Given.of(then, 0);
    double log =
        trace.logDensity(target, cluster, proposed) - trace.logDensity(target, cluster, at);
    for (Node node : globalAbsorbing()) {
      if (trace.exists(trace.entry(node), now)) {
        log += trace.logDensities(node, proposed) - trace.logDensities(node, at);
      }
    }
    return log;
  }

  private List<Node> scaffold(Predicate<Node> which) {
    List<Node> all = new ArrayList<>(deterministic);
    all.addAll(unstable);
    all.addAll(absorbing);
    return all.stream().filter(which).sorted((x, y) -> x.id() - y.id()).toList();
  }

  /** Draws it: global nodes, then a row's local sections. */
  public String drawing(Trace trace) {
    StringBuilder text = new StringBuilder(Text.of("scaffold of %s\n  global\n", target));
    for (Node node : global()) {
      text.append("    ").append(line(trace, node)).append('\n');
    }
    int number = 1;
    for (LocalSection section : local.sections) {
      text.append(
          Text.of(
              "  local %d of %d in every %s%s\n",
              number++,
              local.sections.size(),
              trace.groupLength() > 0 ? "group" : "row",
              label == null ? "" : " of the cluster, by " + label));
      for (Node node : section.nodes()) {
        text.append("    ").append(line(trace, node)).append('\n');
      }
    }
    if (refusal != null) {
      text.append("  no subsampling: ").append(refusal).append('\n');
    }
    return text.toString();
  }

  private String line(Trace trace, Node node) {
    List<String> words = new ArrayList<>();
    if (node.equals(target)) {
      words.add("target");
    }
    if (borders.contains(node)) {
      words.add("border");
    }
    words.add(
        unstable.contains(node)
            ? "transient"
            : deterministic.contains(node)
                ? node.kind().words()
                : "absorbing, " + node.kind().words());
    for (Trace.Branch branch : trace.entry(node).existsBy()) {
      words.add((branch.yes() ? "if " : "if not ") + node(trace, branch.condition()));
    }
    String from =
        trace.entry(node).parents().stream()
            .map(id -> node(trace, id).name())
            .collect(Collectors.joining(", "));
    return node.name()
        + (from.isEmpty() || node.equals(target) ? "" : " <- " + from)
        + "  ("
        + String.join(", ", words)
        + ")";
  }

  private static Node node(Trace trace, int id) {
    return trace.entries().get(id).node();
  }

  private static List<Node> nodes(Trace trace, Predicate<Integer> which) {
    return trace.entries().stream()
        .map(Trace.Entry::node)
        .filter(node -> which.test(node.id()))
        .toList();
  }
}
