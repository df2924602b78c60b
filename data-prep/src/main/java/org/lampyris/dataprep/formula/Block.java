package org.lampyris.dataprep.formula;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.prior.MonotonicColumns;
import org.lampyris.dataprep.read.CellText;
import org.lampyris.executors.table.TableSchema.Feature;

/** The columns of a variable or a term, for one row at a time. */
interface Block extends Serializable {
  /** Result of {@link #write} if a value is missing. */
  int NONE = -1;

  /** Returns the columns' names. */
  List<String> names();

  /** Returns the number of columns. */
  default int width() {
    return names().size();
  }

  /**
   * Writes the elements of a row that may differ from zero, by ascending index.
   *
   * @param cells the numbers of the row's columns. Not modified.
   * @param index as long as there are columns. Modified.
   * @param value as long as there are columns. Modified.
   * @return how many there are; {@link #NONE} if there is no value
   */
  int write(Row row, double[] cells, int[] index, double[] value);

  /** A number. */
  record Numeric(String label, Scalar of) implements Block {
    @Override
    public int width() {
      return 1;
    }

    @Override
    public List<String> names() {
      return List.of(label);
    }

    @Override
    public int write(Row row, double[] cells, int[] index, double[] value) {
      index[0] = 0;
      value[0] = of.at(cells);
      return Double.isNaN(value[0]) ? NONE : 1;
    }
  }

  /** Functions of a number, named by their order from 1 if there are several. */
  record Functions(String label, Scalar of, Basis basis) implements Block {
    @Override
    public int width() {
      return basis.size();
    }

    @Override
    public List<String> names() {
      if (basis.size() == 1) {
        return List.of(label);
      }
      List<String> names = new ArrayList<>();
      for (int k = 1; k <= basis.size(); k++) {
        names.add(label + k);
      }
      return names;
    }

    @Override
    public int write(Row row, double[] cells, int[] index, double[] value) {
      double x = of.at(cells);
      if (Double.isNaN(x)) {
        return NONE;
      }
      basis.write(x, value);
      for (int k = 0; k < basis.size(); k++) {
        index[k] = k;
      }
      return basis.size();
    }
  }

  /** All products of a column of one block and a column of another; the first one's runs faster. */
  final class Product implements Block {
    private final Block left;
    private final Block right;
    private final int width;
    private final int others;

    /** Multiplies two blocks. */
    Product(Block left, Block right) {
      this.left = left;
      this.right = right;
      this.width = left.width();
      this.others = right.width();
    }

    @Override
    public int width() {
      return width * others;
    }

    @Override
    public List<String> names() {
      List<String> names = new ArrayList<>();
      for (String b : right.names()) {
        for (String a : left.names()) {
          names.add(a + ":" + b);
        }
      }
      return names;
    }

    @Override
    public int write(Row row, double[] cells, int[] index, double[] value) {
      int[] i = new int[width];
      double[] x = new double[width];
      int[] j = new int[others];
      double[] y = new double[others];
      int ofLeft = left.write(row, cells, i, x);
      int ofRight = right.write(row, cells, j, y);
      if (ofLeft == NONE || ofRight == NONE) {
        return NONE;
      }
      int count = 0;
      for (int b = 0; b < ofRight; b++) {
        for (int a = 0; a < ofLeft; a++) {
          index[count] = j[b] * width + i[a];
          value[count++] = x[a] * y[b];
        }
      }
      return count;
    }
  }

  /**
   * Block without the columns that are 0 in every row of the model's table.
   *
   * @param places of each column of the block where it is now; −1 for those that are left out
   * @param strict whether a row that has one of these is an error; else there is no value for it
   */
  record Present(Block block, int[] places, List<String> names, boolean strict) implements Block {
    /** Leaves out the columns of some names. */
    static Block of(Block block, Set<String> absent, boolean strict) {
      List<String> all = block.names();
      List<String> names = new ArrayList<>();
      int[] places = new int[all.size()];
      for (int k = 0; k < places.length; k++) {
        String name = all.get(k);
        places[k] = absent.contains(name) ? -1 : names.size();
        if (places[k] >= 0) {
          names.add(name);
        }
      }
      return names.size() == places.length
          ? block
          : new Present(block, places, List.copyOf(names), strict);
    }

    @Override
    public int write(Row row, double[] cells, int[] index, double[] value) {
      int[] all = new int[places.length];
      double[] values = new double[places.length];
      int count = block.write(row, cells, all, values);
      int kept = 0;
      for (int k = 0; k < count; k++) {
        int place = places[all[k]];
        if (place >= 0) {
          index[kept] = place;
          value[kept++] = values[k];
        } else if (values[k] != 0 && strict) {
          throw UserException.data(
              "a row has '%s', which no row of the earlier table has. Prepare without data.like."
                  .formatted(block.names().get(all[k])));
        } else if (values[k] != 0) {
          return NONE;
        }
      }
      return count == NONE ? NONE : kept;
    }
  }

  /**
   * A variable with levels, as columns of ones and zeros: one for each level, or, by treatment
   * contrasts, for each but the reference. Other contrasts have a row of numbers for each level.
   */
  static final class FactorBlock implements Block {
    private final String name;
    private final Factor.LevelOf of;
    private final boolean strict;
    private final @Nullable String other;
    private final List<String> names = new ArrayList<>();

    /** The levels of a monotonic effect in their order; null for all else. */
    private final @Nullable List<String> ordered;

    /** The column of ones of each level; −1 for the reference. */
    private final HashMap<String, Integer> places = new HashMap<>();

    /** The columns of each level, for contrasts other than of treatments; empty for these. */
    private final double[][] codes;

    /**
     * Creates the columns of a factor.
     *
     * @param of the level of a row
     * @param contrast how the levels are coded; null for a column for each
     * @param strict whether a level that is not known is an error; else there is no value for it
     */
    FactorBlock(Feature levels, Factor.LevelOf of, @Nullable Contrast contrast, boolean strict) {
      this.name = levels.name();
      this.of = of;
      this.strict = strict;
      this.other = levels.other();
      this.ordered = contrast == Contrast.MONOTONIC ? levels.levels() : null;
      if (contrast != null && contrast != Contrast.TREATMENT) {
        codes = contrast.matrix(levels.levels().size());
        levels.levels().forEach(level -> places.put(level, places.size()));
        if (contrast == Contrast.MONOTONIC) {
          names.addAll(MonotonicColumns.of(name, levels.levels()).columns());
          return;
        }
        for (int k = 0; k < levels.levels().size() - 1; k++) {
          names.add(name + contrast.suffix(k));
        }
        return;
      }
      codes = new double[0][];
      for (String level : levels.levels()) {
        boolean dropped = contrast != null && level.equals(levels.reference());
        places.put(level, dropped ? -1 : names.size());
        if (!dropped) {
          names.add(name + "[" + level + "]");
        }
      }
    }

    @Override
    public List<String> names() {
      return List.copyOf(names);
    }

    @Override
    public int width() {
      return names.size();
    }

    /** Returns the level of a cell; null if it has none. */
    static @Nullable String level(@Nullable Object cell, boolean levelForMissing) {
      if (cell == null || CellText.isMissing(cell)) {
        return levelForMissing ? CellText.MISSING : null;
      }
      return CellText.level(cell);
    }

    @Override
    public int write(Row row, double[] cells, int[] index, double[] value) {
      String level = of.at(row, cells);
      if (level == null) {
        return NONE;
      }
      Integer place = places.get(level);
      if (place == null && other != null) {
        place = places.get(other);
      }
      if (place == null) {
        if (strict && ordered != null) {
          throw UserException.data(
              "%s in model.formula: a row has the level '%s', and the earlier table has levels from '%s' to '%s'. Run all rows as one table, which has a step to the new level."
                  .formatted(name, level, ordered.get(0), ordered.get(ordered.size() - 1)));
        }
        if (strict) {
          throw UserException.data(
              "column '%s' has the level '%s', which the earlier table does not have. Prepare without data.like, or prepare the earlier table with a level for others (data.categorical.%s.other)."
                  .formatted(name, level, name));
        }
        return NONE;
      }
      if (codes.length > 0) {
        for (int k = 0; k < width(); k++) {
          index[k] = k;
          value[k] = codes[place][k];
        }
        return width();
      }
      index[0] = place;
      value[0] = 1;
      return place < 0 ? 0 : 1;
    }
  }
}
