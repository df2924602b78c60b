/** Densities of θ, and the points at which they are known. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.density;
