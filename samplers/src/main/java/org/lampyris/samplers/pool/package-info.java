/**
 * Rows drawn before θ is looked at: what every sampler of a tall table has in common.
 *
 * <p>An event is (iteration, global row id, payload), in a declared order. Its stream is keyed by
 * (chain, window of iterations, block), so the events of many iterations can be drawn at once, at
 * the rows' places, and carried to where the chain runs. Each event belongs to one iteration and is
 * used there or never.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.pool;
