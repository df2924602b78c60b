/**
 * Checkpoints of sampling in the output folder: the chains' states and the draws so far, from which
 * a run goes on to the same bits.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.driver.checkpoint;
