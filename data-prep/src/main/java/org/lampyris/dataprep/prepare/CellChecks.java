package org.lampyris.dataprep.prepare;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.error.UserException;
import org.lampyris.dataprep.prepare.CellTest.Kind;
import org.lampyris.executors.table.TableSchema;

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

  private void refuse(String column, long count, Kind kind, String is, String remedy) {
    if (count > 0) {
      String many =
          kind == Kind.NOT_POSITIVE ? "" : count == 1 ? " in 1 row" : " in " + count + " rows";
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

  /** Refuses a label that does not have two classes, or not those of an earlier table. */
  void requireClasses(String label, LevelScan scan, @Nullable TableSchema like) {
    List<String> values =
        scan.counts.keySet().stream().sorted(CellText::compareLevels).limit(6).toList();
    String shown =
        values.stream().limit(5).collect(Collectors.joining(", "))
            + (values.size() > 5 ? ", …" : "");
    if (like != null) {
      for (String value : scan.counts.keySet()) {
        if (!value.equals(like.label().negative()) && !value.equals(like.label().positive())) {
          throw UserException.data(
              "the label '"
                  + label
                  + "' of "
                  + where
                  + " is '"
                  + value
                  + "'"
                  + first(CellTest.ofText(label, value))
                  + ", where the earlier table has only "
                  + like.label().negative()
                  + " and "
                  + like.label().positive()
                  + "; correct the label");
        }
      }
    } else if (scan.counts.size() == 1) {
      throw UserException.data(
          "the label '"
              + label
              + "' of "
              + where
              + " is "
              + shown
              + " in every row; a regression needs rows of both classes");
    } else if (scan.counts.size() > 2) {
      String rare =
          scan.counts.entrySet().stream()
              .min(
                  Map.Entry.<String, Long>comparingByValue()
                      .thenComparing(Map.Entry.comparingByKey(CellText::compareLevels)))
              .map(Map.Entry::getKey)
              .orElse("");
      throw UserException.data(
          "the label '"
              + label
              + "' of "
              + where
              + " has "
              + (scan.tooMany ? "more than " : "")
              + scan.counts.size()
              + " different values ("
              + shown
              + "), the rarest being '"
              + rare
              + "'"
              + first(CellTest.ofText(label, rare))
              + "; it must be 0 or 1, −1 or +1, or one of two classes: correct it, or make it so"
              + " in data.query (CASE WHEN "
              + label
              + " > … THEN 1 ELSE 0 END AS "
              + label
              + ")");
    }
  }
}
