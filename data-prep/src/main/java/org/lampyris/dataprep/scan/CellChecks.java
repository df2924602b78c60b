package org.lampyris.dataprep.scan;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.input.CellCondition;
import org.lampyris.dataprep.input.CellCondition.Kind;
import org.lampyris.dataprep.input.Input;
import org.lampyris.dataprep.input.InputColumns;

/** What the cells of a table must be like for a regression, and what to say where they are not. */
record CellChecks(Input input) {
  /** Refuses a table without rows, and cells that are missing, NaN or infinite. */
  void require(TableScan scan, InputColumns columns) {
    if (scan.rows() == 0) {
      throw UserException.data(
          input.name()
              + " is empty: it has no rows"
              + (input.isShaped() ? "; check data.query" : ""));
    }
    String drop = "drop such rows" + (input.isShaped() ? "" : ", for instance in data.query");
    String fill = drop + ", or fill the value in";
    requireValues(columns.label(), scan.label, drop);
    requireFinite(columns.label(), scan.response, drop);
    requireFinite(columns.offset(), scan.offset, fill);
    requireFinite(columns.weight(), scan.weight, fill);
    if (scan.weight != null && scan.weight.min() <= 0) {
      String weight = String.valueOf(columns.weight());
      refuse(weight, 1, Kind.NOT_POSITIVE, "is a weight that is not positive", drop);
    }
    requireValues(columns.groupBy(), scan.group, fill);
    requireValues(columns.orderBy(), scan.order, fill);
    for (int f = 0; f < columns.features().size(); f++) {
      String name = columns.features().get(f).name();
      requireValues(name, scan.levels[f], fill);
      if (scan.otherSize[f] >= 0) {
        throw input.problem(
            name,
            "holds vectors of different sizes, among them "
                + scan.numbers(f).size()
                + " and "
                + scan.otherSize[f]
                + "; a feature has one size in all rows");
      }
      for (NumberScan slot : scan.numbers(f)) {
        requireFinite(name, slot, fill);
      }
    }
  }

  private void requireValues(@Nullable String name, @Nullable LevelScan levels, String remedy) {
    if (name != null && levels != null) {
      refuse(name, levels.missing, Kind.MISSING, "has no value", remedy);
      refuse(name, levels.nan, Kind.NAN, "is not a finite number", remedy);
    }
  }

  private void requireFinite(@Nullable String name, @Nullable NumberScan numbers, String remedy) {
    if (name != null && numbers != null) {
      refuse(name, numbers.missing, Kind.MISSING, "has no value", remedy);
      refuse(name, numbers.nan, Kind.NAN, "is NaN", remedy);
      refuse(name, numbers.infinite, Kind.INFINITE, "is infinite", remedy);
    }
  }

  /** Refuses a table in which some cells of a column are of a kind. */
  void refuse(String column, long count, Kind kind, String is, String remedy) {
    if (count > 0) {
      String many =
          kind == Kind.NOT_POSITIVE || kind == Kind.NEGATIVE
              ? ""
              : count == 1 ? " in 1 row" : " in " + count + " rows";
      throw input.problem(
          column, is + many + input.first(CellCondition.of(column, kind)) + "; " + remedy);
    }
  }
}
