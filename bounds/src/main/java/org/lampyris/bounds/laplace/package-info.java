/** The Laplace approximation of a posterior: its mode, its covariance, and the balls about it. */
@org.jspecify.annotations.NullMarked
package org.lampyris.bounds.laplace;
