package org.lampyris.dataprep.blocks;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.design.Design;
import org.lampyris.dataprep.formula.FormulaTable;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.dataprep.read.Input;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.dataprep.read.InputPieces;
import org.lampyris.dataprep.read.RowCounts;
import org.lampyris.dataprep.read.TableScan;
import org.lampyris.executors.table.TableSchema.Layout;

/**
 * Prepares a table in Parquet while it is read: rows become stored blocks as they come, and are not
 * kept in between.
 *
 * <p>How many rows each piece of a file has, and which classes and levels there are, is counted
 * first, in those columns alone; the first rows tell what is near the columns' means and which
 * layout takes less room. Where all rows tell otherwise of the latter, they are read once more. The
 * table is that which {@link PrepareJob} makes of rows that are kept, bit for bit.
 */
record OnePass(
    SparkSession spark,
    PrepareJob.Request request,
    DataSection data,
    Input input,
    InputColumns columns,
    FormulaTable formula,
    PrepareJob.Blocks blocks,
    Consumer<String> progress) {
  /** How many of the first rows are looked at, at least. */
  private static final int LOOKED_AT = 4096;

  /** In how many pieces they may lie. */
  private static final int MOST_PIECES = 8;

  /** Returns the form of rows. */
  RowForm form() {
    return RowForm.of(columns);
  }

  /** Returns the table; empty where rows have to be kept before they can be stored. */
  Optional<Prepared> prepare(Dataset<Row> shaped) throws IOException {
    if (columns.groupBy() != null
        || !columns.groups().isEmpty()
        || columns.missing() == Columns.Missing.DROP) {
      return Optional.empty();
    }
    Optional<InputPieces> pieces = InputPieces.of(columns.select(shaped));
    InputColumns levels = columns.levelsOnly();
    Optional<InputPieces> same =
        pieces.flatMap(of -> InputPieces.of(levels.select(shaped)).filter(of::areThoseOf));
    return same.isEmpty() ? Optional.empty() : prepare(pieces.get(), same.get(), levels);
  }

  private Optional<Prepared> prepare(InputPieces pieces, InputPieces ofLevels, InputColumns levels)
      throws IOException {
    progress.accept("counting rows, classes and levels");
    RowCounts counts = RowCounts.of(ofLevels, levels);
    long rows = counts.scan().rows();
    int wanted = (int) Math.min(rows, Math.max(LOOKED_AT, data.packing().blockRows()));
    int from = piecesOf(counts.rows(), wanted);
    if (rows == 0 || from == 0) {
      return Optional.empty();
    }
    FirstRows first = FirstRows.of(pieces, from, wanted, columns, form());
    if (!first.areComplete()
        || new Merging(data.packing().aggregate(), columns, first.scan()).mayMerge(form())) {
      return Optional.empty();
    }
    TableScan known = first.scan().withLevelsOf(columns, counts.scan());
    Design design;
    try {
      design = TableDescription.design(data, input, columns, known, null);
    } catch (UserException e) {
      // What is wrong is told by all rows.
      return Optional.empty();
    }
    Layout layout = data.packing().layout(design, first.scan());
    int blockRows = TableDescription.blockRows(data, design, first.scan(), layout);
    return new StoringPasses(this, pieces, counts.rows(), design, first).run(layout, blockRows);
  }

  /** Returns in how many pieces so many first rows lie; 0 if these are too many. */
  private static int piecesOf(long[] rows, long wanted) {
    long seen = 0;
    int filled = 0;
    for (int k = 0; k < rows.length && filled <= MOST_PIECES; k++) {
      seen += rows[k];
      filled += rows[k] > 0 ? 1 : 0;
      if (seen >= wanted && filled <= MOST_PIECES) {
        return k + 1;
      }
    }
    return 0;
  }
}
