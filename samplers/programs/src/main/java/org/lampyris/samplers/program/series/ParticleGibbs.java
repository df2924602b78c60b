package org.lampyris.samplers.program.series;

import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.moves.Move;
import org.lampyris.samplers.program.moves.ProgramRows;
import org.lampyris.samplers.program.moves.ProgramState;

/**
 * Particle Gibbs with ancestor sampling of the rows' latent series: each is redrawn by a Markov
 * kernel that leaves p(h_1 … h_T | x_1 … x_T, globals) invariant for any number of particles from 2
 * on. Rows are drawn where they are, independently given the globals. h need not be a Markov chain:
 * what is drawn or observed may depend on all values before.
 *
 * <p>Source: Lindsten, Jordan and Schön (2014), Algorithm 2, and section 4 for paths that are no
 * Markov chain.
 */
public final class ParticleGibbs implements Move {
  private final LatentPath path;
  private final int particles;
  private final long rows;

  /**
   * Derives the series from a trace.
   *
   * @param particles how many, the retained path included, at least 2
   * @param rows how many rows' series are drawn, chosen at random in each step; all if there are
   *     not so many
   * @throws UserException (usage) with the node that prevents it
   */
  public ParticleGibbs(Trace trace, int particles, long rows) {
    if (particles < 2 || rows < 1) {
      throw UserException.usage(
          "%d particles for %d rows are too few. Use at least 2 particles and 1 row."
              .formatted(particles, rows));
    }
    this.path = LatentPath.of(trace);
    this.particles = particles;
    this.rows = rows;
  }

  /** Draws all rows' series. */
  public ParticleGibbs(Trace trace, int particles) {
    this(trace, particles, Long.MAX_VALUE);
  }

  @Override
  public ProgramState apply(ProgramState from, ProgramRows all) {
    long step = from.step() + 1;
    long count = Math.min(rows, all.size().rows());
    ParticleTask task = new ParticleTask(path, particles, from.globals(), step, count);
    ProgramState asked = all.ask(from, task).state();
    return asked.afterSweep(asked.globals().afterSweep(), count);
  }
}
