package org.lampyris.driver.output;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.executors.table.LevelTable;
import org.lampyris.samplers.run.EffectSink;

/**
 * Files with the summaries of effects: {@code effects/<group>/}, a folder of Parquet files with a
 * row for each effect of each level, in the order of levels and effects. Also {@code
 * effects/<group>.csv} if it has at most {@value #MOST_CSV_ROWS} rows. The executors put the levels
 * to the rows and sort them.
 *
 * @param prepared the folder of the prepared table, which has the levels
 * @param effects the effects of the model
 * @param spool the rows as they came
 */
public record EffectFiles(
    SparkSession spark, String prepared, List<TableEffects> effects, EffectSpool spool)
    implements AutoCloseable {
  static final String FOLDER = "effects";

  private static final long MOST_CSV_ROWS = 100_000;
  private static final String VARIABLE = "variable";
  private static final String EFFECT = "effect";

  /** Column of an effect's number, before its name replaces it. */
  private static final String NUMBER = ".effect";

  /**
   * Writes the files.
   *
   * @param folder does not exist
   * @throws IOException if they cannot be written
   */
  void write(Path folder) throws IOException {
    String rows = spool.finished();
    SparkSession session = spark.newSession();
    // What is broadcast is held by the driver; many levels are joined where they are.
    session.conf().set("spark.sql.autoBroadcastJoinThreshold", -1);
    List<String> names = names();
    for (int k = 0; k < names.size(); k++) {
      if (spool.rows(k) > 0) {
        Path parquet = new Path(folder, names.get(k));
        Dataset<Row> sorted = sorted(session, rows, k).drop(NUMBER);
        if (spool.rows(k) > MOST_CSV_ROWS) {
          sorted.write().parquet(parquet.toString());
          requireAll(session.read().parquet(parquet.toString()).count(), k);
        } else {
          // Joined once for both files.
          sorted.persist();
          try {
            sorted.write().parquet(parquet.toString());
            requireAll(sorted.count(), k);
            writeCsv(sorted.drop(EffectSpool.DRAWS), parquet.suffix(".csv"));
          } finally {
            sorted.unpersist();
          }
        }
      }
    }
  }

  private void requireAll(long written, int random) {
    if (written != spool.rows(random)) {
      throw new IllegalStateException(
          "of %d effects by %s, %d belong to a level of the prepared table"
              .formatted(spool.rows(random), effects.get(random).effects().group(), written));
    }
  }

  private Dataset<Row> sorted(SparkSession session, String spooled, int random) {
    GroupingEffects of = effects.get(random).effects();
    Dataset<Row> rows =
        LevelTable.together(session.read().parquet(spooled))
            .where(functions.col(EffectSpool.RANDOM).equalTo(random))
            .withColumnRenamed(EffectSpool.EFFECT, NUMBER);
    Dataset<Row> levels = LevelTable.read(session, prepared, effects.get(random).grouping());
    Column number = functions.col(quoted(NUMBER));
    Column level = functions.col(LevelTable.LEVEL);
    // The name is that of GroupEffects.name, made where the rows are.
    Column effect = functions.element_at(spelled(of), number.plus(1));
    List<Column> columns = new ArrayList<>();
    columns.add(
        functions
            .concat(
                functions.lit("r_" + of.group() + "["),
                level,
                functions.lit(","),
                effect,
                functions.lit("]"))
            .as(VARIABLE));
    columns.add(level);
    columns.add(effect.as(EFFECT));
    columns.add(functions.col(LevelTable.ROWS));
    EffectSink.STATISTICS.forEach(name -> columns.add(functions.col(name)));
    if (spool.hasDraws()) {
      columns.add(functions.col(EffectSpool.DRAWS));
    }
    columns.add(number);
    return rows.join(levels, LevelTable.KEY)
        .select(columns.toArray(Column[]::new))
        .orderBy(level, number);
  }

  private static Column spelled(GroupingEffects of) {
    Column[] names = new Column[of.size()];
    Arrays.setAll(names, e -> functions.lit(of.spelled(e)));
    return functions.array(names);
  }

  private static String quoted(String column) {
    return "`" + column + "`";
  }

  private void writeCsv(Dataset<Row> rows, Path file) throws IOException {
    CsvText.write(
        file.getFileSystem(spark.sparkContext().hadoopConfiguration()),
        file,
        List.of(rows.columns()),
        csv -> {
          Iterator<Row> all = rows.toLocalIterator();
          while (all.hasNext()) {
            Row row = all.next();
            Object[] cells = new Object[row.size()];
            Arrays.setAll(cells, row::get);
            csv.writeRow(cells);
          }
        });
  }

  /**
   * Returns the names of the files, by the groups': letters, digits, points, hyphens and
   * underscores are kept; all are different.
   */
  private List<String> names() {
    List<String> names = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    for (TableEffects one : effects) {
      String name = one.effects().group().replaceAll("[^\\p{L}\\p{N}._-]", "-");
      // Hadoop takes what begins with a point or an underscore for hidden.
      String base = name.matches("[._].*") ? "group" + name : name;
      String unique = base;
      for (int k = 2; !taken.add(unique.toLowerCase(Locale.ROOT)); k++) {
        unique = base + "-" + k;
      }
      names.add(unique);
    }
    return names;
  }

  /** Adds a description of the files to the manifest. */
  void describe(ArrayNode manifest) {
    List<String> names = names();
    for (int k = 0; k < names.size(); k++) {
      manifest
          .addObject()
          .put("group", effects.get(k).effects().group())
          .putPOJO("effects", effects.get(k).effects().effects())
          .put("levels", effects.get(k).levels())
          .put("rows", spool.rows(k))
          .put("folder", Text.of("%s/%s", FOLDER, names.get(k)));
    }
  }

  /** Returns whether there are no effects. */
  boolean isEmpty() {
    for (int k = 0; k < effects.size(); k++) {
      if (spool.rows(k) > 0) {
        return false;
      }
    }
    return true;
  }

  /** Removes the spooled rows. */
  @Override
  public void close() {
    spool.close();
  }
}
