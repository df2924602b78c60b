package org.lampyris.samplers.minibatch;

import java.io.Serializable;
import org.apache.commons.rng.UniformRandomProvider;

/** Decides on a proposal by as many rows as it cares to look at. */
public interface BatchDecision extends Serializable {
  /** Returns whether θ′ is accepted; looks at rows through the trial. */
  boolean accepts(Trial trial, UniformRandomProvider rng);
}
