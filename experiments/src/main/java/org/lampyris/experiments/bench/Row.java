package org.lampyris.experiments.bench;

import java.util.Optional;

/**
 * A row with its result.
 *
 * @param entry the row
 * @param measurement its figures; empty if it could not be run
 * @param remark why it could not be run, or that the goal was not met; empty if all is well
 */
public record Row(BenchEntry entry, Optional<Measurement> measurement, String remark) {}
