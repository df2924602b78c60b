package org.lampyris.samplers.run;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.PoolExhaustedException;
import org.lampyris.samplers.rows.RowBlock;

/**
 * What chains need that are not to be confined to the region where their kernel holds: sent to the
 * executors with what is done in a segment. Where the table is small all of it is sent along;
 * otherwise a segment ends where a chain goes out, and its iterations outside are made by jobs.
 *
 * @param <B> a resident block
 * @param region the region
 * @param prior p(θ), everywhere
 * @param streams the run's streams
 * @param rows how many rows the table has
 * @param whole all rows; null where they are too many
 */
public record RegionAndBeyond<B extends RowBlock<B>>(
    Region region, Prior prior, Streams streams, long rows, @Nullable CarriedTable<B> whole)
    implements Serializable {
  /** Joins the parts. */
  public static <B extends RowBlock<B>> RegionAndBeyond<B> of(
      SamplingContext context, Region region, @Nullable CarriedTable<B> whole) {
    return new RegionAndBeyond<>(
        region, context.model().prior(), context.streams(), context.table().rows(), whole);
  }

  /** Returns the kernel of a chain, everywhere, from the one in the region and all rows. */
  public <S extends SamplerState> TransitionKernel<S> around(
      Inside<S> inside, int chain, LikelihoodRows all) {
    return new RegionKernel<>(
        inside, region, new PosteriorDensity(chain, prior, all), chain, streams);
  }

  /** Returns whether a chain that has come there needs more rows than a segment has. */
  public static boolean needsAllRows(@Nullable RegionAndBeyond<?> beyond, SamplerState state) {
    return beyond != null && beyond.whole == null && !beyond.region.holds(state.point().theta());
  }

  /** Returns all rows as they are in a segment: sent along, or not to be had. */
  public LikelihoodRows inSegment() {
    return whole != null
        ? whole.answering()
        : LikelihoodQuestions.rows(
            rows,
            (chain, question) -> {
              throw new PoolExhaustedException("a pass over all rows");
            });
  }
}
