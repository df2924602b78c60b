package org.lampyris.dataprep.blocks;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.Inline;
import org.lampyris.bounds.config.Section;
import org.lampyris.dataprep.blocks.Packing.Aggregate;
import org.lampyris.dataprep.blocks.Packing.Layout;
import org.lampyris.dataprep.design.Encoding;
import org.lampyris.dataprep.design.Encoding.Standardize;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.dataprep.read.Columns.Categorical;
import org.lampyris.dataprep.read.Source;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Feature;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/**
 * The section {@code data}: which table, and how it becomes numbers.
 *
 * @param like a prepared table whose columns, levels and standardisation this one takes over, so
 *     that new data fit a model that was fitted before; null for none
 * @param after a prepared table whose rows come before these, which become one table with them: as
 *     {@code like}, and its blocks stay where they are; null for none
 * @param partitions over how many partitions the prepared blocks are spread; 0 for Spark's default
 *     parallelism. The draws do not depend on it
 */
public record DataSection(
    @Inline Source source,
    @Inline Columns columns,
    @Inline Encoding encoding,
    @Inline Packing packing,
    @Nullable String like,
    @Nullable String after,
    int partitions) {
  /**
   * Reads the section.
   *
   * @throws org.lampyris.bounds.config.UserException (usage) if a key is unknown or a value wrong
   */
  public static DataSection read(Section root) {
    Section data = root.section("data", ConfigText.keys(DataSection.class).toArray(String[]::new));
    return new DataSection(
        Source.read(data),
        Columns.read(data),
        Encoding.read(data),
        Packing.read(data),
        like(data),
        data.text("after"),
        data.whole("partitions", 0, 0, Integer.MAX_VALUE));
  }

  private static @Nullable String like(Section data) {
    String like = data.text("like");
    if (like != null && data.text("after") != null) {
      throw data.wrong("like", "omitted with data.after, which includes what data.like does");
    }
    return like;
  }

  /** Returns the earlier table that determines the columns; null for none. */
  public @Nullable String earlier() {
    return after == null ? like : after;
  }

  /** Returns the section with other roles of the columns. */
  DataSection withColumns(Columns other) {
    return new DataSection(source, other, encoding, packing, like, after, partitions);
  }

  /** Returns the section with the choices of an earlier table. */
  public DataSection like(TableSchema earlier) {
    Map<String, Categorical> categorical = new HashMap<>();
    for (Feature feature : earlier.features()) {
      if (feature.kind() == FeatureKind.CATEGORICAL) {
        categorical.put(feature.name(), Categorical.DEFAULT);
      }
    }
    boolean sameRows = packing.blockRows() == 0 && earlier.grouping() == null;
    return new DataSection(
        source,
        columns.withFeatures(earlier.features().stream().map(Feature::name).toList(), categorical),
        new Encoding(
            earlier.scaling().intercept(),
            Standardize.valueOf(earlier.scaling().standardize().toUpperCase(Locale.ROOT))),
        new Packing(
            Layout.valueOf(earlier.packing().layout().name()),
            earlier.packing().storage(),
            sameRows || after != null ? earlier.blockRows() : packing.blockRows(),
            packing.order(),
            after == null
                ? packing.aggregate()
                : earlier.source().merged() == null ? Aggregate.NEVER : Aggregate.ALWAYS),
        like,
        after,
        partitions);
  }
}
