package org.lampyris.dataprep.blocks;

import java.util.List;
import org.lampyris.dataprep.design.LevelTally;
import org.lampyris.dataprep.read.SelectedRows.Piece;
import org.lampyris.samplers.run.SentClasses;

/** What the reading of an input sends. */
public final class EncodeClasses implements SentClasses {
  @Override
  public List<Class<?>> sentClasses() {
    return List.of(
        EncodedRows.class,
        LevelTally.class,
        Piece.class,
        Seen.class,
        byte[][].class,
        String[].class,
        String[][].class);
  }
}
