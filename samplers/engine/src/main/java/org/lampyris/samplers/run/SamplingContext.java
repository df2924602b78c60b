package org.lampyris.samplers.run;

import java.io.Serializable;
import java.util.List;
import java.util.stream.Stream;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.SpreadBlocks;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.RowBlock;

/**
 * Context for running an algorithm: the model, the precomputed approximation and bounds, the common
 * settings, and several ways to run on the table's rows, all optional. In memory, or on executors;
 * both give the same draws.
 */
public interface SamplingContext {
  /** Returns the inputs other than the rows. */
  RunInputs inputs();

  /** Returns the model: likelihood, bounds, priors. */
  default ModelOfTable model() {
    return inputs().model();
  }

  /** Returns the Laplace approximation of the posterior. */
  default LaplaceApproximation laplace() {
    return inputs().laplace();
  }

  /** Returns the collapsed lower bounds; throws {@link IllegalStateException} if there are none. */
  default CollapsedBounds bounds() {
    CollapsedBounds bounds = inputs().bounds();
    if (bounds == null) {
      throw new IllegalStateException("the family has no lower bound");
    }
    return bounds;
  }

  /** Returns the number of chains, numbered from 1. */
  default int chains() {
    return inputs().chains().chains();
  }

  /** Returns the random streams of the run. */
  default Streams streams() {
    return inputs().streams();
  }

  /** Returns the configured θ-kernel with its initial step size. */
  default ThetaKernel thetaKernel() {
    return kernel().kernel();
  }

  /** Returns how θ is proposed. */
  default RunInputs.Kernel kernel() {
    RunInputs.Kernel kernel = inputs().kernel();
    if (kernel == null) {
      throw new IllegalStateException("no algorithm has been chosen");
    }
    return kernel;
  }

  /** Returns the same rows with other inputs. */
  SamplingContext with(RunInputs inputs);

  /** Returns how large the table is. */
  TableSize table();

  /** Returns the seconds of an empty job; 0 without jobs. */
  double jobLatency();

  /** Returns the resident bytes, in memory and on disk; 0 if they are not counted. */
  long residentBytes();

  /** Derives an algorithm's data for each row, kept for the whole run. */
  <B extends RowBlock<B>> ResidentRows<B> resident(BlockRule<B> rule);

  /** Returns a sum over some blocks, which are {@linkplain SpreadBlocks spread} over the table. */
  double[] sampledSum(long blocks, int length, BlockTerm<DataBlock> term);

  /**
   * Runs work on all rows in several tasks, each with the whole table: for tables that fit there.
   * Returns what the tasks lead to, in their order.
   */
  <R extends Serializable> List<R> carried(int tasks, TableWork<R> work);

  /**
   * Runs work on shards of the table, a task each, without communication. Returns what the shards
   * lead to, in their order.
   */
  <R extends Serializable> List<R> shards(int shards, ShardRule rule, TableWork<R> work);

  /**
   * Size of a table.
   *
   * @param rows how many rows it has
   * @param blocks how many blocks hold them
   * @param blockRows how many rows a full block has; 0 where groups of rows have made them differ
   */
  record TableSize(long rows, long blocks, int blockRows) implements Serializable {}

  /** Rule that assigns rows to shards. */
  @FunctionalInterface
  interface ShardRule extends Serializable {
    /** Returns the rows of a block that belong to a shard, from 0, in ascending order. */
    int[] rows(DataBlock block, int shard);

    /** Returns the rows of a block that belong to a shard, as a block; empty if there are none. */
    default Stream<DataBlock> part(DataBlock block, int shard) {
      int[] rows = rows(block, shard);
      return rows.length == 0 ? Stream.empty() : Stream.of(block.select(rows));
    }
  }

  /** Work on rows that are all local; its result R is Java-serialisable. */
  @FunctionalInterface
  interface TableWork<R> extends Serializable {
    /** Runs the work of a task or shard, from 0, on the blocks in ascending order of their ids. */
    R of(int task, List<DataBlock> blocks);
  }
}
