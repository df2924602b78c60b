package org.lampyris.samplers.program.moves;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.lampyris.samplers.program.Given;
import org.lampyris.samplers.program.Trace;

/**
 * Values of the rows' deterministic nodes, each with the time when it was computed. A value is
 * stale once one of its parents has changed, and is recomputed only when it is read: rows that no
 * test reads cost nothing.
 *
 * <p>A value computed at time τ holds at time t if what it follows from was last changed at s with
 * s ≤ τ ≤ t. Times belong to a chain and are the same whenever its steps are recomputed, so a
 * repeated task finds nothing that it would not compute itself. Used by one thread at a time, which
 * holds its lock: a value and its time go together.
 *
 * <p>Source: Chen, Mansinghka and Ghahramani (2014), section 3.5.
 */
final class Memo {
  private static final int NEVER = -1;

  /** A value, and after it its time: rows that are far apart are waited for once, not twice. */
  private final double[][] cells;

  /** Kept of sections, by what these absorb. */
  private final Map<List<List<Integer>>, Kept> proxies = new HashMap<>();

  /**
   * A point that polynomials are about.
   *
   * @param values outside of the rows
   * @param width how many numbers a row has
   */
  record About(double[] values, int width) {
    boolean same(About other) {
      return width == other.width && Arrays.equals(values, other.values);
    }
  }

  private record Kept(About about, double[][] cells) {}

  Memo(int blocks) {
    cells = new double[blocks][0];
  }

  /**
   * Returns the numbers of polynomials about a point, one array a block, empty at first. About
   * another point than before, all begin empty.
   */
  double[][] proxies(List<List<Integer>> absorbing, About about) {
    Kept known = proxies.get(absorbing);
    if (known == null || !known.about.same(about)) {
      known = new Kept(about, new double[cells.length][0]);
      proxies.put(absorbing, known);
    }
    return known.cells;
  }

  /** Allocates room for a block's rows. */
  void open(int block, int rows, int lets) {
    if (cells[block].length == 0 && lets > 0) {
      cells[block] = new double[2 * rows * lets];
      Arrays.fill(cells[block], NEVER);
    }
  }

  /**
   * Returns a deterministic node's value.
   *
   * @param id the node
   * @param place the value's position in its block
   * @param stale when what it follows from was last changed
   * @param given the row; what the node reads is up to date there
   */
  double value(int block, int place, Trace trace, int id, int stale, Given given) {
    double[] cell = cells[block];
    double time = cell[2 * place + 1];
    int now = given.globals().time();
    if (time < stale || time > now) {
      cell[2 * place] = trace.compute(id, given);
      cell[2 * place + 1] = now;
    }
    return cell[2 * place];
  }
}
