/** The Laplace approximation of a posterior: its mode, its covariance, and the balls about it. */
@NullMarked
package org.lampyris.bounds.laplace;

import org.jspecify.annotations.NullMarked;
