package org.lampyris.samplers.mode;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.prior.InterceptShift;
import org.lampyris.bounds.prior.Prior;

/** The log posterior as the search for its mode sees it: by Hessians, or by products with them. */
interface Surface {
  /**
   * Returns the log posterior at a point, by a pass over the data.
   *
   * @param accuracy to how many posterior standard deviations a step from there has to be right
   */
  PosteriorPoint at(double[] theta, Prior prior, double accuracy);

  /** Returns the same of γ, whose intercepts are η at another point of the columns. */
  Surface about(InterceptShift point);

  /** Returns the number of passes other than those of {@link #at}. */
  int products();

  /**
   * Returns this one, a subsample's, with the value and the derivatives of the whole table at a
   * point: see {@link Objective#corrected}.
   */
  Surface corrected(double[] start, LikelihoodSum table);

  /** By Hessians. */
  record Dense(Objective objective) implements Surface {
    static @Nullable Dense of(@Nullable Objective objective) {
      return objective == null ? null : new Dense(objective);
    }

    @Override
    public PosteriorPoint at(double[] theta, Prior prior, double accuracy) {
      return new NewtonPoint(theta, objective.evaluate(theta), prior);
    }

    @Override
    public Surface about(InterceptShift point) {
      return new Dense(objective.about(point));
    }

    @Override
    public int products() {
      return 0;
    }

    @Override
    public Surface corrected(double[] start, LikelihoodSum table) {
      return new Dense(objective.corrected(start, table));
    }
  }

  /** By products. */
  final class Wide implements Surface {
    private final Counting stored;
    private final WideObjective objective;
    private int evaluations;

    private Wide(Counting stored, WideObjective objective) {
      this.stored = stored;
      this.objective = objective;
    }

    static @Nullable Wide of(@Nullable WideObjective objective) {
      if (objective == null) {
        return null;
      }
      Counting counting = new Counting(objective);
      return new Wide(counting, counting);
    }

    @Override
    public PosteriorPoint at(double[] theta, Prior prior, double accuracy) {
      evaluations++;
      return new ConjugatePoint(theta, this, objective.evaluate(theta), prior, accuracy);
    }

    @Override
    public Wide about(InterceptShift point) {
      return new Wide(stored, stored.about(point));
    }

    @Override
    public int products() {
      return stored.passes - evaluations;
    }

    /** {@inheritDoc} The table has no Hessian for the correction. */
    @Override
    public Surface corrected(double[] start, LikelihoodSum table) {
      throw new UnsupportedOperationException("no Hessian");
    }

    /** Returns the log-likelihood as a function of θ, which the rows know. */
    WideObjective stored() {
      return stored;
    }

    /** Returns the log-likelihood in the coordinates of the search. */
    WideObjective objective() {
      return objective;
    }
  }

  /** Counts passes. */
  final class Counting implements WideObjective {
    private final WideObjective objective;
    private int passes;

    Counting(WideObjective objective) {
      this.objective = objective;
    }

    @Override
    public DiagonalSum evaluate(double[] theta) {
      passes++;
      return objective.evaluate(theta);
    }

    @Override
    public double[] products(double[] theta, int count, double[] vectors) {
      passes++;
      return objective.products(theta, count, vectors);
    }
  }
}
