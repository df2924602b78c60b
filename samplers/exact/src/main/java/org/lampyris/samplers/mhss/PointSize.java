package org.lampyris.samplers.mhss;

import java.io.Serializable;

/**
 * What the number of an iteration's points is held against.
 *
 * @param rows how many rows the table has
 * @param total Σ_n c_n over all rows, summed along a fixed tree over block ids
 */
public record PointSize(long rows, double total) implements Serializable {}
