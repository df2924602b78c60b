package org.lampyris.bounds.effects;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.lampyris.bounds.prior.ColumnCenters;
import org.lampyris.bounds.prior.TableScale;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Effects of a grouping factor on the rows of a table: η_n = x_nᵀβ + o_n + z_nᵀb_j(n) + …, where
 * z_ne is the column of effect e on the input's scale, or a line of it, 1 for the intercept.
 *
 * @param effects which effects, and their priors
 * @param grouping which of the {@linkplain DataBlock#groupings groupings} of a block
 * @param column the column of each effect; −1 for the intercept. Not copied
 * @param center m of each column, 0 for the intercept. Not copied
 * @param lines the line of each column
 * @param levels how many groups there are
 * @param together whether the rows of a group lie together, in one block
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record TableEffects(
    GroupingEffects effects,
    int grouping,
    int[] column,
    double[] center,
    List<Line> lines,
    long levels,
    boolean together)
    implements Serializable {
  /**
   * Line of a column: z = scale · x + shift. So x can vary by group if the table has no column of
   * it but, for instance, the linear column of a smooth of it.
   */
  public record Line(double scale, double shift) implements Serializable {
    /** The column itself. */
    public static final Line SAME = new Line(1, 0);

    /** Returns z. */
    public double of(double x) {
      return scale * x + shift;
    }
  }

  /** Effects of columns themselves. */
  public TableEffects(
      GroupingEffects effects,
      int grouping,
      int[] column,
      double[] center,
      long levels,
      boolean together) {
    this(effects, grouping, column, center, same(column), levels, together);
  }

  /** Copies the list. */
  public TableEffects {
    lines = List.copyOf(lines);
  }

  private static List<Line> same(int[] column) {
    return Collections.nCopies(column.length, Line.SAME);
  }

  /**
   * Returns the effects on a table.
   *
   * @param column the column of each effect in the table; −1 for the intercept
   * @param lines the line of each column
   * @param centers what carries coefficients between the table's columns and the input's
   */
  public static TableEffects of(
      GroupingEffects effects,
      int grouping,
      int[] column,
      List<Line> lines,
      ColumnCenters centers,
      long levels,
      boolean together) {
    double[] center = Arrays.stream(column).mapToDouble(k -> k < 0 ? 0 : centers.of(k)).toArray();
    return new TableEffects(effects, grouping, column, center, lines, levels, together);
  }

  /**
   * Returns the effects as chains draw them: of the columns less their {@linkplain GroupingEffects
   * origins}. These have the same names and are reported the same.
   */
  public TableEffects drawn() {
    List<Line> drawn = new ArrayList<>();
    for (int e = 0; e < lines.size(); e++) {
      Line line = lines.get(e);
      drawn.add(new Line(line.scale, line.shift - effects.origins().get(e)));
    }
    return new TableEffects(effects, grouping, column, center, drawn, levels, together);
  }

  /** Returns how many of its standard deviations an effect's column is from 0 on average. */
  public double sdsFromZero(int effect, TableScale scale) {
    int k = column[effect];
    Line line = lines.get(effect);
    return k < 0
        ? 0
        : Math.abs(line.of(scale.columns().get(k).mean()) / (line.scale * scale.sizeOf(k)));
  }

  /** Returns q, how many effects a group has. */
  public int size() {
    return column.length;
  }

  /** Returns z_ne. */
  public double z(DataBlock block, int row, int effect) {
    int k = column[effect];
    return k < 0
        ? 1
        : lines.get(effect).of(ColumnCenters.input(block.feature(row, k), center[effect]));
  }

  /**
   * Returns z_e of a row on the input's scale.
   *
   * @param x by columns. Not modified.
   */
  public double z(double[] x, int effect) {
    int k = column[effect];
    return k < 0 ? 1 : lines.get(effect).of(x[k]);
  }

  /** Returns what z_e is where the stored column is 0: 1 for the intercept. */
  public double constant(int effect) {
    return column[effect] < 0 ? 1 : lines.get(effect).of(center[effect]);
  }

  /** Returns whether an effect of another grouping factor has the same z. */
  public boolean isSame(int effect, TableEffects other, int that) {
    return column[effect] == other.column[that] && lines.get(effect).equals(other.lines.get(that));
  }
}
