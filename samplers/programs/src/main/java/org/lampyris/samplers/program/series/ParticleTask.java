package org.lampyris.samplers.program.series;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.program.Given;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.moves.LocalState;
import org.lampyris.samplers.program.moves.RowTask;
import org.lampyris.samplers.program.moves.Selected;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowEvolution.Evolved;
import org.lampyris.samplers.run.PlainBlock;

/**
 * Draws the series of some rows. Particles follow the transition and are weighted by g(x_t | h_t).
 * The last one keeps the present path h′, with its ancestor at each time redrawn in proportion to
 * w_{t−1}^i p(h′_t … h′_T, x_t … x_T | h_1^i … h_{t−1}^i). For a Markov chain this is w_{t−1}^i
 * f(h′_t | h_{t−1}^i), because all other factors are equal for all i.
 *
 * <p>Source: Lindsten, Jordan and Schön (2014), Algorithm 2 and equation 20, with the bootstrap
 * proposal.
 */
record ParticleTask(LatentPath path, int particles, Globals globals, long step, long count)
    implements RowTask {
  @Override
  public Evolved<LocalState, TreeSum.Node[]> run(
      Setting setting, Place<PlainBlock> place, LocalState before) {
    double[][] latents = before.latents();
    boolean[] mine = new boolean[latents.length];
    UniformRandomProvider[] streams = new UniformRandomProvider[latents.length];
    Particles filter = new Particles(setting.trace());
    new Selected(step, 0, count, 1)
        .visit(
            place,
            setting,
            (block, row, part) -> {
              DataBlock data = place.blocks().get(block).data();
              if (!mine[block]) {
                mine[block] = true;
                latents[block] = latents[block].clone();
                streams[block] =
                    setting.streams().stream(
                        Streams.Purpose.PARTICLES, setting.chain(), step, data.id());
              }
              filter.draw(data, row, latents[block], streams[block]);
            });
    return new Evolved<>(before.with(latents), new TreeSum.Node[0]);
  }

  /** The particles of one series. */
  private final class Particles {
    private final Trace trace;
    private final Given given;
    private final List<LatentPath.Time> times = path.times();
    private final double[][] h = new double[times.size()][particles];
    private final int[][] ancestors = new int[times.size()][particles];
    private final double[] logWeights = new double[particles];
    private final double[] cumulated = new double[particles];
    private final double[] reference = new double[particles];
    private final double[] latent;
    private final Trace.Densities densities;
    private final double[] one = new double[1];

    Particles(Trace trace) {
      this.trace = trace;
      this.given = Given.of(globals, trace.lets());
      this.latent = new double[trace.latents()];
      this.densities = trace.densities();
    }

    /** Replaces a row's series. Modified. */
    void draw(DataBlock data, int row, double[] rows, UniformRandomProvider rng) {
      int from = row * trace.latents();
      given.see(data, row, latent, 0);
      densities.see(given);
      int last = particles - 1;
      for (int t = 0; t < times.size(); t++) {
        LatentPath.Time time = times.get(t);
        Node node = time.latent();
        if (t > 0) {
          ancestors(t, rows, from, rng);
        }
        for (int i = 0; i < last; i++) {
          follow(t, i);
          compute(time.transition());
          trace.entry(node).drawn().sample(given, rng, one, 0);
          h[t][i] = one[0];
        }
        h[t][last] = rows[from + node.slot()];
        for (int i = 0; i < particles; i++) {
          follow(t, i);
          latent[node.slot()] = h[t][i];
          compute(time.emitting());
          logWeights[i] = logDensity(time.emissions());
        }
      }
      cumulate(logWeights);
      int chosen = pick(rng);
      for (int t = times.size() - 1; t >= 0; t--) {
        rows[from + times.get(t).latent().slot()] = h[t][chosen];
        chosen = ancestors[t][chosen];
      }
    }

    /** Draws whom each particle follows; the retained path's ancestor by all that is ahead. */
    private void ancestors(int t, double[] rows, int from, UniformRandomProvider rng) {
      LatentPath.Time time = times.get(t);
      cumulate(logWeights);
      for (int i = 0; i < particles - 1; i++) {
        ancestors[t][i] = pick(rng);
      }
      System.arraycopy(rows, from + t, latent, t, times.size() - t);
      for (int i = 0; i < particles; i++) {
        ancestors[t][particles - 1] = i;
        follow(t, particles - 1);
        compute(time.leading());
        reference[i] = logWeights[i] + logDensity(time.ahead());
      }
      cumulate(reference);
      ancestors[t][particles - 1] = pick(rng);
    }

    /** Copies a particle's values before t, as far back as they are read there. */
    private void follow(int t, int i) {
      int which = i;
      for (int s = t - 1; s >= times.get(t).reach(); s--) {
        which = ancestors[s + 1][which];
        latent[s] = h[s][which];
      }
    }

    private double logDensity(int[] nodes) {
      double log = 0;
      for (int id : nodes) {
        log += densities.log(id, given);
      }
      return log;
    }

    private void compute(int[] lets) {
      for (int id : lets) {
        given.computed()[trace.entries().get(id).node().slot()] = trace.compute(id, given);
      }
    }

    private void cumulate(double[] logs) {
      double most = Double.NEGATIVE_INFINITY;
      for (double log : logs) {
        most = Math.max(most, log);
      }
      double sum = 0;
      for (int i = 0; i < particles; i++) {
        sum += Math.exp(logs[i] - most);
        cumulated[i] = sum;
      }
    }

    private int pick(UniformRandomProvider rng) {
      double u = rng.nextDouble() * cumulated[particles - 1];
      int i = 0;
      while (i < particles - 1 && cumulated[i] <= u) {
        i++;
      }
      return i;
    }
  }
}
