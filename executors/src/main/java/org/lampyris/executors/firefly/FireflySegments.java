package org.lampyris.executors.firefly;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;
import org.lampyris.executors.pass.Packed;
import org.lampyris.executors.pass.PartitionJob;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.firefly.BoundBlock;
import org.lampyris.samplers.firefly.CandidatePool;
import org.lampyris.samplers.firefly.FireflySampler;
import org.lampyris.samplers.firefly.ImplicitBrightness;
import org.lampyris.samplers.random.Streams;
import scala.Tuple2;
import scala.reflect.ClassTag$;

/**
 * Runs segments of all chains: one job draws, on every partition, each chain's candidates for many
 * iterations, brings them to one task a chain, and makes the iterations there.
 *
 * <p>The candidates depend on no chain's state, so those of the next segment are drawn while this
 * one runs. Cost of a segment: two stages of Spark, the candidates and their rows, which are
 * shuffled, and the iterations themselves. Not safe for use by several threads.
 */
public final class FireflySegments implements AutoCloseable {
  private final BoundTable table;
  private final FireflySampler sampler;
  private final ImplicitBrightness kernel;
  private final ChainRunner.Length length;
  private final Streams streams;
  private final int chains;
  private final ExecutorService drawing =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread thread = new Thread(work, "candidates");
            thread.setDaemon(true);
            return thread;
          });
  private @Nullable Pool next;

  /**
   * Takes what all segments have in common.
   *
   * @param table the resident rows
   * @param sampler Firefly with an implicit update of brightness
   * @param runner the length of the chains, and the run's streams
   * @param chains how many chains there are, numbered from 1
   */
  public FireflySegments(BoundTable table, FireflySampler sampler, ChainRunner runner, int chains) {
    if (!(sampler.zStep().kernel() instanceof ImplicitBrightness implicit)) {
      throw new IllegalArgumentException("segments are for implicit updates of brightness");
    }
    this.table = table;
    this.sampler = sampler;
    this.kernel = implicit;
    this.length = runner.length();
    this.streams = runner.streams();
    this.chains = chains;
  }

  /**
   * Runs one segment of every chain.
   *
   * @param from where the chains are, in the order of their numbers, all at the same iteration
   * @param iterations how many iterations to make
   * @param following how many iterations the next segment will have, 0 if there is none: its
   *     candidates are drawn meanwhile
   * @return what became of the chains, in the same order
   */
  public List<FireflySampler.Segment> run(
      List<FireflySampler.Chain> from, int iterations, int following) {
    long first = from.get(0).state().iteration() + 1;
    Pool pool = take(first, iterations);
    if (following > 0) {
      next = drawAhead(first + iterations, following);
    }
    byte[][] packed = from.stream().map(Packed::pack).toArray(byte[][]::new);
    List<FireflySampler.Segment> done = new ArrayList<>();
    for (byte[] segment :
        PartitionJob.run(pool.byChain(), new Iterate(sampler, length, streams, packed))) {
      done.add(Packed.unpack(segment));
    }
    pool.drop();
    return done;
  }

  /** Returns the candidates of some iterations: those drawn ahead, if they are the ones. */
  private Pool take(long first, int iterations) {
    Pool ahead = next;
    next = null;
    if (ahead != null) {
      if (ahead.first() == first && ahead.iterations() == iterations) {
        return ahead;
      }
      ahead.drop();
    }
    return pool(first, iterations);
  }

  private Pool drawAhead(long first, int iterations) {
    Pool lazy = pool(first, iterations);
    lazy.byChain().persist(StorageLevel.MEMORY_AND_DISK());
    CompletableFuture<?> drawn =
        CompletableFuture.runAsync(() -> PartitionJob.run(lazy.byChain(), new Touch()), drawing);
    return new Pool(first, iterations, lazy.byChain(), drawn);
  }

  private Pool pool(long first, int iterations) {
    JavaPairRDD<Integer, CandidatePool> drawn =
        table.blocks().mapPartitionsToPair(new Draw(sampler, kernel, chains, first, iterations));
    JavaRDD<Tuple2<Integer, CandidatePool>> byChain =
        JavaRDD.fromRDD(
            drawn.partitionBy(new ByChain(chains)).rdd(), ClassTag$.MODULE$.apply(Tuple2.class));
    return new Pool(first, iterations, byChain, null);
  }

  /** Ends the drawing of candidates that nobody will need. */
  @Override
  public void close() {
    Pool ahead = next;
    if (ahead != null) {
      ahead.drop();
    }
    drawing.shutdownNow();
  }

  /** Candidates of every chain, a partition each. */
  private record Pool(
      long first,
      int iterations,
      JavaRDD<Tuple2<Integer, CandidatePool>> byChain,
      @Nullable CompletableFuture<?> drawn) {

    /** Drops the candidates and what the shuffle has left on disk. */
    void drop() {
      if (drawn != null) {
        drawn.join();
        byChain.unpersist(false);
      }
      byChain.rdd().cleanShuffleDependencies(false);
    }
  }

  /** Draws the candidates of all chains from one partition. */
  private record Draw(
      FireflySampler sampler, ImplicitBrightness kernel, int chains, long first, int iterations)
      implements PairFlatMapFunction<Iterator<BoundBlock>, Integer, CandidatePool> {

    @Override
    public Iterator<Tuple2<Integer, CandidatePool>> call(Iterator<BoundBlock> iterator) {
      List<BoundBlock> blocks = new ArrayList<>();
      iterator.forEachRemaining(blocks::add);
      return IntStream.rangeClosed(1, chains)
          .mapToObj(
              chain ->
                  new Tuple2<>(
                      chain,
                      CandidatePool.draw(kernel, sampler.pass(), chain, first, iterations, blocks)))
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
  private static final class Iterate
      extends PartitionJob.Task<Tuple2<Integer, CandidatePool>, byte[]> {
    private static final long serialVersionUID = 1L;
    private final FireflySampler sampler;
    private final ChainRunner.Length length;
    private final Streams streams;
    private final byte[][] chains;

    Iterate(FireflySampler sampler, ChainRunner.Length length, Streams streams, byte[][] chains) {
      this.sampler = sampler;
      this.length = length;
      this.streams = streams;
      this.chains = chains;
    }

    @Override
    protected byte[] run(int partition, Iterator<Tuple2<Integer, CandidatePool>> elements) {
      List<CandidatePool> pools = new ArrayList<>();
      while (elements.hasNext()) {
        pools.add(elements.next()._2());
      }
      FireflySampler.Chain chain = Packed.unpack(chains[partition]);
      ChainRunner runner = new ChainRunner(length, streams, (number, iteration, info) -> {});
      return Packed.pack(sampler.advance(runner, chain, pools));
    }
  }

  /** Has a partition computed. */
  private static final class Touch
      extends PartitionJob.Task<Tuple2<Integer, CandidatePool>, Serializable> {
    private static final long serialVersionUID = 1L;

    @Override
    protected Serializable run(int partition, Iterator<Tuple2<Integer, CandidatePool>> elements) {
      long count = 0;
      while (elements.hasNext()) {
        elements.next();
        count++;
      }
      return count;
    }
  }
}
