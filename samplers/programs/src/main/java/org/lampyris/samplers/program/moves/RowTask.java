package org.lampyris.samplers.program.moves;

import java.io.Serializable;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowEvolution.Evolved;
import org.lampyris.samplers.run.PlainBlock;

/** Task of a move on the rows: a pure function, sent to them. */
public interface RowTask extends Serializable {
  /**
   * Setting of a task.
   *
   * @param streams the run's
   * @param chain the chain, from 1
   * @param table how large the table is
   */
  record Setting(Trace trace, Streams streams, int chain, ProgramTable.Size table)
      implements Serializable {}

  /** Returns the rows' state afterwards, and sums over blocks; they may differ in length. */
  Evolved<LocalState, TreeSum.Node[]> run(
      Setting setting, Place<PlainBlock> place, LocalState before);
}
