/**
 * Rows by the points of a Poisson process over (row, height), of a rate that bounds what a row's
 * Taylor proxy leaves over, and Metropolis–Hastings that decides by them.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.points;
