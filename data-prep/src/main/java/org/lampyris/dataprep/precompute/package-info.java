/** The precompute job: MAP, Laplace covariance and collapsed bounds. */
@org.jspecify.annotations.NullMarked
package org.lampyris.dataprep.precompute;
