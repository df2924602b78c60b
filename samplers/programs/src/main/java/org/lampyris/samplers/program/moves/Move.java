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
