package org.lampyris.samplers.program.moves;

import java.io.Serializable;
import java.util.List;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.program.Dot;
import org.lampyris.samplers.program.Given;
import org.lampyris.samplers.program.LocalSection;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.PredictorDensity;
import org.lampyris.samplers.program.Scaffold;
import org.lampyris.samplers.program.Term;
import org.lampyris.samplers.program.Trace;

/**
 * Scaffold whose one local section in every row is an observed value that depends on the target v
 * through x_nᵀv alone, with a density of bounded derivatives: ℓ_n(v) = log L(x_nᵀv; y_n).
 *
 * @param observed y
 */
record LinearSection(Scaffold scaffold, Node observed, PredictorDensity density)
    implements Serializable {
  /**
   * Derives it from a trace.
   *
   * @throws UserException (usage) with the node that prevents it
   */
  static LinearSection of(Trace trace, Node target) {
    Scaffold scaffold = trace.scaffold(target);
    Node border = scaffold.border();
    if (target.kind() != Node.Kind.GLOBAL) {
      throw scaffold.refused(
          "bounds need the same rows at each step, but the rows of a cluster change with %s"
              .formatted(scaffold.label()));
    }
    if (!border.equals(target)) {
      throw scaffold.refused(
          "rows read %s and not %s itself, so no predictor is linear in it"
              .formatted(border, target));
    }
    List<LocalSection> sections = scaffold.sections();
    if (sections.size() > 1 || sections.get(0).absorbing().length > 1) {
      throw scaffold.refused(
          "%s depends on it as well as %s, but bounds apply to one density a row"
              .formatted(last(trace, sections), first(trace, sections)));
    }
    Node observed = first(trace, sections);
    if (observed.kind() != Node.Kind.OBSERVED) {
      throw scaffold.refused(
          "%s is drawn in every row, so its bounds would change with each draw"
              .formatted(observed));
    }
    if (!(trace.entry(observed).drawn() instanceof PredictorDensity density)) {
      throw scaffold.refused(
          "the derivatives of %s's density have no known bound".formatted(observed));
    }
    Term predictor = density.predictor();
    if (predictor instanceof Node node) {
      predictor = trace.entry(node).formula();
    }
    if (!(predictor instanceof Dot dot) || !dot.vector().equals(target)) {
      throw scaffold.refused(
          "%s is computed by code of unknown form; if it is linear, write %s.dot()"
              .formatted(
                  density.predictor() instanceof Node node
                      ? node
                      : "a parent of %s".formatted(observed),
                  target));
    }
    return new LinearSection(scaffold, observed, density);
  }

  private static Node first(Trace trace, List<LocalSection> sections) {
    return trace.entries().get(sections.get(0).absorbing()[0]).node();
  }

  private static Node last(Trace trace, List<LocalSection> sections) {
    int[] absorbing = sections.get(sections.size() - 1).absorbing();
    return trace.entries().get(absorbing[absorbing.length - 1]).node();
  }

  /**
   * Throws {@link UserException} (data) unless a linear model's log L gives the likelihood of a
   * block's rows: without weights and offsets, which a program does not read, and with the table's
   * response as y.
   */
  void require(Trace trace, DataBlock block) {
    if (block.isWeighted() || block.hasOffset()) {
      throw UserException.data(
          "rows of the table have weights or offsets, which a program does not read. Prepare the"
              + " table without them.");
    }
    Given given = Given.of(trace.globals(), trace.lets());
    double[] latents = new double[trace.latents()];
    double[] y = new double[1];
    for (int row = 0; row < block.rows(); row++) {
      given.see(block, row, latents, 0);
      trace.observation(observed.id(), given, y);
      if (y[0] != block.response(row) || !density.bounds(y[0])) {
        throw UserException.data(
            "%s is %s in row %d of block %d, but the response is %s. They must be equal, and the bounds of the density must hold there. Choose another kind of move for %s."
                .formatted(
                    observed, y[0], row, block.id(), block.response(row), scaffold.target()));
      }
    }
  }
}
