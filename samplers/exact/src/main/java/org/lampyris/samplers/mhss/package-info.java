/**
 * Exact Metropolis–Hastings that reads few rows: Taylor proxies, corrected by points drawn before
 * θ.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.mhss;
