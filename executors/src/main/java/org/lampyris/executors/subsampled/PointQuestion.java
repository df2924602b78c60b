package org.lampyris.executors.subsampled;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.subsampled.CandidateStream;

/**
 * What a chain asks of the rows: the points of an iteration up to a height, or the change of the
 * remainders of all rows.
 *
 * @param stream draws the chain's points
 * @param iteration the iteration
 * @param height up to which height points are wanted
 * @param from θ, where all rows are asked about; null for points
 * @param to θ′, likewise
 */
@SuppressWarnings("ArrayRecordComponent") // a message, never compared
public record PointQuestion(
    CandidateStream stream,
    long iteration,
    double height,
    double @Nullable [] from,
    double @Nullable [] to)
    implements Serializable {}
