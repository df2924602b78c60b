package org.lampyris.dataprep.blocks;

import org.apache.spark.api.java.JavaRDD;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.executors.table.TableSchema;

/**
 * A table that has been prepared.
 *
 * @param blocks its blocks, kept, as {@link org.lampyris.executors.table.BlockTable} spreads them;
 *     null if they are not
 */
public record Prepared(TableSchema schema, @Nullable JavaRDD<DataBlock> blocks) {}
