/**
 * Checkpoints: where all chains of a run are between two iterations, as a value that the run goes
 * on from to the same bits.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.checkpoint;
