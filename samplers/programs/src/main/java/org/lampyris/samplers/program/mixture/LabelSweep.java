package org.lampyris.samplers.program.mixture;

import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.program.Given;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.moves.BlockSums;
import org.lampyris.samplers.program.moves.LabelIndex;
import org.lampyris.samplers.program.moves.LocalState;
import org.lampyris.samplers.program.moves.RowTask;
import org.lampyris.samplers.program.moves.Selected;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowEvolution.Evolved;
import org.lampyris.samplers.run.PlainBlock;

/**
 * Draws the labels of some rows given the weights and values of all clusters: u ~ U(0, π_z), then z
 * among the finitely many clusters with π_k &gt; u, in proportion to the row's density in each.
 * With u redrawn each time this is a Gibbs step on (u, z), exact, and independent over the rows.
 * The sums are what the clusters' statistics change by.
 *
 * <p>Source: Walker (2007), section 2; Kalli, Griffin and Walker (2011).
 *
 * @param weights π_k of the clusters that rows have
 * @param left what all others weigh together
 * @param count how many rows' labels are drawn; −1 to draw none and to return the sums of all rows
 */
record LabelSweep(
    MixtureShape shape, Globals globals, double[] weights, double left, long step, long count)
    implements RowTask {
  @Override
  public Evolved<LocalState, TreeSum.Node[]> run(
      Setting setting, Place<PlainBlock> place, LocalState before) {
    Rows rows = new Rows(setting, place, before);
    Selected selected = count < 0 ? Selected.all(1) : new Selected(step, 0, count, 1);
    selected.visit(place, setting, (block, row, part) -> rows.visit(block, row));
    return new Evolved<>(before.with(rows.latents, rows.index.index()), rows.sums.nodes());
  }

  /** Buffers for drawing rows. */
  private final class Rows {
    private final Setting setting;
    private final Trace trace;
    private final Place<PlainBlock> place;
    private final double[][] latents;
    private final boolean[] mine;
    private final @Nullable UniformRandomProvider[] streams;
    private final LabelIndex.Changes index;
    private final BlockSums sums;
    private final NewClusters clusters;
    private final Given given;
    private final @Nullable NormalInverseWishart base;
    private final int statistics;
    private final Trace.Densities densities;
    private double[] logs = new double[16];

    Rows(Setting setting, Place<PlainBlock> place, LocalState before) {
      this.setting = setting;
      this.trace = setting.trace();
      this.place = place;
      this.latents = before.latents();
      this.mine = new boolean[latents.length];
      this.streams = new UniformRandomProvider[latents.length];
      this.index = before.index(trace.latents(), shape.label().slot()).change();
      this.sums = new BlockSums(place);
      this.clusters = new NewClusters(trace, setting.streams(), setting.chain(), LabelSweep.this);
      this.given = Given.of(globals, trace.lets());
      this.base = shape.base(trace);
      this.statistics = shape.statistics(trace);
      this.densities = trace.densities();
    }

    void visit(int block, int row) {
      DataBlock data = place.blocks().get(block).data();
      if (!mine[block] && count >= 0) {
        mine[block] = true;
        latents[block] = latents[block].clone();
      }
      given.see(globals);
      given.see(data, row, latents[block], row * trace.latents());
      densities.see(given);
      int old = given.cluster(shape.label());
      if (count < 0) {
        add(block, old, 1);
        return;
      }
      int drawn = draw(old, stream(block, data));
      if (drawn != old) {
        add(block, old, -1);
        add(block, drawn, 1);
        int at = row * trace.latents() + shape.label().slot();
        index.move(block, row, (int) latents[block][at], clusters.stored(drawn));
        latents[block][at] = clusters.stored(drawn);
      }
    }

    private UniformRandomProvider stream(int block, DataBlock data) {
      UniformRandomProvider rng = streams[block];
      if (rng == null) {
        rng = setting.streams().stream(Streams.Purpose.LABELS, setting.chain(), step, data.id());
        streams[block] = rng;
      }
      return rng;
    }

    private int draw(int old, UniformRandomProvider rng) {
      double u = rng.nextDouble() * clusters.weight(old);
      clusters.drawUntil(u);
      given.see(clusters.globals());
      int all = clusters.count();
      logs = logs.length < all ? new double[2 * all] : logs;
      double most = Double.NEGATIVE_INFINITY;
      for (int k = 0; k < all; k++) {
        logs[k] = clusters.weight(k) > u ? logDensity(k) : Double.NEGATIVE_INFINITY;
        most = Math.max(most, logs[k]);
      }
      double sum = 0;
      for (int k = 0; k < all; k++) {
        logs[k] = Math.exp(logs[k] - most);
        sum += logs[k];
      }
      double rest = rng.nextDouble() * sum;
      int last = old;
      for (int k = 0; k < all; k++) {
        if (logs[k] > 0) {
          last = k;
          rest -= logs[k];
          if (rest < 0) {
            return k;
          }
        }
      }
      return last;
    }

    private double logDensity(int cluster) {
      given.suppose(cluster);
      for (int id : shape.needed()) {
        given.computed()[trace.entries().get(id).node().slot()] = trace.compute(id, given);
      }
      double log = 0;
      for (int id : shape.absorbing()) {
        log += densities.log(id, given);
      }
      return log;
    }

    private void add(int block, int cluster, double sign) {
      int at = cluster * statistics;
      double[] out = sums.of(block, at + statistics);
      if (base == null) {
        out[at] += sign;
      } else {
        base.add(densities.observed(shape.observed()), sign, out, at);
      }
    }
  }
}
