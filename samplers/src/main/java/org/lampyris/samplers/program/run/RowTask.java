package org.lampyris.samplers.program.run;

import java.io.Serializable;
import org.lampyris.bounds.block.TreeSum;
import org.lampyris.samplers.pass.PlainBlock;
import org.lampyris.samplers.pool.Place;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rowstate.RowEvolution.Evolved;

/** What a move has the rows do: a pure function, sent to where they are. */
public interface RowTask extends Serializable {
  /**
   * What a task is run with.
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
