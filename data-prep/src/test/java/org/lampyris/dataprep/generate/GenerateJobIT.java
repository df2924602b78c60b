package org.lampyris.dataprep.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.dataprep.SparkForTests;
import org.lampyris.dataprep.blocks.DataSection;
import org.lampyris.dataprep.blocks.Packing;
import org.lampyris.dataprep.blocks.PrepareJob;
import org.lampyris.dataprep.design.Encoding;
import org.lampyris.dataprep.design.Encoding.Standardize;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.dataprep.read.Source;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.TableSchema;

class GenerateJobIT {
  private static final SparkSession SPARK = SparkForTests.session();
  private static final int ROWS = 10_000;
  private static final GenerateSection.Law LAW =
      new GenerateSection.Law(ROWS, 5, 42, 0.3, 0.2, null, 2, 0, 0);

  @SuppressWarnings("NullAway.Init")
  @TempDir
  private Path folder;

  private void generate(String format, String output, boolean overwrite) {
    GenerateSection section =
        new GenerateSection(
            LAW,
            GenerateSection.Grouping.NONE,
            "logistic",
            null,
            format,
            folder.resolve(output).toString());
    GenerateJob.run(SPARK, section, overwrite, line -> {});
  }

  private TableSchema prepare(String generated, String format, String label) {
    String input = folder.resolve(generated).resolve("table").toString();
    DataSection data =
        new DataSection(
            new Source(input, null, null, null),
            new Columns(label, List.of(), Map.of(), null, null, null, null, Columns.Rules.DEFAULT),
            new Encoding(true, Standardize.NONE),
            new Packing(
                Packing.Layout.DENSE,
                TableSchema.Storage.DOUBLE,
                0,
                Packing.Order.AUTO,
                Packing.Aggregate.AUTO),
            null,
            null,
            0);
    Columns.Model model = new Columns.Model(LabelKind.BINARY, null);
    String output = folder.resolve("prepared-" + format).toString();
    return PrepareJob.run(
        SPARK, new PrepareJob.Request(data, model, 1, output, false), names -> {}, line -> {});
  }

  private List<DataBlock> blocks(String format) {
    try (BlockTable table =
        BlockTable.load(SPARK, folder.resolve("prepared-" + format).toString(), 1)) {
      return new ArrayList<>(table.blocks().collect());
    }
  }

  @Test
  void groupsHaveTheEffectsThatAreWritten() {
    GenerateSection.Grouping grouping = new GenerateSection.Grouping(50, 1.5);
    GenerateJob.run(
        SPARK,
        new GenerateSection(
            LAW, grouping, "logistic", null, "parquet", folder.resolve("grouped").toString()),
        false,
        line -> {});
    LogisticTruth truth = new LogisticTruth(LAW, grouping, DrawnResponse.LOGISTIC);
    List<Row> effects =
        SPARK
            .read()
            .parquet(folder.resolve("grouped/true_effects").toString())
            .orderBy("g")
            .collectAsList();
    assertEquals(50, effects.size());
    double squares = 0;
    for (Row row : effects) {
      assertEquals(truth.effect(row.getLong(0)), row.getDouble(1));
      squares += row.getDouble(1) * row.getDouble(1);
    }
    assertEquals(1.5, Math.sqrt(squares / 50), 0.5);
    // Every group's share of ones is that of its effect: over groups, they rise together.
    List<Row> shares =
        SPARK
            .read()
            .parquet(folder.resolve("grouped/table").toString())
            .groupBy("g")
            .avg("y")
            .orderBy("g")
            .collectAsList();
    double together = 0;
    for (int g = 0; g < 50; g++) {
      together += (shares.get(g).getDouble(1) - 0.3) * effects.get(g).getDouble(1) / 50;
    }
    assertTrue(together > 0.2, "covariance " + together);
  }

  @Test
  void eventsAreNoticedAtVisits() {
    List<List<Row>> tables = new ArrayList<>();
    for (Double visits : new Double[] {null, 0.5}) {
      String output = folder.resolve("visits-" + visits).toString();
      GenerateSection section =
          new GenerateSection(
              LAW, GenerateSection.Grouping.NONE, "weibull", visits, "parquet", output);
      GenerateJob.run(SPARK, section, false, line -> {});
      tables.add(SPARK.read().parquet(output + "/table").orderBy("x1").collectAsList());
    }
    int[] events = new int[4];
    for (int i = 0; i < ROWS; i++) {
      Row seen = tables.get(0).get(i);
      Row noticed = tables.get(1).get(i);
      double time = seen.getDouble(seen.fieldIndex("y"));
      double from = noticed.getDouble(noticed.fieldIndex("y"));
      double to = noticed.getDouble(noticed.fieldIndex("time2"));
      int event = noticed.getInt(noticed.fieldIndex("event"));
      events[event]++;
      assertEquals(seen.getInt(seen.fieldIndex("event")) == 0, event == 0);
      assertTrue(
          event == 0
              ? from == time
              : event == 2 ? from == 0.5 && time < 0.5 : from <= time && time < to,
          () -> noticed + " of " + seen);
      assertTrue(event != 3 || to == from + 0.5, () -> "visits of " + noticed);
    }
    assertEquals(0, events[1]);
    assertTrue(events[0] > 50 && events[2] > 50 && events[3] > 50, Arrays.toString(events));
  }

  @Test
  void allFormatsGiveTheSameBlocks() throws IOException {
    List<DataBlock> first = null;
    for (String format : List.of("parquet", "csv", "libsvm")) {
      generate(format, format, false);
      TableSchema schema = prepare(format, format, "y");
      assertEquals(ROWS, schema.rows());
      List<String> truth =
          Files.readAllLines(folder.resolve(format).resolve("true_coefficients.csv"));
      assertEquals("variable,value", truth.get(0));
      assertEquals(
          schema.columnNames(),
          truth.stream().skip(1).map(line -> line.substring(0, line.indexOf(','))).toList());
      List<DataBlock> blocks = blocks(format);
      if (first == null) {
        first = blocks;
      }
      assertEquals(first.size(), blocks.size());
      for (int b = 0; b < blocks.size(); b++) {
        assertSame(first.get(b), blocks.get(b));
      }
    }
  }

  private static void assertSame(DataBlock expected, DataBlock actual) {
    assertEquals(expected.rows(), actual.rows());
    for (int n = 0; n < expected.rows(); n++) {
      assertEquals(expected.response(n), actual.response(n));
      for (int j = 0; j < expected.columns(); j++) {
        assertEquals(expected.feature(n, j), actual.feature(n, j));
      }
    }
  }

  @Test
  void fileHoldsTheRowsOfThePlainLoop() {
    generate("parquet", "table", false);
    List<String> written =
        SPARK.read().parquet(folder.resolve("table/table").toString()).collectAsList().stream()
            .map(Object::toString)
            .toList();
    List<String> expected = new ArrayList<>();
    LogisticTruth truth =
        new LogisticTruth(LAW, GenerateSection.Grouping.NONE, DrawnResponse.LOGISTIC);
    for (int chunk = 0; chunk < 3; chunk++) {
      truth.draw(
          chunk,
          Math.min(LogisticTruth.CHUNK_ROWS, ROWS - chunk * LogisticTruth.CHUNK_ROWS),
          (x, group, label) -> {
            StringBuilder row = new StringBuilder("[");
            for (double v : x) {
              row.append(v).append(',');
            }
            expected.add(row.append((int) label).append(']').toString());
          });
    }
    assertEquals(expected, written);
  }

  @Test
  void existingOutputIsKeptUnlessToldOtherwise() throws IOException {
    generate("csv", "out", false);
    assertThrows(UserException.class, () -> generate("parquet", "out", false));
    generate("parquet", "out", true);
    try (var files = Files.list(folder.resolve("out/table"))) {
      assertTrue(files.anyMatch(f -> f.toString().endsWith(".parquet")));
    }
    try (var files = Files.list(folder)) {
      assertEquals(1, files.count());
    }
  }
}
