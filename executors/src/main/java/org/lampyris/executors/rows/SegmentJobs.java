package org.lampyris.executors.rows;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.ThreadUtils;
import org.jspecify.annotations.Nullable;
import org.lampyris.executors.jobs.JobGroup;
import org.lampyris.executors.jobs.Packed;
import org.lampyris.executors.jobs.PartitionJob;
import org.lampyris.executors.jobs.Sent;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.SegmentWork;
import org.lampyris.samplers.chain.Segments;
import org.lampyris.samplers.chain.Segments.Request;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.Pool;
import org.lampyris.samplers.rows.RowBlock;
import scala.Tuple2;
import scala.reflect.ClassTag$;

/**
 * Segments of all chains: one job draws each chain's candidates for many iterations on every
 * partition, sends them to one task for each chain, and runs the iterations there.
 *
 * <p>Candidates do not depend on a chain's state, so those for the next segment are drawn while
 * this one runs. Cost of a segment: two stages of Spark, the candidates and their rows, which are
 * shuffled, and the iterations themselves. Not safe for use by several threads.
 *
 * @param <S> the state of a chain between two segments
 */
public final class SegmentJobs<B extends RowBlock<B>, S extends SamplerState>
    implements Segments<S> {
  private final JavaRDD<B> blocks;
  private final SegmentWork<B, S> work;
  private final ChainRunner.Length length;
  private final Streams streams;
  private final int chains;
  private final ExecutorService drawing = ThreadUtils.newDaemonSingleThreadExecutor("candidates");
  private @Nullable Sent<Common<B, S>> common;
  private @Nullable Drawn<B> ahead;
  private long jobs;

  /**
   * Takes the common inputs of all segments.
   *
   * @param blocks the resident blocks, ascending by id within a partition
   * @param runner the length of the chains, and the run's streams
   */
  public SegmentJobs(JavaRDD<B> blocks, SegmentWork<B, S> work, ChainRunner runner, int chains) {
    this.blocks = blocks;
    this.work = work;
    this.length = runner.length();
    this.streams = runner.streams();
    this.chains = chains;
  }

  @Override
  public List<Segment<S>> run(
      List<ChainState<S>> from, Request request, @Nullable Request following) {
    ThetaKernel begun = from.get(0).begun();
    Sent<Common<B, S>> sent = sent(begun);
    Drawn<B> pool = take(request);
    if (following != null && (ahead == null || !ahead.request().sameAs(following))) {
      dropAhead();
      ahead = drawAhead(following);
    }
    byte[][] packed =
        from.stream().map(chain -> Packed.pack(chain.kept(chain.state()))).toArray(byte[][]::new);
    JobGroup.describe(blocks.context(), named(request));
    try {
      jobs++;
      return PartitionJob.run(pool.byChain(), new Advance<>(sent, packed, request, length, streams))
          .stream()
          .map(Packed::<Moved>unpack)
          .map(moved -> new Segment<S>(resumed(moved.place(), begun), moved.trace()))
          .toList();
    } finally {
      pool.drop();
    }
  }

  /** Sends what all segments have in common, once. */
  private Sent<Common<B, S>> sent(ThetaKernel begun) {
    if (common == null) {
      common =
          Sent.once(JavaSparkContext.fromSparkContext(blocks.context()), new Common<>(work, begun));
    }
    return common;
  }

  @SuppressWarnings("unchecked") // as it was when it was sent
  private static <S extends SamplerState> ChainState<S> resumed(
      ChainState.Kept place, ThetaKernel begun) {
    return place.resumed((S) place.state(), begun);
  }

  /** Names a segment by the first and last of its iterations, and the chains that it makes. */
  private static String named(Request request) {
    long first = Arrays.stream(request.first()).min().orElse(0);
    long last =
        IntStream.range(0, request.first().length)
            .mapToLong(c -> request.first()[c] + request.length()[c] - 1)
            .max()
            .orElse(0);
    String chains =
        IntStream.range(0, request.first().length)
            .filter(c -> request.length()[c] > 0)
            .mapToObj(c -> Integer.toString(c + 1))
            .collect(Collectors.joining(", "));
    return "iterations %d to %d of chains %s, a task each".formatted(first, last, chains);
  }

  @Override
  public long jobs() {
    return jobs;
  }

  /** Returns the candidates of some iterations: those drawn ahead, if they are the ones. */
  private Drawn<B> take(Request request) {
    Drawn<B> drawn = ahead;
    if (drawn != null && drawn.request().sameAs(request)) {
      ahead = null;
      return drawn;
    }
    return new Drawn<>(request, byChain(request), null);
  }

  private Drawn<B> drawAhead(Request request) {
    JavaRDD<Tuple2<Integer, Pool<B>>> byChain =
        byChain(request).persist(StorageLevel.MEMORY_AND_DISK());
    jobs++;
    CompletableFuture<?> drawn =
        JobGroup.async(
            blocks.context(),
            "candidates of " + named(request),
            () -> PartitionJob.make(byChain),
            drawing);
    return new Drawn<>(request, byChain, drawn);
  }

  /**
   * Returns the candidates by chains, whose numbers from 0 hash to themselves: a partition each.
   */
  private JavaRDD<Tuple2<Integer, Pool<B>>> byChain(Request request) {
    return JavaRDD.fromRDD(
        blocks
            .mapPartitionsToPair(new Draw<>(Objects.requireNonNull(common), request))
            .partitionBy(new HashPartitioner(chains))
            .rdd(),
        ClassTag$.MODULE$.apply(Tuple2.class));
  }

  /** Cancels the drawing of candidates that are no longer needed. */
  @Override
  public void close() {
    dropAhead();
    drawing.shutdownNow();
    if (common != null) {
      common.drop();
    }
  }

  private void dropAhead() {
    if (ahead != null) {
      ahead.drop();
      ahead = null;
    }
  }

  /** The common inputs of all segments: with scales of effects, matrices of all coefficients. */
  private record Common<B extends RowBlock<B>, S extends SamplerState>(
      SegmentWork<B, S> work, ThetaKernel begun) implements Serializable {}

  /** Place of a chain after a segment, and its trace. */
  private record Moved(ChainState.Kept place, ChainTrace trace) implements Serializable {}

  /** Candidates of every chain, a partition each. */
  private record Drawn<B extends RowBlock<B>>(
      Request request,
      JavaRDD<Tuple2<Integer, Pool<B>>> byChain,
      @Nullable CompletableFuture<?> drawn) {
    /** Drops the candidates, and the shuffle's files on disk. */
    void drop() {
      if (drawn != null) {
        // Whatever it ended with: a pool that could not be drawn ahead is drawn when it is used.
        drawn.handle((done, error) -> null).join();
        byChain.unpersist(false);
      }
      byChain.rdd().cleanShuffleDependencies(false);
    }
  }

  /** Draws the candidates of all chains from one partition. */
  private record Draw<B extends RowBlock<B>, S extends SamplerState>(
      Sent<Common<B, S>> common, Request request)
      implements PairFlatMapFunction<Iterator<B>, Integer, Pool<B>> {
    @Override
    public Iterator<Tuple2<Integer, Pool<B>>> call(Iterator<B> iterator) {
      SegmentWork<B, S> work = common.shared().work();
      List<B> all = new ArrayList<>();
      iterator.forEachRemaining(all::add);
      return IntStream.range(0, request.first().length)
          .mapToObj(
              c -> new Tuple2<>(c, work.draw(c + 1, request.first()[c], request.length()[c], all)))
          .iterator();
    }
  }

  /** Runs the iterations of one chain. */
  private record Advance<B extends RowBlock<B>, S extends SamplerState>(
      Sent<Common<B, S>> common,
      byte[][] chains,
      Request request,
      ChainRunner.Length length,
      Streams streams)
      implements PartitionJob.Task<Tuple2<Integer, Pool<B>>, byte[]> {
    @Override
    public byte[] run(int chain, Iterator<Tuple2<Integer, Pool<B>>> elements) {
      List<Pool<B>> pools = new ArrayList<>();
      elements.forEachRemaining(element -> pools.add(element._2()));
      Common<B, S> all = common.shared();
      ChainState<S> from = resumed(Packed.unpack(chains[chain]), all.begun());
      ChainTrace trace = new ChainTrace(from.chain());
      ChainRunner runner = new ChainRunner(length, streams, (number, iteration, info) -> {});
      long to = request.first()[chain] + request.length()[chain] - 1;
      ChainState<S> now = all.work().advance(runner, from, to, pools, trace);
      return Packed.pack(new Moved(now.kept(now.state()), trace));
    }
  }
}
