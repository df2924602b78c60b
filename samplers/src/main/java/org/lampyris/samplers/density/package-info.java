/** Densities of θ, and the points at which they are known. */
@NullMarked
package org.lampyris.samplers.density;

import org.jspecify.annotations.NullMarked;
