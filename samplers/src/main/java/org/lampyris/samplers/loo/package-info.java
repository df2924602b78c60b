/**
 * Leave-one-out cross-validation by importance sampling, and its estimate from some of the rows.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.loo;
