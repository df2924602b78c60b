package org.lampyris.samplers.program;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;

/**
 * Trace of a program's run: its computations in order, each with its parents and the conditions of
 * its existence. It holds both branches of each choice; a node that does not exist, because another
 * branch is chosen, has the value NaN. All rows are alike, so the nodes of one represent every row,
 * and the trace of N rows takes no more room than one row's.
 *
 * <p>Source: Chen, Mansinghka and Ghahramani (2014), Definition 1.
 *
 * @param entries by id
 * @param globals values drawn from the prior as the program ran
 * @param latents how many latent numbers a row has
 * @param lets how many deterministic nodes a row has
 * @param groupLength how many columns hold a group's series; 0 for rows
 */
public record Trace(List<Entry> entries, Globals globals, int latents, int lets, int groupLength)
    implements Serializable {
  private static final double[] NOTHING = {};

  /**
   * Condition of a node's existence.
   *
   * @param condition the node whose value decides, by id
   * @param yes whether a value other than 0 is needed
   */
  public record Branch(int condition, boolean yes) implements Serializable {}

  /**
   * A computation.
   *
   * @param distribution of a random node
   * @param formula of a deterministic one
   * @param data what is observed
   * @param parents ids of the nodes that it reads, E_s, ascending
   * @param existsBy the branches that it is in, the outermost first, E_e
   */
  public record Entry(
      Node node,
      @Nullable Distribution distribution,
      @Nullable Term formula,
      @Nullable Data data,
      List<Integer> parents,
      List<Branch> existsBy)
      implements Serializable {
    /** Returns whether its value follows from its parents'. */
    public boolean isDeterministic() {
      return formula != null;
    }

    /** Returns how it is drawn. */
    public Distribution drawn() {
      if (distribution == null) {
        throw new IllegalStateException(node + " is not drawn");
      }
      return distribution;
    }

    /** Returns its density, which a scaffold has made sure of. */
    public Density density() {
      return (Density) drawn();
    }
  }

  /** Observed value of a node in a row. */
  @FunctionalInterface
  public interface Data extends Serializable {
    /** Writes the value to {@code out}. Modified. */
    void read(Given given, double[] out);
  }

  /** Copies the list. */
  public Trace {
    entries = List.copyOf(entries);
  }

  /** Returns a computation. */
  public Entry entry(Node node) {
    return entries.get(node.id());
  }

  /** Returns the node with a name; {@link NoSuchElementException} if there is none. */
  public Node node(String name) {
    return entries.stream()
        .map(Entry::node)
        .filter(node -> node.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new NoSuchElementException("the program has no node named " + name));
  }

  /** Returns the nodes that read a node. */
  List<Integer> children(int id) {
    return entries.stream().filter(e -> e.parents().contains(id)).map(e -> e.node().id()).toList();
  }

  /** Returns the nodes that a distribution's parameters read. */
  public Set<Node> reads(Distribution distribution) {
    Set<Integer> reads = new TreeSet<>();
    Given noting = Given.noting(globals, lets, new double[latents], reads);
    distribution.parameters().forEach(term -> term.at(noting));
    return reads.stream().map(id -> entries.get(id).node()).collect(Collectors.toSet());
  }

  /** Returns which nodes a change of a node touches. */
  public Scaffold scaffold(Node target) {
    return Scaffold.of(this, target);
  }

  /** Returns values drawn from the prior, with a number of clusters that are empty. */
  public Globals draw(UniformRandomProvider rng, int clusters) {
    double[] values = globals.values().clone();
    Given given = Given.of(shape(values, clusters), lets);
    for (Entry e : entries) {
      Node node = e.node();
      if (!exists(e, given.globals())) {
        Arrays.fill(values, node.slot(), node.slot() + node.dimension(), Double.NaN);
      } else if (node.kind() == Node.Kind.GLOBAL) {
        e.drawn().sample(given, rng, values, node.slot());
      } else if (node.kind() == Node.Kind.GLOBAL_LET) {
        values[node.slot()] = formula(e).at(given);
      } else if (node.kind() == Node.Kind.PER_CLUSTER) {
        for (double[] one : given.globals().clusters()[node.slot()]) {
          e.drawn().sample(given, rng, one, 0);
        }
      }
    }
    return given.globals();
  }

  /** Returns whether a node exists, given values outside of the rows. */
  public boolean exists(Entry entry, Globals at) {
    return exists(entry.existsBy(), entries, at.values());
  }

  /** The outermost condition exists always, and fails first where an inner one does not exist. */
  static boolean exists(List<Branch> branches, List<Entry> entries, double[] values) {
    for (Branch branch : branches) {
      if ((values[entries.get(branch.condition).node().slot()] != 0) != branch.yes) {
        return false;
      }
    }
    return true;
  }

  private Globals shape(double[] values, int count) {
    double[][][] clusters = new double[globals.clusters().length][count][];
    for (Entry e : entries) {
      if (e.node().kind() == Node.Kind.PER_CLUSTER) {
        Arrays.setAll(clusters[e.node().slot()], k -> new double[e.node().dimension()]);
      }
    }
    int[] places = IntStream.range(0, count).toArray();
    return new Globals(
        values, clusters, new double[count][0], places, new int[entries.size()], 0, 0);
  }

  /**
   * Returns the globals with another value of a node, and all that follows from it outside. The
   * value must not change which nodes exist; {@link Regeneration} does.
   */
  public Globals with(Globals before, Node node, int cluster, double[] value) {
    Globals after = before.with(node, cluster, value);
    Given given = Given.of(after, 0);
    boolean[] changed = new boolean[entries.size()];
    changed[node.id()] = true;
    for (Entry e : entries) {
      if (e.node().kind() == Node.Kind.GLOBAL_LET
          && exists(e, after)
          && e.parents().stream().anyMatch(id -> changed[id])) {
        changed[e.node().id()] = true;
        after.values()[e.node().slot()] = formula(e).at(given);
        after.changed()[e.node().id()] = after.time();
      }
    }
    return after;
  }

  /**
   * Returns the time at which each deterministic node of a row became stale, by slot: the last
   * change of its parents. A value computed at that time or later is up to date.
   */
  public int[] stale(Globals at) {
    int[] times = new int[entries.size()];
    int[] stale = new int[lets];
    for (Entry e : entries) {
      Node node = e.node();
      int time =
          switch (node.kind()) {
            case GLOBAL, GLOBAL_LET, PER_CLUSTER -> at.changed()[node.id()];
            case LATENT -> at.latentsChanged();
            case LET, OBSERVED -> 0;
          };
      for (int parent : e.parents()) {
        time = node.kind() == Node.Kind.LET ? Math.max(time, times[parent]) : time;
      }
      times[node.id()] = time;
      if (node.kind() == Node.Kind.LET) {
        stale[node.slot()] = time;
      }
    }
    return stale;
  }

  /** Returns the deterministic nodes of a row that some nodes follow from, in their order. */
  public int[] needed(List<Integer> nodes) {
    boolean[] wanted = new boolean[entries.size()];
    nodes.forEach(id -> wanted[id] = true);
    List<Integer> found = new ArrayList<>();
    for (int id = entries.size() - 1; id >= 0; id--) {
      boolean let = entries.get(id).node().kind() == Node.Kind.LET;
      if (wanted[id]) {
        if (let) {
          found.add(id);
        }
        if (let || nodes.contains(id)) {
          entries.get(id).parents().forEach(parent -> wanted[parent] = true);
        }
      }
    }
    Collections.reverse(found);
    return found.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Returns a deterministic node's value. */
  public double compute(int id, Given given) {
    return formula(entries.get(id)).at(given);
  }

  /** Returns the densities of a row's nodes. */
  public Densities densities() {
    return new Densities(entries);
  }

  /**
   * Densities of a row's nodes, by id: observed values are read once a row, for any number of
   * evaluations. Not safe for use by several threads.
   */
  public static final class Densities {
    private final List<Entry> entries;

    /** Observed values, by id; null for other nodes. */
    private final double[][] values;

    private Densities(List<Entry> entries) {
      this.entries = entries;
      this.values = new double[entries.size()][];
      for (Entry e : entries) {
        values[e.node().id()] = e.data() == null ? NOTHING : new double[e.node().dimension()];
      }
    }

    /** Turns to a row. */
    public void see(Given row) {
      for (int id = 0; id < values.length; id++) {
        Data data = entries.get(id).data();
        if (data != null) {
          data.read(row, values[id]);
        }
      }
    }

    /** Returns the observed value of a node in the row; not a copy. */
    public double[] observed(int id) {
      return values[id];
    }

    /** Returns the log density of a node of the row, for any values of its parents. */
    public double log(int id, Given given) {
      Entry e = entries.get(id);
      return e.data() == null
          ? e.density().logDensity(given, given.latents(), given.offset() + e.node().slot())
          : e.density().logDensity(given, values[id], 0);
    }
  }

  /** Writes the observed value of a node in a row. Modified. */
  public void observation(int id, Given given, double[] out) {
    Data data = entries.get(id).data();
    if (data == null) {
      throw new IllegalStateException(entries.get(id).node() + " is not observed");
    }
    data.read(given, out);
  }

  /** Returns the logarithm of the density of a node outside of the rows. */
  public double logDensity(Node node, int cluster, Given given) {
    return entry(node).density().logDensity(given, given.globals().value(node, cluster), 0);
  }

  /** Returns the same, summed over clusters if the node has a value for each. */
  double logDensities(Node node, Given given) {
    int clusters = node.kind() == Node.Kind.PER_CLUSTER ? given.globals().clusterCount() : 1;
    double log = 0;
    for (int k = 0; k < clusters; k++) {
      log += logDensity(node, k, given);
    }
    return log;
  }

  static Term formula(Entry entry) {
    Term formula = entry.formula();
    if (formula == null) {
      throw new IllegalStateException(entry.node() + " is not computed from other nodes");
    }
    return formula;
  }
}
