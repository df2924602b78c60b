/** Firefly Monte Carlo: θ and the brightness of rows in turn. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.firefly;
