/**
 * Divide and conquer: chains on every shard of a table, without communication, and combinations of
 * their draws.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.shards;
