package org.lampyris.dataprep.prepare;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a categorical column is one-hot encoded.
 *
 * @param levels the levels that may occur; empty to take those that do occur, in ascending order
 * @param reference the level that gets no column; null for the first level
 * @param top how many of the most frequent levels are kept, the others becoming one level named
 *     {@code other}; null to keep all
 * @param other the name of the level that takes in levels outside of {@code levels} or {@code top};
 *     null makes an unknown level an error (with {@code top}: "(other)")
 */
public record CategoricalSpec(
    List<String> levels,
    @Nullable String reference,
    @Nullable Integer top,
    @Nullable String other) {}
