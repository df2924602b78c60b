package org.lampyris.dataprep.prepare;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.prepare.CellTest.Kind;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.LabelKind;

/** What the label must be for a family, and what to say where it is not. */
final class LabelChecks {
  private final String where;
  private final CellChecks cells;

  /**
   * Takes what messages name.
   *
   * @param where what to call the table in messages
   * @param cells finds the rows that messages are about
   */
  LabelChecks(String where, CellChecks cells) {
    this.where = where;
    this.cells = cells;
  }

  /** Returns what a label of this kind is, for messages. */
  static String needed(LabelKind kind) {
    return switch (kind) {
      case BINARY -> "two classes";
      case CLASSES -> "classes: whole numbers or text";
      case REAL -> "a number";
      case POSITIVE -> "a number above 0";
      case COUNT -> "a count, 0, 1, 2, …";
    };
  }

  /**
   * Refuses a label that is not of its kind, or not of the classes of an earlier table. Cells that
   * are missing or not finite have been refused before.
   */
  void require(InputColumns columns, TableScan scan, @Nullable TableSchema like) {
    String label = columns.label();
    LabelKind kind = columns.labelKind();
    if (like != null && like.label().kind() != kind) {
      throw UserException.usage(
          "the label of the earlier table that data.like names is "
              + like.label().kind().name().toLowerCase(Locale.ROOT)
              + ", and this model.family needs "
              + needed(kind)
              + "; use a table that was prepared for the same family");
    }
    if (scan.response != null) {
      requireNumbers(label, kind, scan.response, like != null);
    } else if (like != null) {
      requireKnownClasses(label, scan.label, like);
    } else if (scan.label.counts.size() == 1) {
      throw UserException.data(
          name(label)
              + " is "
              + shown(scan.label)
              + " in every row; a regression needs rows of "
              + (kind == LabelKind.BINARY ? "both classes" : "two classes or more"));
    } else if (kind == LabelKind.CLASSES) {
      requireClasses(label, scan.label);
    } else if (scan.label.counts.size() > 2) {
      throw moreThanTwo(label, scan.label);
    }
  }

  private String name(String label) {
    return "the label '" + label + "' of " + where;
  }

  private static String shown(LevelScan scan) {
    List<String> values =
        scan.counts.keySet().stream().sorted(CellText::compareLevels).limit(6).toList();
    return values.stream().limit(5).collect(Collectors.joining(", "))
        + (values.size() > 5 ? ", …" : "");
  }

  private void requireNumbers(String label, LabelKind kind, NumberScan numbers, boolean like) {
    String remedy =
        "model.family needs "
            + needed(kind)
            + " here: correct the label, drop such rows, or choose another family";
    if (kind == LabelKind.POSITIVE && numbers.min <= 0) {
      cells.refuse(label, 1, Kind.NOT_POSITIVE, "is a label that is not positive", remedy);
    }
    if (kind == LabelKind.COUNT) {
      if (numbers.min < 0) {
        cells.refuse(label, 1, Kind.NEGATIVE, "is a label that is negative", remedy);
      }
      cells.refuse(label, numbers.fractions, Kind.FRACTION, "is not a whole number", remedy);
    }
    // Equal counts above 0 may still differ by their offsets.
    boolean same = numbers.isConstant() && (kind != LabelKind.COUNT || numbers.max == 0);
    if (same && !like) {
      throw UserException.data(
          name(label)
              + " is "
              + CellText.level(numbers.min)
              + " in every row; a regression needs labels that differ");
    }
  }

  private void requireKnownClasses(String label, LevelScan scan, TableSchema like) {
    List<String> classes = like.label().classes();
    for (String value : scan.counts.keySet()) {
      if (!classes.contains(value)) {
        throw UserException.data(
            name(label)
                + " is '"
                + value
                + "'"
                + cells.first(CellTest.ofText(label, value))
                + ", where the earlier table has only "
                + String.join(", ", classes.subList(0, classes.size() - 1))
                + " and "
                + classes.get(classes.size() - 1)
                + "; correct the label");
      }
    }
  }

  private void requireClasses(String label, LevelScan scan) {
    for (String value : scan.counts.keySet()) {
      Double number = CellText.number(value);
      if (number != null && number != Math.rint(number)) {
        throw UserException.data(
            name(label)
                + " is '"
                + value
                + "'"
                + cells.first(CellTest.ofText(label, value))
                + ", which is no class: classes are whole numbers or text; correct the label, or"
                + " choose a family for numbers such as robust or gaussian");
      }
    }
    if (scan.tooMany) {
      throw UserException.data(
          name(label)
              + " has more than "
              + LevelScan.LABEL_LIMIT
              + " different values ("
              + shown(scan)
              + "); a softmax regression has at most so many classes: name another label, or join"
              + " classes in data.query");
    }
  }

  private UserException moreThanTwo(String label, LevelScan scan) {
    String rare =
        scan.counts.entrySet().stream()
            .min(
                Map.Entry.<String, Long>comparingByValue()
                    .thenComparing(Map.Entry.comparingByKey(CellText::compareLevels)))
            .map(Map.Entry::getKey)
            .orElse("");
    return UserException.data(
        name(label)
            + " has "
            + (scan.tooMany ? "more than " : "")
            + scan.counts.size()
            + " different values ("
            + shown(scan)
            + "), the rarest being '"
            + rare
            + "'"
            + cells.first(CellTest.ofText(label, rare))
            + "; it must be 0 or 1, −1 or +1, or one of two classes: correct it, or make it so"
            + " in data.query (CASE WHEN "
            + label
            + " > … THEN 1 ELSE 0 END AS "
            + label
            + ")");
  }
}
