package org.lampyris.executors.firefly;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;
import org.lampyris.executors.firefly.BrightnessPartition.ChainBrightness;
import org.lampyris.executors.pass.Packed;
import org.lampyris.executors.pass.PartitionJob;
import org.lampyris.samplers.firefly.DrawnCandidates;
import org.lampyris.samplers.firefly.brightness.BoundBlock;
import org.lampyris.samplers.firefly.brightness.Brightness;
import org.lampyris.samplers.firefly.brightness.CarriedBrightness;
import org.lampyris.samplers.firefly.brightness.FireflyAnswer;
import org.lampyris.samplers.firefly.brightness.FireflyPass;
import org.lampyris.samplers.firefly.brightness.FireflyQuestion;
import org.lampyris.samplers.firefly.brightness.FireflyShare;
import scala.collection.Iterator$;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;

/**
 * Answers Firefly's questions on the executors, the questions of all chains in one job: the
 * stepwise execution plan.
 *
 * <p>The brightness of all chains is an RDD with one element a partition, next to the resident
 * blocks. Each job makes the next one from the one before, by a pure function of (blocks,
 * brightness, questions), and keeps it; the one before the last is dropped. The lineage is cut at
 * regular intervals: in local mode, where there is no executor to lose, at every job; on a cluster
 * by a reliable checkpoint, so that brightness that is lost with an executor is computed again from
 * there, to the same bits.
 *
 * <p>Cost of a job: Spark's own latency, plus the rows that are bright or candidates, plus a
 * constant for each block; once in a window of iterations, its candidates are drawn for each chain,
 * see {@link DrawnCandidates}. Not safe for use by several threads.
 */
public final class FireflyJobs
    implements Function<List<FireflyQuestion>, List<FireflyAnswer>>, AutoCloseable {
  private final BoundTable table;
  private final FireflyPass pass;
  private final int checkpointInterval;
  private final boolean reliable;
  private JavaRDD<BrightnessPartition> brightness;
  private JavaRDD<BrightnessPartition> previous;
  private long jobs;
  private long mostBright;

  /**
   * Begins with all rows dark in every chain.
   *
   * @param table the resident rows
   * @param pass answers for a block
   * @param chains how many chains there are, numbered from 1
   * @param checkpointInterval after how many jobs the lineage is cut on a cluster; needs a
   *     checkpoint directory of the Spark context
   */
  public FireflyJobs(BoundTable table, FireflyPass pass, int chains, int checkpointInterval) {
    this(table, pass, chains, checkpointInterval, !table.blocks().context().isLocal());
  }

  /** Cuts the lineage by reliable checkpoints, or at every job by keeping what it has made. */
  FireflyJobs(
      BoundTable table, FireflyPass pass, int chains, int checkpointInterval, boolean reliable) {
    this.table = table;
    this.pass = pass;
    this.checkpointInterval = checkpointInterval;
    this.reliable = reliable;
    var ranges = table.ranges();
    this.brightness =
        table
            .blocks()
            .mapPartitionsWithIndex(
                (p, blocks) -> {
                  int mostRows = 0;
                  while (blocks.hasNext()) {
                    mostRows = Math.max(mostRows, blocks.next().data().rows());
                  }
                  return List.of(
                          BrightnessPartition.dark(ranges.from(p), ranges.to(p), mostRows, chains))
                      .iterator();
                },
                true);
    this.previous = brightness;
  }

  @Override
  public List<FireflyAnswer> apply(List<FireflyQuestion> questions) {
    JavaRDD<BrightnessPartition> next =
        zip(new Step(pass, questions.toArray(new FireflyQuestion[0])))
            .persist(StorageLevel.MEMORY_AND_DISK());
    jobs++;
    if (!reliable) {
      next.rdd().localCheckpoint();
    } else if (jobs % checkpointInterval == 0) {
      next.checkpoint();
    }
    List<FireflyShare[]> shares = PartitionJob.run(next, new Shares());
    drop(previous);
    previous = brightness;
    brightness = next;

    mostBright = 0;
    List<FireflyAnswer> answers = new ArrayList<>(questions.size());
    for (int q = 0; q < questions.size(); q++) {
      int index = q;
      answers.add(
          FireflyAnswer.of(
              questions.get(q),
              shares.stream().map(share -> share[index]).toList(),
              pass.dimension()));
      mostBright = Math.max(mostBright, answers.get(q).bright());
    }
    return answers;
  }

  /** Returns how many rows were bright in the chain of the last job that had most of them. */
  public long mostBright() {
    return mostBright;
  }

  /**
   * Returns the bright rows of every chain with their data, in one job: for chains that go on in
   * segments.
   */
  public List<CarriedBrightness> carry() {
    JavaRDD<byte[]> carried =
        table
            .blocks()
            .zipPartitions(
                brightness, (blocks, before) -> List.of(carry(blocks, before.next())).iterator());
    List<ArrayList<CarriedBrightness>> places = new ArrayList<>();
    for (byte[] packed : carried.collect()) {
      places.add(Packed.unpack(packed));
    }
    List<CarriedBrightness> chains = new ArrayList<>();
    for (int c = 0; c < places.get(0).size(); c++) {
      int index = c;
      chains.add(CarriedBrightness.join(places.stream().map(place -> place.get(index)).toList()));
    }
    return chains;
  }

  private static byte[] carry(Iterator<BoundBlock> iterator, BrightnessPartition partition) {
    List<BoundBlock> blocks = new ArrayList<>();
    iterator.forEachRemaining(blocks::add);
    ArrayList<CarriedBrightness> chains = new ArrayList<>();
    for (ChainBrightness chain : partition.chains()) {
      chains.add(CarriedBrightness.of(chain.brightness(partition.rowBits()), blocks));
    }
    return Packed.pack(chains);
  }

  /** Returns the brightness RDD that a step makes; see {@link PartitionJob} for why so. */
  private JavaRDD<BrightnessPartition> zip(Step step) {
    ClassTag<BrightnessPartition> tag = ClassTag$.MODULE$.apply(BrightnessPartition.class);
    return table.blocks().rdd().zipPartitions(brightness.rdd(), true, step, tag, tag).toJavaRDD();
  }

  /** Returns the present brightness, whose blocks a test may lose. */
  JavaRDD<BrightnessPartition> brightness() {
    return brightness;
  }

  /** Drops the brightness. */
  @Override
  public void close() {
    drop(previous);
    drop(brightness);
  }

  /**
   * Drops the blocks of a brightness RDD. {@code RDD.unpersist} does the same, and warns at every
   * job that an RDD without lineage cannot be computed again; this one need not be.
   */
  private static void drop(JavaRDD<BrightnessPartition> rdd) {
    rdd.context().unpersistRDD(rdd.id(), false);
  }

  /** A partition's answers. */
  private static final class Shares extends PartitionJob.Task<BrightnessPartition, FireflyShare[]> {
    private static final long serialVersionUID = 1L;

    @Override
    protected FireflyShare[] run(int partition, Iterator<BrightnessPartition> elements) {
      return elements.next().answers();
    }
  }

  /** One job on one partition. */
  private static final class Step
      extends AbstractFunction2<
          scala.collection.Iterator<BoundBlock>,
          scala.collection.Iterator<BrightnessPartition>,
          scala.collection.Iterator<BrightnessPartition>>
      implements Serializable {
    private static final long serialVersionUID = 1L;
    private final FireflyPass pass;
    private final FireflyQuestion[] questions;

    Step(FireflyPass pass, FireflyQuestion[] questions) {
      this.pass = pass;
      this.questions = questions;
    }

    @Override
    public scala.collection.Iterator<BrightnessPartition> apply(
        scala.collection.Iterator<BoundBlock> iterator,
        scala.collection.Iterator<BrightnessPartition> brightness) {
      BrightnessPartition before = brightness.next();
      List<BoundBlock> blocks = new ArrayList<>();
      while (iterator.hasNext()) {
        blocks.add(iterator.next());
      }
      ChainBrightness[] chains = before.chains().clone();
      FireflyShare[] answers = new FireflyShare[questions.length];
      for (int q = 0; q < questions.length; q++) {
        int c = questions[q].chain() - 1;
        FireflyShare.Sum share = new FireflyShare.Sum(before.from(), before.to());
        DrawnCandidates candidates = new DrawnCandidates(pass, blocks, chains[c].window());
        Brightness after =
            pass.answer(
                blocks, candidates, chains[c].brightness(before.rowBits()), questions[q], share);
        chains[c] = ChainBrightness.of(after, before.rowBits(), candidates.last());
        answers[q] = share.end();
      }
      return Iterator$.MODULE$.single(before.after(chains, answers));
    }
  }
}
