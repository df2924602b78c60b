package org.lampyris.samplers.program.moves;

import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.rows.RowStates.Generation;
import org.lampyris.samplers.rows.Stored;

/**
 * State of a program's chain.
 *
 * @param globals the values outside of the rows
 * @param rows names the state that the rows have
 * @param step how many moves were made
 * @param counts what they took
 */
public record ProgramState(int chain, Globals globals, Generation rows, long step, Counts counts)
    implements Stored {
  /**
   * Costs of moves.
   *
   * @param tests how many proposals were tested
   * @param accepted how many of them were accepted
   * @param sections how many local sections were evaluated
   * @param updates how many rows' latent values were drawn
   */
  public record Counts(long tests, long accepted, long sections, long updates) implements Stored {
    /** Nothing. */
    static final Counts NONE = new Counts(0, 0, 0, 0);

    Counts afterTest(boolean isAccepted, long looked) {
      return new Counts(tests + 1, accepted + (isAccepted ? 1 : 0), sections + looked, updates);
    }

    Counts afterSweep(long rows) {
      return new Counts(tests, accepted, sections, updates + rows);
    }
  }

  ProgramState afterJob() {
    return new ProgramState(chain, globals, rows.next(), step, counts);
  }

  /** Returns the state with other values outside of the rows. */
  public ProgramState with(Globals others) {
    return new ProgramState(chain, others, rows, step, counts);
  }

  /** Returns the state after a test that read a number of sections. */
  public ProgramState afterTest(Globals others, boolean accepted, long looked) {
    return new ProgramState(chain, others, rows, step + 1, counts.afterTest(accepted, looked));
  }

  /** Returns the state after a sweep that drew the latent values of a number of rows. */
  public ProgramState afterSweep(Globals others, long updated) {
    return new ProgramState(chain, others, rows, step + 1, counts.afterSweep(updated));
  }
}
