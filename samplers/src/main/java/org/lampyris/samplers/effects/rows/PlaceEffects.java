package org.lampyris.samplers.effects.rows;

import java.io.Serializable;

/**
 * The effects of the groups that lie together in a place's blocks, in one chain, and what is
 * recorded of them; empty arrays where no groups lie together. Immutable by convention.
 */
public final class PlaceEffects implements Serializable {
  private final LevelEffects[] effects;
  private final EffectRecorder[] recorders;

  PlaceEffects(LevelEffects[] effects, EffectRecorder[] recorders) {
    this.effects = effects;
    this.recorders = recorders;
  }

  /** Returns the effects of each block's groups. */
  LevelEffects[] effects() {
    return effects;
  }

  /** Returns what records those of each block. */
  public EffectRecorder[] recorders() {
    return recorders;
  }
}
