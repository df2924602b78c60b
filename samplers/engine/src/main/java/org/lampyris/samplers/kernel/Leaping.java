package org.lampyris.samplers.kernel;

import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.random.Noise;

/** A kernel that can propose to cross the edge of a region, which its steps respect. */
public interface Leaping {
  /**
   * A proposal θ′.
   *
   * @param correction log q(θ | θ′)/q(θ′ | θ), natural log
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Leap(double[] to, double correction) {}

  /** Proposes a move from anywhere to anywhere; null for none. θ is not modified. */
  @Nullable Leap leap(double[] theta, Noise noise);
}
