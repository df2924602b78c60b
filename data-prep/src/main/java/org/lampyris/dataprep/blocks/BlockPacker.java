package org.lampyris.dataprep.blocks;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.SparseBlock;
import org.lampyris.bounds.rows.Values;
import org.lampyris.dataprep.design.Design;
import org.lampyris.executors.table.Curve;
import org.lampyris.executors.table.LevelRuns;
import org.lampyris.executors.table.PackedBlock;
import org.lampyris.executors.table.RowExpansion;
import org.lampyris.executors.table.TableSchema.Column;
import org.lampyris.executors.table.TableSchema.Feature;
import org.lampyris.executors.table.TableSchema.FeatureKind;
import org.lampyris.executors.table.TableSchema.Layout;
import org.lampyris.executors.table.TableSchema.Storage;

/**
 * Packer of blocks from the bytes of {@link org.lampyris.dataprep.blocks.RowRecoder}: expands
 * levels to one-hot columns and numbers to the columns of their curves, puts the intercept first,
 * and stores x − center.
 */
public final class BlockPacker implements Serializable {
  /** Number of rows whose columns are set together. */
  private static final int TILE = 64;

  private final int columns;
  private final boolean intercept;
  private final LabelKind label;
  private final RowForm form;
  private final int[] slotColumn;
  private final int[][] levelColumn;

  /** How many slots come before the columns of each categorical feature. */
  private final int[] slotsBefore;

  /** The curves, and the slots of their numbers, ascending. */
  private final Curve[] curves;

  private final int[] curveSlot;
  private final Layout layout;
  private final Storage storage;
  private final double[] center;

  /** The columns that are centred, and so are stored in every row of a sparse block too. */
  private final int[] centred;

  private BlockPacker(BlockPacker that, double[] center) {
    columns = that.columns;
    intercept = that.intercept;
    label = that.label;
    form = that.form;
    slotColumn = that.slotColumn;
    levelColumn = that.levelColumn;
    slotsBefore = that.slotsBefore;
    curves = that.curves;
    curveSlot = that.curveSlot;
    layout = that.layout;
    storage = that.storage;
    this.center = center.clone();
    centred = IntStream.range(0, columns).filter(j -> center[j] != 0).toArray();
  }

  /** Creates a packer without centring. */
  public BlockPacker(Design design, RowForm form, Layout layout, Storage storage) {
    columns = design.columns().size();
    intercept = design.intercept();
    label = design.label().kind();
    this.form = form;
    this.layout = layout;
    this.storage = storage;
    center = new double[columns];
    centred = new int[0];
    List<Feature> features = design.features();
    int[] slots =
        IntStream.range(0, features.size()).map(f -> form.slots(f, features.get(f))).toArray();
    slotColumn = new int[IntStream.of(slots).sum()];
    levelColumn = new int[(int) features.stream().filter(BlockPacker::hasLevels).count()][];
    slotsBefore = new int[levelColumn.length];
    curves = new Curve[form.curves().size()];
    curveSlot = new int[curves.length];
    int column = intercept ? 1 : 0;
    int slot = 0;
    int categorical = 0;
    int curve = 0;
    for (int f = 0; f < slots.length; f++) {
      Feature feature = features.get(f);
      Curve known = form.curves().get(f);
      if (hasLevels(feature)) {
        int[] of = new int[feature.levels().size()];
        for (int code = 0; code < of.length; code++) {
          of[code] = feature.levels().get(code).equals(feature.reference()) ? -1 : column++;
        }
        slotsBefore[categorical] = slot;
        levelColumn[categorical++] = of;
      } else if (known != null) {
        curves[curve] = known;
        curveSlot[curve++] = slot;
        slotColumn[slot++] = column;
        column += known.size();
      } else {
        for (int k = 0; k < feature.size(); k++) {
          slotColumn[slot++] = column++;
        }
      }
    }
  }

  private static boolean hasLevels(Feature feature) {
    return feature.kind() == FeatureKind.CATEGORICAL;
  }

  /** Returns a packer that stores columns about their centres. */
  public BlockPacker about(List<Column> centred) {
    return about(centred.stream().mapToDouble(Column::center).toArray());
  }

  /** Returns a packer that stores columns about a point. */
  public BlockPacker about(double[] point) {
    return new BlockPacker(this, point);
  }

  /** Returns the label's kind. */
  LabelKind label() {
    return label;
  }

  /** Returns whether rows have an offset. */
  boolean hasOffset() {
    return form.offset();
  }

  /** Receives the elements of a row that are not zero, in ascending order of their columns. */
  @FunctionalInterface
  interface RowVisitor {
    void row(
        int row, double y, double weight, double offset, int[] column, double[] value, int size);

    /** Receives the key of a level that a row has, after the row. */
    default void key(int row, int grouping, long key) {}
  }

  /**
   * Visits the rows of a block, not centred.
   *
   * @param encoded the number of rows, and their bytes one after the other; then the groups, if
   *     there are any, and the number of their bytes
   * @param visitor its arrays are used again for the next row
   */
  void visit(byte[] encoded, RowVisitor visitor) {
    ByteBuffer in = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
    int rows = in.getInt();
    int[] column = new int[columns];
    double[] value = new double[columns];
    double[] expanded = new double[columns];
    for (int n = 0; n < rows; n++) {
      double response = in.getDouble();
      double weight = form.storesWeight() ? in.getDouble() : 1;
      double shift = form.offset() ? in.getDouble() : 0;
      int size = 0;
      if (intercept) {
        value[size++] = 1;
      }
      int slots = in.getInt();
      boolean all = slots == RowForm.ALL;
      int stored = all ? slotColumn.length : slots;
      int curve = 0;
      for (int k = 0; k < stored; k++) {
        int slot = all ? k : in.getInt();
        double x = in.getDouble();
        for (; curve < curves.length && curveSlot[curve] < slot; curve++) {
          size = expand(curve, 0, expanded, column, value, size);
        }
        if (curve < curves.length && curveSlot[curve] == slot) {
          size = expand(curve++, x, expanded, column, value, size);
        } else if (x != 0) {
          column[size] = slotColumn[slot];
          value[size++] = x;
        }
      }
      for (; curve < curves.length; curve++) {
        size = expand(curve, 0, expanded, column, value, size);
      }
      for (int[] of : levelColumn) {
        int marked = of[in.getInt()];
        if (marked >= 0) {
          size = insert(column, value, size, marked);
        }
      }
      visitor.row(n, response, weight, shift, column, value, size);
      for (int g = 0; g < form.keys(); g++) {
        visitor.key(n, g, in.getLong());
      }
    }
  }

  /**
   * Visits the rows of a block, not centred.
   *
   * @param byColumn the rows, if they are not encoded
   */
  void visit(byte[] encoded, @Nullable ColumnRows byColumn, RowVisitor visitor) {
    if (byColumn == null) {
      visit(encoded, visitor);
    } else {
      visit(byColumn, visitor);
    }
  }

  private void visit(ColumnRows rows, RowVisitor visitor) {
    double[] weight = rows.weight();
    double[] offset = rows.offset();
    int[] column = new int[columns];
    double[] value = new double[columns];
    int first = intercept ? 1 : 0;
    Arrays.fill(value, 0, first, 1);
    for (int n = 0; n < rows.response().length; n++) {
      int size = first;
      int c = 0;
      for (int s = 0; s <= slotColumn.length; s++) {
        for (; c < levelColumn.length && slotsBefore[c] == s; c++) {
          int marked = levelColumn[c][rows.levels()[c][n]];
          if (marked >= 0) {
            column[size] = marked;
            value[size++] = 1;
          }
        }
        if (s < slotColumn.length && rows.numbers()[s][n] != 0) {
          column[size] = slotColumn[s];
          value[size++] = rows.numbers()[s][n];
        }
      }
      visitor.row(
          n,
          rows.response()[n],
          weight == null ? 1 : weight[n],
          offset == null ? 0 : offset[n],
          column,
          value,
          size);
    }
  }

  /** Adds the columns of a curve at x, and returns how many elements there are then. */
  private int expand(
      int curve, double x, double[] expanded, int[] column, double[] value, int before) {
    int size = before;
    int first = slotColumn[curveSlot[curve]];
    curves[curve].write(x, expanded, 0);
    for (int k = 0; k < curves[curve].size(); k++) {
      if (expanded[k] != 0) {
        column[size] = first + k;
        value[size++] = expanded[k];
      }
    }
    return size;
  }

  private static int insert(int[] column, double[] value, int size, int marked) {
    int k = size;
    for (; k > 0 && column[k - 1] > marked; k--) {
      column[k] = column[k - 1];
      value[k] = value[k - 1];
    }
    column[k] = marked;
    value[k] = 1;
    return size + 1;
  }

  /** The arrays of one block. */
  private final class BlockArrays implements RowVisitor {
    final double[] response;
    final double @Nullable [] weight;
    final double @Nullable [] shift;
    final int[] rowStart;
    final long[][] keys;

    int[] column = new int[0];
    double[] value;

    BlockArrays(int rows) {
      response = new double[rows];
      weight = form.storesWeight() ? new double[rows] : null;
      shift = form.offset() ? new double[rows] : null;
      rowStart = new int[rows + 1];
      value = new double[layout == Layout.DENSE ? Math.multiplyExact(rows, columns) : 0];
      keys = new long[form.keys()][rows];
    }

    @Override
    public void key(int row, int grouping, long key) {
      keys[grouping][row] = key;
    }

    @Override
    public void row(int row, double y, double w, double o, int[] of, double[] x, int size) {
      response[row] = y;
      if (weight != null) {
        weight[row] = w;
      }
      if (shift != null) {
        shift[row] = o;
      }
      if (layout == Layout.DENSE) {
        dense(row * columns, of, x, size);
      } else {
        sparse(row, of, x, size);
      }
    }

    private void dense(int base, int[] of, double[] x, int size) {
      for (int k = 0; k < size; k++) {
        value[base + of[k]] = x[k];
      }
      for (int j : centred) {
        value[base + j] -= center[j];
      }
    }

    /** Merges the non-zero elements with those that are always stored. */
    private void sparse(int row, int[] of, double[] x, int size) {
      int out = rowStart[row];
      if (out + size + centred.length > value.length) {
        int room = Math.max(2 * value.length, out + size + centred.length);
        value = Arrays.copyOf(value, room);
        column = Arrays.copyOf(column, room);
      }
      int c = 0;
      for (int k = 0; k < size; k++) {
        for (; c < centred.length && centred[c] < of[k]; c++) {
          column[out] = centred[c];
          value[out++] = -center[centred[c]];
        }
        if (c < centred.length && centred[c] == of[k]) {
          c++;
        }
        column[out] = of[k];
        value[out++] = x[k] - center[of[k]];
      }
      for (; c < centred.length; c++) {
        column[out] = centred[c];
        value[out++] = -center[centred[c]];
      }
      rowStart[row + 1] = out;
    }
  }

  /**
   * Returns a {@link #stored} block, which was packed of these bytes, with its groups.
   *
   * @param numbered whether the numbers of curves are stored in place of their columns
   */
  PackedBlock packed(DataBlock stored, byte[] encoded, boolean numbered) {
    if (numbered && stored instanceof DenseBlock dense) {
      int[] first = IntStream.of(curveSlot).map(slot -> slotColumn[slot]).toArray();
      return PackedBlock.of(dense, RowExpansion.kept(columns, curves, first), numbers(encoded));
    }
    PackedBlock block = PackedBlock.of(stored);
    if (!form.grouped()) {
      return block;
    }
    int end = encoded.length - Integer.BYTES;
    int length = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN).getInt(end);
    return block.withGroups(LevelRuns.ofBytes(Arrays.copyOfRange(encoded, end - length, end)));
  }

  /** Returns the numbers of the curves, row-major. */
  private double[] numbers(byte[] encoded) {
    ByteBuffer in = RowRecoder.little(encoded);
    double[] numbers = new double[Math.multiplyExact(in.getInt(), curves.length)];
    for (int at = 0; at < numbers.length; at += curves.length) {
      in.position(in.position() + form.headBytes());
      int slots = in.getInt();
      int stored = slots == RowForm.ALL ? slotColumn.length : slots;
      int curve = 0;
      for (int k = 0; k < stored; k++) {
        int slot = slots == RowForm.ALL ? k : in.getInt();
        double x = in.getDouble();
        while (curve < curves.length && curveSlot[curve] < slot) {
          curve++;
        }
        if (curve < curves.length && curveSlot[curve] == slot) {
          numbers[at + curve] = x;
        }
      }
      in.position(in.position() + Integer.BYTES * levelColumn.length + Long.BYTES * form.keys());
    }
    return numbers;
  }

  /** Returns a block to calculate with, of doubles. */
  DataBlock block(long id, byte[] encoded) {
    return block(id, encoded, null);
  }

  /**
   * Returns a block to calculate with, of doubles.
   *
   * @param byColumn the rows, if they are not encoded
   */
  DataBlock block(long id, byte[] encoded, @Nullable ColumnRows byColumn) {
    if (byColumn != null && layout == Layout.DENSE) {
      return new DenseBlock(
          id,
          columns,
          Values.of(dense(byColumn)),
          byColumn.response(),
          byColumn.weight(),
          byColumn.offset());
    }
    BlockArrays a =
        new BlockArrays(
            byColumn == null ? RowRecoder.little(encoded).getInt() : byColumn.response().length);
    visit(encoded, byColumn, a);
    DataBlock block;
    if (layout == Layout.DENSE) {
      block = new DenseBlock(id, columns, Values.of(a.value), a.response, a.weight, a.shift);
    } else {
      int size = a.rowStart[a.rowStart.length - 1];
      block =
          new SparseBlock(
              id,
              columns,
              a.rowStart,
              Arrays.copyOf(a.column, size),
              Values.of(Arrays.copyOf(a.value, size)),
              a.response,
              a.weight,
              a.shift);
    }
    return form.keys() > 0 ? block.grouped(a.keys) : block;
  }

  /** Sets columns one by one, for some rows at a time, which then stay in the cache. */
  private double[] dense(ColumnRows rows) {
    int count = rows.response().length;
    double[] value = new double[Math.multiplyExact(count, columns)];
    for (int from = 0; from < count; from += TILE) {
      int to = Math.min(count, from + TILE);
      for (int n = from; n < to && intercept; n++) {
        value[n * columns] = 1 - center[0];
      }
      for (int s = 0; s < slotColumn.length; s++) {
        double[] x = rows.numbers()[s];
        double about = center[slotColumn[s]];
        for (int n = from, at = from * columns + slotColumn[s]; n < to; n++, at += columns) {
          value[at] = x[n] + 0.0 - about;
        }
      }
      for (int c = 0; c < levelColumn.length; c++) {
        mark(levelColumn[c], rows.levels()[c], from, to, value);
      }
    }
    return value;
  }

  /** Sets the columns of levels, given the level of each row. */
  private void mark(int[] of, int[] levels, int from, int to, double[] value) {
    for (int j : of) {
      for (int n = from; n < to && j >= 0 && center[j] != 0; n++) {
        value[n * columns + j] = -center[j];
      }
    }
    for (int n = from; n < to; n++) {
      int marked = of[levels[n]];
      if (marked >= 0) {
        value[n * columns + marked] = 1 - center[marked];
      }
    }
  }

  /** Returns a block that was packed as doubles in its stored type. */
  DataBlock stored(DataBlock wide) {
    if (storage == Storage.DOUBLE) {
      return wide;
    }
    DataBlock narrow =
        wide instanceof SparseBlock sparse
            ? new SparseBlock(
                wide.id(),
                columns,
                sparse.rowStart(),
                sparse.column(),
                sparse.values().narrowed(),
                wide.responses(),
                wide.weights(),
                wide.offsets())
            : new DenseBlock(
                wide.id(),
                columns,
                ((DenseBlock) wide).values().narrowed(),
                wide.responses(),
                wide.weights(),
                wide.offsets());
    long[][] keys = wide.groups();
    return keys == null ? narrow : narrow.grouped(keys);
  }

  /** Returns whether columns are stored about a point. */
  boolean isAbout(double[] point) {
    return Arrays.equals(center, point);
  }

  /** Returns which elements of a row are stored. */
  Layout layout() {
    return layout;
  }

  /** Returns whether the first column is the intercept. */
  boolean hasIntercept() {
    return intercept;
  }

  /** Returns how many numbers a row has. */
  int slots() {
    return slotColumn.length;
  }

  /** Returns how many columns a block has. */
  int columns() {
    return columns;
  }
}
