/**
 * Rows in batches that grow along a permutation of the table, and the sequential tests that decide
 * by them.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.minibatch;
