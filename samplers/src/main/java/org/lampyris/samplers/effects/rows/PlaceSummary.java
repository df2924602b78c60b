package org.lampyris.samplers.effects.rows;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.lampyris.samplers.pool.Place;
import org.lampyris.samplers.rowstate.RowSummary;

/**
 * Sums up the effects of the groups that lie together in a place.
 *
 * @param grouping which of the groupings of a block's rows
 */
public record PlaceSummary(int grouping)
    implements RowSummary<GroupedBlock, PlaceEffects, PlaceSummary.Effects> {
  /**
   * Effects, summed up.
   *
   * @param keys of the groups
   * @param statistics of each effect of each group
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Effects(long[] keys, double[][] statistics) implements Serializable {}

  @Override
  public Effects of(Place<GroupedBlock> place, List<PlaceEffects> chains) {
    long[] keys =
        place.blocks().stream()
            .flatMapToLong(
                block ->
                    IntStream.range(0, block.groups())
                        .mapToLong(j -> block.data().group(grouping, block.start(j))))
            .toArray();
    double[][] statistics =
        IntStream.range(0, place.blocks().size())
            .boxed()
            .flatMap(
                i ->
                    Arrays.stream(
                        summed(chains.stream().map(chain -> chain.recorders()[i]).toList())))
            .toArray(double[][]::new);
    return new Effects(keys, statistics);
  }

  /** Returns the statistics of all effects that the chains have recorded. */
  public static double[][] summed(List<EffectRecorder> chains) {
    double[][] all = new double[chains.get(0).effects()][];
    Arrays.setAll(all, effect -> EffectRecorder.summary(chains, effect));
    return all;
  }
}
