/**
 * The ways in which an algorithm may run, whatever the rows are kept in: passes, questions of all
 * chains in one job, segments of iterations from pools, chains on shards, the table carried whole.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.run;
