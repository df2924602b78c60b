package org.lampyris.samplers.minibatch;

import java.io.Serializable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Model;

/**
 * Expands the proxies anew on the way, about where the chain is: "dropped along the way". Source:
 * Bardenet, Doucet and Holmes (2017), section 7.2.2.
 *
 * @param every α, after how many iterations; 0 for never
 * @param laplace what lengths are
 * @param radius of the ball about the mode where bounds on derivatives are to hold
 */
public record Renewal(long every, LaplaceApproximation laplace, double radius)
    implements Serializable {
  /** Returns what expands proxies never again. */
  public static Renewal never(LaplaceApproximation laplace) {
    return new Renewal(0, laplace, Double.POSITIVE_INFINITY);
  }

  /** Returns whether an iteration looks at all rows, and expands the proxies where it ends. */
  boolean due(long iteration) {
    return every > 0 && iteration % every == 0;
  }

  /** Returns what proxies about θ leave over; all rows are read. */
  Remainders at(Model model, BatchRows rows, double[] theta, long iteration) {
    LaplaceApproximation about = new LaplaceApproximation(theta, laplace.covariance());
    return Remainders.about(model, rows, iteration, about, radius);
  }
}
