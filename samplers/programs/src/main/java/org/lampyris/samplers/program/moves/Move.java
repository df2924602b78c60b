package org.lampyris.samplers.program.moves;

/** A step of a chain that leaves the posterior as it is, or nearly so where it says by how much. */
@FunctionalInterface
public interface Move {
  /** Returns where the chain is afterwards. */
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

  /** Returns so many of the same move. */
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
