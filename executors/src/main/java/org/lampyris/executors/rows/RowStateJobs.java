package org.lampyris.executors.rows;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.Optional;
import org.apache.spark.storage.StorageLevel;
import org.lampyris.executors.jobs.BlockRanges;
import org.lampyris.executors.jobs.Packed;
import org.lampyris.executors.jobs.PartitionJob;
import org.lampyris.executors.jobs.ScalaCollections;
import org.lampyris.executors.jobs.Sent;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowBlock;
import org.lampyris.samplers.rows.RowEvolution;
import org.lampyris.samplers.rows.RowStates;
import scala.Function2;
import scala.collection.Iterator$;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * States of rows on the executors: an RDD with one element for each partition, next to the resident
 * blocks, which answers the questions of all chains in one job.
 *
 * <p>Each job computes the next RDD from the previous one by a pure function of (blocks, states,
 * questions), and keeps it. The one before the previous is dropped, and in local mode also the
 * previous. The lineage is cut at regular intervals. In local mode, with no executor to lose, it is
 * cut at every job. On a cluster a reliable checkpoint cuts it, and states lost with an executor
 * are recomputed from there, to the same bits.
 *
 * <p>Cost of a job: Spark's own latency, and what the evolution costs. Not thread-safe.
 *
 * @param <S> the state of a partition's rows in one chain
 * @param <H> a partition's share of an answer
 */
public final class RowStateJobs<
        B extends RowBlock<B>, S extends Serializable, Q extends RowEvolution.ChainQuestion, H, A>
    implements RowStates<B, S, Q, A> {
  private final JavaRDD<B> blocks;
  private final RowEvolution<B, S, Q, H, A> evolution;
  private final int checkpointInterval;
  private final boolean reliable;
  private final Generation[] generations;
  private JavaRDD<Partition> states;
  private JavaRDD<Partition> previous;
  private final Deque<String> checkpoints = new ArrayDeque<>();

  /** Inputs of the last jobs, and how many of them precede the last cut. */
  private final Deque<Sent<?>> given = new ArrayDeque<>();

  private int outdated;
  private long jobs;

  /**
   * Starts with the initial state in every chain.
   *
   * @param blocks the resident blocks, spread as {@code ranges} says
   * @param chains how many chains there are, numbered from 1
   * @param checkpointInterval after how many jobs the lineage is cut on a cluster; needs a
   *     checkpoint directory of the Spark context
   * @param reliable whether it is cut by reliable checkpoints, as on a cluster, or at every job by
   *     keeping what that has made
   */
  public RowStateJobs(
      JavaRDD<B> blocks,
      BlockRanges ranges,
      RowEvolution<B, S, Q, H, A> evolution,
      int chains,
      int checkpointInterval,
      boolean reliable) {
    this.blocks = blocks;
    this.evolution = evolution;
    this.checkpointInterval = checkpointInterval;
    this.reliable = reliable;
    this.generations =
        IntStream.rangeClosed(1, chains).mapToObj(Generation::first).toArray(Generation[]::new);
    this.states =
        blocks.mapPartitionsWithIndex(
            (p, iterator) -> {
              Object[] all = new Object[chains];
              Partition partition = new Partition(ranges.from(p), ranges.to(p), all, new Object[0]);
              Arrays.fill(all, evolution.initial(partition.place(iterator)));
              return List.of(partition).iterator();
            },
            true);
    this.previous = states;
  }

  @Override
  public List<A> answer(List<Asked<Q>> questions) {
    ArrayList<Q> asked = new ArrayList<>();
    for (Asked<Q> one : questions) {
      one.before().requireLast(generations[one.question().chain() - 1]);
      asked.add(one.question());
    }
    long bytes = asked.stream().mapToLong(RowEvolution.ChainQuestion::bytes).sum();
    JavaSparkContext context = JavaSparkContext.fromSparkContext(blocks.context());
    Sent<ArrayList<Q>> sent = Sent.of(context, asked, bytes);
    JavaRDD<Partition> next =
        zip(new Step<>(evolution, sent)).persist(StorageLevel.MEMORY_AND_DISK());
    jobs++;
    if (!reliable) {
      next.rdd().localCheckpoint();
    } else if (jobs % checkpointInterval == 0) {
      next.checkpoint();
    }
    List<Object[]> shares = PartitionJob.run(next, new Shares());
    Optional<String> written = next.getCheckpointFile();
    if (written.isPresent()) {
      keepTwo(written.get());
    }
    boolean cut = !reliable || written.isPresent();
    outdate(sent, cut);
    drop(previous);
    if (!reliable) {
      // Nothing is computed from them any more.
      drop(states);
    }
    previous = states;
    states = next;
    asked.forEach(q -> generations[q.chain() - 1] = generations[q.chain() - 1].next());
    return IntStream.range(0, asked.size())
        .mapToObj(q -> evolution.merge(asked.get(q), column(shares, q)))
        .toList();
  }

  /** Drops inputs sent before the last cut but one of the lineage; nothing needs them any more. */
  private void outdate(Sent<?> last, boolean cut) {
    given.addLast(last);
    if (cut) {
      for (int k = 0; k < outdated; k++) {
        given.removeFirst().drop();
      }
      outdated = given.size();
    }
  }

  /** Removes checkpoints but the last two: nothing that is left is computed from another. */
  private void keepTwo(String last) {
    checkpoints.addLast(last);
    while (checkpoints.size() > 2) {
      Path outdated = new Path(checkpoints.removeFirst());
      try {
        outdated.getFileSystem(blocks.context().hadoopConfiguration()).delete(outdated, true);
      } catch (IOException e) {
        // The folder that they are in goes at the end of the run.
        return;
      }
    }
  }

  /** Returns each partition's element at an index. */
  @SuppressWarnings("unchecked") // as the evolution has made it
  private static <T> List<T> column(List<Object[]> partitions, int index) {
    return partitions.stream().map(all -> (T) all[index]).toList();
  }

  @Override
  public <C extends Serializable> List<C> collect(RowStates.Collector<B, S, C> collector) {
    JavaRDD<byte[]> collected =
        blocks.zipPartitions(
            states,
            (iterator, before) -> List.of(collect(collector, iterator, before.next())).iterator());
    List<Object[]> places = collected.collect().stream().map(Packed::<Object[]>unpack).toList();
    return IntStream.range(0, generations.length)
        .mapToObj(c -> collector.merge(RowStateJobs.<C>column(places, c)))
        .toList();
  }

  @SuppressWarnings("unchecked") // as the evolution has made it
  private static <B extends RowBlock<B>, S, C extends Serializable> byte[] collect(
      RowStates.Collector<B, S, C> collector, Iterator<B> iterator, Partition partition) {
    Place<B> place = partition.place(iterator);
    Object[] collected =
        Arrays.stream(partition.chains()).map(state -> collector.add(place, (S) state)).toArray();
    return Packed.pack(collected);
  }

  @Override
  public <R extends Serializable> Iterator<R> places(RowStates.Summary<B, S, R> summary) {
    JavaRDD<byte[]> summed =
        blocks.zipPartitions(
            states,
            (iterator, before) -> List.of(summed(summary, iterator, before.next())).iterator());
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(summed.toLocalIterator(), Spliterator.ORDERED),
            false)
        .map(Packed::<R>unpack)
        .iterator();
  }

  @SuppressWarnings("unchecked") // as the evolution has made it
  private static <B extends RowBlock<B>, S, R extends Serializable> byte[] summed(
      RowStates.Summary<B, S, R> summary, Iterator<B> iterator, Partition partition) {
    List<S> chains = Arrays.stream(partition.chains()).map(state -> (S) state).toList();
    return Packed.pack(summary.of(partition.place(iterator), chains));
  }

  /** Returns the RDD that a step makes; see {@link PartitionJob} for why so. */
  private JavaRDD<Partition> zip(Step<B, S, Q, H> step) {
    ClassTag<Partition> tag = ClassTag$.MODULE$.apply(Partition.class);
    return blocks.rdd().zipPartitions(states.rdd(), true, step, tag, tag).toJavaRDD();
  }

  /** Returns the present states, whose blocks a test may lose. */
  JavaRDD<Partition> states() {
    return states;
  }

  @Override
  public Kept keep(RowStates.Store store) {
    int places = PartitionJob.run(states, new Keep(store)).size();
    return new Kept(places, List.of(generations));
  }

  /**
   * {@inheritDoc} If states are lost before the lineage is cut, they are read from the store again.
   */
  @Override
  public void resume(Kept kept, RowStates.Store store) {
    kept.requirePlaces(blocks.getNumPartitions());
    close();
    states =
        blocks.mapPartitionsWithIndex(
            (p, iterator) -> List.of(Partition.of(OfPlace.read(store, p))).iterator(), true);
    previous = states;
    kept.generations().toArray(generations);
  }

  /** Stores the states of a partition, without its answers. */
  private record Keep(RowStates.Store store) implements PartitionJob.Task<Partition, Integer> {
    @Override
    public Integer run(int partition, Iterator<Partition> elements) {
      Partition last = elements.next();
      try {
        store.write(partition, OfPlace.bytes(last.from, last.to, Arrays.asList(last.chains)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return partition;
    }
  }

  @Override
  public void close() {
    drop(previous);
    drop(states);
    given.forEach(Sent::drop);
    given.clear();
    outdated = 0;
  }

  /**
   * Drops the blocks of an RDD. {@code RDD.unpersist} does the same, and warns at every job that an
   * RDD without lineage cannot be computed again; this one need not be.
   */
  private static void drop(JavaRDD<Partition> rdd) {
    rdd.context().unpersistRDD(rdd.id(), false);
  }

  /** A partition's shares. */
  private record Shares() implements PartitionJob.Task<Partition, Object[]> {
    @Override
    public Object[] run(int partition, Iterator<Partition> elements) {
      return elements.next().shares();
    }
  }

  /** One job on one partition. */
  private record Step<B, S extends Serializable, Q extends RowEvolution.ChainQuestion, H>(
      RowEvolution<B, S, Q, H, ?> evolution, Sent<ArrayList<Q>> sent)
      implements Function2<
              scala.collection.Iterator<B>,
              scala.collection.Iterator<Partition>,
              scala.collection.Iterator<Partition>>,
          Serializable {
    @Override
    @SuppressWarnings("unchecked") // as the evolution has made it
    public scala.collection.Iterator<Partition> apply(
        scala.collection.Iterator<B> iterator, scala.collection.Iterator<Partition> states) {
      Partition before = states.next();
      Place<B> place = before.place(ScalaCollections.asJava(iterator));
      List<Q> questions = sent.get();
      Object[] chains = before.chains().clone();
      Object[] shares = new Object[questions.size()];
      for (int q = 0; q < shares.length; q++) {
        Q question = questions.get(q);
        int c = question.chain() - 1;
        RowEvolution.Evolved<S, H> evolved = evolution.add(place, (S) chains[c], question);
        chains[c] = evolved.state();
        shares[q] = evolved.share();
      }
      return Iterator$.MODULE$.single(before.after(chains, shares));
    }
  }

  /**
   * States of one partition's rows in every chain after a job, with the partition's answers in that
   * job. An element of the RDD of row states, one a partition.
   *
   * <p>Immutable by convention; what a job does not change is shared with the one before.
   */
  public static final class Partition implements Serializable {
    private final long from;
    private final long to;
    private final Object[] chains;
    private final Object[] shares;

    /**
     * Takes the state in each chain, and, for each question of the last job, the partition's share
     * of the answer for the blocks {@code from … to − 1}.
     */
    Partition(long from, long to, Object[] chains, Object[] shares) {
      this.from = from;
      this.to = to;
      this.chains = chains;
      this.shares = shares;
    }

    /** Returns a partition as it was stored, without answers. */
    static Partition of(RowStates.OfPlace stored) {
      return new Partition(stored.from(), stored.to(), stored.chains().toArray(), new Object[0]);
    }

    /** Returns the partition's rows as a place. */
    <B> Place<B> place(Iterator<B> blocks) {
      List<B> all = new ArrayList<>();
      blocks.forEachRemaining(all::add);
      return new Place<>(from, to, all);
    }

    /** Returns this partition after a job. */
    Partition after(Object[] chainsAfter, Object[] answered) {
      return new Partition(from, to, chainsAfter, answered);
    }

    Object[] chains() {
      return chains;
    }

    Object[] shares() {
      return shares;
    }
  }
}
