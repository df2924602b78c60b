/** Programs that a job file names: their chains, with the moves that follow from a trace. */
@org.jspecify.annotations.NullMarked
package org.lampyris.samplers.program.named;
