package org.lampyris.samplers.program.moves;

/** Step of a chain that leaves the posterior invariant, or nearly so if it documents an error. */
@FunctionalInterface
public interface Move {
  /** Returns the state of the chain after the move. */
  ProgramState apply(ProgramState from, ProgramRows rows);

  /** Returns several moves, one after the other. */
  static Move cycle(Move... moves) {
    return (from, rows) -> {
      ProgramState state = from;
      for (Move move : moves) {
        state = move.apply(state, rows);
      }
      return state;
    };
  }

  /** Returns a move that leaves everything as it is. */
  static Move none() {
    return (from, rows) -> from;
  }

  /**
   * Returns approximate moves for burn-in and exact ones after it. Draws after burn-in have the
   * invariant distribution of {@code exact}; the approximate moves only decide where it starts.
   *
   * <p>Source: Chen, Mansinghka and Ghahramani (2014), section 5.
   *
   * @param steps the chain's {@linkplain ProgramState#step step} from which moves are exact; a
   *     cycle of k moves makes k steps, and is never cut
   */
  static Move burnIn(long steps, Move approximate, Move exact) {
    return (from, rows) -> (from.step() < steps ? approximate : exact).apply(from, rows);
  }

  /** Returns a repetition of the same move. */
  default Move times(int count) {
    return (from, rows) -> {
      ProgramState state = from;
      for (int i = 0; i < count; i++) {
        state = apply(state, rows);
      }
      return state;
    };
  }
}
