/**
 * The ways to run: all chains of a run, passes over the rows, rows in memory, moves beyond a
 * region.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.run;
