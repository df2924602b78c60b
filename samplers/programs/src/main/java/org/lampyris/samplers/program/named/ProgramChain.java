package org.lampyris.samplers.program.named;

import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.program.moves.ProgramState;

/**
 * State of a program's chain, as a checkpoint holds it.
 *
 * @param point the reported numbers
 * @param program the state, which names the rows' state
 * @param drifts of the moves; not to be modified
 */
record ProgramChain(Point point, ProgramState program, double[] drifts) implements SamplerState {}
