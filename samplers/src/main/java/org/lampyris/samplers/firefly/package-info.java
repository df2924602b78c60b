/** Firefly Monte Carlo: brightness of rows, its updates, and the density of θ given it. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.firefly;
