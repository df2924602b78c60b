package org.lampyris.samplers.program.moves;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.rows.Stored;

/**
 * The latent values of a place's rows in one chain, row by row in one array a block. Immutable by
 * convention. Values computed from them are cached, and may be lost at any time. A plain class and
 * not a record, for Kryo's sake.
 */
public final class LocalState implements Stored {
  private final double[][] latents;
  private transient @Nullable Map<Integer, Memo> memos;
  private transient @Nullable LabelIndex index;

  /** Wraps the arrays, one a block of the place. */
  public LocalState(double[][] latents) {
    this.latents = latents;
  }

  /** Returns the latent values of a block's rows; not to be modified. */
  public double[] latents(int block) {
    return latents[block];
  }

  /** Returns the arrays of all blocks, to be copied before they are modified. */
  public double[][] latents() {
    return latents.clone();
  }

  /** Returns the rows with other latent values; values that do not depend on them stay cached. */
  public LocalState with(double[][] others) {
    LocalState state = new LocalState(others);
    state.memos = memos;
    return state;
  }

  /** Returns the rows with other labels, with the index that was made along. */
  public LocalState with(double[][] others, LabelIndex along) {
    LocalState state = with(others);
    state.index = along;
    return state;
  }

  /** Returns the rows by label: the label in this slot. */
  public synchronized LabelIndex index(int width, int slot) {
    LabelIndex made = index;
    if (made == null) {
      made = LabelIndex.of(latents, width, slot);
      index = made;
    }
    return made;
  }

  /** The latent values in a checkpoint; what follows from them is computed again. */
  record Kept(double[][] latents) implements Stored {
    @Override
    public Stored restored() {
      return new LocalState(latents);
    }
  }

  @Override
  public Stored stored() {
    return new Kept(latents);
  }

  /** Returns the cache of a chain; several chains may start with the same state. */
  synchronized Memo memo(int chain) {
    if (memos == null) {
      memos = new ConcurrentHashMap<>();
    }
    return memos.computeIfAbsent(chain, c -> new Memo(latents.length));
  }
}
