package org.lampyris.samplers.run;

/**
 * How large the table is.
 *
 * @param rows how many rows it has
 * @param blocks how many blocks hold them
 * @param blockRows how many rows a full block has
 */
public record TableSize(long rows, long blocks, int blockRows) {}
