package org.lampyris.samplers.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.random.Streams;

/**
 * Probabilistic program that runs as it is written: each call is a computation of the model, is
 * executed once, and leaves its node in the {@linkplain #trace trace} with the nodes that it read.
 * Dependencies are not declared.
 *
 * <pre>{@code
 * Program program = new Program();
 * Node w = program.global("w", normal(2, 0, 1));
 * program.perRow(row -> {
 *   Node eta = row.let("eta", v -> v.dot(w));
 *   row.observe("y", bernoulli(eta), v -> v.response());
 * });
 * }</pre>
 *
 * <p>Source: Chen, Mansinghka and Ghahramani (2014), section 2, after Mansinghka, Selsam and Perov
 * (2014). Not safe for use by several threads.
 */
public final class Program {
  private final UniformRandomProvider rng;
  private final List<Trace.Entry> entries = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private final List<Integer> conditions = new ArrayList<>();
  private double[] values = {};
  private int families;
  private int latents;
  private int lets;
  private boolean inPlate;
  private boolean ended;
  private int groupLength;

  /** Begins a program whose choices are decided by draws of this seed. */
  public Program(long seed) {
    this.rng = new Streams(seed).stream(Streams.Purpose.INITIAL, 0, 0, 0);
  }

  /** Begins a program. */
  public Program() {
    this(1);
  }

  /** Draws a value once. */
  public Node global(String name, Distribution distribution) {
    outside(name);
    int slot = values.length;
    Node node = add(name, Node.Kind.GLOBAL, slot, distribution.dimension(), new Way(distribution));
    values = Arrays.copyOf(values, slot + node.dimension());
    distribution.sample(Given.of(globals(), 0), rng, values, slot);
    return node;
  }

  /** Computes a number from globals. */
  public Node let(String name, Term formula) {
    outside(name);
    int slot = values.length;
    Node node = add(name, Node.Kind.GLOBAL_LET, slot, 1, new Way(formula));
    values = Arrays.copyOf(values, slot + 1);
    values[slot] = formula.at(Given.of(globals(), 0));
    return node;
  }

  /**
   * Chooses between two branches: only the chosen one is executed, and its draws exist because of
   * the condition.
   *
   * @param condition a global; 0 for no
   */
  public Node when(String name, Node condition, Supplier<Term> yes, Supplier<Term> no) {
    outside(name);
    conditions.add(condition.id());
    Term chosen = (Given.of(globals(), 0).of(condition) == 0 ? no : yes).get();
    conditions.remove(conditions.size() - 1);
    return let(
        name,
        v -> {
          v.of(condition);
          return chosen.at(v);
        });
  }

  /** Begins a Dirichlet process of a concentration. */
  public Clusters clusters(String name, Node alpha) {
    return new Clusters(let(name, alpha), alpha);
  }

  /** Draws a value for each cluster that there will be. */
  public Node perCluster(String name, Distribution distribution) {
    outside(name);
    return add(
        name, Node.Kind.PER_CLUSTER, families++, distribution.dimension(), new Way(distribution));
  }

  /** Runs the same code for every row of the table. */
  public void perRow(Consumer<Plate> body) {
    plate(0, body);
  }

  /**
   * Runs the same code for every group: a row whose columns hold the group's observations in order.
   * Names are numbered as they come again.
   *
   * @param length how many columns there are
   */
  public void perGroup(int length, Consumer<Plate> body) {
    if (length < 1) {
      throw UserException.usage(
          "a group of %d observations is too small. Give it at least one.".formatted(length));
    }
    plate(length, body);
  }

  private void plate(int length, Consumer<Plate> body) {
    outside(length == 0 ? "perRow" : "perGroup");
    if (ended) {
      throw UserException.usage("a program has one perRow or perGroup. Merge the two.");
    }
    inPlate = true;
    groupLength = length;
    body.accept(new Row(length > 0));
    inPlate = false;
    ended = true;
  }

  /** Returns the trace of the program's run. */
  public Trace trace() {
    if (!ended || inPlate) {
      throw UserException.usage("the program does not read rows. Write perRow or perGroup.");
    }
    return new Trace(entries, globals(), latents, lets, groupLength);
  }

  private void outside(String what) {
    if (inPlate) {
      throw UserException.usage(
          "%s is called for each row. Move it out of the rows.".formatted(what));
    }
    if (ended) {
      throw UserException.usage(
          "%s comes after the rows, so rows cannot read it. Move it before them.".formatted(what));
    }
  }

  private Globals globals() {
    double[][][] clusters = new double[families][1][];
    for (Trace.Entry e : entries) {
      if (e.node().kind() == Node.Kind.PER_CLUSTER) {
        clusters[e.node().slot()][0] = new double[e.node().dimension()];
      }
    }
    return new Globals(values, clusters, new double[1][0], new int[1], new int[0], 0, 0);
  }

  /** Origin of a node's value: drawn, computed, or drawn and observed. */
  private record Way(
      @Nullable Distribution distribution, @Nullable Term formula, Trace.@Nullable Data data) {
    Way(Distribution distribution) {
      this(distribution, null, null);
    }

    Way(Term formula) {
      this(null, formula, null);
    }
  }

  private Node add(String name, Node.Kind kind, int slot, int dimension, Way way) {
    if (!names.add(name)) {
      throw UserException.usage("two nodes have the name %s. Rename one.".formatted(name));
    }
    Node node = new Node(entries.size(), name, kind, slot, dimension);
    Set<Integer> reads = new TreeSet<>();
    Given noting = Given.noting(globals(), lets, new double[latents], reads);
    if (way.formula != null) {
      way.formula.at(noting);
    }
    if (way.distribution != null) {
      way.distribution.parameters().forEach(term -> term.at(noting));
    }
    if (way.data != null) {
      requireRowAlone(name, way.data, dimension);
    }
    entries.add(
        new Trace.Entry(
            node,
            way.distribution,
            way.formula,
            way.data,
            List.copyOf(reads),
            List.copyOf(conditions)));
    return node;
  }

  private void requireRowAlone(String name, Trace.Data data, int dimension) {
    Set<Integer> reads = new TreeSet<>();
    data.read(Given.noting(globals(), lets, new double[latents], reads), new double[dimension]);
    if (!reads.isEmpty()) {
      throw UserException.usage(
          "the observed value of %s reads %s. Compute it from the row's columns alone."
              .formatted(name, entries.get(reads.iterator().next()).node()));
    }
  }

  /** The row that represents all rows. */
  private final class Row implements Plate {
    private final boolean numbered;
    private final Map<String, Integer> numbers = new HashMap<>();

    Row(boolean numbered) {
      this.numbered = numbered;
    }

    @Override
    public Node latent(String name, Distribution distribution) {
      if (distribution.dimension() != 1) {
        throw UserException.usage("%s is a vector. Draw its elements one by one.".formatted(name));
      }
      return add(numbered(name), Node.Kind.LATENT, latents++, 1, new Way(distribution));
    }

    @Override
    public Node let(String name, Term formula) {
      return add(numbered(name), Node.Kind.LET, lets++, 1, new Way(formula));
    }

    @Override
    public Node observe(String name, Density density, Term data) {
      return observe(name, density, 1, (v, out) -> out[0] = data.at(v));
    }

    @Override
    public Node observe(String name, Density density, int from, int to) {
      return observe(
          name,
          density,
          to - from,
          (v, out) -> {
            for (int j = from; j < to; j++) {
              out[j - from] = v.feature(j);
            }
          });
    }

    private Node observe(String name, Density density, int columns, Trace.Data data) {
      if (density.dimension() != columns) {
        throw UserException.usage(
            "%s has %d elements and its distribution %d. Give both the same number."
                .formatted(name, columns, density.dimension()));
      }
      return add(numbered(name), Node.Kind.OBSERVED, 0, columns, new Way(density, null, data));
    }

    private String numbered(String name) {
      if (!inPlate) {
        throw new IllegalStateException(name + " is declared outside its perRow or perGroup");
      }
      return numbered ? name + "[" + numbers.merge(name, 1, Integer::sum) + "]" : name;
    }
  }
}
