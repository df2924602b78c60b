package org.lampyris.samplers.outside;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.density.SamplerState;
import org.lampyris.samplers.pass.LikelihoodPass;
import org.lampyris.samplers.pass.LikelihoodQuestions;
import org.lampyris.samplers.pass.LikelihoodRows;
import org.lampyris.samplers.pass.Posterior;
import org.lampyris.samplers.pool.Place;
import org.lampyris.samplers.pool.PoolExhaustedException;
import org.lampyris.samplers.pool.RowBlock;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RowQuestions;
import org.lampyris.samplers.run.SamplingContext;

/**
 * What chains need that are not to be confined to the region where their kernel holds: sent to the
 * executors with what is done in a segment. Where the table is small all of it is sent along;
 * otherwise a segment ends where a chain goes out, and its iterations outside are made by jobs.
 *
 * @param <B> a resident block
 * @param region the region
 * @param prior p(θ), everywhere
 * @param likelihood log L_n
 * @param streams the run's streams
 * @param rows how many rows the table has
 * @param whole all rows, in ascending order of their blocks; null where they are too many
 */
public record RegionAndBeyond<B extends RowBlock<B>>(
    Region region,
    Prior prior,
    LikelihoodPass likelihood,
    Streams streams,
    long rows,
    @Nullable ArrayList<B> whole)
    implements Serializable {
  /** How many bytes of rows are sent along with every task. */
  private static final double SMALL = 1 << 20;

  /**
   * Joins the parts, and fetches all rows where they are few.
   *
   * @param <B> a resident block
   * @param context what the run is given
   * @param region the region
   * @param likelihood log L_n
   * @param table the rows
   * @param bytes about how many bytes they take
   */
  public static <B extends RowBlock<B>> RegionAndBeyond<B> of(
      SamplingContext context,
      Region region,
      LikelihoodPass likelihood,
      ResidentRows<B> table,
      double bytes) {
    ArrayList<B> all =
        bytes > SMALL ? null : table.questions(new All<B>()).apply(List.of(true)).get(0);
    long rows = context.table().rows();
    return new RegionAndBeyond<>(
        region, context.model().prior(), likelihood, context.streams(), rows, all);
  }

  /**
   * Returns the kernel of a chain, everywhere.
   *
   * @param <S> the state of the chain
   * @param inside the kernel in the region
   * @param chain the chain's number
   * @param all all rows
   */
  public <S extends SamplerState> TransitionKernel<S> around(
      Inside<S> inside, int chain, LikelihoodRows all) {
    return new RegionKernel<>(inside, region, new Posterior(chain, prior, all), chain, streams);
  }

  /** Returns whether a chain that has come there needs more rows than a segment has. */
  public static boolean needsAllRows(@Nullable RegionAndBeyond<?> beyond, SamplerState state) {
    return beyond != null && beyond.whole == null && !beyond.region.holds(state.point().theta());
  }

  /** Returns all rows as they are in a segment: sent along, or not to be had. */
  public LikelihoodRows inSegment() {
    if (whole == null) {
      return LikelihoodQuestions.rows(
          rows,
          (chain, question) -> {
            throw new PoolExhaustedException("a pass over all rows");
          });
    }
    LikelihoodQuestions<B> questions = new LikelihoodQuestions<>(likelihood);
    Place<B> place = Place.whole(whole);
    return LikelihoodQuestions.rows(
        rows,
        (chain, question) -> questions.join(question, questions.share(place, List.of(question))));
  }

  /** Fetches all rows. */
  private record All<B extends RowBlock<B>>()
      implements RowQuestions<B, Boolean, ArrayList<B>, ArrayList<B>> {
    @Override
    public List<ArrayList<B>> share(Place<B> place, List<Boolean> questions) {
      return List.of(new ArrayList<>(place.blocks()));
    }

    @Override
    public ArrayList<B> join(Boolean question, List<ArrayList<B>> shares) {
      ArrayList<B> all = new ArrayList<>();
      shares.forEach(all::addAll);
      all.sort((one, other) -> Long.compare(one.id(), other.id()));
      return all;
    }
  }
}
