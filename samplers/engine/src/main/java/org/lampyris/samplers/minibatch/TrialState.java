package org.lampyris.samplers.minibatch;

import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.SamplerState;

/**
 * Where a chain is that decides by batches.
 *
 * @param point θ, with log p(θ) + Σ_n T_n(θ), and the gradient over all rows where that is known
 * @param known whether every row's likelihood has been evaluated at θ
 * @param remainders v_n
 */
public record TrialState(Point point, boolean known, Remainders remainders)
    implements SamplerState {}
