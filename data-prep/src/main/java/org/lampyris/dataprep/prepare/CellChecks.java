package org.lampyris.dataprep.prepare;

import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.prepare.CellTest.Kind;

/** What the cells of a table must be like for a regression, and what to say where they are not. */
final class CellChecks {
  private final String where;
  private final InputTable table;
  private final boolean shaped;

  /**
   * Takes what messages name.
   *
   * @param where what to call the table in messages
   * @param table finds the rows that messages are about
   * @param shaped whether a query stands between the input and the table
   */
  CellChecks(String where, InputTable table, boolean shaped) {
    this.where = where;
    this.table = table;
    this.shaped = shaped;
  }

  /** Refuses a table without rows, and cells that are missing, NaN or infinite. */
  void requireCells(TableScan scan, InputColumns columns) {
    if (scan.rows == 0) {
      throw UserException.data(
          where + " is empty: it has no rows" + (shaped ? "; check data.query" : ""));
    }
    String label = columns.label();
    String drop = "drop such rows" + (shaped ? "" : ", for instance in data.query");
    refuse(label, scan.label.missing, Kind.MISSING, "has no value", drop);
    refuse(label, scan.label.nan, Kind.NAN, "is not a finite number", drop);
    String fill = drop + ", or fill the value in";
    String offset = columns.offset();
    if (scan.response != null) {
      requireFinite(label, scan.response, drop);
    }
    if (offset != null && scan.offset != null) {
      requireFinite(offset, scan.offset, fill);
    }
    String weight = columns.weight();
    if (weight != null && scan.weight != null) {
      requireFinite(weight, scan.weight, fill);
      if (scan.weight.min <= 0) {
        refuse(weight, 1, Kind.NOT_POSITIVE, "is a weight that is not positive", drop);
      }
    }
    for (int f = 0; f < columns.features().size(); f++) {
      String name = columns.features().get(f).name();
      refuse(name, scan.levels[f].missing, Kind.MISSING, "has no value", fill);
      refuse(name, scan.levels[f].nan, Kind.NAN, "is not a finite number", fill);
      if (scan.otherSize[f] >= 0) {
        throw UserException.data(
            "column '"
                + name
                + "' of "
                + where
                + " holds vectors of different sizes, among them "
                + scan.numbers.get(f).size()
                + " and "
                + scan.otherSize[f]
                + "; a feature has one size in all rows");
      }
      for (NumberScan slot : scan.numbers.get(f)) {
        requireFinite(name, slot, fill);
      }
    }
  }

  private void requireFinite(String name, NumberScan numbers, String remedy) {
    refuse(name, numbers.missing, Kind.MISSING, "has no value", remedy);
    refuse(name, numbers.nan, Kind.NAN, "is NaN", remedy);
    refuse(name, numbers.infinite, Kind.INFINITE, "is infinite", remedy);
  }

  /** Refuses a table in which some cells of a column are of a kind. */
  void refuse(String column, long count, Kind kind, String is, String remedy) {
    if (count > 0) {
      String many =
          kind == Kind.NOT_POSITIVE || kind == Kind.NEGATIVE
              ? ""
              : count == 1 ? " in 1 row" : " in " + count + " rows";
      throw UserException.data(
          "column '"
              + column
              + "' of "
              + where
              + " "
              + is
              + many
              + first(CellTest.of(column, kind))
              + "; "
              + remedy);
    }
  }

  /** Returns where the first such cell is, as a clause, or nothing if it cannot be said. */
  String first(CellTest test) {
    String place = table.place(test);
    return place == null ? "" : " (first: " + place + ")";
  }
}
