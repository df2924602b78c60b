/**
 * Metropolis–Hastings that is exact and looks at a few rows: Taylor proxies, corrected by points
 * drawn before θ.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.mhss;
