package org.lampyris.bounds.prior;

import org.lampyris.bounds.laplace.Ball;

/** A prior confined to a ball. Cost of the metric, O(d²), on top of the prior's. */
public final class BallPrior extends ConfinedPrior {
  private final Ball ball;

  /** Confines a prior. */
  public BallPrior(Prior prior, Ball ball) {
    super(prior);
    if (ball.dimension() != prior.dimension()) {
      throw new IllegalArgumentException(
          "a ball in dimension " + ball.dimension() + " for a prior of " + prior.dimension());
    }
    this.ball = ball;
  }

  @Override
  boolean holds(double[] theta) {
    return ball.holds(theta);
  }
}
