package org.lampyris.samplers.multilevel;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.rows.RowEvolution;

/**
 * Question of a chain to the rows.
 *
 * @param theta θ, at which all is evaluated; not copied
 * @param shared the effects of the groupings whose groups do not lie together, groups × q by
 *     grouping; not copied
 * @param local what becomes of the effects of groups that lie together; null where none do
 * @param task what is asked
 */
public record EffectsQuestion(
    int chain, double[] theta, double[][] shared, @Nullable Local local, Task task)
    implements RowEvolution.ChainQuestion {
  @Override
  public long bytes() {
    long bytes = 0;
    for (double[] of : shared) {
      bytes += of == null ? 0 : (long) Double.BYTES * of.length;
    }
    float[][] ridges =
        task instanceof Shape shape
            ? shape.ridges()
            : task instanceof Gram gram ? gram.ridges() : null;
    for (float[] of : ridges == null ? new float[0][] : ridges) {
      bytes += of == null ? 0 : (long) Float.BYTES * of.length;
    }
    return bytes;
  }

  /**
   * The effects of groups that lie together.
   *
   * @param first how they move before anything else, for good; null if they do not
   * @param at the displacement, without a shift, at which they are evaluated
   */
  public record Local(LevelEffects.@Nullable Displacement first, LevelEffects.Displacement at)
      implements Serializable {}

  /** Task of a question. */
  public sealed interface Task extends Serializable {}

  /**
   * The log-likelihood, its gradient in θ, the {@link LevelEffects.Tally} of the groups that lie
   * together, and the sums of all other groups.
   */
  public record Evaluate() implements Task {}

  /**
   * Steps of the effects of the groups that lie together, after which all is evaluated.
   *
   * @param steps how many steps of each group
   * @param share which share of the groups makes them
   * @param settle whether what is denser is always accepted
   * @param phase what the effects before these steps are to the recorders
   */
  public record Update(
      long iteration, int steps, double share, boolean settle, EffectRecorder.Phase phase)
      implements Task {}

  /** Records the effects unchanged. */
  public record Keep() implements Task {}

  /**
   * Sums for {@link LevelShape} of every group of a grouping, given the ridges of the others, at
   * the likely maximum of its effects. The question has this point for groups that do not lie
   * together; the others find it, and make their own shape.
   *
   * @param ridges of the groupings whose groups do not lie together; null where they are 0
   */
  public record Shape(int grouping, float @Nullable [] @Nullable [] ridges) implements Task {}

  /**
   * Curvature of the density in coefficients and φ: Σ w_n·x̃_nx̃_nᵀ with x̃_n = x_n − Σ T_gᵀz_n,
   * and {@link LevelEffects#addInformation} of the groups that lie together.
   *
   * @param derivatives ∂Σ/∂φ_k by grouping and k
   * @param carried whether coefficients carry the effects along; x̃_n = x_n if not, and nothing is
   *     known of φ
   */
  public record Gram(
      float @Nullable [] @Nullable [] ridges, double[][][] derivatives, boolean carried)
      implements Task {}

  /** Σ w_n·z_ne² of every effect of every grouping. */
  public record Spread() implements Task {}
}
