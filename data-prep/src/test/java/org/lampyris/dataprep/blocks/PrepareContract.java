package org.lampyris.dataprep.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.dataprep.SparkForTests;
import org.lampyris.dataprep.blocks.Packing.Layout;
import org.lampyris.dataprep.design.Encoding;
import org.lampyris.dataprep.design.Encoding.Standardize;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.dataprep.read.Columns.Categorical;
import org.lampyris.dataprep.read.Source;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.TableSchema;

/** What tests of the prepare job share: a folder, a specification to vary, and the blocks back. */
abstract class PrepareContract {
  static final SparkSession SPARK = SparkForTests.session();

  @SuppressWarnings("NullAway.Init")
  @TempDir
  Path folder;

  /** Writes rows that are made of their number, {@code id}, and returns the path. */
  String parquet(long rows, int files, String... columns) {
    String path = folder.resolve("t.parquet").toString();
    SPARK.range(0, rows, 1, files).selectExpr(columns).write().parquet(path);
    return path;
  }

  /** A specification to vary. */
  static final class Wish {
    final String input;
    final String output;
    @Nullable String format;
    @Nullable String encoding;
    @Nullable String query;
    Source.Csv csv = Source.Csv.DEFAULT;
    String label = "y";
    LabelKind labelKind = LabelKind.BINARY;
    List<String> features = List.of();
    Map<String, Categorical> categorical = Map.of();
    @Nullable String weight;
    @Nullable String offset;
    @Nullable String trials;
    @Nullable String groupBy;
    @Nullable String orderBy;
    @Nullable String positive;
    Columns.Rules rules = Columns.Rules.DEFAULT;
    List<String> groups = List.of();
    @Nullable String formula;
    final List<String> progress = new ArrayList<>();
    boolean intercept = true;
    Standardize standardize = Standardize.NONE;
    Layout layout = Layout.DENSE;
    TableSchema.Storage storage = TableSchema.Storage.DOUBLE;
    int blockRows;
    Packing.Order order = Packing.Order.AUTO;
    Packing.Aggregate aggregate = Packing.Aggregate.AUTO;
    long seed = 3;
    @Nullable String like;
    @Nullable String after;
    int partitions;
    boolean overwrite;
    private List<TableSchema.Column> columns = List.of();

    Wish(Object input, Path output) {
      this.input = input.toString();
      this.output = output.toString();
    }

    TableSchema prepare() {
      TableSchema schema = PrepareJob.run(SPARK, request(), names -> {}, progress::add);
      columns = schema.columns();
      return schema;
    }

    /** Returns a feature on the input's scale, without what rounding leaves of a centred number. */
    double input(DataBlock block, int row, int j) {
      TableSchema.Column column = columns.get(j);
      double x = column.center() + column.scale() * block.feature(row, j);
      return Math.rint(x * 1e9) / 1e9 + 0.0;
    }

    PrepareJob.Request request() {
      return new PrepareJob.Request(
          new DataSection(
              new Source(input, format, encoding, query, csv),
              new Columns(label, features, categorical, weight, groupBy, orderBy, positive, rules),
              new Encoding(intercept, standardize),
              new Packing(layout, storage, blockRows, order, aggregate),
              like,
              after,
              partitions),
          new Columns.Model(labelKind, offset, trials, groups, formula),
          seed,
          output,
          overwrite);
    }

    TableSchema prepareAgain() {
      overwrite = true;
      return prepare();
    }

    List<DataBlock> blocks() {
      try (BlockTable table = BlockTable.load(SPARK, output, 2)) {
        return new ArrayList<>(table.blocks().collect());
      }
    }

    /** Returns the rows as text, label first, on the input's scale, in the order of the table. */
    List<String> rows() {
      List<String> rows = new ArrayList<>();
      for (DataBlock block : blocks()) {
        for (int n = 0; n < block.rows(); n++) {
          StringBuilder row = new StringBuilder().append((int) block.response(n));
          for (int j = 0; j < block.columns(); j++) {
            row.append(' ').append(input(block, n, j));
          }
          if (block.isWeighted()) {
            row.append(" w").append(block.weight(n));
          }
          rows.add(row.toString());
        }
      }
      return rows;
    }
  }

  Wish wish(Object input) {
    return new Wish(input, folder.resolve("prepared"));
  }

  Path file(String name, String... lines) throws IOException {
    return Files.writeString(folder.resolve(name), String.join("\n", lines) + "\n");
  }

  /** Returns the message of a data problem (exit code 3), after a look that nothing is left. */
  String refusedData(Wish wish) throws IOException {
    return refused(wish, UserException.Kind.DATA);
  }

  String refused(Wish wish, UserException.Kind kind) throws IOException {
    UserException refused = assertThrows(UserException.class, wish::prepare);
    String message = String.valueOf(refused.getMessage());
    assertEquals(kind, refused.kind(), message);
    assertEquals(1, message.lines().count(), message);
    try (var files = Files.list(folder)) {
      assertFalse(files.anyMatch(f -> f.getFileName().toString().startsWith("prepared")), message);
    }
    return message;
  }

  static void assertSays(String message, String... parts) {
    for (String part : parts) {
      assertTrue(message.contains(part), () -> "'" + part + "' is not in: " + message);
    }
  }
}
