package org.lampyris.dataprep.blocks;

import java.util.List;
import org.lampyris.dataprep.design.LevelCounts.LevelTally;
import org.lampyris.dataprep.read.CellScan;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.dataprep.read.SelectedRows.Piece;
import org.lampyris.dataprep.read.SelectedRows.Place;
import org.lampyris.dataprep.read.TableScan;
import org.lampyris.samplers.run.SentClasses;

/** Classes that reading and ordering an input send. */
public final class PrepareClasses implements SentClasses {
  @Override
  public List<Class<?>> sentClasses() {
    return List.of(
        CellScan.LevelScan.class,
        CellScan.LevelScan.Level.class,
        CellScan.NumberScan.class,
        CellScan.VectorScan.class,
        TableScan.class,
        Columns.Missing.class,
        RowEncoder.EncodedRows.class,
        LevelTally.class,
        Piece.class,
        Place.class,
        ReadTable.Seen.class,
        InputOrder.class,
        byte[][].class,
        String[].class,
        String[][].class,
        boolean[].class,
        int[].class,
        long[].class,
        long[][].class);
  }
}
