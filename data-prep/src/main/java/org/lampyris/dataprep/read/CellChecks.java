package org.lampyris.dataprep.read;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.CensoredTime;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.dataprep.read.CellCondition.Kind;
import org.lampyris.dataprep.read.CellScan.LevelScan;
import org.lampyris.dataprep.read.CellScan.NumberScan;
import org.lampyris.dataprep.read.CellScan.VectorScan;
import org.lampyris.dataprep.read.Columns.Missing;
import org.lampyris.executors.table.TableSchema;

/** Checks of a table's cells and label for a regression, with their messages. */
record CellChecks(Input input) {
  /** Beyond, exp(offset) is no finite number, or 0. */
  private static final double LARGEST_OFFSET = 700;

  /** Number of further columns with missing values that a message names. */
  private static final int NAMED = 4;

  /**
   * Refuses a table without rows, missing or infinite cells, and labels that do not fit the family.
   *
   * @param like an earlier table whose classes the label must have; null for none
   */
  void require(TableScan scan, InputColumns columns, @Nullable TableSchema like) {
    requireCells(scan, columns);
    new LabelChecks(input, columns.label(), columns.labelKind()).require(scan, like);
    requireZeros(scan, columns, like);
  }

  /** Refuses counts above 0 for a probability of 0 that is sampled. A table of one part may. */
  private void requireZeros(TableScan scan, InputColumns columns, @Nullable TableSchema like) {
    String zeros = columns.zeros();
    if (zeros != null
        && like == null
        && scan.label instanceof NumberScan counts
        && counts.min() > 0) {
      throw input.problem(
          columns.label(),
          ("is %s%s, its least value, so no row has a 0 and the rows say nothing of model.%s. Set"
                  + " model.%3$s: 0.5, which leaves the counts above 0, or choose model.family:"
                  + " poisson or negative_binomial")
              .formatted(
                  CellText.level(counts.min()),
                  input.first(CellCondition.ofText(columns.label(), CellText.level(counts.min()))),
                  zeros));
    }
  }

  private void requireCells(TableScan scan, InputColumns columns) {
    Map<String, CellScan<?>> scans = scans(scan, columns);
    if (scan.rows() == 0) {
      throw UserException.data(
          input.name()
              + (scan.leftOut() > 0
                  ? " has no rows left: " + missing(scan, scans) + ", and data.missing is drop"
                  : columns.weight() == null
                      ? " is empty: it has no rows"
                      : " has no row with a weight above 0 in column '" + columns.weight() + "'")
              + (input.isShaped() ? "; check data.query" : ""));
    }
    if (columns.missing() != Missing.DROP) {
      requirePresent(scan, scans, columns.missing());
    }
    String drop = "drop such rows" + (input.isShaped() ? "" : ", for instance in data.query");
    if (scan.weight != null && scan.weight.min() < 0) {
      String weight = String.valueOf(columns.weight());
      refuse(weight, 1, Kind.NEGATIVE, "is a weight below 0", drop);
    }
    scans.forEach((name, cells) -> requireFinite(name, cells, drop));
    if (scan.trials != null && columns.labelKind().isTime()) {
      requireEvents(scan, columns, drop);
    } else if (scan.trials != null) {
      requireTrials(scan, columns, drop);
    }
    boolean log =
        columns.labelKind() == LabelKind.COUNT
            || columns.labelKind() == LabelKind.POSITIVE
            || columns.labelKind() == LabelKind.TIME;
    if (scan.offset != null && log) {
      requireLogarithms(String.valueOf(columns.offset()), scan.offset);
    }
  }

  /** Returns the scans of the used columns, by name, the label first. */
  private static Map<String, CellScan<?>> scans(TableScan scan, InputColumns columns) {
    Map<String, CellScan<?>> scans = new LinkedHashMap<>();
    scans.put(columns.label(), scan.label);
    put(scans, columns.offset(), scan.offset);
    put(scans, columns.trials(), scan.trials);
    put(scans, columns.weight(), scan.weight);
    for (int g = 0; g < columns.groups().size(); g++) {
      scans.put(columns.groups().get(g), scan.groups.get(g));
    }
    put(scans, columns.groupBy(), scan.group);
    put(scans, columns.orderBy(), scan.order);
    for (int f = 0; f < columns.features().size(); f++) {
      scans.put(columns.features().get(f).name(), scan.feature(f));
    }
    return scans;
  }

  private static void put(
      Map<String, CellScan<?>> scans, @Nullable String name, @Nullable CellScan<?> scan) {
    if (name != null && scan != null) {
      scans.put(name, scan);
    }
  }

  private void requirePresent(TableScan scan, Map<String, CellScan<?>> scans, Missing rule) {
    if (scans.values().stream().allMatch(cells -> scan.missing(cells) == 0)) {
      return;
    }
    String text = rule == Missing.LEVEL ? "" : ", or level, which makes missing text a level";
    String reason =
        rule == Missing.LEVEL
            ? "data.missing: level is for text features; a missing number, label or key cannot"
                + " become a level"
            : CellText.MISSING_TOKENS;
    throw UserException.data(
        "%s; %s. Fill the values in, or set data.missing: drop, which drops such rows%s"
            .formatted(missing(scan, scans), reason, text));
  }

  /** Reports the columns with missing values, their numbers of rows, and the first place. */
  private String missing(TableScan scan, Map<String, CellScan<?>> scans) {
    Map<String, Long> counts = new LinkedHashMap<>();
    scans.forEach(
        (name, cells) -> {
          if (scan.missing(cells) > 0) {
            counts.put(name, scan.missing(cells));
          }
        });
    List<String> names = List.copyOf(counts.keySet());
    String first = names.get(0);
    String others =
        names.stream()
            .skip(1)
            .limit(NAMED)
            .map(name -> "'" + name + "' in " + rows(counts.getOrDefault(name, 0L)))
            .collect(Collectors.joining(", "));
    return "column '%s' of %s has no value in %s%s%s%s"
        .formatted(
            first,
            input.name(),
            rows(counts.getOrDefault(first, 0L)),
            input.first(CellCondition.of(first, Kind.MISSING)),
            others.isEmpty() ? "" : ", nor has " + others,
            names.size() > NAMED + 1 ? " and " + (names.size() - NAMED - 1) + " others" : "");
  }

  private static String rows(long count) {
    return count == 1 ? "1 row" : count + " rows";
  }

  private void requireFinite(String name, CellScan<?> scan, String remedy) {
    if (scan instanceof LevelScan levels) {
      refuse(name, levels.infinite, Kind.INFINITE, "is not a finite number", remedy);
    } else if (scan instanceof NumberScan numbers) {
      refuse(name, numbers.infinite, Kind.INFINITE, "is infinite", remedy);
    } else if (scan instanceof VectorScan vectors) {
      if (vectors.otherSize >= 0) {
        throw input.problem(
            name,
            ("holds vectors of different sizes, among them %s and %s; a vector has the same size in"
                    + " all rows")
                .formatted(vectors.slots.size(), vectors.otherSize));
      }
      vectors.slots.forEach(slot -> requireFinite(name, slot, remedy));
    }
  }

  /** Refuses trials that are no count above 0, or fewer than the successes. */
  private void requireTrials(TableScan scan, InputColumns columns, String drop) {
    NumberScan numbers = Objects.requireNonNull(scan.trials);
    String trials = String.valueOf(columns.trials());
    if (numbers.min() <= 0) {
      refuse(trials, 1, Kind.NOT_POSITIVE, "is a number of trials below 1", drop);
    }
    refuse(trials, numbers.fractions, Kind.FRACTION, "is not a whole number", drop);
    if (scan.beyondTrials > 0) {
      throw input.problem(
          columns.label(),
          "exceeds the trials '%s' in %s%s. Name the column of trials in model.trials (the label counts successes, not failures), correct the table, or %s"
              .formatted(
                  trials,
                  rows(scan.beyondTrials),
                  input.first(CellCondition.above(columns.label(), trials)),
                  drop));
    }
  }

  /** Refuses events of unknown codes, a table without any, and intervals without width. */
  private void requireEvents(TableScan scan, InputColumns columns, String drop) {
    NumberScan events = Objects.requireNonNull(scan.trials);
    String column = String.valueOf(columns.trials());
    boolean intervals = columns.labelKind() == LabelKind.INTERVAL;
    int most = intervals ? CensoredTime.BETWEEN : CensoredTime.BEFORE;
    refuse(
        column,
        events.min() < 0 || events.max() > most || events.fractions > 0 ? 1 : 0,
        intervals ? Kind.NOT_AN_EVENT_OR_INTERVAL : Kind.NOT_AN_EVENT,
        "is an event that is none of the codes 0, 1, 2" + (intervals ? " and 3" : ""),
        "0 is no event up to the time in the label, 1 an event at it, 2 one before it, and 3 one"
            + (intervals ? " up to model.time2" : " up to another time, in model.time2")
            + ". Recode it in data.query, or "
            + drop);
    if (events.max() == 0) {
      throw input.problem(
          column,
          "is 0 in every row, so no event has a time. Events are 1: recode the column in data.query");
    }
    if (scan.noIntervals > 0) {
      String second = String.valueOf(columns.offset());
      throw input.problem(
          columns.label(),
          ("is not below a finite '%s' in %s where '%s' is 3%s, so these are no intervals. Exchange"
                  + " their ends, or fill the second in. Set the event to 1 for a known time, and to"
                  + " 0 for an interval without an end. Or %s")
              .formatted(
                  second,
                  rows(scan.noIntervals),
                  column,
                  input.first(CellCondition.noInterval(columns.label(), second, column)),
                  drop));
    }
  }

  /** Refuses offsets that are exposures themselves: the mean of the label is exp(offset + …). */
  private void requireLogarithms(String offset, NumberScan scan) {
    if (scan.max() > LARGEST_OFFSET || scan.min() < -LARGEST_OFFSET) {
      throw input.problem(
          offset,
          ("is the offset and ranges from %s to %s, so exp(offset) is not a positive finite number."
                  + " The mean of the label is proportional to it. An offset is the logarithm of an"
                  + " exposure: write LN(%s) in data.query")
              .formatted(CellText.level(scan.min()), CellText.level(scan.max()), offset));
    }
  }

  /** Refuses a table in which some cells of a column meet a condition. */
  void refuse(String column, long count, Kind kind, String is, String remedy) {
    if (count > 0) {
      // Of those that extremes tell there is no count.
      boolean counted = kind == Kind.INFINITE || kind == Kind.FRACTION;
      String many = counted ? " in " + rows(count) : "";
      throw input.problem(
          column, is + many + input.first(CellCondition.of(column, kind)) + "; " + remedy);
    }
  }

  /** Checks of the label for a family, with their messages. */
  private record LabelChecks(Input input, String label, LabelKind kind) {
    /** The squares of larger labels, and their sum over all rows, a double may not hold. */
    private static final double LARGEST = 1e140;

    /**
     * Refuses a label that is not of its kind, or not of the classes of an earlier table. Cells
     * that are missing or not finite have been refused before.
     */
    void require(TableScan scan, @Nullable TableSchema like) {
      if (like != null && like.label().kind() != kind) {
        throw UserException.usage(
            ("the label of the earlier table in data.like is %s, but this model.family needs %s."
                    + " Use a table prepared for the same family.")
                .formatted(ConfigText.of(like.label().kind()), InputColumns.needed(kind)));
      }
      if (scan.label instanceof NumberScan numbers) {
        requireNumbers(numbers, like != null);
      } else if (scan.label instanceof LevelScan levels) {
        requireClasses(levels, like);
      }
    }

    private void requireClasses(LevelScan scan, @Nullable TableSchema like) {
      if (like != null) {
        requireKnownClasses(scan, like.label().classes());
      } else if (scan.counts().size() == 1) {
        throw problem(
            "is %s in every row; a regression needs rows from %s"
                .formatted(
                    shown(scan),
                    kind == LabelKind.BINARY ? "both classes" : "at least two classes"));
      } else if (kind == LabelKind.CLASSES) {
        requireClasses(scan);
      } else if (scan.counts().size() > 2) {
        throw moreThanTwo(scan);
      }
    }

    private UserException problem(String problem) {
      return UserException.data("the label '" + label + "' of " + input.name() + " " + problem);
    }

    private UserException problem(String value, String problem) {
      return problem("is '" + value + "'" + first(value) + ", " + problem);
    }

    private String first(String value) {
      return input.first(CellCondition.ofText(label, value));
    }

    private static String shown(LevelScan scan) {
      List<String> values =
          scan.counts().keySet().stream().sorted(CellText::compareLevels).limit(6).toList();
      return values.stream().limit(5).collect(Collectors.joining(", "))
          + (values.size() > 5 ? ", …" : "");
    }

    private void requireNumbers(NumberScan numbers, boolean like) {
      CellChecks cells = new CellChecks(input);
      String remedy =
          "model.family needs %s here: correct the label, drop such rows, or choose another family"
              .formatted(InputColumns.needed(kind));
      double largest = Math.max(Math.abs(numbers.min()), Math.abs(numbers.max()));
      if (largest > LARGEST) {
        throw problem(
            "reaches %s, too large for a double to hold its square. Change its unit in data.query."
                .formatted(largest));
      }
      if (kind == LabelKind.POSITIVE && numbers.min() <= 0) {
        cells.refuse(label, 1, Kind.NOT_POSITIVE, "is a label that is not positive", remedy);
      }
      if (kind.isTime() && numbers.min() <= 0) {
        cells.refuse(
            label,
            1,
            Kind.NOT_POSITIVE,
            "is a time that is not above 0",
            "its logarithm is modelled: correct the label, or drop such rows. An event between 0"
                + " and a time has the code 2 in model.event and the time as its label");
      }
      if (kind.isTime() && (numbers.min() < CensoredTime.LEAST || largest > CensoredTime.MOST)) {
        double far = largest > CensoredTime.MOST ? largest : numbers.min();
        throw problem(
            CellText.level(far),
            "beyond times from %s to %s. Change its unit in data.query, or correct the label."
                .formatted(CensoredTime.LEAST, CensoredTime.MOST));
      }
      if (kind == LabelKind.SHARE && (numbers.min() <= 0 || numbers.max() >= 1)) {
        cells.refuse(
            label,
            1,
            Kind.NOT_A_SHARE,
            "is a label that is not between 0 and 1",
            ("the beta density is not defined at 0 or 1. Divide percentages by 100. For shares of"
                    + " counts, use model.family: binomial, which accepts 0 and n. Or move them"
                    + " inwards in data.query: (%s * (COUNT(*) OVER () - 1) + 0.5) / COUNT(*) OVER ()")
                .formatted(label));
      }
      boolean whole = kind == LabelKind.COUNT || kind == LabelKind.SUCCESSES;
      if (whole) {
        if (numbers.min() < 0) {
          cells.refuse(label, 1, Kind.NEGATIVE, "is a label that is negative", remedy);
        }
        cells.refuse(label, numbers.fractions, Kind.FRACTION, "is not a whole number", remedy);
      }
      // Equal counts above 0 may still differ by their offsets, or their trials.
      boolean same = numbers.isConstant() && (!whole || numbers.max() == 0);
      if (same && !like) {
        throw problem(
            "is %s in every row; a regression needs labels that differ"
                .formatted(CellText.level(numbers.min())));
      }
    }

    private void requireKnownClasses(LevelScan scan, List<String> classes) {
      for (String value : scan.counts().keySet()) {
        if (!classes.contains(value)) {
          int last = classes.size() - 1;
          throw problem(
              value,
              "but the earlier table has only %s and %s; correct the label"
                  .formatted(String.join(", ", classes.subList(0, last)), classes.get(last)));
        }
      }
    }

    private void requireClasses(LevelScan scan) {
      for (String value : scan.counts().keySet()) {
        Double number = CellText.number(value);
        if (number != null && number != Math.rint(number)) {
          throw problem(
              value,
              "which is no class: classes are whole numbers or text. Correct the label, or choose a"
                  + " family for numbers, such as robust or gaussian.");
        }
      }
      if (scan.tooMany()) {
        throw problem(
            ("has more than %s different values (%s), the limit of a softmax regression. Name"
                    + " another label, or join classes in data.query.")
                .formatted(LevelScan.LABEL_LIMIT, shown(scan)));
      }
    }

    private UserException moreThanTwo(LevelScan scan) {
      String rare =
          scan.counts().entrySet().stream()
              .min(
                  Map.Entry.<String, Long>comparingByValue()
                      .thenComparing(Map.Entry.comparingByKey(CellText::compareLevels)))
              .map(Map.Entry::getKey)
              .orElse("");
      return problem(
          ("has %s%s different values (%s), the rarest being '%s'%s. It must be 0 or 1, −1 or +1,"
                  + " or one of two classes. For several classes set model.family: softmax, or"
                  + " ordinal if they have an order. Else correct it, or convert it in data.query"
                  + " (CASE WHEN %s > … THEN 1 ELSE 0 END AS %s).")
              .formatted(
                  scan.tooMany() ? "more than " : "",
                  scan.counts().size(),
                  shown(scan),
                  rare,
                  first(rare),
                  label,
                  label));
    }
  }
}
