package org.lampyris.samplers.program.moves;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.program.Density;
import org.lampyris.samplers.program.Distributions;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.LocalSection;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Regeneration;
import org.lampyris.samplers.program.Scaffold;
import org.lampyris.samplers.program.Trace;

/**
 * Exact Metropolis–Hastings of one node outside of the rows on its whole scaffold. The proposal may
 * change which nodes exist: nodes of the branch that is left are detached, and nodes of the other
 * branch are drawn, by default from their priors. {@link Regeneration} derives the ratio of the
 * global part; the rows add
 *
 * <pre>Σ_i Σ_{n ∈ local_i ∩ A} log p(x_n|Par_ρ′(n)) − log p(x_n|Par_ρ(n)).</pre>
 *
 * <p>The scaffold needs no border: rows may depend on the node through several nodes, or not at
 * all. A step evaluates the sections of all rows, in one job. While the node itself does not exist,
 * the chain stays where it is.
 *
 * <p>A proposal is a density whose parameters read the program's values. q(·|ρ) of the node is
 * evaluated where it comes from, so {@code normal(v -> v.of(x), v -> 0.1)} is a drift. A proposal
 * of a transient node reads values of the proposed trace that come before it in the program.
 *
 * <p>Source: Chen, Mansinghka and Ghahramani (2014), Algorithm 1.
 *
 * @param proposal q of the target
 * @param others q of transient nodes; the prior of those that are not listed
 */
public record ScaffoldMh(
    Trace trace, Scaffold scaffold, Density proposal, Map<Node, Density> others) implements Move {
  /**
   * Refuses a target that the whole scaffold could not decide on, and proposals that read what may
   * not exist.
   *
   * @throws UserException (usage) with the node that prevents it
   */
  public ScaffoldMh {
    others = Map.copyOf(others);
    String why = scaffold.unmovable(trace);
    if (why != null) {
      throw UserException.usage(
          "%s cannot be moved on its scaffold, because %s. Choose another kind of move."
              .formatted(scaffold.target(), why));
    }
    Node target = scaffold.target();
    require(trace, target, proposal, scaffold.unstable(), Integer.MAX_VALUE);
    for (Map.Entry<Node, Density> other : others.entrySet()) {
      if (!scaffold.unstable().contains(other.getKey())) {
        throw UserException.usage(
            "%s does not exist because of %s, so the move does not propose it. Remove its proposal."
                .formatted(other.getKey(), target));
      }
      require(trace, other.getKey(), other.getValue(), List.of(), other.getKey().id());
    }
  }

  private static void require(Trace trace, Node node, Density q, List<Node> without, int before) {
    if (q.dimension() != node.dimension()) {
      throw UserException.usage(
          "%s has %d elements and its proposal %d. Give both the same number."
              .formatted(node, node.dimension(), q.dimension()));
    }
    Set<Node> reads = trace.reads(q);
    for (Node read : reads) {
      boolean there =
          trace.entry(node).existsBy().containsAll(trace.entry(read).existsBy())
              && !without.contains(read);
      if (read.kind().isInPlate() || read.id() >= before || !there) {
        throw UserException.usage(
            "the proposal of %s reads %s, which may not exist yet. Read other nodes."
                .formatted(node, read));
      }
    }
  }

  /** Returns the step whose proposal of the target is a density. */
  public static ScaffoldMh of(Trace trace, Node target, Density proposal) {
    return new ScaffoldMh(trace, trace.scaffold(target), proposal, Map.of());
  }

  /** Returns the step that draws the target from its prior. */
  public static ScaffoldMh prior(Trace trace, Node target) {
    return of(trace, target, trace.entry(target).density());
  }

  /** Returns the step that turns a 0 into a 1, and back. */
  public static ScaffoldMh flip(Trace trace, Node coin) {
    return of(trace, coin, Distributions.coin(v -> 1 - v.of(coin)));
  }

  /** Returns the same step with another proposal of a transient node than its prior. */
  public ScaffoldMh with(Node node, Density q) {
    Map<Node, Density> all = new HashMap<>(others);
    all.put(node, q);
    return new ScaffoldMh(trace, scaffold, proposal, all);
  }

  @Override
  public ProgramState apply(ProgramState from, ProgramRows rows) {
    Globals now = from.globals();
    UniformRandomProvider rng = rows.streams().iteration(from.chain(), from.step() + 1);
    if (!trace.exists(trace.entry(scaffold.target()), now)) {
      return from.afterTest(now, false, 0);
    }
    Regeneration proposed = Regeneration.of(trace, scaffold, now, proposal, others, rng);
    double u = rng.nextDouble();
    double log = proposed.logRatio();
    ProgramState state = from;
    long sections = 0;
    LocalSection whole = scaffold.local().whole();
    if (log > Double.NEGATIVE_INFINITY && !whole.nodes().isEmpty()) {
      ProgramRows.Answer answer =
          rows.ask(
              from,
              new SectionSums(
                  List.of(Selected.all(1)),
                  List.of(whole),
                  null,
                  null,
                  now,
                  proposed.globals(),
                  trace.stale(now)));
      state = answer.state();
      log += answer.sums()[1];
      sections = rows.size().rows() * scaffold.sections().size();
    }
    boolean accepted = Math.log(u) < log;
    return state.afterTest(accepted ? proposed.globals() : now, accepted, sections);
  }
}
