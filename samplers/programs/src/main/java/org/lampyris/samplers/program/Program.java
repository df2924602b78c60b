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
 * Dependencies are not declared. Both branches of a {@linkplain #when choice} are run, so the trace
 * has the nodes of every trace that the program can leave, with the conditions of their existence.
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
  /** Nested choices beyond this number are taken for a branch that calls itself without end. */
  private static final int MOST_BRANCHES = 64;

  private final UniformRandomProvider rng;
  private final List<Trace.Entry> entries = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private final List<Trace.Branch> branches = new ArrayList<>();
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
    if (Trace.exists(branches, entries, values)) {
      distribution.sample(Given.of(globals(), 0), rng, values, slot);
    } else {
      Arrays.fill(values, slot, values.length, Double.NaN);
    }
    return node;
  }

  /** Computes a number from globals. */
  public Node let(String name, Term formula) {
    outside(name);
    int slot = values.length;
    Node node = add(name, Node.Kind.GLOBAL_LET, slot, 1, new Way(formula));
    values = Arrays.copyOf(values, slot + 1);
    boolean exists = Trace.exists(branches, entries, values);
    values[slot] = exists ? formula.at(Given.of(globals(), 0)) : Double.NaN;
    return node;
  }

  /**
   * Chooses between two branches. What a branch draws exists only while it is chosen; otherwise its
   * value is NaN. Both are run here, so names differ between them, and a branch that calls itself
   * needs a limit of its own.
   *
   * @param condition a number outside of the rows; 0 for no
   * @throws UserException (usage) if a branch reads the other's nodes, or choices never end
   */
  public Node when(String name, Node condition, Supplier<Term> yes, Supplier<Term> no) {
    outside(name);
    if (branches.size() >= MOST_BRANCHES) {
      throw UserException.usage(
          "%s is inside of %d other choices. Both branches are run, so a branch that calls itself never ends. Limit its depth."
              .formatted(name, MOST_BRANCHES));
    }
    Term one = branch(name, condition, true, yes);
    return let(name, new Choice(condition, one, branch(name, condition, false, no)));
  }

  private Term branch(String name, Node condition, boolean yes, Supplier<Term> code) {
    branches.add(new Trace.Branch(condition.id(), yes));
    Term term = code.get();
    requireVisible(name, reads(noting -> term.at(noting)));
    branches.remove(branches.size() - 1);
    return term;
  }

  /** The value of the branch that is chosen; it depends on both. */
  private record Choice(Node condition, Term yes, Term no) implements Term {
    @Override
    public double at(Given given) {
      return given.of(condition) == 0 ? no.at(given) : yes.at(given);
    }
  }

  /** Begins a Dirichlet process of a concentration. */
  public Clusters clusters(String name, Node alpha) {
    return new Clusters(let(name, alpha), alpha);
  }

  /** Draws a value for each cluster that there will be. */
  public Node perCluster(String name, Distribution distribution) {
    outside(name);
    if (!branches.isEmpty()) {
      throw UserException.usage(
          "%s is drawn for each cluster, but is in a branch. Draw it outside of branches."
              .formatted(name));
    }
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

    void read(Given noting) {
      if (formula instanceof Choice choice) {
        choice.condition.at(noting);
        choice.yes.at(noting);
        choice.no.at(noting);
      } else if (formula != null) {
        formula.at(noting);
      }
      if (distribution != null) {
        distribution.parameters().forEach(term -> term.at(noting));
      }
    }
  }

  private Set<Integer> reads(Consumer<Given> code) {
    Set<Integer> reads = new TreeSet<>();
    code.accept(Given.noting(globals(), lets, new double[latents], reads));
    return reads;
  }

  /** A node of a branch is read only by what exists with it: otherwise it might not be there. */
  private void requireVisible(String name, Set<Integer> reads) {
    for (int id : reads) {
      Trace.Entry read = entries.get(id);
      if (!branches.containsAll(read.existsBy())) {
        throw UserException.usage(
            "%s reads %s, which exists only in a branch. Read the result of when instead."
                .formatted(name, read.node()));
      }
    }
  }

  private Node add(String name, Node.Kind kind, int slot, int dimension, Way way) {
    if (!names.add(name)) {
      throw UserException.usage("two nodes have the name %s. Rename one.".formatted(name));
    }
    Node node = new Node(entries.size(), name, kind, slot, dimension);
    Set<Integer> reads = reads(noting -> way.read(noting));
    if (!(way.formula instanceof Choice)) {
      requireVisible(name, reads);
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
            List.copyOf(branches)));
    return node;
  }

  private void requireRowAlone(String name, Trace.Data data, int dimension) {
    Set<Integer> reads = reads(noting -> data.read(noting, new double[dimension]));
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
