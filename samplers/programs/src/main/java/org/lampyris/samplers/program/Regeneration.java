package org.lampyris.samplers.program;

import java.util.Arrays;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Proposed trace ρ′ that detaches D ∪ T from ρ and regenerates D ∪ T′, outside of the rows, with
 * the part of the log acceptance ratio that follows from it.
 *
 * <p>The move draws x′_v from q(·|ρ), and each node that exists in ρ′ only from q(·|ρ′), in the
 * program's order. The reverse move draws x_v from q(·|ρ′), and each node that exists in ρ only
 * from q(·|ρ). Deterministic nodes follow from these, nodes of both traces keep their values, and
 * p(ρ) = Π_n p(x_n|Par_ρ(n)). All other factors cancel in p(ρ′)q(ρ′ → ρ)/p(ρ)q(ρ → ρ′), which is
 *
 * <pre>
 * p(x′_v)/p(x_v) · q(x_v|ρ′)/q(x′_v|ρ)
 *   · Π_{n only in ρ′} p(x′_n|Par_ρ′(n))/q(x′_n|ρ′) · Π_{n only in ρ} q(x_n|ρ)/p(x_n|Par_ρ(n))
 *   · Π_{n in both, absorbing} p(x_n|Par_ρ′(n))/p(x_n|Par_ρ(n)).</pre>
 *
 * <p>A node that is drawn from its prior has p = q, and its factor is 1. No Jacobian arises,
 * because nodes are drawn and not transformed, so the number of nodes may differ. A node of T that
 * exists in both traces is kept: which nodes these are is the same in both directions.
 *
 * <p>Source: Chen, Mansinghka and Ghahramani (2014), Algorithm 1 and equation 3.
 *
 * @param globals values outside of the rows in ρ′
 * @param logRatio logarithm of the ratio above without the factors of the rows; −∞ if x′_v is
 *     outside of its support
 */
public record Regeneration(Globals globals, double logRatio) {
  /**
   * Detaches and regenerates.
   *
   * @param before values outside of the rows in ρ, where v exists
   * @param proposal q of v
   * @param others q of nodes of T; the prior of those that are not listed
   */
  public static Regeneration of(
      Trace trace,
      Scaffold scaffold,
      Globals before,
      Density proposal,
      Map<Node, Density> others,
      UniformRandomProvider rng) {
    Node target = scaffold.target();
    double[] value = new double[target.dimension()];
    Given was = Given.of(before, 0);
    proposal.sample(was, rng, value, 0);
    Globals after = before.with(target, 0, value);
    Given now = Given.of(after, 0);
    double log = trace.logDensity(target, 0, now) - trace.logDensity(target, 0, was);
    // What follows may not be defined outside of the support.
    if (!(log > Double.NEGATIVE_INFINITY)) {
      return new Regeneration(before, Double.NEGATIVE_INFINITY);
    }
    for (Trace.Entry e : trace.entries()) {
      Node node = e.node();
      boolean existed = trace.exists(e, before);
      boolean exists = trace.exists(e, after);
      boolean changes = existed != exists;
      if (node.kind() == Node.Kind.GLOBAL_LET) {
        if (changes || (exists && scaffold.touches(node))) {
          double computed = exists ? Trace.formula(e).at(now) : Double.NaN;
          after.values()[node.slot()] = computed;
          after.changed()[node.id()] = after.time();
        }
      } else if (changes) {
        Density q = others.getOrDefault(node, e.density());
        if (exists) {
          q.sample(now, rng, after.values(), node.slot());
          log += weight(trace, node, q, now);
        } else {
          log -= weight(trace, node, q, was);
          Arrays.fill(after.values(), node.slot(), node.slot() + node.dimension(), Double.NaN);
        }
        after.changed()[node.id()] = after.time();
      } else if (exists
          && !node.kind().isInPlate()
          && !node.equals(target)
          && scaffold.touches(node)) {
        log += trace.logDensities(node, now) - trace.logDensities(node, was);
      }
    }
    double back = proposal.logDensity(now, before.value(target, 0), 0);
    return new Regeneration(after, log + back - proposal.logDensity(was, value, 0));
  }

  /** Returns log p(x_n|Par(n)) − log q(x_n), which is 0 for the prior. */
  private static double weight(Trace trace, Node node, Density q, Given at) {
    return q.equals(trace.entry(node).distribution())
        ? 0
        : trace.logDensity(node, 0, at) - q.logDensity(at, at.globals().value(node, 0), 0);
  }
}
