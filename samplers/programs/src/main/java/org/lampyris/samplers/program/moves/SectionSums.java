package org.lampyris.samplers.program.moves;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.program.Given;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.LocalSection;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowEvolution.Evolved;
import org.lampyris.samplers.run.PlainBlock;

/**
 * Number of selected local sections, Σ l_i and Σ l_i², with
 *
 * <pre>l_i = Σ_{n ∈ local_i ∩ A} log p(x_n | Par′(n)) − log p(x_n | Par(n)).</pre>
 *
 * <p>Deterministic nodes that a section needs are brought up to date in passing, if they are stale.
 * A section of a cluster's scaffold is there only in the rows with that label.
 *
 * @param selected one or more selections, with sums of their own, one after the other
 * @param sections of a row
 * @param cluster whose value is proposed; null where there is one value
 * @param proxies whose changes are subtracted from l_i; null without proxies
 * @param now the values as they are
 * @param then the values as proposed
 * @param stale since when deterministic nodes are, by slot; one for all looks of a test
 */
record SectionSums(
    List<Selected> selected,
    List<LocalSection> sections,
    @Nullable ClusterRows cluster,
    SectionProxies.@Nullable Change proxies,
    Globals now,
    Globals then,
    int[] stale)
    implements RowTask {
  /** Sums: sections, values, squares. */
  static final int LENGTH = 3;

  @Override
  public Evolved<LocalState, TreeSum.Node[]> run(
      Setting setting, Place<PlainBlock> place, LocalState before) {
    BlockSums sums = new BlockSums(place);
    Memo memo = before.memo(setting.chain());
    synchronized (memo) {
      Rows rows = new Rows(setting.trace(), place, before, memo);
      int length = LENGTH * selected.size();
      for (int k = 0; k < selected.size(); k++) {
        int at = LENGTH * k;
        Selected.Visitor visitor =
            (block, row, part) -> rows.add(block, row, part, sums.of(block, length), at);
        if (cluster == null) {
          selected.get(k).visit(place, setting, visitor);
        } else {
          cluster.visit(selected.get(k), place, setting, before, visitor);
        }
      }
    }
    return new Evolved<>(before, sums.nodes());
  }

  /** Buffers for evaluating sections. */
  private final class Rows {
    private final Trace trace;
    private final Place<PlainBlock> place;
    private final LocalState state;
    private final Memo memo;
    private final Given at;
    private final Given proposed;
    private final Trace.Densities densities;
    private final int supposed;
    private final SectionProxies.@Nullable Polynomials polynomials;

    Rows(Trace trace, Place<PlainBlock> place, LocalState state, Memo memo) {
      this.trace = trace;
      this.place = place;
      this.state = state;
      this.memo = memo;
      this.at = Given.of(now, trace.lets());
      this.proposed = Given.of(then, trace.lets());
      this.densities = trace.densities();
      this.supposed = cluster == null ? -1 : now.places()[cluster.stored()];
      this.polynomials =
          proxies == null
              ? null
              : proxies.proxies().new Polynomials(sections, trace, place, state, memo);
    }

    void add(int block, int row, int part, double[] sum, int first) {
      DataBlock data = place.blocks().get(block).data();
      double[] latents = state.latents(block);
      at.see(data, row, latents, row * trace.latents());
      proposed.see(data, row, latents, row * trace.latents());
      at.suppose(supposed);
      proposed.suppose(supposed);
      LocalSection section = sections.get(part);
      memo.open(block, data.rows(), trace.lets());
      int[] needed = section.needed();
      for (int i = 0; i < needed.length; i++) {
        int id = needed[i];
        int slot = trace.entries().get(id).node().slot();
        double value = memo.value(block, row * trace.lets() + slot, trace, id, stale[slot], at);
        at.computed()[slot] = value;
        proposed.computed()[slot] = section.changes()[i] ? trace.compute(id, proposed) : value;
      }
      densities.see(at);
      double change = 0;
      for (int id : section.absorbing()) {
        change += densities.log(id, proposed) - densities.log(id, at);
      }
      if (proxies != null && polynomials != null) {
        double[] cell = polynomials.of(block, row);
        change -= SectionProxies.dot(cell, polynomials.at(row, part), proxies.monomials());
      }
      sum[first]++;
      sum[first + 1] += change;
      sum[first + 2] += change * change;
    }
  }
}
