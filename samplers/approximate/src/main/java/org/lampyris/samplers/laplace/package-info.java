/** Draws from the normal approximation at the mode, and their correction by importance. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.laplace;
