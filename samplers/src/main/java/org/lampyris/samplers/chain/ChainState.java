package org.lampyris.samplers.chain;

import java.io.Serializable;
import org.lampyris.samplers.adaptation.DualAveraging;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.ThetaKernel;

/**
 * Where a chain is between two iterations: all that its next iteration needs besides the rows.
 *
 * @param chain the chain's number, from 1
 * @param iteration the last iteration that was made, 0 before the first
 * @param point θ and its log-density
 * @param kernel the θ-kernel with its present step size
 * @param adaptation the state of the warm-up's adaptation
 */
public record ChainState(
    int chain, long iteration, Point point, ThetaKernel kernel, DualAveraging adaptation)
    implements Serializable {}
