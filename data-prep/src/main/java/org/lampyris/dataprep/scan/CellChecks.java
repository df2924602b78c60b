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
    require(columns.label(), scan.label, drop);
    require(columns.offset(), scan.offset, fill);
    require(columns.weight(), scan.weight, fill);
    if (scan.weight != null && scan.weight.min() <= 0) {
      String weight = String.valueOf(columns.weight());
      refuse(weight, 1, Kind.NOT_POSITIVE, "is a weight that is not positive", drop);
    }
    require(columns.groupBy(), scan.group, fill);
    require(columns.orderBy(), scan.order, fill);
    for (int f = 0; f < columns.features().size(); f++) {
      require(columns.features().get(f).name(), scan.feature(f), fill);
    }
  }

  private void require(@Nullable String name, @Nullable CellScan<?> scan, String remedy) {
    if (name == null) {
      return;
    }
    if (scan instanceof LevelScan levels) {
      refuse(name, levels.missing, Kind.MISSING, "has no value", remedy);
      refuse(name, levels.nan, Kind.NAN, "is not a finite number", remedy);
    } else if (scan instanceof NumberScan numbers) {
      refuse(name, numbers.missing, Kind.MISSING, "has no value", remedy);
      refuse(name, numbers.nan, Kind.NAN, "is NaN", remedy);
      refuse(name, numbers.infinite, Kind.INFINITE, "is infinite", remedy);
    } else if (scan instanceof VectorScan vectors) {
      refuse(name, vectors.missing, Kind.MISSING, "has no value", remedy);
      if (vectors.otherSize >= 0) {
        throw input.problem(
            name,
            ("holds vectors of different sizes, among them %s and %s; a feature has one size in"
                    + " all rows")
                .formatted(vectors.slots.size(), vectors.otherSize));
      }
      vectors.slots.forEach(slot -> require(name, slot, remedy));
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
