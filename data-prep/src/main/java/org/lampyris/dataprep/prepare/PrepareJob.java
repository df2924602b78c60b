package org.lampyris.dataprep.prepare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.scale.ColumnMoments;
import org.lampyris.dataprep.prepare.PrepareSpec.Layout;
import org.lampyris.dataprep.prepare.PrepareSpec.Standardize;
import org.lampyris.executors.table.AtomicFolder;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.LibraryVersion;
import org.lampyris.executors.table.StorageProblem;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Column;

/**
 * The prepare job: reads a table, checks it, encodes it, puts its rows into a random order, and
 * writes it as blocks.
 *
 * <p>Rows are read twice: once to see what they hold, once to encode and shuffle them. Then come
 * two passes over the blocks, one for moments and collinear columns, one that standardises and
 * writes. The result depends on the rows and the specification only, bit for bit.
 */
public final class PrepareJob {
  private static final String MARKER = "schema.json";
  private static final long BLOCK_BYTES = 4L << 20;
  private static final int MOST_BLOCK_ROWS = 4096;
  private static final int LEAST_BLOCK_ROWS = 64;

  private final SparkSession spark;
  private final PrepareSpec spec;
  private final @Nullable TableSchema like;
  private final Consumer<FeatureNames> check;
  private final Consumer<String> progress;
  private final String where;

  private PrepareJob(
      SparkSession spark,
      PrepareSpec spec,
      @Nullable TableSchema like,
      Consumer<FeatureNames> check,
      Consumer<String> progress) {
    this.spark = spark;
    this.spec = spec;
    this.like = like;
    this.check = check;
    this.progress = progress;
    where = spec.query() == null ? spec.input() : "the result of data.query on " + spec.input();
  }

  /** Runs the job without telling of its progress. */
  public static TableSchema run(SparkSession spark, PrepareSpec spec) {
    return run(spark, spec, names -> {}, line -> {});
  }

  /**
   * Prepares a table.
   *
   * @param spark the session
   * @param spec what to do
   * @param check is given the names of the columns before rows are read; what it throws ends the
   *     job
   * @param progress receives a line now and then
   * @return what was written
   * @throws UserException if the input, the configuration or the output folder is at fault; then
   *     nothing is left behind
   */
  public static TableSchema run(
      SparkSession spark,
      PrepareSpec spec,
      Consumer<FeatureNames> check,
      Consumer<String> progress) {
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    AtomicFolder.requireFree(spec.output(), spec.overwrite(), MARKER, conf);
    requireApart(spec, conf);
    if (spec.blockRows() < 0) {
      throw UserException.usage(
          "data.block_rows is " + spec.blockRows() + "; it cannot be negative");
    }
    String earlier = spec.like();
    TableSchema like = earlier == null ? null : TableSchema.read(earlier, conf);
    PrepareSpec effective = like == null ? spec : EarlierTable.effective(spec, like);
    return new PrepareJob(spark.newSession(), effective, like, check, progress).run();
  }

  /** Refuses to write over the input, which would be removed before it is replaced. */
  private static void requireApart(PrepareSpec spec, Configuration conf) {
    try {
      Path input = new Path(spec.input());
      Path output = new Path(spec.output());
      String in = input.getFileSystem(conf).makeQualified(input) + "/";
      String out = output.getFileSystem(conf).makeQualified(output) + "/";
      if (in.startsWith(out)) {
        throw UserException.usage(
            "the input "
                + spec.input()
                + " lies in the output folder "
                + spec.output()
                + "; name another folder for the output");
      }
    } catch (IOException | IllegalArgumentException e) {
      throw StorageProblem.reading("the input " + spec.input(), e);
    }
  }

  private TableSchema run() {
    InputTable table = null;
    try {
      progress.accept("reading " + spec.input());
      InputFiles files = InputFiles.list(spec.input(), spark.sparkContext().hadoopConfiguration());
      InputFormat format = InputFormat.tell(spec.format(), files);
      table = InputOpener.open(spark, files, format, spec, like);
      return prepare(table, format);
    } catch (UserException e) {
      throw e;
    } catch (Exception e) {
      throw new Failures(spec, table).explain(e);
    }
  }

  private TableSchema prepare(InputTable table, InputFormat format) throws IOException {
    Dataset<Row> shaped = QueryShape.of(spark, table.rows(), spec);
    InputColumns columns = InputColumns.resolve(shaped, spec, where);
    check.accept(FeatureNames.of(columns, spec.intercept()));
    Dataset<Row> selected = columns.select(shaped);
    boolean keep = format != InputFormat.PARQUET || spec.query() != null;
    if (keep) {
      // Parsing text or running a query twice costs more than keeping its result, on disk if need
      // be.
      selected = selected.persist(StorageLevel.MEMORY_AND_DISK());
    }
    try {
      TableScan scan = TableScan.of(selected.javaRDD(), columns);
      boolean libSvm = format == InputFormat.LIBSVM && spec.query() == null;
      Design design = design(table, columns, scan, libSvm);
      return write(selected, table, format, columns, scan, design);
    } finally {
      if (keep) {
        selected.unpersist(false);
      }
    }
  }

  private Design design(InputTable table, InputColumns columns, TableScan scan, boolean libSvm) {
    CellChecks cells = new CellChecks(where, table, spec.query() != null);
    cells.requireCells(scan, columns);
    new LabelChecks(where, cells).require(columns, scan, like);
    DesignChecks checks = new DesignChecks(where, cells);
    checks.requireLevels(columns, scan, like);
    Design design = Design.of(columns, scan, spec, like, libSvm);
    checks.requireKnownLevels(design, scan, like != null);
    if (like == null) {
      checks.requireDesign(design, scan);
    }
    return design;
  }

  private TableSchema write(
      Dataset<Row> selected,
      InputTable table,
      InputFormat format,
      InputColumns columns,
      TableScan scan,
      Design design)
      throws IOException {
    boolean weighted = columns.weight() != null;
    boolean sparseRows = 12 * scan.nonzero() < 8L * scan.slots() * scan.rows;
    TableSchema.Layout layout = layout(design, scan);
    int blockRows = spec.blockRows() > 0 ? spec.blockRows() : blockRows(design.columns().size());
    boolean offset = columns.offset() != null;
    RowEncoder encoder = new RowEncoder(design, weighted, offset, sparseRows);
    BlockPacker packer =
        new BlockPacker(design, weighted, offset, sparseRows, layout, spec.storage());
    RowOrder order =
        new RowOrder(
            scan.rows,
            RowEncoder.rowBytes(scan, sparseRows, design.features().size()),
            2 * spark.sparkContext().defaultParallelism());
    BlockRuns runs = order.runs(blockRows);
    progress.accept(
        String.format(
            Locale.ROOT,
            "shuffling %,d rows into %,d blocks of %,d columns, %s",
            scan.rows,
            runs.blocks(),
            design.columns().size(),
            layout.name().toLowerCase(Locale.ROOT)));
    JavaRDD<byte[]> encoded = selected.javaRDD().map(encoder::encode);
    JavaPairRDD<Long, byte[]> blocks =
        order.blocks(encoded, runs, spec.seed()).persist(StorageLevel.MEMORY_AND_DISK());
    try {
      Standardization standardization =
          standardization(design, table, blocks, runs, scan.rows, packer, layout);
      if (spec.storage() == TableSchema.Storage.FLOAT) {
        new DesignChecks(where, new CellChecks(where, table, spec.query() != null))
            .requireFloats(design, standardization);
      }
      TableSchema schema = schema(format, columns, scan, design, layout, runs, standardization);
      BlockPacker last = packer.standardizing(standardization.center(), standardization.scale());
      return store(blocks, last, schema);
    } finally {
      blocks.unpersist(false);
    }
  }

  private TableSchema store(
      JavaPairRDD<Long, byte[]> blocks, BlockPacker packer, TableSchema schema) throws IOException {
    progress.accept("block pass 2 of 2: writing " + spec.output());
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    try (AtomicFolder folder = AtomicFolder.create(spec.output(), spec.overwrite(), MARKER, conf)) {
      TableSchema complete =
          BlockTable.write(
              spark,
              blocks.map(block -> packer.pack(block._1(), block._2())),
              schema,
              folder.path());
      folder.commit();
      return complete;
    }
  }

  private TableSchema.Layout layout(Design design, TableScan scan) {
    if (spec.layout() != Layout.AUTO) {
      return TableSchema.Layout.valueOf(spec.layout().name());
    }
    int bytes = spec.storage().bytes();
    long dense = (long) bytes * design.columns().size() * scan.rows;
    long sparse = (bytes + 4) * design.nonzero(scan) + 4 * scan.rows;
    return sparse < dense ? TableSchema.Layout.SPARSE : TableSchema.Layout.DENSE;
  }

  /** Returns the largest power of two, 64 to 4,096, whose dense block takes at most 4 MiB. */
  static int blockRows(int columns) {
    int rows = MOST_BLOCK_ROWS;
    while (rows > LEAST_BLOCK_ROWS && 8L * columns * rows > BLOCK_BYTES) {
      rows /= 2;
    }
    return rows;
  }

  private Standardization standardization(
      Design design,
      InputTable table,
      JavaPairRDD<Long, byte[]> blocks,
      BlockRuns runs,
      long rows,
      BlockPacker packer,
      TableSchema.Layout layout) {
    if (like != null) {
      return Standardization.like(like);
    }
    int d = design.columns().size();
    boolean wide = d > BlockMoments.CROSS_COLUMNS;
    if (wide) {
      progress.accept(
          "collinear columns are looked for up to "
              + BlockMoments.CROSS_COLUMNS
              + " columns; there are "
              + d);
    }
    if (wide && spec.standardize() == Standardize.NONE) {
      return Standardization.none(d);
    }
    progress.accept("block pass 1 of 2: moments of the columns");
    ColumnMoments moments = new BlockMoments(blocks, runs, rows).of(packer);
    if (moments.hasCrossProducts()) {
      CellChecks cells = new CellChecks(where, table, spec.query() != null);
      new DesignChecks(where, cells).requireIndependent(design, moments);
    }
    if (spec.standardize() == Standardize.NONE) {
      return Standardization.none(d);
    }
    boolean center = isCentered(design, layout);
    if (!center) {
      progress.accept(
          "columns are scaled and not centred: "
              + (design.intercept()
                  ? "the layout is sparse and keeps its zeros"
                  : "there is no intercept to take the shift"));
    }
    return Standardization.of(spec.standardize(), design, moments, center);
  }

  private TableSchema schema(
      InputFormat format,
      InputColumns columns,
      TableScan scan,
      Design design,
      TableSchema.Layout layout,
      BlockRuns runs,
      Standardization standardization) {
    List<Column> standardised = new ArrayList<>();
    for (int j = 0; j < design.columns().size(); j++) {
      Column c = design.columns().get(j);
      standardised.add(
          new Column(
              c.name(),
              c.source(),
              c.kind(),
              c.level(),
              c.reference(),
              standardization.center()[j],
              standardization.scale()[j],
              c.min(),
              c.max()));
    }
    return new TableSchema(
        TableSchema.VERSION,
        LibraryVersion.get(),
        "",
        scan.rows,
        runs.blockRows(),
        runs.blocks(),
        layout,
        spec.storage(),
        design.label(),
        columns.weight(),
        columns.offset(),
        design.intercept(),
        spec.standardize().name().toLowerCase(Locale.ROOT),
        isCentered(design, layout),
        spec.seed(),
        new TableSchema.Source(spec.input(), format.key(), spec.query()),
        design.features(),
        standardised);
  }

  private boolean isCentered(Design design, TableSchema.Layout layout) {
    return spec.standardize() != Standardize.NONE
        && design.intercept()
        && layout == TableSchema.Layout.DENSE;
  }
}
