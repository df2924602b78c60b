package org.lampyris.driver.config;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Section;
import org.lampyris.dataprep.prepare.CategoricalSpec;
import org.lampyris.dataprep.prepare.PrepareSpec;
import org.lampyris.executors.table.TableSchema;

/**
 * The section {@code data}: which table, and how it becomes numbers. The keys have the meaning of
 * the components of {@link PrepareSpec}.
 *
 * @param input the table's path; null where the command needs none
 * @param format "parquet", "csv" or "libsvm"; null to tell by the name
 * @param query a SELECT over the view {@code input}; null for the table as it is
 * @param label the label's column; null where the command needs none
 * @param features the feature columns; empty for all but label and weight
 * @param categorical how categorical columns are encoded, by column
 * @param weight the column of row weights; null for none
 * @param intercept whether the model has an intercept
 * @param standardize how numeric columns are standardised
 * @param layout how rows are packed
 * @param storage how features are stored
 * @param blockRows rows per block; 0 to choose by the number of columns
 * @param like a prepared table to take columns, levels and scales from; null for none
 * @param partitions over how many partitions the blocks are spread; 0 for Spark's default
 *     parallelism. The draws do not depend on it
 */
public record DataConfig(
    @Nullable String input,
    @Nullable String format,
    @Nullable String query,
    @Nullable String label,
    List<String> features,
    Map<String, CategoricalSpec> categorical,
    @Nullable String weight,
    boolean intercept,
    PrepareSpec.Standardize standardize,
    PrepareSpec.Layout layout,
    TableSchema.Storage storage,
    int blockRows,
    @Nullable String like,
    int partitions) {
  static final List<String> FORMATS = List.of("parquet", "csv", "libsvm");
  private static final int MOST_BLOCK_ROWS = 1 << 20;

  static DataConfig read(Section root) {
    Section section =
        root.section(
            "data",
            "input",
            "format",
            "query",
            "label",
            "features",
            "categorical",
            "weight",
            "intercept",
            "standardize",
            "layout",
            "storage",
            "block_rows",
            "like",
            "partitions");
    return new DataConfig(
        section.text("input"),
        section.choice("format", FORMATS),
        section.text("query"),
        section.text("label"),
        section.texts("features"),
        section.map("categorical", DataConfig::categorical),
        section.text("weight"),
        section.flag("intercept", true),
        section.choice("standardize", PrepareSpec.Standardize.NONE),
        section.choice("layout", PrepareSpec.Layout.AUTO),
        section.choice("storage", TableSchema.Storage.DOUBLE),
        section.whole("block_rows", 0, 0, MOST_BLOCK_ROWS),
        section.text("like"),
        section.whole("partitions", 0, 0, Integer.MAX_VALUE));
  }

  private static CategoricalSpec categorical(Section parent, String column) {
    Section section = parent.section(column, "levels", "reference", "top", "other");
    List<String> levels = section.texts("levels");
    Long top = section.whole("top", 1, Integer.MAX_VALUE);
    if (top != null && !levels.isEmpty()) {
      throw section.wrong("top", "left out where levels are listed");
    }
    String reference = section.text("reference");
    if (reference != null && !levels.isEmpty() && !levels.contains(reference)) {
      throw section.wrong("reference", "one of the listed levels");
    }
    return new CategoricalSpec(
        levels, reference, top == null ? null : Math.toIntExact(top), section.text("other"));
  }
}
