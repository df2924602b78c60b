package org.lampyris.dataprep.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.lampyris.executors.table.TableSchema;

/** Tests of tables that are stored while they are read share these tables and comparisons. */
abstract class OnePassContract extends PrepareContract {
  static final String SPLIT = "spark.sql.files.maxPartitionBytes";
  static final String ONE = "one pass";
  static final String AGAIN = "once more";

  private int made;

  /** How Parquet writes a table's files. */
  Map<String, String> options = Map.of();

  @AfterEach
  void asBefore() {
    SPARK.sparkContext().conf().remove(SPLIT);
  }

  /** Writes a table in files of several row groups. */
  String table(long rows, int files, String... columns) {
    String path = folder.resolve("t" + made++ + ".parquet").toString();
    SPARK
        .range(0, rows, 1, files)
        .selectExpr(columns)
        .write()
        .option("parquet.block.size", 40_000)
        .option("parquet.page.size", 4_000)
        .options(options)
        .parquet(path);
    return path;
  }

  Wish wish(String input, String... features) {
    Wish wish = new Wish(input, folder.resolve("out" + made++));
    wish.features = List.of(features);
    return wish;
  }

  /** Prepares a table whose rows are kept first: Spark has no pieces of a view that makes rows. */
  static TableSchema kept(Wish wish) {
    wish.query = "SELECT * FROM input LATERAL VIEW explode(array(1)) e AS one";
    TableSchema schema = wish.prepareAgain();
    assertFalse(wish.progress.stream().anyMatch(line -> line.startsWith(ONE)), "is kept");
    wish.query = null;
    return schema;
  }

  static long passes(Wish wish) {
    return wish.progress.stream()
        .filter(line -> line.startsWith(ONE) || line.startsWith(AGAIN))
        .count();
  }

  /** Everything but the query, which the fingerprint is not of, but the checksum is. */
  static void assertSame(TableSchema expected, TableSchema found) {
    assertEquals(expected.packing(), found.packing());
    assertEquals(expected.roles(), found.roles());
    assertEquals(expected.scaling(), found.scaling());
    assertEquals(expected.columns(), found.columns());
    assertEquals(expected.features(), found.features());
    assertEquals(expected.source().doubts(), found.source().doubts());
    assertEquals(expected.fingerprint(), found.fingerprint());
  }
}
