package org.lampyris.samplers.kernel;

import java.io.Serializable;

/**
 * State of a chain between two iterations: a value with everything that the next iteration needs.
 * Written to disk it is the chain's checkpoint.
 */
public interface SamplerState extends Serializable {
  /** Returns θ and the log-density that the chain's target has there. */
  Point point();
}
