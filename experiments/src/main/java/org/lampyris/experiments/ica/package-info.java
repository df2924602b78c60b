/**
 * Independent component analysis of signals with a planted mixture: what is recovered, at what
 * cost.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.experiments.ica;
