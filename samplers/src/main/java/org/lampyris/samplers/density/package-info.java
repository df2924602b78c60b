/** Log-densities as a θ-kernel sees them. */
@NullMarked
package org.lampyris.samplers.density;

import org.jspecify.annotations.NullMarked;
