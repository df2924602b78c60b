package org.lampyris.samplers.kernel;

import org.lampyris.samplers.rows.Stored;

/**
 * State of a chain between two iterations: a value with everything that the next iteration needs. A
 * checkpoint holds it, so it is a record of numbers, arrays and such values, or says which one
 * stands for it.
 */
public interface SamplerState extends Stored {
  /** Returns θ and the log-density that the chain's target has there. */
  Point point();

  /**
   * {@inheritDoc} {@link org.lampyris.samplers.chain.TransitionKernel#restored} makes a state of it
   * again, with what the run that resumes has at hand.
   */
  @Override
  default SamplerState stored() {
    return this;
  }
}
