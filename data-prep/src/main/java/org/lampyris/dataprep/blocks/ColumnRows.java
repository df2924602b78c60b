package org.lampyris.dataprep.blocks;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.family.CensoredTime;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.dataprep.read.BatchCells;
import org.lampyris.dataprep.read.BatchColumn;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/**
 * Rows of a block by column, as the table has them: the responses, the weights and offsets if there
 * are any, the numbers by slot, and the codes of levels by categorical feature.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ColumnRows(
    double[] response,
    double @Nullable [] weight,
    double @Nullable [] offset,
    double[][] numbers,
    int[][] levels) {

  /** Makes the rows of a task's blocks as {@link RowEncoder} and {@link RowRecoder} do together. */
  static final class Reader {
    private final BatchCells cells;
    private final RowForm form;
    private final RowRecoder.Partition recoder;
    private final boolean classes;
    private final boolean events;
    private final boolean intervals;

    /** The positions of numbers and levels among the columns of a selected row. */
    private final int[] numbers;

    private final int[] levels;
    private final int[][] codes;

    Reader(BatchCells cells, InputColumns columns, RowForm form, RowRecoder.Partition recoder) {
      this.cells = cells;
      this.form = form;
      this.recoder = recoder;
      classes = columns.labelKind().isClass();
      events = columns.labelKind().isTime() && columns.trials() != null;
      intervals = columns.labelKind() == LabelKind.INTERVAL;
      int head =
          1
              + (form.weighted() ? 1 : 0)
              + (form.offset() ? 1 : 0)
              + (columns.trials() == null ? 0 : 1);
      numbers = of(columns, FeatureKind.NUMERIC, head);
      levels = of(columns, FeatureKind.CATEGORICAL, head);
      codes = new int[levels.length][0];
    }

    private static int[] of(InputColumns columns, FeatureKind kind, int head) {
      return IntStream.range(0, columns.features().size())
          .filter(f -> columns.features().get(f).kind() == kind)
          .map(f -> head + f)
          .toArray();
    }

    /** Returns the rows that were copied last, to be used before the next ones. */
    ColumnRows rows(int count) {
      int at = 1;
      double[] weights = form.weighted() ? cells.numbers(at++) : null;
      double[] shifts = form.offset() ? cells.numbers(at++) : null;
      double[] trials = form.trials() || events ? cells.numbers(at) : null;
      double[] response = new double[count];
      double[] weight = form.storesWeight() ? new double[count] : null;
      double[] offset = shifts == null ? null : new double[count];
      double[] number = classes ? new double[0] : cells.numbers(0);
      int[] codes = classes ? cells.levels(0).codes() : new int[0];
      double[] ofClass = classes ? known(0, cells.levels(0)) : new double[0];
      for (int n = 0; n < count; n++) {
        double shift = shifts == null ? 0 : shifts[n] + 0.0;
        double of = trials == null || events ? 1 : trials[n];
        int event = events && trials != null ? (int) trials[n] : CensoredTime.AT;
        double y = classes ? ofClass[codes[n]] : (number[n] + 0.0) / of;
        response[n] = events ? CensoredTime.response(event, y, shift) : y;
        if (weight != null) {
          weight[n] = (weights == null ? 1 : weights[n]) * of;
        }
        if (offset != null) {
          offset[n] = intervals ? CensoredTime.offset(event, shift) : shift;
        }
      }
      return new ColumnRows(
          response,
          weight,
          offset,
          IntStream.of(numbers).mapToObj(cells::numbers).toArray(double[][]::new),
          IntStream.range(0, levels.length).mapToObj(c -> levels(c, count)).toArray(int[][]::new));
    }

    private int[] levels(int categorical, int count) {
      BatchColumn.Levels read = cells.levels(levels[categorical]);
      double[] known = known(categorical + (classes ? 1 : 0), read);
      int[] from = read.codes();
      if (codes[categorical].length < count) {
        codes[categorical] = new int[count];
      }
      int[] to = codes[categorical];
      for (int n = 0; n < count; n++) {
        to[n] = (int) known[from[n]];
      }
      return to;
    }

    /** Returns the table's codes of a column's levels. */
    private double[] known(int coded, BatchColumn.Levels read) {
      List<String> names = read.names();
      return recoder.learn(coded, names.subList(recoder.known(coded), names.size()));
    }
  }
}
