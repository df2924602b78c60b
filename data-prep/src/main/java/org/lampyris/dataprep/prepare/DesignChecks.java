package org.lampyris.dataprep.prepare;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.scale.Collinearity;
import org.lampyris.bounds.scale.ColumnMoments;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Column;
import org.lampyris.executors.table.TableSchema.ColumnKind;
import org.lampyris.executors.table.TableSchema.Feature;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/** What the columns of a design must be like, and what to say where they are not. */
final class DesignChecks {
  /** A rounded feature is off by at most so much of its column's range. */
  private static final double FLOAT_SHARE = 1e-5;

  private final String where;
  private final CellChecks cells;

  /**
   * Takes what messages name.
   *
   * @param where what to call the table in messages
   * @param cells finds the rows that messages are about
   */
  DesignChecks(String where, CellChecks cells) {
    this.where = where;
    this.cells = cells;
  }

  /** Refuses levels that have no place, and too many of them. */
  void requireLevels(InputColumns columns, TableScan scan, @Nullable TableSchema like) {
    for (int f = 0; f < columns.features().size(); f++) {
      if (columns.features().get(f).kind() == FeatureKind.CATEGORICAL && scan.levels[f].tooMany) {
        throw tooMany(columns.features().get(f).name(), "more than " + LevelScan.LIMIT);
      }
      if (like != null) {
        Feature earlier = like.features().get(f);
        if (earlier.kind() == FeatureKind.VECTOR && earlier.size() != scan.numbers.get(f).size()) {
          throw UserException.data(
              "column '"
                  + earlier.name()
                  + "' of "
                  + where
                  + " has "
                  + scan.numbers.get(f).size()
                  + " elements where the earlier table has "
                  + earlier.size());
        }
      }
    }
  }

  private UserException tooMany(String name, String count) {
    return UserException.data(
        "column '"
            + name
            + "' of "
            + where
            + " is categorical and has "
            + count
            + " levels; leave it out of data.features, or keep the most frequent ones with"
            + " data.categorical."
            + name
            + ".top");
  }

  /**
   * Refuses a design in which a level was not seen before, or a categorical column has too many.
   */
  void requireKnownLevels(Design design, TableScan scan, boolean like) {
    for (int f = 0; f < design.features().size(); f++) {
      Feature feature = design.features().get(f);
      if (feature.kind() != FeatureKind.CATEGORICAL) {
        continue;
      }
      if (feature.levels().size() > LevelChoice.MOST_LEVELS) {
        throw tooMany(feature.name(), String.valueOf(feature.levels().size()));
      }
      String unseen = LevelChoice.unseen(feature, scan.levels[f].counts);
      if (unseen != null) {
        throw UserException.data(
            "column '"
                + feature.name()
                + "' of "
                + where
                + " has the category '"
                + unseen
                + "'"
                + cells.first(CellTest.ofText(feature.name(), unseen))
                + ", which "
                + (like
                    ? "the earlier table did not have"
                    : "data.categorical." + feature.name() + ".levels does not list")
                + (like
                    ? "; correct it, drop such rows, or prepare the earlier table anew with"
                        + " data.categorical."
                        + feature.name()
                        + ".top, which gives the others a level of their own"
                    : "; list it, or name a level for all others with data.categorical."
                        + feature.name()
                        + ".other"));
      }
    }
  }

  /**
   * Refuses to store columns as floats that would lose what tells their rows apart: those whose
   * values are large next to their range, and those too large for a float.
   */
  void requireFloats(Design design, Standardization standardization) {
    for (int j = 0; j < design.columns().size(); j++) {
      Column column = design.columns().get(j);
      double center = standardization.center()[j];
      double scale = standardization.scale()[j];
      double largest = Math.max(Math.abs(column.min() - center), Math.abs(column.max() - center));
      double rounding = largest * 0x1p-24;
      double range = column.max() - column.min();
      if (column.kind() != ColumnKind.NUMERIC
          || (largest / scale <= Float.MAX_VALUE
              && (range == 0 || rounding <= FLOAT_SHARE * range))) {
        continue;
      }
      throw UserException.data(
          "column '"
              + column.name()
              + "' of "
              + where
              + " ranges over "
              + number(range)
              + " at a distance of up to "
              + number(largest)
              + (center == 0 ? " from 0" : " from its centre")
              + ", where a float is off by up to "
              + String.format(Locale.ROOT, "%.2g", rounding)
              + "; write data.storage: double"
              + (center == 0 ? ", or let data.standardize: unit centre it" : ""));
    }
  }

  /** Refuses columns that are the same in every row, double names, and more columns than rows. */
  void requireDesign(Design design, TableScan scan) {
    InputColumns.requireDistinct(design.names(), "the table that " + where + " gives");
    int numericColumn = 0;
    for (int j = 0; j < design.columns().size(); j++) {
      NumberScan numbers = design.numbers().get(j);
      if (numbers != null) {
        numericColumn++;
        boolean ownIntercept = !design.intercept() && numbers.min != 0;
        if (numbers.isConstant() && !ownIntercept) {
          throw UserException.data(
              "column '"
                  + design.columns().get(j).name()
                  + "' of "
                  + where
                  + " is constant: "
                  + number(numbers.min)
                  + " in every row; leave it out of data.features");
        }
      }
    }
    requireOccurring(design, scan);
    if (design.columns().size() > scan.rows) {
      throw UserException.data(
          where
              + " has more columns than rows: "
              + design.columns().size()
              + " columns ("
              + numericColumn
              + " numeric, the others intercept and levels) and "
              + scan.rows
              + " rows; name fewer data.features");
    }
  }

  private void requireOccurring(Design design, TableScan scan) {
    for (int f = 0; f < design.features().size(); f++) {
      Feature feature = design.features().get(f);
      if (feature.kind() != FeatureKind.CATEGORICAL) {
        continue;
      }
      if (feature.levels().size() == 1) {
        throw UserException.data(
            "column '"
                + feature.name()
                + "' of "
                + where
                + " is constant: '"
                + feature.levels().get(0)
                + "' in every row; leave it out of data.features");
      }
      for (String level : feature.levels()) {
        if (Design.rowsOf(feature, level, scan.levels[f]) == 0) {
          throw UserException.data(
              "column '"
                  + feature.name()
                  + "' of "
                  + where
                  + " never is '"
                  + level
                  + "', which data.categorical."
                  + feature.name()
                  + ".levels lists; leave that level out");
        }
      }
    }
  }

  /** Refuses columns that are linear combinations of others. */
  void requireIndependent(Design design, ColumnMoments moments) {
    List<Column> columns = design.columns();
    int[] looked =
        IntStream.range(0, columns.size())
            .filter(j -> columns.get(j).kind() != ColumnKind.INTERCEPT)
            .toArray();
    List<Collinearity.Dependency> found = Collinearity.find(looked, moments, design.intercept());
    if (!found.isEmpty()) {
      String all =
          found.stream()
              .limit(5)
              .map(dependency -> text(dependency, columns, moments))
              .collect(Collectors.joining("; "));
      throw UserException.data(
          "columns of "
              + where
              + " are exactly collinear: "
              + all
              + (found.size() > 5 ? "; and " + (found.size() - 5) + " more" : "")
              + "; leave one column of each equation out of data.features");
    }
  }

  private static String text(
      Collinearity.Dependency dependency, List<Column> columns, ColumnMoments moments) {
    StringBuilder text = new StringBuilder(columns.get(dependency.column()).name()).append(" =");
    boolean first = true;
    for (Collinearity.Term term : dependency.terms()) {
      term(text, term.coefficient(), columns.get(term.column()).name(), first);
      first = false;
    }
    double size =
        Math.max(
            moments.standardDeviation(dependency.column()),
            Math.abs(moments.mean(dependency.column())));
    if (Math.abs(dependency.constant()) > 1e-6 * size) {
      term(text, dependency.constant(), TableSchema.INTERCEPT, first);
    }
    return text.toString();
  }

  private static void term(StringBuilder text, double coefficient, String name, boolean first) {
    text.append(coefficient < 0 ? (first ? " −" : " − ") : first ? " " : " + ");
    text.append(number(Math.abs(coefficient))).append("·").append(name);
  }

  private static String number(double x) {
    String text = String.format(Locale.ROOT, "%.6g", x);
    return text.contains("e") ? text : new BigDecimal(text).stripTrailingZeros().toPlainString();
  }
}
