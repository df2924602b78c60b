/** Probabilistic programs: distributions, traces, and the scaffolds of what is to be moved. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.program;
