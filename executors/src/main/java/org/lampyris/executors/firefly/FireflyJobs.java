package org.lampyris.executors.firefly;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;
import org.lampyris.bounds.block.TreeSum;
import org.lampyris.executors.firefly.BrightnessPartition.ChainBrightness;
import org.lampyris.executors.pass.PartitionJob;
import org.lampyris.samplers.firefly.BlockBrightness;
import org.lampyris.samplers.firefly.BoundBlock;
import org.lampyris.samplers.firefly.FireflyAnswer;
import org.lampyris.samplers.firefly.FireflyPass;
import org.lampyris.samplers.firefly.FireflyQuestion;
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
 * constant for each block and chain. Not safe for use by several threads.
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
                (p, blocks) ->
                    List.of(BrightnessPartition.dark(ranges.from(p), ranges.to(p), chains))
                        .iterator(),
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
    List<TreeSum.Node[][]> shares = PartitionJob.run(next, new Shares());
    drop(previous);
    previous = brightness;
    brightness = next;

    List<FireflyAnswer> answers = new ArrayList<>(questions.size());
    for (int q = 0; q < questions.size(); q++) {
      FireflyQuestion question = questions.get(q);
      List<TreeSum.Node> nodes = new ArrayList<>();
      for (TreeSum.Node[][] share : shares) {
        nodes.addAll(Arrays.asList(share[q]));
      }
      double[] packed = TreeSum.total(nodes, question.answerLength(pass.dimension()));
      answers.add(new FireflyAnswer(question, packed, pass.dimension()));
    }
    return answers;
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
  private static final class Shares
      extends PartitionJob.Task<BrightnessPartition, TreeSum.Node[][]> {
    private static final long serialVersionUID = 1L;

    @Override
    protected TreeSum.Node[][] run(int partition, Iterator<BrightnessPartition> elements) {
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
        scala.collection.Iterator<BoundBlock> blocks,
        scala.collection.Iterator<BrightnessPartition> brightness) {
      BrightnessPartition before = brightness.next();
      List<TreeSum> sums = new ArrayList<>();
      List<List<BlockBrightness>> after = new ArrayList<>();
      for (int q = 0; q < questions.length; q++) {
        sums.add(new TreeSum(before.from(), before.to()));
        after.add(new ArrayList<>());
      }
      for (int b = 0; blocks.hasNext(); b++) {
        BoundBlock block = blocks.next();
        for (int q = 0; q < questions.length; q++) {
          FireflyQuestion question = questions[q];
          ChainBrightness chain = before.chains()[question.chain() - 1];
          double[] packed = new double[question.answerLength(pass.dimension())];
          after
              .get(q)
              .add(pass.answer(block, chain.block(b), chain.remembered(), question, packed));
          if (FireflyAnswer.isNotEmpty(packed)) {
            sums.get(q).add(block.id(), packed);
          }
        }
      }
      return Iterator$.MODULE$.single(next(before, sums, after));
    }

    private BrightnessPartition next(
        BrightnessPartition before, List<TreeSum> sums, List<List<BlockBrightness>> after) {
      ChainBrightness[] chains = before.chains().clone();
      TreeSum.Node[][] answers = new TreeSum.Node[questions.length][];
      for (int q = 0; q < questions.length; q++) {
        FireflyQuestion question = questions[q];
        int c = question.chain() - 1;
        double[][] remembered = FireflyPass.remembered(chains[c].remembered(), question);
        chains[c] = ChainBrightness.of(remembered, after.get(q));
        answers[q] = sums.get(q).nodes().toArray(new TreeSum.Node[0]);
      }
      return new BrightnessPartition(before.from(), before.to(), chains, answers);
    }
  }
}
