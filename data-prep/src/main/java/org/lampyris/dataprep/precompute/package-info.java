/** The precompute job: MAP, Laplace covariance and collapsed bounds. */
@NullMarked
package org.lampyris.dataprep.precompute;

import org.jspecify.annotations.NullMarked;
