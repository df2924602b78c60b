/** Metropolis–Hastings by sequential tests: austerity, and the confidence sampler. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.austerity;
