package org.lampyris.samplers.minibatch;

import java.io.Serializable;
import org.apache.commons.rng.UniformRandomProvider;

/** Decision on a proposal by as many rows as it needs. */
public interface BatchDecision extends Serializable {
  /** Returns whether θ′ is accepted; reads rows through the trial. */
  boolean accepts(Trial trial, UniformRandomProvider rng);
}
