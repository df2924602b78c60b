package org.lampyris.dataprep.blocks;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.dataprep.blocks.BlockPasses.Made;
import org.lampyris.dataprep.blocks.BlockPasses.Making;
import org.lampyris.dataprep.blocks.BlockPasses.Part;
import org.lampyris.dataprep.blocks.BlockPasses.Plan;
import org.lampyris.dataprep.blocks.BlockPasses.Sink;
import org.lampyris.dataprep.blocks.LevelHashes.Together;
import org.lampyris.dataprep.blocks.Packing.Order;
import org.lampyris.dataprep.blocks.TableDescription.Scaled;
import org.lampyris.dataprep.design.Design;
import org.lampyris.dataprep.design.FeatureNames;
import org.lampyris.dataprep.design.KnownLevels;
import org.lampyris.dataprep.design.LevelCounts;
import org.lampyris.dataprep.formula.FormulaTable;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.dataprep.read.GroupKeys;
import org.lampyris.dataprep.read.Input;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.dataprep.read.InputPieces;
import org.lampyris.dataprep.read.RowsRead;
import org.lampyris.dataprep.read.SelectedRows;
import org.lampyris.dataprep.read.TableScan;
import org.lampyris.executors.jobs.BlockSum;
import org.lampyris.executors.jobs.ScalaCollections;
import org.lampyris.executors.table.AtomicFolder;
import org.lampyris.executors.table.LevelTable;
import org.lampyris.executors.table.PackedBlock;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Column;
import org.lampyris.executors.table.TableSchema.Layout;
import org.lampyris.executors.table.TableSchema.Storage;

/**
 * The prepare job: reads a table, checks and encodes it, and writes it as blocks.
 *
 * <p>A table in Parquet whose rows keep their order is stored while it is read: {@link OnePass}.
 * Other tables are read once: rows are encoded and kept, with the levels of groups with effects,
 * and then sorted. Both become blocks by {@link BlockPasses}. If rows keep the order of the input,
 * only the ends of its pieces are shuffled. The result depends on the rows, their order in the
 * input and the specification only, bit for bit; where rows are ordered by content, not on their
 * order.
 */
public final class PrepareJob {

  private final SparkSession spark;
  private final Request request;
  private DataSection data;
  private final @Nullable TableSchema like;
  private final @Nullable EarlierTable after;
  private final Blocks blocks;
  private final Consumer<FeatureNames> check;
  private final Consumer<String> progress;

  private PrepareJob(
      SparkSession spark,
      Request request,
      @Nullable TableSchema like,
      @Nullable EarlierTable after,
      Blocks blocks,
      Consumer<FeatureNames> check,
      Consumer<String> progress) {
    this.spark = spark;
    this.request = request;
    this.data = like == null ? request.data() : request.data().like(like);
    this.like = like;
    this.after = after;
    this.blocks = blocks;
    this.check = check;
    this.progress = progress;
  }

  /**
   * Request for a prepared table.
   *
   * @param data the table; its input and label are there
   * @param rows the table itself, where it is no file: {@code data.input} is what it is called
   * @param seed keys the random order of the rows
   */
  public record Request(
      DataSection data,
      @Nullable Dataset<Row> rows,
      Columns.Model model,
      long seed,
      String output,
      boolean overwrite) {
    /** Creates the request for a table in files. */
    public Request(
        DataSection data, Columns.Model model, long seed, String output, boolean overwrite) {
      this(data, null, model, seed, output, overwrite);
    }
  }

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
    return run(spark, request, Blocks.STORED, check, progress).schema();
  }

  /**
   * A table that has been prepared.
   *
   * @param blocks its blocks, kept, as {@link org.lampyris.executors.table.BlockTable} spreads
   *     them; null if they are not
   */
  public record Prepared(TableSchema schema, @Nullable JavaRDD<DataBlock> blocks) {}

  /** Place of the blocks. */
  enum Blocks {
    /** In the table's folder. */
    STORED,
    /** Stored, and kept in memory if they are made as rows are read. */
    STORED_AND_KEPT,
    /** In memory alone. */
    KEPT;

    boolean areStored() {
      return this != KEPT;
    }

    boolean areKept() {
      return this != STORED;
    }
  }

  /**
   * Prepares a table, as {@link #run}, and keeps its blocks if they are made as rows are read.
   *
   * @param stored whether they are stored as well; else the folder has the schema alone
   * @throws UserException also (usage) if blocks that are not to be stored cannot be made so
   */
  public static Prepared runKeeping(
      SparkSession spark,
      Request request,
      boolean stored,
      Consumer<FeatureNames> check,
      Consumer<String> progress) {
    Blocks blocks = stored ? Blocks.STORED_AND_KEPT : Blocks.KEPT;
    return run(spark, request, blocks, check, progress);
  }

  private static Prepared run(
      SparkSession spark,
      Request request,
      Blocks blocks,
      Consumer<FeatureNames> check,
      Consumer<String> progress) {
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    AtomicFolder.requireFree(request.output(), request.overwrite(), TableSchema.FILE, conf);
    String input = String.valueOf(request.data().source().input());
    boolean files = request.rows() == null;
    if (files) {
      AtomicFolder.requireApart(request.output(), input, conf);
    }
    String earlier = request.data().earlier();
    TableSchema like = earlier == null ? null : TableSchema.read(earlier, conf);
    EarlierTable after = null;
    if (request.data().after() != null) {
      after = EarlierTable.read(request.data().after(), files ? input : null, conf);
      AtomicFolder.requireApart(request.output(), after.folder(), conf);
    }
    return new PrepareJob(spark.newSession(), request, like, after, blocks, check, progress).run();
  }

  private Prepared run() {
    Input input = null;
    try {
      if (!blocks.areStored()) {
        requireByBlock();
      }
      progress.accept("reading " + data.source().input());
      input =
          request.rows() == null
              ? Input.open(spark, data.source(), data.columns(), request.model(), uses(), like)
              : Input.of(request.rows(), String.valueOf(data.source().input()));
      return prepare(input);
    } catch (UserException e) {
      throw e;
    } catch (Exception e) {
      throw Input.explain(e, data.source(), input, request.output());
    }
  }

  private Columns.Uses uses() {
    return FormulaTable.uses(data.columns(), request.model(), like);
  }

  /** Returns the rows of the input, with the levels of the earlier table if there is one. */
  private Dataset<Row> rows(Input input) {
    Dataset<Row> all = GroupKeys.with(input.rows(), request.model().groups());
    if (like == null) {
      return all;
    }
    Map<String, KnownLevels> groups = new HashMap<>();
    for (int k = 0; k < like.levels().size(); k++) {
      Dataset<Row> of = LevelTable.read(spark, String.valueOf(data.earlier()), k);
      groups.put(like.levels().get(k).column(), KnownLevels.of(of, LevelTable.LEVEL));
    }
    return FormulaTable.respelled(all, uses(), like, groups);
  }

  private Prepared prepare(Input input) throws IOException {
    input.notes().forEach(progress);
    Dataset<Row> all = rows(input);
    if (!blocks.areStored() && InputPieces.of(all).isEmpty()) {
      throw notByBlock(input.name());
    }
    boolean narrow = mayKeepOrder(all);
    FormulaTable formula =
        FormulaTable.of(input, all, data.columns(), request.model(), like, narrow, progress);
    Dataset<Row> shaped = formula.rows();
    boolean appearance =
        like == null
            && data.columns().categorical().values().stream()
                .anyMatch(of -> of.order() == Columns.Categorical.Order.APPEARANCE);
    data = data.withColumns(formula.columns());
    boolean intercept = data.encoding().intercept();
    InputColumns columns =
        InputColumns.resolve(
                shaped.schema(), data.columns(), request.model(), intercept, input.name())
            .withCurves(formula.curves());
    check.accept(FeatureNames.of(columns, intercept));
    if (after != null) {
      after.requireRoles(columns);
      if (request.model().formula() == null) {
        after.requireDesign(
            request.data().columns().features(), request.data().encoding().standardize());
      }
    }
    RowForm form = RowForm.of(columns);
    BlockPasses passes = new BlockPasses(spark, request, blocks, progress);
    if (data.packing().order() != Order.CONTENT && like == null) {
      Optional<Prepared> done =
          new OnePass(passes, data, input, columns, formula, form).prepare(shaped);
      if (done.isPresent()) {
        return done.get();
      }
    }
    if (!blocks.areStored()) {
      throw notByBlock(input.name());
    }
    SelectedRows selected = SelectedRows.of(columns.select(shaped));
    if (appearance && !selected.areInOrder()) {
      throw UserException.usage(
          "order: appearance in data.categorical needs rows in the order of the files, but"
              + " data.query joins, groups, sorts or samples them. Set order: frequency, or list"
              + " the levels.");
    }
    Order order = order(selected);
    LevelHashes before = columns.groupBy() == null ? null : LevelHashes.of(request.seed(), columns);
    RowsRead reading = new RowsRead(spark.sparkContext(), null, progress);
    try (ReadTable read =
        reading.during(() -> ReadTable.of(selected, columns, form, before, reading.counter()))) {
      TableDescription table =
          TableDescription.of(data, input, columns, read.scan(), formula, like, after);
      List<Dataset<Row>> known = after == null ? List.of() : after.levels(spark);
      try (LevelCounts levels = LevelCounts.of(spark, input, columns, read.levels(), known)) {
        if (after != null) {
          after.requireApart(levels.together());
        }
        Together together = Together.of(columns, levels, progress);
        return write(passes, read, selected, order, together, table, form);
      }
    }
  }

  /**
   * Returns whether rows may keep their order, not merged and in no groups. An order by content
   * sorts by the bytes of encoded rows, so these stay as earlier versions have written them.
   */
  private boolean mayKeepOrder(Dataset<Row> rows) {
    return data.packing().order() != Order.CONTENT
        && data.packing().aggregate() != Packing.Aggregate.ALWAYS
        && !hasGroups()
        && SelectedRows.areInOrder(rows);
  }

  private boolean hasGroups() {
    return data.columns().groupBy() != null || !request.model().groups().isEmpty();
  }

  /**
   * Refuses {@code prepared: none}, before rows are read, if they cannot be read block by block.
   *
   * @throws UserException (usage) if keys or the format of the files show that
   */
  private void requireByBlock() {
    boolean keys =
        data.packing().order() != Order.CONTENT
            && data.packing().aggregate() != Packing.Aggregate.ALWAYS
            && data.columns().rules().missing() != Columns.Missing.DROP
            && like == null
            && !hasGroups();
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    if (!keys || (request.rows() == null && !Input.isParquet(data.source(), conf))) {
      throw notByBlock(String.valueOf(data.source().input()));
    }
  }

  private static UserException notByBlock(String table) {
    return UserException.usage(
        "prepared: none needs a table in Parquet that can be read block by block in its own"
            + " order. The rows of "
            + table
            + " cannot be read so. Text, groups, data.missing: drop, data.order: content,"
            + " data.after, queries that make rows and merged rows prevent it. Remove prepared:"
            + " none, or write the table as Parquet first.");
  }

  /** Returns the order of the input, unless that is not wished for, or it has none. */
  private Order order(SelectedRows selected) {
    Order wish = data.packing().order();
    if (wish == Order.CONTENT) {
      return Order.CONTENT;
    }
    if (selected.areInOrder()) {
      return Order.INPUT;
    }
    if (wish == Order.INPUT) {
      throw UserException.usage(
          "data.order: input needs rows in the order of the files, but data.query joins, groups,"
              + " sorts or samples them. Set data.order: content or auto.");
    }
    return Order.CONTENT;
  }

  private Prepared write(
      BlockPasses passes,
      ReadTable read,
      SelectedRows selected,
      Order order,
      Together together,
      TableDescription table,
      RowForm rowForm)
      throws IOException {
    Design design = table.design();
    TableScan scan = table.scan();
    RowForm plain = together.by() == null ? rowForm : rowForm.grouping();
    Merging merging = new Merging(data.packing().aggregate(), together.columns(), scan);
    RowForm form =
        merging.merges(() -> read.rows(new RowRecoder(design, plain.merging())), plain, progress)
            ? plain.merging()
            : plain;
    Layout layout = data.packing().layout(design, scan);
    RowOrder.Blocks ordered = order(read, selected, order, together, table, form, layout);
    OrderedRows rows = new OrderedRows(this, ordered, table, form, together);
    return passes
        .run(rows, rows.plan(layout))
        .orElseThrow(
            () -> new IllegalStateException("the blocks of kept rows differ between passes"));
  }

  /** The rows of a table that are kept, in their order. */
  private record OrderedRows(
      PrepareJob job,
      RowOrder.Blocks ordered,
      TableDescription table,
      RowForm form,
      Together together)
      implements BlockPasses.Rows {
    Plan plan(Layout layout) {
      Storage storage = job.data.packing().storage();
      TableSchema.Packing packing =
          new TableSchema.Packing(
              ordered.rows(), ordered.blockRows(), ordered.count(), layout, storage);
      BlockPacker packer = new BlockPacker(table.design(), form, layout, storage);
      if (job.like != null) {
        List<Column> columns = table.scaledLike().columns();
        return new Plan(packing, packer, null)
            .about(columns.stream().mapToDouble(Column::center).toArray());
      }
      MomentSums moments = new MomentSums(packer, ordered.first(), form.merged(), table.classes());
      return new Plan(packing, packer, moments).first(table.design().intercept());
    }

    /**
     * Returns whether blocks store the numbers of curves in place of their columns. An earlier
     * table's schema has to say so too.
     */
    private boolean isNumbered(TableSchema.Packing packing) {
      TableSchema.Formula stored = job.like == null ? null : job.like.source().formula();
      return !form.curves().isEmpty()
          && packing.layout() == Layout.DENSE
          && (job.like == null || (stored != null && stored.curves() != null));
    }

    @Override
    public String said(boolean again) {
      return again ? "block pass 2: " : "block pass 1: ";
    }

    @Override
    public @Nullable Long unread() {
      return null;
    }

    @Override
    public Optional<Made> made(Plan plan, Sink seen) {
      BlockSum.Spread spread = ordered.spread();
      BlockPacker packer = plan.packer();
      MomentSums moments = plan.moments();
      boolean numbered = isNumbered(plan.packing());
      JavaRDD<PackedBlock> packed =
          ordered
              .blocks()
              .mapPartitionsWithIndex(
                  (partition, encoded) -> {
                    Making making =
                        new Making(encoded, spread, partition, packer, moments)
                            .ending(
                                sums -> seen.parts().add(new Part(partition, sums, null, true)));
                    return ScalaCollections.asJava(
                        ScalaCollections.asScala(making)
                            .map(block -> making.packed(block, numbered)));
                  },
                  false);
      return Optional.of(
          new Made(
              job.after == null ? packed : job.after.after(job.spark, packed),
              PackedBlock.type(together.by() != null, together.known() != null, numbered),
              null));
    }

    @Override
    public Optional<TableDescription> table(List<Part> parts) {
      return Optional.of(table);
    }

    @Override
    public Plan plan(TableDescription same, Plan known) {
      return known;
    }

    @Override
    public TableSchema schema(TableDescription same, TableSchema.Packing packing, Scaled scaled) {
      return table.schema(
          packing,
          form,
          scaled,
          together.grouping(ordered.groups()),
          together.known(),
          isNumbered(packing),
          job.request.seed(),
          job.progress);
    }

    @Override
    public void write(String folder) {
      together.levels().write(folder);
    }
  }

  private RowOrder.Blocks order(
      ReadTable read,
      SelectedRows selected,
      Order order,
      Together together,
      TableDescription table,
      RowForm form,
      Layout layout) {
    Design design = table.design();
    int width = design.columns().size();
    long rows = read.scan().rows();
    int blockRows = table.blockRows(layout);
    int filled = after == null ? 0 : after.filled();
    RowRecoder recoder = new RowRecoder(design, form);
    String packed = Text.of("blocks of %,d columns, %s", width, ConfigText.of(layout));
    if (order == Order.INPUT && !form.grouped() && !form.merged()) {
      return InputOrder.blocks(read, recoder, blockRows, filled);
    }
    int tasks = 2 * spark.sparkContext().defaultParallelism();
    RowOrder content = new RowOrder(rows, form.rowBytes(read.scan()), tasks, request.seed());
    if (form.merged()) {
      progress.accept(Text.of("merging equal rows among %,d, into %s", rows, packed));
      return content.merged(read.rows(recoder), blockRows, filled);
    }
    if (!form.grouped()) {
      long blocks = (rows - 1) / blockRows + 1;
      progress.accept(Text.of("shuffling %,d rows into %,d %s", rows, blocks, packed));
      return content.blocks(read.rows(recoder), blockRows, filled);
    }
    progress.accept(Text.of("shuffling %,d rows, group by group, into %s", rows, packed));
    LevelHashes hashes = LevelHashes.of(request.seed(), together.columns());
    int effects = together.effects();
    return content.grouped(
        effects < 0
            ? read.rows(recoder)
            : read.rows(recoder, effects, together.columns().groups().size(), hashes),
        blockRows,
        layout == Layout.DENSE ? (long) width * data.packing().storage().bytes() : 0,
        key -> {
          String name = effects < 0 ? hashes.name(selected, key) : read.group(effects, hashes, key);
          return together.by() + " = '" + name + "'";
        });
  }
}
