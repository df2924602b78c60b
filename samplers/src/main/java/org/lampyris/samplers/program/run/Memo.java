package org.lampyris.samplers.program.run;

import java.util.Arrays;
import org.lampyris.samplers.program.Given;
import org.lampyris.samplers.program.Trace;

/**
 * Values of the rows' deterministic nodes, each with the time when it was computed. It is stale
 * once something that it follows from has changed, and is computed again when it is touched, and
 * not before: the rows that no test looks at cost nothing.
 *
 * <p>A value computed at time τ holds at time t if what it follows from was last changed at s with
 * s ≤ τ ≤ t. Times belong to a chain and are the same however often its steps are computed, so that
 * a task that is run again finds nothing that it would not compute itself. Used by one thread at a
 * time, which holds its lock: a value and its time go together.
 *
 * <p>Source: Chen, Mansinghka and Ghahramani (2014), section 3.5.
 */
final class Memo {
  private static final int NEVER = -1;

  private final double[][] values;
  private final int[][] times;

  Memo(int blocks) {
    values = new double[blocks][0];
    times = new int[blocks][0];
  }

  /** Makes room for a block's rows. */
  void open(int block, int rows, int lets) {
    if (values[block].length == 0 && lets > 0) {
      values[block] = new double[rows * lets];
      times[block] = new int[rows * lets];
      Arrays.fill(times[block], NEVER);
    }
  }

  /**
   * Returns a deterministic node's value.
   *
   * @param id the node
   * @param place where the value is among those of its block
   * @param stale when what it follows from was last changed
   * @param given the row; what the node reads is up to date there
   */
  double value(int block, int place, Trace trace, int id, int stale, Given given) {
    int time = times[block][place];
    int now = given.globals().time();
    if (time < stale || time > now) {
      values[block][place] = trace.compute(id, given);
      times[block][place] = now;
    }
    return values[block][place];
  }
}
