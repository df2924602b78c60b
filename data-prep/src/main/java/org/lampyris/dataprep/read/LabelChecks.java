package org.lampyris.dataprep.read;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.dataprep.read.CellCondition.Kind;
import org.lampyris.executors.table.TableSchema;

/** What the label must be for a family, and what to say where it is not. */
record LabelChecks(Input input, String label, LabelKind kind) {
  /** The squares of larger labels, and their sum over all rows, a double may not hold. */
  private static final double LARGEST = 1e140;

  /**
   * Refuses a label that is not of its kind, or not of the classes of an earlier table. Cells that
   * are missing or not finite have been refused before.
   */
  void require(TableScan scan, @Nullable TableSchema like) {
    if (like != null && like.label().kind() != kind) {
      throw UserException.usage(
          ("the label of the earlier table that data.like names is %s, and this model.family needs"
                  + " %s; use a table that was prepared for the same family")
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
          "is %s in every row; a regression needs rows of %s"
              .formatted(
                  shown(scan), kind == LabelKind.BINARY ? "both classes" : "two classes or more"));
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
          "reaches %s, and the squares of such numbers are larger than a double can hold; give it another unit in data.query"
              .formatted(largest));
    }
    if (kind == LabelKind.POSITIVE && numbers.min() <= 0) {
      cells.refuse(label, 1, Kind.NOT_POSITIVE, "is a label that is not positive", remedy);
    }
    if (kind == LabelKind.SHARE && (numbers.min() <= 0 || numbers.max() >= 1)) {
      cells.refuse(
          label,
          1,
          Kind.NOT_A_SHARE,
          "is a label that is not between 0 and 1",
          ("a beta density is none at 0 or 1: divide percentages by 100; where shares of n are counted,"
                  + " model.family: binomial takes 0 and n; or move them inwards in data.query, as in"
                  + " (%s * (COUNT(*) OVER () - 1) + 0.5) / COUNT(*) OVER ()")
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
            "where the earlier table has only %s and %s; correct the label"
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
            "which is no class: classes are whole numbers or text; correct the label, or"
                + " choose a family for numbers such as robust or gaussian");
      }
    }
    if (scan.tooMany()) {
      throw problem(
          ("has more than %s different values (%s); a softmax regression has at most so"
                  + " many classes: name another label, or join classes in data.query")
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
        ("has %s%s different values (%s), the rarest being '%s'%s; it must be 0 or 1, −1"
                + " or +1, or one of two classes: correct it, or make it so in data.query (CASE"
                + " WHEN %s > … THEN 1 ELSE 0 END AS %s)")
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
