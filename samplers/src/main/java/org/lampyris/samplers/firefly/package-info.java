/** Firefly Monte Carlo: brightness of rows, its updates, and the density of θ given it. */
@NullMarked
package org.lampyris.samplers.firefly;

import org.jspecify.annotations.NullMarked;
