/**
 * Combinations of the draws from subposteriors of every shard of a table. Pure functions of the
 * draws, but for those that go back to the shards' rows.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.shards.combination;
