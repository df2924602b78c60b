/**
 * Chains of a program: what is outside of the rows is a value of the chain, what rows have of their
 * own is their state, and moves change both.
 */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.program.run;
