package org.lampyris.samplers.fulldata;

import java.util.Set;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;

/** Metropolis–Hastings on all rows. */
public final class MetropolisAlgorithm implements SamplingAlgorithm {
  @Override
  public String name() {
    return "metropolis";
  }

  @Override
  public boolean isExact() {
    return true;
  }

  @Override
  public Set<Need> needs() {
    return Set.of();
  }

  @Override
  public boolean looksAtFewRows() {
    return false;
  }
}
