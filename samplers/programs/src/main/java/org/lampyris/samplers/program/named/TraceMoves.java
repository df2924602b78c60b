package org.lampyris.samplers.program.named;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.minibatch.StudentDecision;
import org.lampyris.samplers.program.Distribution;
import org.lampyris.samplers.program.Distributions;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Scaffold;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.moves.Move;
import org.lampyris.samplers.program.moves.ProgramRows;
import org.lampyris.samplers.program.moves.ProgramState;
import org.lampyris.samplers.program.moves.ScaffoldMh;
import org.lampyris.samplers.program.moves.SubsampledMh;
import org.lampyris.samplers.program.series.ParticleGibbs;

/**
 * Moves of an iteration, one after the other. A class may give its own; otherwise they follow from
 * the trace:
 *
 * <ul>
 *   <li>the rows' latent nodes by {@link ParticleGibbs};
 *   <li>each node that is drawn once by {@link SubsampledMh} if its scaffold has one border;
 *   <li>the others by {@link ScaffoldMh}: 0 and 1 are flipped, a sign is drawn from its prior, and
 *       everything else drifts.
 * </ul>
 *
 * <p>Drifts adapt in the warm-up, each by itself, to accept 0.44 of the proposals of a number and
 * 0.234 of a vector's (Robbins and Monro 1951; Roberts, Gelman and Gilks 1997).
 */
record TraceMoves(Trace trace, List<Step> steps) {
  private static final double OF_NUMBER = 0.44;
  private static final double OF_VECTOR = 0.234;

  /** Exponent of the shrinking gains, above a half for convergence and small to forget soon. */
  private static final double GAIN = 0.6;

  /** A move; of a node that drifts, or of none. */
  record Step(@Nullable Node node, Making making) {}

  /** Factory of a move. */
  @FunctionalInterface
  interface Making {
    /**
     * Returns the move.
     *
     * @param epsilon the error of a test
     */
    Move of(double drift, double epsilon);
  }

  /**
   * Derives the moves of a program.
   *
   * @throws UserException (usage) with the node that no move fits
   */
  static TraceMoves of(ProgramModel program, ProgramRows rows, ProgramAlgorithm.Settings settings) {
    Trace trace = rows.trace();
    List<Step> steps = new ArrayList<>();
    program.move(rows, settings).ifPresent(own -> steps.add(new Step(null, (x, e) -> own)));
    if (!steps.isEmpty()) {
      return new TraceMoves(trace, steps);
    }
    if (trace.latents() > 0) {
      requireNoClusters(program, trace);
      Move latents = new ParticleGibbs(trace, settings.particles());
      steps.add(new Step(null, (drift, epsilon) -> latents));
    }
    for (Trace.Entry entry : trace.entries()) {
      if (entry.node().kind() == Node.Kind.GLOBAL) {
        steps.add(step(program, trace, entry, settings));
      }
    }
    return new TraceMoves(trace, steps);
  }

  private static void requireNoClusters(ProgramModel program, Trace trace) {
    for (Trace.Entry entry : trace.entries()) {
      if (entry.node().kind() == Node.Kind.PER_CLUSTER) {
        throw UserException.usage(
            "%s has a value for each cluster, for which no moves follow from the trace. Override move in %s, for instance with DirichletMixture."
                .formatted(entry.node(), program.name()));
      }
    }
  }

  private static Step step(
      ProgramModel program, Trace trace, Trace.Entry entry, ProgramAlgorithm.Settings settings) {
    Node node = entry.node();
    Scaffold scaffold = trace.scaffold(node);
    Distribution drawn = entry.drawn();
    boolean discrete = Distributions.isCoin(drawn) || Distributions.isSign(drawn);
    if (!discrete && scaffold.refusal() == null) {
      return new Step(
          node,
          (drift, epsilon) ->
              new SubsampledMh(
                  scaffold,
                  drift,
                  new StudentDecision(epsilon > 0 ? settings.batch() : 1, epsilon),
                  SubsampledMh.Refresh.LAZY,
                  null));
    }
    String why = scaffold.unmovable(trace);
    if (why != null) {
      throw UserException.usage(
          "no move of %s follows from the trace, because %s. Override move in %s."
              .formatted(node, why, program.name()));
    }
    if (discrete) {
      Move move =
          Distributions.isCoin(drawn)
              ? ScaffoldMh.flip(trace, node)
              : ScaffoldMh.prior(trace, node);
      return new Step(null, (drift, epsilon) -> move);
    }
    return new Step(node, (drift, epsilon) -> ScaffoldMh.of(trace, node, new Drift(node, drift)));
  }

  /** Returns the drifts to begin with. */
  double[] drifts(double first) {
    return DoubleStream.generate(() -> first).limit(steps.size()).toArray();
  }

  /**
   * Makes all moves.
   *
   * @param drifts of the moves. Modified in the warm-up.
   * @param warmup the iteration of the warm-up, from 1; 0 after it
   */
  ProgramState apply(
      ProgramState from, ProgramRows rows, double[] drifts, double epsilon, long warmup) {
    ProgramState state = from;
    for (int k = 0; k < drifts.length; k++) {
      Step step = steps.get(k);
      ProgramState next = step.making.of(drifts[k], epsilon).apply(state, rows);
      Node node = step.node;
      if (warmup > 0 && node != null && trace.exists(trace.entry(node), state.globals())) {
        boolean accepted = next.counts().accepted() > state.counts().accepted();
        double target = node.dimension() == 1 ? OF_NUMBER : OF_VECTOR;
        drifts[k] *= Math.exp(((accepted ? 1 : 0) - target) * Math.pow((double) warmup, -GAIN));
      }
      state = next;
    }
    return state;
  }
}
