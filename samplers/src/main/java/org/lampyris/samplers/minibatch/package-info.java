/**
 * Rows in batches that grow along a permutation of the table, drawn anew in each iteration: what
 * sequential tests, noisy decisions and stochastic gradients look at.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.minibatch;
