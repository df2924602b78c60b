package org.lampyris.samplers.multilevel;

import java.io.Serializable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The effects of the groups that lie together in a place's blocks, in one chain, and what is
 * recorded of them; empty arrays where no groups lie together. Immutable by convention.
 */
public final class PlaceEffects implements Serializable {
  private final LevelEffects[] effects;
  private final EffectRecorder[] recorders;

  /** Found once, and again where the place has been moved to. */
  private final transient LevelOrder @Nullable [] orders;

  PlaceEffects(LevelEffects[] effects, EffectRecorder[] recorders, LevelOrder @Nullable [] orders) {
    this.effects = effects;
    this.recorders = recorders;
    this.orders = orders;
  }

  /** Returns the effects of each block's groups. */
  LevelEffects[] effects() {
    return effects;
  }

  /** Returns what records those of each block. */
  public EffectRecorder[] recorders() {
    return recorders;
  }

  /**
   * Returns in which order the sums of levels are added up, by grouping.
   *
   * @param find finds it, where it is not known
   */
  LevelOrder[] orders(Supplier<LevelOrder[]> find) {
    return orders == null ? find.get() : orders;
  }
}
