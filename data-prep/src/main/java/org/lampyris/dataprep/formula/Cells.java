package org.lampyris.dataprep.formula;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;

/** Columns of a table, as an expression that is compiled finds them. */
interface Cells {
  /** Columns of no table: for checks of a formula before there is one. */
  Cells UNKNOWN =
      new Cells() {
        @Override
        public int number(String column) {
          return 0;
        }

        @Override
        public int isLevel(String column, String level) {
          return 0;
        }

        @Override
        public Factor.LevelOf level(String column) {
          return (row, cells) -> null;
        }

        @Override
        public @Nullable List<Double> learned(Basis.Wish wish) {
          return null;
        }
      };

  /**
   * Returns the place of a column among the numbers of a row.
   *
   * @throws UserException (usage) if it holds no numbers
   */
  int number(String column);

  /** Returns the place of a number that is 1 in rows whose column has a level, and else 0. */
  int isLevel(String column, String level);

  /**
   * Returns the levels of a column.
   *
   * @throws UserException (usage) if it holds vectors
   */
  Factor.LevelOf level(String column);

  /** Returns what the rows have shown of a function; null before they are read. */
  @Nullable List<Double> learned(Basis.Wish wish);
}
