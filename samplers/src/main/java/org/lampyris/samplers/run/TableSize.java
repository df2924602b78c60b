package org.lampyris.samplers.run;

/**
 * How large the table is.
 *
 * @param rows how many rows it has
 * @param blocks how many blocks hold them
 * @param blockRows how many rows a full block has; 0 where groups of rows have made them differ
 */
public record TableSize(long rows, long blocks, int blockRows) {}
