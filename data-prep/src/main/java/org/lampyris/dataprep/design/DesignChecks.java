package org.lampyris.dataprep.design;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.prior.Collinearity;
import org.lampyris.bounds.prior.ColumnMoments;
import org.lampyris.dataprep.read.CellCondition;
import org.lampyris.dataprep.read.CellScan.LevelScan;
import org.lampyris.dataprep.read.CellScan.NumberScan;
import org.lampyris.dataprep.read.CellText;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.dataprep.read.Input;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.dataprep.read.TableScan;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Column;
import org.lampyris.executors.table.TableSchema.ColumnKind;
import org.lampyris.executors.table.TableSchema.Feature;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/** Checks of a design's columns, with their messages. */
public record DesignChecks(Input input) {
  /** A day, month and year, in any order. */
  private static final Pattern OTHER_DATE =
      Pattern.compile("\\d{1,4}[/.]\\d{1,2}[/.]\\d{1,4}( .*)?");

  /** A number that may have a decimal comma, and points between thousands then. */
  private static final Pattern DECIMAL_COMMA =
      Pattern.compile(
          "\\s*[-+]?(\\d+(,\\d*)?|,\\d+|\\d{1,3}(\\.\\d{3})+,\\d*)([eE][-+]?\\d+)?\\s*");

  /** A number that may have commas between thousands, and a decimal point then. */
  private static final Pattern THOUSANDS =
      Pattern.compile("\\s*[-+]?(0|[1-9]\\d{0,2}(,\\d{3})*)(\\.\\d*)?\\s*");

  /** Largest value whose square, times any number of rows, is a double, as is its inverse. */
  private static final double LARGEST = 1e140;

  /** Largest rounding error of a feature, as a share of its column's range. */
  private static final double FLOAT_SHARE = 1e-5;

  /**
   * Refuses unknown levels, and too many levels.
   *
   * @throws UserException (data) that names the column
   */
  public void requireLevels(InputColumns columns, TableScan scan, @Nullable TableSchema like) {
    for (int f = 0; f < columns.features().size(); f++) {
      InputColumns.Feature feature = columns.features().get(f);
      if (feature.kind() == FeatureKind.CATEGORICAL && scan.levels(f).tooMany()) {
        throw tooMany(feature.name(), "more than " + LevelScan.LIMIT);
      }
      if (like != null) {
        Feature earlier = like.features().get(f);
        int size = scan.numbers(f).size();
        if (earlier.kind() == FeatureKind.VECTOR && earlier.size() != size) {
          throw input.problem(
              earlier.name(),
              "has " + size + " elements, but the earlier table has " + earlier.size());
        }
      }
    }
  }

  /**
   * Refuses text that is dates, or numbers with commas, because each would be a category.
   *
   * @param wishes name the columns that are to be categories all the same
   * @throws UserException (data) that names the column
   */
  public void requireNoNumbers(InputColumns columns, TableScan scan, Columns wishes) {
    for (int f = 0; f < columns.features().size(); f++) {
      InputColumns.Feature feature = columns.features().get(f);
      String name = feature.name();
      if (feature.kind() != FeatureKind.CATEGORICAL || wishes.categorical().containsKey(name)) {
        continue;
      }
      List<String> levels =
          scan.levels(f).counts().keySet().stream()
              .filter(level -> !level.equals(CellText.MISSING))
              .sorted()
              .toList();
      if (levels.stream().anyMatch(level -> level.indexOf(',') >= 0)
          && (levels.stream().allMatch(DECIMAL_COMMA.asMatchPredicate())
              || levels.stream().allMatch(THOUSANDS.asMatchPredicate()))) {
        throw commas(name, levels);
      }
      boolean iso = levels.stream().allMatch(level -> CellText.days(level) != null);
      if (levels.isEmpty() || !(iso || levels.stream().allMatch(OTHER_DATE.asMatchPredicate()))) {
        continue;
      }
      String days =
          iso && input.isPlainCsv() && wishes.rules().dates() == Columns.Dates.REFUSE
              ? "set data.dates: days, which makes them days since 1970-01-01"
              : "compute days in data.query, for instance UNIX_DATE(%s(%s%s)) AS %2$s"
                  .formatted(iso ? "DATE" : "TO_DATE", name, iso ? "" : ", 'dd/MM/yyyy'");
      throw input.problem(
          name,
          "holds dates as text, such as %s, so each date would be a category. Choose a remedy: %s, leave it out of data.features, or name it in data.categorical."
              .formatted(levels.get(0), days));
    }
  }

  /** Explains commas in numbers, as far as all of a column's cells show. */
  private UserException commas(String name, List<String> levels) {
    boolean thousands = levels.stream().allMatch(THOUSANDS.asMatchPredicate());
    boolean points = levels.stream().anyMatch(level -> level.indexOf('.') >= 0);
    String example =
        levels.stream().filter(level -> level.indexOf(',') >= 0).findFirst().orElse("");
    String remedy;
    if (input.isPlainCsv()) {
      remedy =
          thousands
              ? "set data.csv.thousands: \",\""
                  + (points ? "" : " (or data.csv.decimal: \",\" if the comma is a decimal comma)")
              : "set data.csv.decimal: \",\"" + (points ? " and data.csv.thousands: \".\"" : "");
    } else {
      String bare = thousands ? name : points ? "REPLACE(" + name + ", '.', '')" : name;
      remedy =
          "compute numbers in data.query, for instance CAST(REPLACE(%s, ',', '%s') AS DOUBLE) AS %s"
              .formatted(bare, thousands ? "" : ".", name);
    }
    return input.problem(
        name,
        "holds numbers with a comma %s, such as %s, so each would be a category. Choose a remedy: %s, leave it out of data.features, or name it in data.categorical."
            .formatted(thousands ? "between thousands" : "before the decimals", example, remedy));
  }

  private UserException tooMany(String name, String count) {
    return input.problem(
        name,
        ("is categorical and has %s levels. Leave it out of data.features, or keep the most"
                + " frequent levels with data.categorical.%s.top.")
            .formatted(count, name));
  }

  /**
   * Refuses a design in which a level was not seen before, or a categorical column has too many.
   *
   * @throws UserException (data) that names the column
   */
  public void requireKnownLevels(Design design, TableScan scan, boolean like) {
    for (int f = 0; f < design.features().size(); f++) {
      Feature feature = design.features().get(f);
      if (feature.kind() != FeatureKind.CATEGORICAL) {
        continue;
      }
      String name = feature.name();
      if (feature.levels().size() > LevelChoice.MOST_LEVELS) {
        throw tooMany(name, String.valueOf(feature.levels().size()));
      }
      String unseen = LevelChoice.unseen(feature, scan.levels(f).counts());
      if (unseen != null) {
        String remedy =
            like
                ? "is not in the earlier table. Correct it, drop such rows, or prepare the earlier"
                    + " table again with %1$s.top, which gives other levels a level of their own."
                : "is not listed in %1$s.levels. List it, or name a level for all others with"
                    + " %1$s.other.";
        throw input.problem(
            name,
            "has the category '%s'%s, which %s"
                .formatted(
                    unseen,
                    input.first(CellCondition.ofText(name, unseen)),
                    remedy.formatted("data.categorical." + name)));
      }
    }
  }

  /**
   * Refuses to store columns as floats that would lose the differences between their rows: columns
   * whose values are large relative to their range, too large for a float, or so small that a float
   * has fewer than its 24 binary digits of them, or none.
   *
   * @throws UserException (data) that names the column
   */
  public void requireFloats(List<Column> standardized) {
    for (Column column : standardized) {
      double center = column.center();
      double largest = Math.max(Math.abs(column.min() - center), Math.abs(column.max() - center));
      double range = column.max() - column.min();
      boolean large = largest > Float.MAX_VALUE;
      boolean small = largest > 0 && largest < Float.MIN_NORMAL;
      boolean coarse = range > 0 && largest * 0x1p-24 > FLOAT_SHARE * range;
      if (column.kind() == ColumnKind.NUMERIC && (large || small || coarse)) {
        throw notAsFloat(column, range, largest, large, small);
      }
    }
  }

  private UserException notAsFloat(
      Column column, double range, double largest, boolean large, boolean small) {
    boolean plain = column.center() == 0;
    String problem =
        large
            ? "for which a float is infinite"
            : small
                ? Text.of("for which a float loses digits of numbers below %.2g", Float.MIN_NORMAL)
                : Text.of("for which a float is off by up to %.2g", largest * 0x1p-24);
    return input.problem(
        column.name(),
        Text.of(
            "ranges over %s at a distance of up to %s from %s, %s. Set data.storage: double%s",
            number(range),
            number(largest),
            plain ? "0" : "its centre",
            problem,
            large || small
                ? ", or change the column's unit in data.query"
                : plain ? ", or let data.intercept: true and data.layout: dense centre it" : ""));
  }

  /**
   * Refuses columns that are the same in every row, and double names.
   *
   * @throws UserException (data) that names the column
   */
  public void requireDesign(Design design, TableScan scan) {
    List<String> names = design.columns().stream().map(Column::name).toList();
    InputColumns.requireDistinct(names, "the table that " + input.name() + " gives");
    for (int j = 0; j < names.size(); j++) {
      NumberScan numbers = design.numbers().get(j);
      if (numbers != null) {
        boolean ownIntercept = !design.intercept() && numbers.min() != 0;
        if (numbers.isConstant() && !ownIntercept) {
          throw constant(names.get(j), number(numbers.min()));
        }
        requireSquares(names.get(j), numbers);
      }
    }
    for (int f = 0; f < design.features().size(); f++) {
      if (design.features().get(f).kind() == FeatureKind.CATEGORICAL) {
        requireOccurring(design.features().get(f), scan.levels(f));
      }
    }
  }

  /** Refuses a column whose squares, and their sum over all rows, a double cannot hold. */
  private void requireSquares(String column, NumberScan numbers) {
    double largest = Math.max(Math.abs(numbers.min()), Math.abs(numbers.max()));
    double range = numbers.max() - numbers.min();
    boolean large = largest > LARGEST;
    if (large || (range > 0 && range < 1 / LARGEST)) {
      throw input.problem(
          column,
          ("%s %s, and the squares of such numbers %s than a double can hold. Change its unit in"
                  + " data.query, for instance SELECT `%s` %s AS `%s`, …")
              .formatted(
                  large ? "reaches" : "ranges over",
                  number(large ? largest : range),
                  large ? "are larger" : "are smaller",
                  column,
                  large
                      ? "/ 1e%d".formatted(Math.getExponent(largest) * 3 / 10)
                      : "* 1e%d".formatted(-Math.getExponent(range) * 3 / 10),
                  column));
    }
  }

  private UserException constant(String column, String value) {
    return input.problem(
        column, "is constant: " + value + " in every row; leave it out of data.features");
  }

  private void requireOccurring(Feature feature, LevelScan scan) {
    String name = feature.name();
    if (feature.levels().size() == 1) {
      throw constant(name, "'" + feature.levels().get(0) + "'");
    }
    for (String level : feature.levels()) {
      if (Design.rowsOf(feature, level, scan) == 0) {
        throw input.problem(
            name,
            "is never '%s', which data.categorical.%s.levels lists. Remove that level."
                .formatted(level, name));
      }
    }
  }

  /**
   * Returns a sentence about effects that rows cannot distinguish, if any: columns that are linear
   * combinations of others, or more columns than rows. Only a proper prior makes a posterior of
   * them.
   *
   * @param moments with cross products, or equations are not looked for
   */
  public Optional<String> dependence(Design design, ColumnMoments moments, long rows) {
    List<Column> columns = design.columns();
    if (columns.size() > rows) {
      return Optional.of(
          ("there are more columns than rows: %s columns (%s numeric, the others intercept and"
                  + " levels) and %s rows. Most of the posterior is then determined by the prior."
                  + " If that is not meant, name fewer data.features.")
              .formatted(
                  columns.size(),
                  columns.stream().filter(column -> column.kind() == ColumnKind.NUMERIC).count(),
                  rows));
    }
    if (!moments.hasCrossProducts()) {
      return Optional.empty();
    }
    int[] looked =
        IntStream.range(0, columns.size())
            .filter(j -> columns.get(j).kind() != ColumnKind.INTERCEPT)
            // What a penalty tells apart needs no rows to do so.
            .filter(j -> columns.get(j).kind() != ColumnKind.PENALIZED)
            .toArray();
    List<Collinearity.Dependency> found = Collinearity.find(looked, moments, design.intercept());
    if (found.isEmpty()) {
      return Optional.empty();
    }
    String all =
        found.stream()
            .limit(5)
            .map(dependency -> text(dependency, columns, moments))
            .collect(Collectors.joining("; "));
    return Optional.of(
        "columns are exactly collinear: "
            + all
            + (found.size() > 5 ? "; and " + (found.size() - 5) + " more" : "")
            + ". Only the prior then determines how they share an effect. If that is not meant,"
            + " leave one column of each equation out of data.features.");
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
    String text = Text.of("%.6g", x);
    return text.contains("e") ? text : new BigDecimal(text).stripTrailingZeros().toPlainString();
  }
}
