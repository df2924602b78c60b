package org.lampyris.dataprep.blocks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.dataprep.blocks.MomentSums.TableMoments;
import org.lampyris.dataprep.design.Design;
import org.lampyris.dataprep.design.DesignChecks;
import org.lampyris.dataprep.design.Doubts;
import org.lampyris.dataprep.design.Standardization;
import org.lampyris.dataprep.formula.FormulaTable;
import org.lampyris.dataprep.read.Input;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.dataprep.read.TableScan;
import org.lampyris.executors.table.Curve;
import org.lampyris.executors.table.LibraryVersion;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Column;
import org.lampyris.executors.table.TableSchema.Layout;
import org.lampyris.executors.table.TableSchema.Storage;

/**
 * Description of a table whose rows have been read, and the schema that follows from it.
 *
 * @param data the section of the job
 * @param scan what was seen in all rows
 * @param formula what made features of the columns; null for none
 * @param like an earlier table whose columns are taken over; null for none
 * @param after the table whose rows come before these; null for none
 */
record TableDescription(
    DataSection data,
    Input input,
    InputColumns columns,
    TableScan scan,
    Design design,
    TableSchema.@Nullable Formula formula,
    @Nullable TableSchema like,
    @Nullable EarlierTable after) {

  /**
   * Describes a table.
   *
   * @throws UserException if its rows do not suit a regression, or a request cannot be met
   */
  static TableDescription of(
      DataSection data,
      Input input,
      InputColumns columns,
      TableScan scan,
      FormulaTable formula,
      @Nullable TableSchema like,
      @Nullable EarlierTable after) {
    Design.requirePositive(data.columns().positive(), columns.labelKind(), like);
    try {
      scan.require(input, columns, like);
    } catch (UserException e) {
      throw formula.fault().get().orElse(e);
    }
    DesignChecks checks = new DesignChecks(input);
    checks.requireLevels(columns, scan, like);
    checks.requireNoNumbers(columns, scan, data.columns());
    Design design = design(data, input, columns, scan, formula.formula(), like);
    checks.requireKnownLevels(design, scan, like != null);
    if (like == null) {
      checks.requireDesign(design, scan);
    }
    return new TableDescription(data, input, columns, scan, design, formula.formula(), like, after);
  }

  /** Returns the design from the scanned rows, unchecked. */
  static Design design(
      DataSection data,
      Input input,
      InputColumns columns,
      TableScan scan,
      TableSchema.@Nullable Formula formula,
      @Nullable TableSchema like) {
    return Design.of(
        columns,
        scan,
        data.columns().categorical(),
        data.columns().positive(),
        data.encoding().intercept(),
        like,
        formula == null ? Set.of() : formula.penalized(),
        input.isLibSvm());
  }

  /** Returns how many classes the label has; 0 for a number. */
  int classes() {
    return design.label().classes().size();
  }

  /** Returns how many rows a block has. */
  int blockRows(Layout layout) {
    return blockRows(data, design, scan, layout);
  }

  /** Returns the number of rows in a block, from the scanned rows. */
  static int blockRows(DataSection data, Design design, TableScan scan, Layout layout) {
    return data.packing()
        .blockRows(
            layout == Layout.SPARSE
                ? design.nonzero(scan) / scan.rows() + 1
                : design.columns().size());
  }

  /** Columns with their centre, scale and moments, and other scaling facts. */
  record Scaled(List<Column> columns, TableSchema.Scaling scaling, Optional<String> dependence) {}

  /** Reports checks that are skipped because there are too many columns. */
  void sayWhatIsNotSought(Consumer<String> progress) {
    int d = design.columns().size();
    if (d > MomentSums.CROSS_COLUMNS) {
      progress.accept(
          "collinear columns are checked up to %s columns; this table has %s"
              .formatted(MomentSums.CROSS_COLUMNS, d));
    }
  }

  /** Returns the columns with the earlier table's scaling. */
  Scaled scaledLike() {
    TableSchema earlier = Objects.requireNonNull(like);
    return new Scaled(Standardization.like(earlier, design), earlier.scaling(), Optional.empty());
  }

  /**
   * Returns the columns scaled by their moments.
   *
   * @throws UserException (data) if they cannot be stored as wished
   */
  Scaled scaled(TableMoments moments, Layout layout) {
    List<String> classes = design.label().classes();
    boolean several = design.label().kind() == LabelKind.CLASSES;
    return new Scaled(
        Standardization.of(
            data.encoding().standardize(), design, moments.columns(), moments.near(), layout),
        new TableSchema.Scaling(
            design.intercept(),
            data.encoding().standardize().name().toLowerCase(Locale.ROOT),
            design.intercept() && layout == Layout.DENSE,
            classes.isEmpty() ? moments.response() : null,
            several ? classes.get(mostFrequent(moments.counts())) : null,
            moments.exposure()),
        new DesignChecks(input).dependence(design, moments.columns(), scan.rows()));
  }

  /** Returns the index of the largest count, the first of equal ones. */
  private static int mostFrequent(List<Double> counts) {
    return IntStream.range(0, counts.size())
        .reduce(0, (at, k) -> counts.get(k) > counts.get(at) ? k : at);
  }

  /**
   * Returns the schema, and reports remarks about the table.
   *
   * @param rows how its rows are packed
   * @param numbered whether blocks store the numbers of curves in place of their columns
   * @throws UserException (data) if floats would lose digits that distinguish rows
   */
  TableSchema schema(
      TableSchema.Packing rows,
      RowForm form,
      Scaled scaled,
      TableSchema.@Nullable Grouping grouping,
      @Nullable List<TableSchema.Levels> levels,
      boolean numbered,
      long seed,
      Consumer<String> progress) {
    List<Column> columnsOut = scaled.columns();
    if (rows.storage() == Storage.FLOAT) {
      new DesignChecks(input).requireFloats(columnsOut);
    }
    if (form.merged()) {
      progress.accept(Merging.line(scan.rows(), rows.rows()));
    }
    List<String> doubts = new ArrayList<>(new Doubts(columns, scan, data.columns()).all());
    scaled.dependence().ifPresent(doubts::add);
    if (formula != null && !formula.leftOut().isEmpty()) {
      doubts.add(leftOut(formula.leftOut()));
    }
    for (String name : like == null ? columns.classes() : List.<String>of()) {
      if (!scan.classes().contains(name)) {
        doubts.add(unused(name));
      }
    }
    doubts.forEach(progress);
    if (scan.leftOut() > 0) {
      progress.accept(
          Text.of(
              "%,d of %,d rows are dropped because of missing values",
              scan.leftOut(), scan.leftOut() + scan.rows()));
    }
    long leftOut = scan.leftOut();
    Long merged = form.merged() ? scan.rows() : null;
    TableSchema.Packing packing = rows;
    if (after != null) {
      TableSchema.Source source = after.schema().source();
      columnsOut = after.columns(columnsOut);
      doubts = after.doubts(doubts);
      leftOut += source.leftOut();
      merged = source.merged() == null ? null : Long.valueOf(source.merged() + scan.rows());
      packing = after.packing(rows);
      progress.accept(
          Text.of(
              "%,d rows are appended to the %,d of %s",
              rows.rows(), after.schema().rows(), after.folder()));
    }
    TableSchema.Formula described = formula;
    if (numbered && described != null && described.curves() == null) {
      described = described.withCurves(curves(form));
    }
    boolean plain = described == null || described.curves() == null;
    int version = plain ? TableSchema.PLAIN_VERSION : TableSchema.VERSION;
    return new TableSchema(
        new TableSchema.Stamp(version, LibraryVersion.get(), ""),
        packing,
        new TableSchema.Roles(
            design.label(), columns.weight(), columns.offset(), columns.trials(), grouping, levels),
        scaled.scaling(),
        seed,
        input.source(leftOut, merged, doubts, described, after == null ? null : after.earlier()),
        design.features(),
        columnsOut);
  }

  private List<TableSchema.CurveOf> curves(RowForm form) {
    List<TableSchema.CurveOf> curves = new ArrayList<>();
    for (int f = 0; f < design.features().size(); f++) {
      Curve curve = form.curves().get(f);
      if (curve != null) {
        curves.add(curve.ofFeature(design.features().get(f).name()));
      }
    }
    return curves;
  }

  private static String unused(String name) {
    return "no row has the class '%s' of model.order: its probability follows from the prior of the gaps"
        .formatted(name);
  }

  /** Reports coefficients that a formula drops, because their columns would be 0 in every row. */
  private static String leftOut(List<String> names) {
    boolean products = names.stream().allMatch(name -> name.contains(":"));
    return "no row has %s%s, a product%s in model.formula: %s left out"
        .formatted(
            String.join(", ", names.stream().limit(5).toList()),
            names.size() > 5 ? " and %s others".formatted(names.size() - 5) : "",
            products ? "" : " or an interval",
            names.size() == 1 ? "that coefficient is" : "those coefficients are");
  }
}
