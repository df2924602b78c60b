package org.lampyris.dataprep.blocks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.dataprep.design.Encoding.Standardize;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.LevelTable;
import org.lampyris.executors.table.PackedBlock;
import org.lampyris.executors.table.RowExpansion;
import org.lampyris.executors.table.StorageProblem;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Column;
import org.lampyris.executors.table.TableSchema.Earlier;
import org.lampyris.executors.table.TableSchema.Levels;

/**
 * Prepared table ({@code data.after}) that later rows follow. Its blocks stay where they are, but
 * for the last one, if that is not full: it is stored again with later rows in it.
 *
 * @param folder its folder, with its file system
 */
record EarlierTable(String folder, TableSchema schema) {
  /**
   * Reads the table's schema.
   *
   * @param input the files of the later rows; null if they do not come from files
   * @throws UserException (data) if it is none, or rows of a group lie together in it; (usage) if
   *     its rows come from the same input
   */
  static EarlierTable read(String folder, @Nullable String input, Configuration conf) {
    TableSchema schema = TableSchema.read(folder, conf);
    TableSchema.Grouping grouping = schema.grouping();
    if (grouping != null) {
      throw UserException.data(
          "the table in %s keeps the rows of each '%s' together, so later rows cannot follow. Prepare all rows as one table."
              .formatted(folder, grouping.groupBy()));
    }
    try {
      EarlierTable table = new EarlierTable(qualified(folder, conf), schema);
      if (input != null) {
        table.requireOtherInput(input, conf);
      }
      return table;
    } catch (IOException | IllegalArgumentException e) {
      throw StorageProblem.reading(folder, e);
    }
  }

  private static String qualified(String path, Configuration conf) throws IOException {
    Path given = new Path(path);
    return given.getFileSystem(conf).makeQualified(given).toString();
  }

  /** Refuses an input that rows of the table have been read from: they would count twice. */
  private void requireOtherInput(String input, Configuration conf) throws IOException {
    for (TableSchema of = schema; of != null; of = before(of, conf)) {
      String known = qualified(of.source().input(), conf) + "/";
      if (known.startsWith(qualified(input, conf) + "/")) {
        throw UserException.usage(
            "data.input: %s holds %s, whose rows are in %s already. Name the later rows alone."
                .formatted(input, of.source().input(), folder));
      }
    }
  }

  private static @Nullable TableSchema before(TableSchema schema, Configuration conf) {
    Earlier earlier = schema.source().earlier();
    return earlier == null ? null : TableSchema.read(earlier.folder(), conf);
  }

  /**
   * Refuses rows with other roles than the table's.
   *
   * @throws UserException (usage) that names the key
   */
  void requireRoles(InputColumns columns) {
    requireRole("data.weight", schema.roles().weight(), columns.weight());
    boolean intervals = columns.labelKind() == LabelKind.INTERVAL;
    requireRole(
        intervals ? "model.time2" : "model.offset", schema.roles().offset(), columns.offset());
    boolean times = columns.labelKind().isTime();
    requireRole(times ? "model.event" : "model.trials", schema.roles().trials(), columns.trials());
    requireRole("data.group_by", null, columns.groupBy());
    requireRole(
        "model.random",
        names(schema.levels().stream().map(Levels::column)),
        names(columns.groups().stream()));
  }

  /**
   * Refuses features and a scale that a configuration names and that are not the table's, which
   * later rows take over.
   *
   * @param features the names; empty if none are named
   * @throws UserException (usage) that names the key
   */
  void requireDesign(List<String> features, Standardize standardize) {
    if (!features.isEmpty()) {
      requireRole(
          "data.features",
          names(schema.features().stream().map(TableSchema.Feature::name).sorted()),
          names(features.stream().sorted()));
    }
    if (standardize != Standardize.NONE) {
      requireRole(
          "data.standardize",
          schema.scaling().standardize(),
          standardize.name().toLowerCase(Locale.ROOT));
    }
  }

  private static @Nullable String names(Stream<String> columns) {
    String names = columns.collect(Collectors.joining("', '"));
    return names.isEmpty() ? null : names;
  }

  /**
   * Refuses later rows with which a grouping factor has so many levels that the rows of each have
   * to lie together.
   *
   * @throws UserException (data) that names the factor
   */
  void requireApart(@Nullable String together) {
    if (together != null) {
      throw UserException.data(
          "with the later rows '%s' has so many levels that the rows of each have to lie together, but those in %s do not. Prepare all rows as one table."
              .formatted(together, folder));
    }
  }

  private void requireRole(String key, @Nullable String there, @Nullable String here) {
    if (!Objects.equals(there, here)) {
      throw UserException.usage(
          "%s: %s, but the rows of %s have %s. Set the same for all rows of a table."
              .formatted(
                  key,
                  here == null ? "none is named" : "'" + here + "'",
                  folder,
                  there == null ? "none" : "'" + there + "'"));
    }
  }

  /** Returns how many rows of the first block with later ones are the table's. */
  int filled() {
    return (int) (schema.rows() % schema.blockRows());
  }

  /** Returns the number of blocks that stay in place. */
  long blocks() {
    return schema.rows() / schema.blockRows();
  }

  /** Returns the levels of its grouping factors, each as its facts in {@link LevelTable}. */
  List<Dataset<Row>> levels(SparkSession spark) {
    return IntStream.range(0, schema.levels().size())
        .mapToObj(k -> LevelTable.read(spark, folder, k))
        .toList();
  }

  /** Returns the table's identity, for a schema. */
  Earlier earlier() {
    return new Earlier(folder, schema.fingerprint(), schema.rows());
  }

  /** Returns the columns of later rows with the ranges over all rows. */
  List<Column> columns(List<Column> later) {
    List<Column> all = new ArrayList<>();
    for (Column column : later) {
      Column there = schema.columns().get(all.size());
      all.add(there.over(Math.min(there.min(), column.min()), Math.max(there.max(), column.max())));
    }
    return all;
  }

  /** Returns the doubts about all rows. */
  List<String> doubts(List<String> later) {
    return Stream.concat(schema.source().doubts().stream(), later.stream()).distinct().toList();
  }

  /**
   * Returns the blocks of later rows by their numbers in the whole table, including the rows that
   * fill the first.
   */
  JavaRDD<PackedBlock> after(SparkSession spark, JavaRDD<PackedBlock> later) {
    long first = blocks();
    PackedBlock open = null;
    if (filled() > 0) {
      try (BlockTable table = BlockTable.load(spark, folder, 1)) {
        open = table.last(folder);
      }
    }
    PackedBlock unfilled = open;
    RowExpansion expansion = RowExpansion.of(schema);
    return later.map(
        block ->
            block.id() == 0 && unfilled != null
                ? joined(unfilled, block, expansion)
                : block.numbered(first + block.id()));
  }

  /** Appends a block, with all columns stored if one of the two has them so. */
  private static PackedBlock joined(PackedBlock first, PackedBlock next, RowExpansion expansion) {
    return first.hasNumbers() == next.hasNumbers()
        ? first.append(next)
        : PackedBlock.of(first.toBlock(expansion)).append(PackedBlock.of(next.toBlock(expansion)));
  }

  /** Returns how the rows of both are packed. */
  TableSchema.Packing packing(TableSchema.Packing later) {
    return new TableSchema.Packing(
        schema.rows() + later.rows(),
        schema.blockRows(),
        blocks() + later.blocks(),
        later.layout(),
        later.storage());
  }
}
