package org.lampyris.executors.jobs;

import java.io.Serializable;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.spark.api.java.JavaRDD;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.random.Streams;

/**
 * Random sample of rows, each with the same probability, drawn from its block's stream: the same
 * rows for any number of partitions.
 *
 * @param share the probability; from 1 on all rows are chosen
 */
public record ChosenRows(double share, Streams streams, Streams.Purpose purpose)
    implements Serializable {
  /** Returns the chosen rows of each block that has any. */
  public JavaRDD<DataBlock> of(JavaRDD<DataBlock> blocks) {
    return blocks.map(this::of).filter(block -> block.rows() > 0);
  }

  /** Returns the chosen rows of a block; there may be none. */
  public DataBlock of(DataBlock block) {
    if (share >= 1) {
      return block;
    }
    UniformRandomProvider rng = streams.stream(purpose, 0, 0, block.id());
    int[] rows = new int[block.rows()];
    int count = 0;
    for (int row = 0; row < rows.length; row++) {
      if (rng.nextDouble() < share) {
        rows[count++] = row;
      }
    }
    return block.select(Arrays.copyOf(rows, count));
  }
}
