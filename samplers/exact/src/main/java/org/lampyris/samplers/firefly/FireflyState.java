package org.lampyris.samplers.firefly;

import java.io.Serializable;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.SamplerState;

/**
 * Where a Firefly chain is: θ and the brightness of all rows.
 *
 * @param <R> the brightness: in memory, carried with its rows, or the name of what executors keep
 * @param point θ, and log p(θ | z, data) as it was when θ was drawn
 * @param rows the brightness
 */
public record FireflyState<R extends Serializable>(Point point, R rows) implements SamplerState {}
