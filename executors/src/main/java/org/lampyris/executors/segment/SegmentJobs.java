package org.lampyris.executors.segment;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;
import org.lampyris.executors.pass.PartitionJob;
import scala.Tuple2;
import scala.reflect.ClassTag$;

/**
 * Runs segments of all chains: one job draws, on every partition, each chain's candidates for many
 * iterations, brings them to one task a chain, and makes the iterations there.
 *
 * <p>The candidates depend on no chain's state, so those of the next segment are drawn while this
 * one runs. Cost of a segment: two stages of Spark, the candidates and their rows, which are
 * shuffled, and the iterations themselves. Not safe for use by several threads.
 *
 * @param <B> a resident block
 * @param <P> the candidates of one chain from one place
 */
public final class SegmentJobs<B, P> implements AutoCloseable {
  private final JavaRDD<B> blocks;
  private final SegmentWork<B, P> work;
  private final int chains;
  private final ExecutorService drawing =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "candidates");
            thread.setDaemon(true);
            return thread;
          });
  private @Nullable Pool<P> ahead;
  private long jobs;

  /**
   * Takes what all segments have in common.
   *
   * @param blocks the resident blocks, ascending by id within a partition
   * @param work what is done
   * @param chains how many chains there are, numbered from 1
   */
  public SegmentJobs(JavaRDD<B> blocks, SegmentWork<B, P> work, int chains) {
    this.blocks = blocks;
    this.work = work;
    this.chains = chains;
  }

  /**
   * Runs one segment of every chain.
   *
   * @param from where the chains are, as bytes, in the order of their numbers
   * @param request which iterations to make
   * @param following what will probably be asked for next, whose candidates are drawn meanwhile;
   *     null for nothing
   * @return what became of the chains, as bytes, in the same order
   */
  public List<byte[]> run(
      byte[][] from, SegmentRequest request, @Nullable SegmentRequest following) {
    Pool<P> pool = take(request);
    if (following != null && (ahead == null || !ahead.request().sameAs(following))) {
      dropAhead();
      ahead = drawAhead(following);
    }
    try {
      jobs++;
      return PartitionJob.run(pool.byChain(), new Advance<>(work, from));
    } finally {
      pool.drop();
    }
  }

  /** Returns how many jobs were run. */
  public long jobs() {
    return jobs;
  }

  /** Returns the candidates of some iterations: those drawn ahead, if they are the ones. */
  private Pool<P> take(SegmentRequest request) {
    Pool<P> drawn = ahead;
    if (drawn != null && drawn.request().sameAs(request)) {
      ahead = null;
      return drawn;
    }
    return new Pool<>(request, byChain(request), null);
  }

  private Pool<P> drawAhead(SegmentRequest request) {
    JavaRDD<Tuple2<Integer, P>> byChain = byChain(request).persist(StorageLevel.MEMORY_AND_DISK());
    jobs++;
    CompletableFuture<?> drawn =
        CompletableFuture.runAsync(() -> PartitionJob.run(byChain, new Touch<>()), drawing);
    return new Pool<>(request, byChain, drawn);
  }

  private JavaRDD<Tuple2<Integer, P>> byChain(SegmentRequest request) {
    return JavaRDD.fromRDD(
        blocks
            .mapPartitionsToPair(new Draw<>(work, request))
            .partitionBy(new ByChain(chains))
            .rdd(),
        ClassTag$.MODULE$.apply(Tuple2.class));
  }

  /** Ends the drawing of candidates that nobody will need. */
  @Override
  public void close() {
    dropAhead();
    drawing.shutdownNow();
  }

  private void dropAhead() {
    Pool<P> drawn = ahead;
    ahead = null;
    if (drawn != null) {
      drawn.drop();
    }
  }

  /** Candidates of every chain, a partition each. */
  private record Pool<P>(
      SegmentRequest request,
      JavaRDD<Tuple2<Integer, P>> byChain,
      @Nullable CompletableFuture<?> drawn) {

    /** Drops the candidates and what the shuffle has left on disk. */
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
  private record Draw<B, P>(SegmentWork<B, P> work, SegmentRequest request)
      implements PairFlatMapFunction<Iterator<B>, Integer, P> {

    @Override
    public Iterator<Tuple2<Integer, P>> call(Iterator<B> iterator) {
      List<B> all = new ArrayList<>();
      iterator.forEachRemaining(all::add);
      return IntStream.range(0, request.first().length)
          .mapToObj(
              c ->
                  new Tuple2<>(
                      c + 1, work.draw(c + 1, request.first()[c], request.length()[c], all)))
          .iterator();
    }
  }

  /** Gives each chain a partition. */
  private static final class ByChain extends Partitioner {
    private static final long serialVersionUID = 1L;
    private final int chains;

    ByChain(int chains) {
      this.chains = chains;
    }

    @Override
    public int numPartitions() {
      return chains;
    }

    @Override
    public int getPartition(Object chain) {
      return (Integer) chain - 1;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof ByChain that && that.chains == chains;
    }

    @Override
    public int hashCode() {
      return chains;
    }
  }

  /** Makes the iterations of one chain. */
  private static final class Advance<B, P> extends PartitionJob.Task<Tuple2<Integer, P>, byte[]> {
    private static final long serialVersionUID = 1L;
    private final SegmentWork<B, P> work;
    private final byte[][] chains;

    Advance(SegmentWork<B, P> work, byte[][] chains) {
      this.work = work;
      this.chains = chains;
    }

    @Override
    protected byte[] run(int partition, Iterator<Tuple2<Integer, P>> elements) {
      List<P> pools = new ArrayList<>();
      while (elements.hasNext()) {
        pools.add(elements.next()._2());
      }
      return work.advance(chains[partition], pools);
    }
  }

  /** Has a partition computed. */
  private static final class Touch<P> extends PartitionJob.Task<Tuple2<Integer, P>, Serializable> {
    private static final long serialVersionUID = 1L;

    @Override
    protected Serializable run(int partition, Iterator<Tuple2<Integer, P>> elements) {
      long count = 0;
      while (elements.hasNext()) {
        elements.next();
        count++;
      }
      return count;
    }
  }
}
