package org.lampyris.samplers.multilevel;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * How all effects of a grouping go with coefficients and covariance: see {@link LevelEffects}; and
 * then move by −c. Matrices are row-major, q × q.
 *
 * @param from by how much the coefficients differ from the reference before; not copied
 * @param to by how much they do afterwards; not copied
 * @param precisionFrom P = Σ⁻¹ before; not copied
 * @param precisionTo P afterwards; not copied
 * @param shift c; not copied
 * @param around P at φ_k + {@value #EPSILON} and φ_k − {@value #EPSILON} for each k, afterwards;
 *     null where no derivatives are wanted
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Displacement(
    double[] from,
    double[] to,
    double[] precisionFrom,
    double[] precisionTo,
    double[] shift,
    double @Nullable [][] around)
    implements Serializable {
  /** The step of derivatives in φ. */
  public static final double EPSILON = 1e-4;

  /** Returns the same, for good: without what derivatives need. */
  public Displacement plain() {
    return new Displacement(from, to, precisionFrom, precisionTo, shift, null);
  }

  /** Returns the same followed by another shift, of one effect. */
  public Displacement shifted(int effect, double by) {
    double[] all = shift.clone();
    all[effect] += by;
    return new Displacement(from, to, precisionFrom, precisionTo, all, null);
  }
}
