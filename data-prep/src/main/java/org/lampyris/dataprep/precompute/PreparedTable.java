package org.lampyris.dataprep.precompute;

import org.apache.spark.api.java.JavaRDD;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.executors.pass.BlockRanges;

/**
 * A prepared table.
 *
 * @param blocks its blocks, spread as {@code ranges} says, ascending within a partition
 */
public record PreparedTable(JavaRDD<DataBlock> blocks, BlockRanges ranges, TableFacts facts) {}
