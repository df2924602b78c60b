/**
 * Stochastic gradient Langevin dynamics: approximate, with the step size for a knob. Source:
 * Welling and Teh (2011).
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.langevin;
