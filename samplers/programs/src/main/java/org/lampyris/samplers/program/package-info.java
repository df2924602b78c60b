/** Probabilistic programs: distributions, traces, and scaffolds of moves. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.program;
