package org.lampyris.samplers.run;

import java.io.Serializable;
import org.lampyris.bounds.config.Section;
import org.lampyris.samplers.chain.StartingPoint;

/**
 * The keys of the section {@code sampler} about the chains.
 *
 * @param chains how many chains
 * @param warmup iterations per chain that adapt and are not kept
 * @param draws draws kept per chain
 * @param seed the seed of everything random, the order of the prepared rows included
 * @param thin every how many iterations a draw is kept
 * @param init where chains begin
 * @param priorOnly whether draws are from the prior, and the rows are left out
 */
public record ChainSettings(
    int chains,
    int warmup,
    int draws,
    long seed,
    int thin,
    StartingPoint.Init init,
    boolean priorOnly)
    implements Serializable {
  private static final int MOST = 1_000_000_000;

  /** Settings of chains that draw from the posterior. */
  public ChainSettings(
      int chains, int warmup, int draws, long seed, int thin, StartingPoint.Init init) {
    this(chains, warmup, draws, seed, thin, init, false);
  }

  /** Returns the same without a warm-up, for draws that need none. */
  public ChainSettings withoutWarmup() {
    return new ChainSettings(chains, 0, draws, seed, thin, init, priorOnly);
  }

  /** Reads the keys. */
  public static ChainSettings read(Section section) {
    return new ChainSettings(
        section.whole("chains", 4, 1, 10_000),
        section.whole("warmup", 500, 0, MOST),
        section.whole("draws", 1000, 1, MOST),
        section.whole("seed", 1L, Long.MIN_VALUE, Long.MAX_VALUE),
        section.whole("thin", 1, 1, MOST),
        section.choice("init", StartingPoint.Init.LAPLACE),
        section.flag("prior_only", false));
  }
}
