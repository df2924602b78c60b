package org.lampyris.samplers.multilevel;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowStates;
import org.lampyris.samplers.rows.Stored;

/**
 * Effects of the groups that lie together in a place's blocks, in one chain, with their recorders;
 * empty arrays if no groups lie together. Immutable by convention.
 */
public final class PlaceEffects implements Stored {
  private final LevelEffects[] effects;
  private final EffectRecorder[] recorders;

  /** Found once, and again after the place has moved. */
  private final transient LevelOrder @Nullable [] orders;

  PlaceEffects(LevelEffects[] effects, EffectRecorder[] recorders, LevelOrder @Nullable [] orders) {
    this.effects = effects;
    this.recorders = recorders;
    this.orders = orders;
  }

  /** Effects as they are stored, block by block. */
  private record Form(LevelEffects[] effects, EffectRecorder[] recorders) implements Stored {
    @Override
    public PlaceEffects restored() {
      return new PlaceEffects(effects, recorders, null);
    }
  }

  @Override
  public Stored stored() {
    return new Form(effects, recorders);
  }

  /** Returns the effects of each block's groups. */
  LevelEffects[] effects() {
    return effects;
  }

  /** Returns the recorder of each block's effects. */
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

  /**
   * Sums up the effects of the groups that lie together in a place.
   *
   * @param grouping which of the groupings of a block's rows
   */
  public record Summary(int grouping)
      implements RowStates.Summary<GroupedBlock, PlaceEffects, Summary.Effects> {
    /**
     * Effects, summed up.
     *
     * @param keys of the groups
     * @param statistics of each effect of each group
     * @param draws of each effect that are kept
     */
    public record Effects(long[] keys, double[][] statistics, float[][] draws)
        implements Serializable {}

    @Override
    public Effects of(Place<GroupedBlock> place, List<PlaceEffects> chains) {
      long[] keys =
          place.blocks().stream()
              .flatMapToLong(
                  block ->
                      IntStream.range(0, block.groups())
                          .mapToLong(j -> block.data().group(grouping, block.start(j))))
              .toArray();
      List<double[]> statistics = new ArrayList<>();
      List<float[]> draws = new ArrayList<>();
      for (int b = 0; b < place.blocks().size(); b++) {
        int block = b;
        Effects of = summed(keys, chains.stream().map(chain -> chain.recorders()[block]).toList());
        statistics.addAll(Arrays.asList(of.statistics));
        draws.addAll(Arrays.asList(of.draws));
      }
      return new Effects(keys, statistics.toArray(double[][]::new), draws.toArray(float[][]::new));
    }

    /** Returns the chains' records of the groups with these keys. */
    public static Effects summed(long[] keys, List<EffectRecorder> chains) {
      double[][] statistics = new double[chains.get(0).effects()][];
      float[][] draws = new float[statistics.length][];
      Arrays.setAll(statistics, effect -> EffectRecorder.summary(chains, effect));
      Arrays.setAll(draws, effect -> EffectRecorder.values(chains, effect));
      return new Effects(keys, statistics, draws);
    }
  }
}
