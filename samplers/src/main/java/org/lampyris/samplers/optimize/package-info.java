/** The mode of the posterior and the Laplace approximation there, by Newton's method. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.optimize;
