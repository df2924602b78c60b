package org.lampyris.samplers.program.moves;

import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.program.Given;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowEvolution.Evolved;
import org.lampyris.samplers.run.PlainBlock;

/** Recomputes every deterministic node of every row at once: the work that laziness saves. */
record RefreshAll(Globals globals) implements RowTask {
  @Override
  public Evolved<LocalState, TreeSum.Node[]> run(
      Setting setting, Place<PlainBlock> place, LocalState before) {
    Trace trace = setting.trace();
    Memo memo = before.memo(setting.chain());
    Given given = Given.of(globals, trace.lets());
    int[] stale = trace.stale(globals);
    synchronized (memo) {
      Selected.all(1)
          .visit(
              place,
              setting,
              (block, row, part) -> {
                DataBlock data = place.blocks().get(block).data();
                memo.open(block, data.rows(), trace.lets());
                given.see(data, row, before.latents(block), row * trace.latents());
                for (Trace.Entry e : trace.entries()) {
                  Node node = e.node();
                  if (node.kind() == Node.Kind.LET) {
                    int at = row * trace.lets() + node.slot();
                    given.computed()[node.slot()] =
                        memo.value(block, at, trace, node.id(), stale[node.slot()], given);
                  }
                }
              });
    }
    return new Evolved<>(before, new TreeSum.Node[0]);
  }
}
