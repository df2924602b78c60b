package org.lampyris.dataprep.prepare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.dataprep.design.Design;
import org.lampyris.dataprep.design.DesignChecks;
import org.lampyris.dataprep.design.Doubts;
import org.lampyris.dataprep.design.Encoding.Standardize;
import org.lampyris.dataprep.design.FeatureNames;
import org.lampyris.dataprep.design.PositiveClass;
import org.lampyris.dataprep.design.RowEncoder;
import org.lampyris.dataprep.design.RowForm;
import org.lampyris.dataprep.design.Standardization;
import org.lampyris.dataprep.formula.FormulaTable;
import org.lampyris.dataprep.input.Columns;
import org.lampyris.dataprep.input.Input;
import org.lampyris.dataprep.input.InputColumns;
import org.lampyris.dataprep.levels.LevelCounts;
import org.lampyris.dataprep.levels.RowLevels;
import org.lampyris.dataprep.order.BlockMoments;
import org.lampyris.dataprep.order.BlockPacker;
import org.lampyris.dataprep.order.GroupKeys;
import org.lampyris.dataprep.order.RowOrder;
import org.lampyris.dataprep.scan.TableScan;
import org.lampyris.executors.table.AtomicFolder;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.LibraryVersion;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Column;
import org.lampyris.executors.table.TableSchema.Layout;
import org.lampyris.executors.table.TableSchema.Storage;

/**
 * The prepare job: reads a table, checks it, encodes it, puts its rows into a random order, and
 * writes it as blocks.
 *
 * <p>Rows are read twice: once to see what they hold, once to encode and shuffle them; where groups
 * have effects, their levels are counted in between. Then come two passes over the blocks, one for
 * moments and collinear columns, one that standardises and writes. The result depends on the rows
 * and the specification only, bit for bit.
 */
public final class PrepareJob {

  private final SparkSession spark;
  private final Request request;
  private DataSection data;
  private final @Nullable TableSchema like;
  private final Consumer<FeatureNames> check;
  private final Consumer<String> progress;

  private PrepareJob(
      SparkSession spark,
      Request request,
      @Nullable TableSchema like,
      Consumer<FeatureNames> check,
      Consumer<String> progress) {
    this.spark = spark;
    this.request = request;
    this.data = like == null ? request.data() : request.data().like(like);
    this.like = like;
    this.check = check;
    this.progress = progress;
  }

  /**
   * What to prepare.
   *
   * @param data the table; its input and label are there
   * @param seed keys the random order of the rows
   */
  public record Request(
      DataSection data, Columns.Model model, long seed, String output, boolean overwrite) {}

  /**
   * Prepares a table.
   *
   * @param check is given the names of the columns before rows are read; what it throws ends all
   * @throws UserException if the input, the configuration or the output folder is at fault; then
   *     nothing is left behind
   */
  public static TableSchema run(
      SparkSession spark,
      Request request,
      Consumer<FeatureNames> check,
      Consumer<String> progress) {
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    AtomicFolder.requireFree(request.output(), request.overwrite(), TableSchema.FILE, conf);
    String input = String.valueOf(request.data().source().input());
    AtomicFolder.requireApart(request.output(), input, conf);
    String earlier = request.data().like();
    TableSchema like = earlier == null ? null : TableSchema.read(earlier, conf);
    return new PrepareJob(spark.newSession(), request, like, check, progress).run();
  }

  private TableSchema run() {
    Input input = null;
    try {
      progress.accept("reading " + data.source().input());
      input = Input.open(spark, data.source(), data.columns(), request.model(), like);
      return prepare(input);
    } catch (UserException e) {
      throw e;
    } catch (Exception e) {
      throw Input.explain(e, data.source(), input, request.output());
    }
  }

  private TableSchema prepare(Input input) throws IOException {
    FormulaTable formula = FormulaTable.of(input, data.columns(), request.model(), like, progress);
    Dataset<Row> shaped = formula.rows();
    data = data.withColumns(formula.columns());
    boolean intercept = data.encoding().intercept();
    InputColumns columns =
        InputColumns.resolve(shaped, data.columns(), request.model(), intercept, input.name());
    check.accept(FeatureNames.of(columns, intercept));
    Dataset<Row> selected = columns.select(shaped);
    if (!input.isCheap()) {
      // Parsing text or running a query twice costs more than keeping its result, even on disk.
      selected = selected.persist(StorageLevel.MEMORY_AND_DISK());
    }
    try {
      TableScan scan = TableScan.of(selected.javaRDD(), columns);
      Design design = design(input, columns, scan);
      JavaRDD<Row> used = columns.used(selected.javaRDD());
      try (LevelCounts levels = LevelCounts.of(spark, input, columns, used)) {
        return write(
            input, used, Together.of(columns, levels, progress), scan, design, formula.formula());
      }
    } finally {
      if (!input.isCheap()) {
        selected.unpersist(false);
      }
    }
  }

  private Design design(Input input, InputColumns columns, TableScan scan) {
    PositiveClass.require(data.columns().positive(), columns.labelKind(), like);
    scan.require(input, columns, like);
    DesignChecks checks = new DesignChecks(input);
    checks.requireLevels(columns, scan, like);
    checks.requireNoDates(columns, scan, data.columns());
    Design design =
        Design.of(
            columns,
            scan,
            data.columns().categorical(),
            data.columns().positive(),
            data.encoding().intercept(),
            like,
            input.isLibSvm());
    checks.requireKnownLevels(design, scan, like != null);
    if (like == null) {
      checks.requireDesign(design, scan);
    }
    return design;
  }

  private TableSchema write(
      Input input,
      JavaRDD<Row> selected,
      Together together,
      TableScan scan,
      Design design,
      TableSchema.@Nullable Formula formula)
      throws IOException {
    InputColumns columns = together.columns();
    RowForm plain =
        new RowForm(
            columns.weight() != null,
            columns.trials() != null,
            false,
            columns.offset() != null,
            12 * scan.nonzero() < 8L * scan.slots() * scan.rows(),
            together.by() != null,
            columns.groups().size());
    Merging merging = new Merging(data.packing().aggregate(), columns, scan);
    RowForm form =
        merging.merges(() -> encoded(selected, together, design, plain.merging()), plain, progress)
            ? plain.merging()
            : plain;
    Storage storage = data.packing().storage();
    Layout layout = data.packing().layout(design, scan);
    BlockPacker packer = new BlockPacker(design, form, layout, storage);
    RowOrder.Blocks ordered = order(selected, together, scan, design, form, layout);
    ordered.blocks().persist(StorageLevel.MEMORY_AND_DISK());
    try {
      int classes = design.label().classes().size();
      Scaled scaled =
          scaled(
              input,
              design,
              packer,
              new BlockMoments(ordered, scan.rows(), form.merged(), classes),
              layout,
              scan.rows());
      List<Column> columnsOut = scaled.columns();
      if (storage == Storage.FLOAT) {
        new DesignChecks(input).requireFloats(columnsOut);
      }
      if (form.merged()) {
        progress.accept(Merging.line(scan.rows(), ordered.rows()));
      }
      List<String> doubts = new ArrayList<>(new Doubts(columns, scan, data.columns()).all());
      scaled.dependence().ifPresent(doubts::add);
      doubts.forEach(progress);
      if (scan.leftOut() > 0) {
        progress.accept(
            Text.of(
                "%,d of %,d rows are left out, because something is missing in them",
                scan.leftOut(), scan.leftOut() + scan.rows()));
      }
      TableSchema schema =
          new TableSchema(
              new TableSchema.Stamp(TableSchema.VERSION, LibraryVersion.get(), ""),
              new TableSchema.Packing(
                  ordered.rows(), ordered.blockRows(), ordered.runs().blocks(), layout, storage),
              new TableSchema.Roles(
                  design.label(),
                  columns.weight(),
                  columns.offset(),
                  columns.trials(),
                  together.grouping(ordered.groups()),
                  together.known()),
              scaled.scaling(),
              request.seed(),
              input.source(scan.leftOut(), form.merged() ? scan.rows() : null, doubts, formula),
              design.features(),
              columnsOut);
      return store(ordered, packer.standardizing(columnsOut), schema, together.levels());
    } finally {
      ordered.blocks().unpersist(false);
    }
  }

  private static RowEncoder encoder(Together together, Design design, RowForm form) {
    return new RowEncoder(design, form, new RowLevels(together.columns().groupsAt(), form.keys()));
  }

  private static JavaRDD<byte[]> encoded(
      JavaRDD<Row> selected, Together together, Design design, RowForm form) {
    return selected.map(encoder(together, design, form)::encode);
  }

  private RowOrder.Blocks order(
      JavaRDD<Row> selected,
      Together together,
      TableScan scan,
      Design design,
      RowForm form,
      Layout layout) {
    int width = design.columns().size();
    int blockRows = data.packing().blockRows(width);
    RowEncoder encoder = encoder(together, design, form);
    long rows = scan.rows();
    int tasks = 2 * spark.sparkContext().defaultParallelism();
    RowOrder order = new RowOrder(rows, encoder.rowBytes(scan), tasks, request.seed());
    String packed = Text.of("blocks of %,d columns, %s", width, ConfigText.of(layout));
    if (!form.grouped()) {
      JavaRDD<byte[]> encoded = selected.map(encoder::encode);
      if (form.merged()) {
        progress.accept(Text.of("merging equal ones of %,d rows, into %s", rows, packed));
        return order.merged(encoded, blockRows);
      }
      long blocks = (rows - 1) / blockRows + 1;
      progress.accept(Text.of("shuffling %,d rows into %,d %s", rows, blocks, packed));
      return order.blocks(encoded, blockRows);
    }
    progress.accept(
        Text.of("shuffling %,d rows, those of a group together, into %s", rows, packed));
    GroupKeys keys = together.keys(request.seed());
    return order.grouped(
        selected.map(row -> keys.before(row, encoder.encode(row))),
        blockRows,
        layout == Layout.DENSE ? (long) width * data.packing().storage().bytes() : 0,
        key -> together.by() + " = '" + keys.name(selected, key) + "'");
  }

  private TableSchema store(
      RowOrder.Blocks ordered, BlockPacker packer, TableSchema schema, LevelCounts levels)
      throws IOException {
    String output = request.output();
    progress.accept("block pass 2 of 2: writing " + output);
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    try (AtomicFolder folder =
        AtomicFolder.create(output, request.overwrite(), TableSchema.FILE, conf)) {
      TableSchema complete =
          BlockTable.write(
              spark,
              ordered.blocks().map(block -> packer.pack(block._1(), block._2())),
              schema,
              folder.path());
      levels.write(folder.path());
      folder.commit();
      return complete;
    }
  }

  private Standardize standardize() {
    return data.encoding().standardize();
  }

  /** The columns with their centre, scale and moments, and what else is known of scales. */
  private record Scaled(
      List<Column> columns, TableSchema.Scaling scaling, Optional<String> dependence) {}

  private Scaled scaled(
      Input input, Design design, BlockPacker packer, BlockMoments pass, Layout layout, long rows) {
    if (like != null) {
      return new Scaled(Standardization.like(like, design), like.scaling(), Optional.empty());
    }
    int d = design.columns().size();
    if (d > BlockMoments.CROSS_COLUMNS) {
      progress.accept(
          "collinear columns are looked for up to %s columns; there are %s"
              .formatted(BlockMoments.CROSS_COLUMNS, d));
    }
    progress.accept("block pass 1 of 2: moments of the columns");
    BlockMoments.TableMoments moments = pass.of(packer);
    List<String> classes = design.label().classes();
    boolean several = design.label().kind() == LabelKind.CLASSES;
    return new Scaled(
        Standardization.of(standardize(), design, moments.columns(), layout),
        new TableSchema.Scaling(
            design.intercept(),
            standardize().name().toLowerCase(Locale.ROOT),
            design.intercept() && layout == Layout.DENSE,
            classes.isEmpty() ? moments.response() : null,
            several ? classes.get(mostFrequent(moments.counts())) : null),
        new DesignChecks(input).dependence(design, moments.columns(), rows));
  }

  /** Returns the index of the largest count, the first of equal ones. */
  private static int mostFrequent(List<Double> counts) {
    return IntStream.range(0, counts.size())
        .reduce(0, (at, k) -> counts.get(k) > counts.get(at) ? k : at);
  }
}
