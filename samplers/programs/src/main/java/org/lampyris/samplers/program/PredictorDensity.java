package org.lampyris.samplers.program;

import org.lampyris.bounds.model.Likelihood;

/**
 * A density that its parents decide through one number η, of derivatives in η that are bounded: log
 * p(y) = log L(η; y).
 */
public interface PredictorDensity extends Density {
  /** Returns η: the only parameter. */
  Term predictor();

  /** Returns log L. */
  Likelihood likelihood();

  /** Returns whether the bounds of L hold for a value y. */
  boolean bounds(double value);
}
