/**
 * Metropolis–Hastings that is exact and looks at a few rows: Taylor proxies stand in for the
 * likelihood, and rows drawn before θ is looked at correct for what the proxies leave over.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.subsampled;
