package org.lampyris.dataprep.blocks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.RowFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Column;
import org.lampyris.executors.table.TableSchema.Feature;
import org.lampyris.executors.table.TableSchema.FeatureKind;
import scala.jdk.javaapi.CollectionConverters;

/** Rows of an input's form become those of a table. */
class RowFeaturesTest {
  private static TableSchema schema() {
    List<Feature> features =
        List.of(
            new Feature("x", FeatureKind.NUMERIC, 1, List.of(), null, null),
            new Feature("city", FeatureKind.CATEGORICAL, 1, List.of("A", "B", "C"), "B", null),
            new Feature("v", FeatureKind.VECTOR, 2, List.of(), null, null),
            new Feature(
                "code", FeatureKind.CATEGORICAL, 1, List.of("1", "2", "(rest)"), "1", "(rest)"));
    int width = 1 + features.stream().mapToInt(Feature::columns).sum();
    List<Column> columns = new ArrayList<>();
    for (int j = 0; j < width; j++) {
      columns.add(Column.intercept());
    }
    return new TableSchema(
        new TableSchema.Stamp(TableSchema.VERSION, "test", ""),
        new TableSchema.Packing(1, 1, 1, TableSchema.Layout.DENSE, TableSchema.Storage.DOUBLE),
        new TableSchema.Roles(
            new TableSchema.Label("y", LabelKind.REAL, List.of()), null, null, null, null, null),
        new TableSchema.Scaling(true, "unit", true, null, null, null),
        1,
        new TableSchema.Source("in", "csv", null, 0, null, List.of()),
        features,
        columns);
  }

  private static double @Nullable [] encoded(@Nullable Object... cells) {
    RowFeatures features = new RowFeatures(schema());
    double[] x = new double[features.width()];
    Arrays.fill(x, 99);
    return features.write(RowFactory.create(cells), 1, x) ? x : null;
  }

  private static Object vector(double... values) {
    List<Object> list = new ArrayList<>();
    for (double value : values) {
      list.add(value);
    }
    return CollectionConverters.asScala(list).toSeq();
  }

  @Test
  void everyColumnIsWritten() {
    assertArrayEquals(
        new double[] {1, 2.5, 0, 1, 7, 8, 1, 0}, encoded("own", 2.5, "C", vector(7, 8), 2L));
    assertArrayEquals(
        new double[] {1, -1, 0, 0, 0, 0, 0, 0}, encoded("own", -1, "B", vector(0, 0), 1));
    assertArrayEquals(
        new double[] {1, -1, 1, 0, 3, 0, 0, 0}, encoded("own", -1, "A", vector(3, 0), "1"));
  }

  @Test
  void levelsThatAreNotListedAreOthersWhereThereAreSuch() {
    assertArrayEquals(
        new double[] {1, 0, 0, 0, 1, 2, 0, 1}, encoded("own", 0, "B", vector(1, 2), "17"));
    assertFalse(encoded("own", 0, "D", vector(1, 2), "1") != null);
  }

  @Test
  void whatIsMissingHasNoPrediction() {
    assertTrue(encoded("own", null, "A", vector(1, 2), "1") == null);
    assertTrue(encoded("own", Double.NaN, "A", vector(1, 2), "1") == null);
    assertTrue(encoded("own", Double.POSITIVE_INFINITY, "A", vector(1, 2), "1") == null);
    assertTrue(encoded("own", 1, null, vector(1, 2), "1") == null);
    assertTrue(encoded("own", 1, "A", vector(1, Double.NaN), "1") == null);
    assertTrue(encoded("own", 1, "A", vector(1, 2, 3), "1") == null);
  }
}
