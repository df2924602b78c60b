/** Mixtures of a Dirichlet process: clusters, their parameters, and the labels of rows. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.program.mixture;
