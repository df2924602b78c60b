package org.lampyris.driver.output;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.executors.table.TableSchema;

/**
 * What a run is a model of: what one must know of the table to read its coefficients.
 *
 * @param classes the label's classes in order; empty if it is a number
 * @param positive of two classes the one whose log-odds are modelled; null if there are not two
 * @param of how many rows there are
 * @param references the level without a coefficient, by categorical column
 * @param doubts what in the table looks like a slip, in sentences
 */
public record Modelled(
    String family,
    String label,
    List<String> classes,
    @Nullable String positive,
    @JsonUnwrapped Rows of,
    Map<String, String> references,
    List<String> doubts) {
  /**
   * How many rows there are.
   *
   * @param rows without those that were left out
   * @param merged how many different rows with weights they became; null where equal ones were not
   *     merged
   * @param leftOut how many were left out, because something was missing in them
   */
  public record Rows(
      long rows,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long merged,
      @JsonProperty("left_out") long leftOut) {
    private String text() {
      return counted(rows, "row")
          + (leftOut == 0 ? "" : ", without " + counted(leftOut, "row") + " with missing values")
          + (merged == null
              ? ""
              : ", of which " + counted(merged, "different one") + " with weights");
    }
  }

  private static final int MOST_NAMES = 10;

  /** Returns what is modelled of a prepared table. */
  public static Modelled of(String family, TableSchema schema) {
    TableSchema.Label label = schema.label();
    Map<String, String> references = new LinkedHashMap<>();
    for (TableSchema.Feature feature : schema.features()) {
      if (feature.reference() != null) {
        references.put(feature.name(), feature.reference());
      }
    }
    return new Modelled(
        family,
        label.column(),
        label.classes(),
        label.kind() == LabelKind.BINARY ? label.classes().get(1) : null,
        new Rows(
            schema.inputRows(),
            schema.source().merged() == null ? null : schema.rows(),
            schema.source().leftOut()),
        references,
        schema.source().doubts());
  }

  /** Returns how many rows there are, without those that were left out. */
  public long rows() {
    return of.rows();
  }

  /** Returns it in sentences, a line each. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("Model: %s; label %s%s; %s.".formatted(family, label, ofClasses(), of.text()));
    if (!references.isEmpty()) {
      List<String> levels = new ArrayList<>();
      references.forEach((column, level) -> levels.add(column + "[" + level + "]"));
      lines.add("Reference levels: " + listed(levels) + ".");
    }
    doubts.forEach(doubt -> lines.add("Note: " + doubt + "."));
    return lines;
  }

  private String ofClasses() {
    if (positive != null) {
      return ": class 1 is '%s', class 0 is '%s'".formatted(positive, classes.get(0));
    }
    return classes.isEmpty() ? "" : ": classes " + listed(classes);
  }

  private static String counted(long count, String what) {
    return Text.of("%,d %s%s", count, what, count == 1 ? "" : "s");
  }

  private static String listed(List<String> names) {
    return names.size() <= MOST_NAMES
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, MOST_NAMES))
            + " and "
            + (names.size() - MOST_NAMES)
            + " more";
  }
}
