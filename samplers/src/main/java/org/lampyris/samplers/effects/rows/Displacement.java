package org.lampyris.samplers.effects.rows;

import java.io.Serializable;

/**
 * How all effects of a grouping move at once: b'_j = M(b_j − T_jδ) − c, where T_j is the group's
 * ridge.
 *
 * @param delta δ, by how much the coefficients move; not copied
 * @param map M, row-major q × q; not copied
 * @param shift c; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Displacement(double[] delta, double[] map, double[] shift) implements Serializable {
  /** Returns the same followed by another shift, of one effect. */
  public Displacement shifted(int effect, double by) {
    double[] all = shift.clone();
    all[effect] += by;
    return new Displacement(delta, map, all);
  }

  /** Returns what leaves all as it is. */
  public static Displacement none(int columns, int size) {
    double[] identity = new double[size * size];
    for (int e = 0; e < size; e++) {
      identity[e * size + e] = 1;
    }
    return new Displacement(new double[columns], identity, new double[size]);
  }
}
