package org.lampyris.samplers.benchmark;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Barker;
import org.lampyris.samplers.kernel.CrankNicolson;
import org.lampyris.samplers.kernel.Hmc;
import org.lampyris.samplers.kernel.Mala;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.Slice;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.testdata.Mnist79;

/**
 * The table of {@code docs/kernels.md}: every θ-kernel on all rows and by Firefly, in memory. A
 * benchmark, run with {@code -Dlampyris.benchmark=kernels}; it prints Markdown, and fails where
 * means are off the gold-standard posterior.
 */
class KernelTableTest {
  private static final double KAPPA = 3;

  /**
   * Largest error of a mean that is taken for noise, in standard errors, where the effective sample
   * size is known well enough. For 51 means of 22 rows the false-alarm rate is below 10⁻⁵, were the
   * errors normal.
   */
  private static final double SIGMAS = 6;

  private static final double ENOUGH = 200;

  /** A kernel, and how many iterations it gets: those of an expensive one mix better. */
  private record Entry(String name, ThetaKernel kernel, int onAllRows, int byFirefly) {}

  @Test
  void mnist79() {
    assumeBenchmark();
    BenchmarkPosterior posterior = BenchmarkPosterior.mnist79(Mnist79.loadOrSkip());
    print(posterior, 1);
  }

  @Test
  void rareEvents() {
    assumeBenchmark();
    print(BenchmarkPosterior.rareEvents(), 2);
  }

  private static void assumeBenchmark() {
    assumeTrue(
        "kernels".equals(System.getProperty("lampyris.benchmark")),
        "a benchmark: run with -Dlampyris.benchmark=kernels");
  }

  private static List<Entry> entries(BenchmarkPosterior posterior, Preconditioner laplace) {
    int d = posterior.dimension();
    double smallest = Double.POSITIVE_INFINITY;
    for (int j = 0; j < d; j++) {
      smallest = Math.min(smallest, posterior.fit().sd(j));
    }
    double walk = RandomWalk.optimalStepSize(d);
    double leap = Hmc.optimalStepSize(d);
    double width = Slice.optimalStepSize();
    Slice.Directions coordinate = Slice.Directions.COORDINATE;
    return List.of(
        new Entry(
            "random walk, not preconditioned",
            new RandomWalk(Preconditioner.identity(d), smallest * walk),
            12_000,
            40_000),
        new Entry("random walk", new RandomWalk(laplace, walk), 6_000, 40_000),
        new Entry(
            "pCN",
            new CrankNicolson(posterior.fit().theta(), laplace, CrankNicolson.optimalStepSize(d)),
            6_000,
            40_000),
        new Entry("Barker", new Barker(laplace, Barker.optimalStepSize(d)), 3_000, 40_000),
        new Entry("MALA", new Mala(laplace, Mala.optimalStepSize(d)), 3_000, 40_000),
        new Entry("HMC, 4 leapfrog steps", new Hmc(laplace, leap, 4), 500, 20_000),
        new Entry("HMC, 8 leapfrog steps", new Hmc(laplace, leap, 8), 400, 10_000),
        new Entry("HMC, 16 leapfrog steps", new Hmc(laplace, leap, 16), 200, 6_000),
        new Entry("slice, coordinates", new Slice(laplace, width, coordinate, 1, 1), 60, 1_000),
        new Entry(
            "slice, a random coordinate",
            new Slice(laplace, width, Slice.Directions.RANDOM_COORDINATE, 1, 1),
            3_000,
            40_000),
        new Entry(
            "slice, a random direction",
            new Slice(laplace, width, Slice.Directions.RANDOM, 1, 1),
            3_000,
            40_000));
  }

  private static void print(BenchmarkPosterior posterior, int longer) {
    PosteriorChains chains = new PosteriorChains(posterior);
    System.out.printf(
        Locale.ROOT,
        "%n## %s: %,d rows, %d coefficients%n",
        posterior.name(),
        posterior.rows(),
        posterior.dimension());
    for (boolean firefly : new boolean[] {false, true}) {
      System.out.printf(
          "%n%s:%n%n| kernel | evaluations | acceptance | divergent | ESS an iteration, least | median |"
              + " ESS for 1000 evaluations | ESS in all |%n|---|--:|--:|--:|--:|--:|--:|--:|%n",
          firefly ? "MAP-tuned Firefly, per-row q, κ = 3" : "All rows");
      for (Entry entry : entries(posterior, chains.laplace())) {
        IntFunction<TransitionKernel<?>> algorithm =
            firefly ? chains.firefly(KAPPA) : chains.fullData();
        int draws = longer * (firefly ? entry.byFirefly() : entry.onAllRows());
        int warmup = Math.max(100, Math.min(1000, draws / 2));
        print(entry.name(), chains.run(algorithm, entry.kernel(), warmup, draws));
      }
    }
  }

  private static void print(String name, PosteriorChains.Reached reached) {
    boolean rejects = !name.startsWith("slice");
    System.out.printf(
        Locale.ROOT,
        "| %s | %,.0f | %s | %s | %.5f | %.5f | %.4f | %,.0f |%n",
        name,
        reached.evaluations(),
        rejects ? String.format(Locale.ROOT, "%.2f", reached.acceptance()) : "–",
        reached.divergent() > 0
            ? String.format(Locale.ROOT, "%.1f %%", 100 * reached.divergent())
            : "",
        reached.least(),
        reached.median(),
        reached.perThousandEvaluations(),
        reached.total());
    boolean known = reached.total() > ENOUGH && !Double.isNaN(reached.meanError());
    assertTrue(
        !known || reached.meanError() < SIGMAS,
        () -> name + ": a mean is off by " + reached.meanError() + " standard errors");
  }
}
