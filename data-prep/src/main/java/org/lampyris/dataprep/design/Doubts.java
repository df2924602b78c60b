package org.lampyris.dataprep.design;

import java.util.ArrayList;
import java.util.List;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.dataprep.read.CellScan.NumberScan;
import org.lampyris.dataprep.read.CellText;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.dataprep.read.TableScan;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/** Doubts about a valid table that looks like a mistake. */
public record Doubts(InputColumns columns, TableScan scan, Columns wishes) {
  /** In smaller tables a column that counts, or whose texts differ, need be no name of its rows. */
  private static final int FEWEST_ROWS = 20;

  /** Rows for each level below which a text column seems to name rows. */
  private static final double ROWS_PER_NAME = 1.25;

  /** The logarithm of an exposure is hardly more: e³⁰ is 10¹³. */
  private static final double LARGE_OFFSET = 30;

  /** Returns them, in sentences. */
  public List<String> all() {
    List<String> doubts = new ArrayList<>();
    for (int f = 0; f < columns.features().size() && scan.rows() >= FEWEST_ROWS; f++) {
      InputColumns.Feature feature = columns.features().get(f);
      String name = feature.name();
      if (feature.kind() == FeatureKind.NUMERIC && scan.numbers(f).get(0).isCount()) {
        NumberScan numbers = scan.numbers(f).get(0);
        doubts.add(
            ("column '%s' counts the rows from %s to %s; if it is their number, leave it out of"
                    + " data.features")
                .formatted(name, CellText.level(numbers.min()), CellText.level(numbers.max())));
      } else if (feature.kind() == FeatureKind.CATEGORICAL
          && !wishes.categorical().containsKey(name)
          && scan.levels(f).counts().size() * ROWS_PER_NAME >= scan.rows()) {
        doubts.add(
            ("column '%s' has %s levels in %s rows; if it names the rows, leave it out of"
                    + " data.features")
                .formatted(name, scan.levels(f).counts().size(), scan.rows()));
      }
    }
    NumberScan offset = scan.offsets();
    if (offset != null && columns.labelKind() == LabelKind.COUNT && offset.max() > LARGE_OFFSET) {
      doubts.add(
          ("the offset '%s' goes up to %s, which multiplies the mean by exp(%2$s). If the column is"
                  + " an exposure, take its logarithm in data.query.")
              .formatted(columns.offset(), CellText.level(offset.max())));
    }
    return List.copyOf(doubts);
  }
}
