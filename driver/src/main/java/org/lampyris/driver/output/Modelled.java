package org.lampyris.driver.output;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.ModelConfig;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.TableScale;
import org.lampyris.executors.table.TableSchema;

/**
 * Description of the modelled data: the facts about the table that a reader of the coefficients
 * needs.
 *
 * @param classes the label's classes in order; empty if it is a number
 * @param positive of two classes the one whose log-odds are modelled; null if there are not two
 * @param of how many rows there are
 * @param references the level without a coefficient, by categorical column
 * @param doubts what in the table looks like a slip, in sentences
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Modelled(
    String family,
    String label,
    List<String> classes,
    @Nullable String positive,
    @JsonUnwrapped Rows of,
    Map<String, String> references,
    List<String> doubts) {
  /**
   * Numbers of rows.
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

  /** At so many standard deviations from its mean, a column's 0 is far from all rows. */
  private static final double FAR = 5;

  /** Number of rows that determines a standard deviation within groups to a quarter of itself. */
  private static final int FEW_REPEATS = 10;

  /**
   * Returns the description for a prepared table.
   *
   * @param config the configured model, whose order of classes is that of the label
   */
  public static Modelled of(ModelConfig config, TableSchema schema, ModelOfTable model) {
    TableSchema.Label label = schema.label();
    List<String> ordered = config.classes();
    Map<String, String> references = new LinkedHashMap<>();
    for (TableSchema.Feature feature : schema.features()) {
      if (feature.reference() != null) {
        references.put(feature.name(), feature.reference());
      }
    }
    return new Modelled(
        config.family(),
        label.column(),
        ordered.isEmpty() ? label.classes() : ordered,
        label.kind() == LabelKind.BINARY ? label.classes().get(1) : null,
        new Rows(
            schema.inputRows(),
            schema.source().merged() == null ? null : schema.rows(),
            schema.source().leftOut()),
        references,
        Stream.of(
                schema.source().doubts(),
                inseparable(schema, model),
                farFromZero(schema.tableScale(), model))
            .flatMap(List::stream)
            .toList());
  }

  /** Returns the group standard deviations that the rows do not determine, and why. */
  public static List<String> inseparable(TableSchema schema, ModelOfTable model) {
    // With weights the variances of rows differ, which tells the two apart.
    return schema.roles().weight() == null
        ? inseparable(schema.label().kind(), schema.inputRows(), model)
        : List.of();
  }

  /**
   * Returns the columns far from 0 whose slopes by group are independent of intercepts there, as in
   * {@code (t || g)}, or have a prior with them that is about 0.
   */
  static List<String> farFromZero(TableScale scale, ModelOfTable model) {
    List<String> doubts = new ArrayList<>();
    for (TableEffects random : model.random()) {
      GroupingEffects of = random.effects();
      int[] columns = random.column();
      if (Arrays.stream(columns).noneMatch(column -> column < 0)) {
        continue;
      }
      for (int e = 0; e < columns.length; e++) {
        int effect = e;
        boolean correlated =
            of.pairs().stream()
                .anyMatch(
                    pair ->
                        (pair.first() == effect && columns[pair.second()] < 0)
                            || (pair.second() == effect && columns[pair.first()] < 0));
        if (columns[e] < 0 || (correlated && of.origins().get(e) != 0)) {
          continue;
        }
        double sds = random.sdsFromZero(e, scale);
        if (sds > FAR) {
          doubts.add(
              Text.of(
                  correlated
                      ? "The prior of intercepts by %2$s is about '%1$s' = 0, %3$,.0f standard deviations"
                          + " from its mean, and chains may not find where they vary as they do."
                          + " Write scale(%1$s) in its place, or leave out model.intercept_at."
                      : "Intercepts and slopes of '%s' by %s are independent where it is 0, %,.0f"
                          + " standard deviations from its mean. At its mean they are not. Write"
                          + " scale(%1$s) in its place, or (%1$s | %2$s).",
                  of.spelled(e),
                  of.group(),
                  sds));
        }
      }
    }
    return doubts;
  }

  /**
   * Returns the varying intercepts whose groups nearly all have one row: fewer than {@value
   * #FEW_REPEATS} rows, and fewer than a tenth, share a group with another row. Their standard
   * deviation is then one more that rows vary by about η. A sampled σ, scale, shape or precision is
   * confounded with it, and only the priors separate the two. A class has no such variance that
   * rows could show. Counts and successes in trials have a known one, and such intercepts are their
   * overdispersion: nothing is said.
   *
   * @param rows how many rows the input has
   */
  static List<String> inseparable(LabelKind kind, long rows, ModelOfTable model) {
    boolean sampled = model.coefficients().size() > model.columns();
    if (!kind.isClass() && !sampled) {
      return List.of();
    }
    List<String> doubts = new ArrayList<>();
    for (TableEffects random : model.random()) {
      int[] columns = random.column();
      int intercept =
          IntStream.range(0, columns.length).filter(e -> columns[e] < 0).findFirst().orElse(-1);
      long repeats = rows - random.levels();
      if (intercept >= 0 && repeats < FEW_REPEATS && 10 * repeats < rows) {
        String sd = random.effects().names().get(intercept);
        String group = random.effects().group();
        String own = model.coefficients().get(model.coefficients().size() - 1);
        doubts.add(
            Text.of(
                "'%s' has %,d groups for %,d rows, so the rows do not determine %s. Remove (1 |"
                    + " %1$s), or group by a column with repeated values.",
                group,
                random.levels(),
                rows,
                kind.isClass() ? "how large " + sd + " is" : own + " and " + sd + " apart"));
      }
    }
    return doubts;
  }

  /** Returns the number of rows, without dropped ones. */
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
      lines.add("Reference levels: " + Text.few(levels, MOST_NAMES) + ".");
    }
    doubts.forEach(doubt -> lines.add("Note: " + Text.sentence(doubt)));
    return lines;
  }

  private String ofClasses() {
    if (positive != null) {
      return ": class 1 is '%s', class 0 is '%s'".formatted(positive, classes.get(0));
    }
    return classes.isEmpty() ? "" : ": classes " + Text.few(classes, MOST_NAMES);
  }

  private static String counted(long count, String what) {
    return Text.of("%,d %s%s", count, what, count == 1 ? "" : "s");
  }
}
