package org.lampyris.dataprep.prepare;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lampyris.executors.table.TableSchema.LabelKind;
import org.lampyris.executors.table.TableSchema.Storage;

/**
 * What to prepare, and how.
 *
 * @param input the path of the table, on any file system that Hadoop knows
 * @param format "parquet", "csv" or "libsvm"; null to tell by the name
 * @param query a Spark SQL SELECT over the view {@code input} that shapes the table; null for the
 *     table as it is
 * @param label the label's column
 * @param labelKind what the label must be
 * @param features the feature columns by name; empty for every column but the label, the weight and
 *     the offset
 * @param categorical how categorical columns are encoded, by column; text columns that are not
 *     named here get the defaults
 * @param weight the column of row weights; null for none
 * @param offset the column that is added to the linear predictor; null for none
 * @param intercept whether a column of ones named "(Intercept)" comes first
 * @param standardize how numeric columns are standardised
 * @param layout how rows are packed
 * @param storage how features are stored
 * @param blockRows rows per block; 0 to choose by the number of columns
 * @param seed keys the random order of the rows
 * @param like a prepared table whose columns, levels and standardisation this one takes over, so
 *     that new data fit a model that was fitted before; null for none
 * @param output the folder to write
 * @param overwrite whether an existing folder is replaced
 */
public record PrepareSpec(
    String input,
    @Nullable String format,
    @Nullable String query,
    String label,
    LabelKind labelKind,
    List<String> features,
    Map<String, CategoricalSpec> categorical,
    @Nullable String weight,
    @Nullable String offset,
    boolean intercept,
    Standardize standardize,
    Layout layout,
    Storage storage,
    int blockRows,
    long seed,
    @Nullable String like,
    String output,
    boolean overwrite) {

  /** How columns are standardised; draws are reported on the input's scale all the same. */
  public enum Standardize {
    /** As they are. */
    NONE,
    /** Numeric columns to mean 0 and standard deviation 1. */
    UNIT,
    /** Numeric columns to mean 0 and standard deviation ½, binary ones centred: Gelman (2008). */
    GELMAN
  }

  /** How rows are packed. */
  public enum Layout {
    /** The smaller of the two. */
    AUTO,
    /** Every element. */
    DENSE,
    /** The elements that are not zero (CSR). */
    SPARSE
  }
}
