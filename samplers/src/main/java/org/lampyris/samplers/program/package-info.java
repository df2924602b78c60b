/**
 * Probabilistic programs over the rows of a table: a program runs once and leaves a trace, and from
 * the trace follows which nodes a change of one of them touches, its scaffold.
 *
 * <p>Source: Chen, Mansinghka and Ghahramani (2014).
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.program;
