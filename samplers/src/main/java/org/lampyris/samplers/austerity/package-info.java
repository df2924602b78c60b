/**
 * Metropolis–Hastings decided by a sequential t-test on growing batches of rows: approximate, with
 * a knob. Source: Korattikara, Chen and Welling (2014).
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.austerity;
