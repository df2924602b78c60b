package org.lampyris.dataprep.design;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.NearestName;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.dataprep.read.CellText;
import org.lampyris.executors.table.TableSchema;

/** The class that {@code data.positive} chooses to be class 1 of a label of two classes. */
public final class PositiveClass {
  private PositiveClass() {}

  /**
   * Refuses the key where there are no two classes, or an earlier table has chosen otherwise.
   *
   * @throws UserException (usage) that names the remedy
   */
  public static void require(
      @Nullable String positive, LabelKind kind, @Nullable TableSchema like) {
    if (positive == null) {
      return;
    }
    if (kind != LabelKind.BINARY) {
      throw UserException.usage(
          "data.positive chooses one of two classes, and this model.family has no such label;"
              + " leave it out");
    }
    if (like != null && !is(like.label().classes().get(1), positive)) {
      throw UserException.usage(
          "data.positive is '%s', and class 1 of the earlier table that data.like names is '%s'; leave data.positive out"
              .formatted(positive, like.label().classes().get(1)));
    }
  }

  /**
   * Returns the classes with the chosen one as the last.
   *
   * @throws UserException (data) if it is none of them
   */
  static List<String> last(List<String> classes, @Nullable String positive) {
    if (positive == null) {
      return classes;
    }
    if (classes.stream().noneMatch(name -> is(name, positive))) {
      throw UserException.data(
          "data.positive is '%s', which no label is; %s"
              .formatted(positive, NearestName.hint(positive, classes)));
    }
    return is(classes.get(0), positive) ? List.of(classes.get(1), classes.get(0)) : classes;
  }

  private static boolean is(String name, String wanted) {
    Double number = CellText.number(wanted);
    return name.equals(wanted) || (number != null && Objects.equals(number, CellText.number(name)));
  }
}
