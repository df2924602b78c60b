package org.lampyris.samplers.algorithm;

/**
 * Facts about a model and its table that are known before the table is read.
 *
 * @param family the family's name
 * @param mayHaveBound false if the family is known to have no lower bound
 * @param isWeighted whether rows have weights
 * @param isGrouped whether the rows of a group lie together, in blocks of different sizes
 */
public record Foreseen(
    String family, boolean mayHaveBound, boolean isWeighted, boolean isGrouped) {}
