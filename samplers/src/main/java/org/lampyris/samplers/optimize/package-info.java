/** The mode of the posterior and the Laplace approximation there, by Newton's method. */
@NullMarked
package org.lampyris.samplers.optimize;

import org.jspecify.annotations.NullMarked;
