package org.lampyris.driver.sample;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.api.java.JavaRDD;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.proxy.TaylorProxy;
import org.lampyris.dataprep.precompute.BoundsArtefact;
import org.lampyris.driver.config.SamplerConfig;
import org.lampyris.driver.config.SamplerConfig.Algorithm;
import org.lampyris.driver.config.SamplerConfig.Kernel;
import org.lampyris.executors.firefly.BoundTable;
import org.lampyris.executors.pass.BlockSum;
import org.lampyris.executors.pass.FirstBlocks;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.samplers.firefly.PerRowRates;

/**
 * Chooses the exact algorithm that should need the fewest likelihood evaluations for an effective
 * draw.
 *
 * <p>What a row costs is found on a hundredth of the blocks (rows are stored in random order): E[1
 * − B_n/L_n] under the Laplace approximation for Firefly, and the constants c_n of second-order
 * Taylor proxies for subsampled Metropolis–Hastings. How well an iteration of Firefly mixes follows
 * from how far the curvature of the bounds exceeds the posterior's ({@link FireflyMixing}); for the
 * others it is a rule of thumb. A wrong choice costs time, never exactness.
 *
 * <p>Expected and measured evaluations of Firefly for an effective draw (the smaller one of bulk
 * and tail ESS, of the worst coefficient): 42 and 42, 41 and 41, 42 and 44 for generated tables of
 * 10⁴, 10⁵ and 10⁶ rows and 21 coefficients, 21,500 and 18,100 on MNIST.
 */
final class AutoAlgorithm {
  private static final long SAMPLE = 100;

  /** Effective draws of an iteration on all rows by Hamiltonian trajectories. */
  private static final double FULL_DATA_DRAWS = 0.8;

  /**
   * Evaluations of mhss by pCN for an effective draw: c·E·(1 + a·E^b) where E are expected for an
   * iteration. Fitted to 5.3 at 3.4, 17 at 10 and 60 at 33 (10⁶, 10⁵ and 10⁴ rows, 21
   * coefficients), and 40,000 at 4,900 (MNIST), for the smaller one of bulk and tail ESS of the
   * worst coefficient.
   */
  private static final double MHSS_SHORTFALL = 1.5;

  private static final double MHSS_LOSS = 0.027;

  private static final double MHSS_POWER = 0.6;

  /**
   * What was chosen.
   *
   * @param config with the algorithm and a kernel
   * @param line says what and why
   */
  record Choice(SamplerConfig config, String line) {}

  private AutoAlgorithm() {}

  /**
   * Chooses.
   *
   * @param config the section {@code sampler}, whose algorithm is {@code auto}
   * @param table the rows
   * @param artefact the mode and the Laplace covariance
   * @param family the likelihood
   */
  static Choice choose(
      SamplerConfig config, BlockTable table, BoundsArtefact artefact, ModelOfTable family) {
    long sampled = Math.max(1, table.schema().blocks() / SAMPLE);
    Map<Algorithm, Double> cost = new EnumMap<>(Algorithm.class);
    int gradients = 1 + config.hmc().leapfrogSteps();
    double rows = table.schema().rows();
    boolean gradientKernel = config.kernel() != Kernel.RANDOM_WALK && config.kernel() != Kernel.PCN;
    cost.put(Algorithm.METROPOLIS, rows * gradients / FULL_DATA_DRAWS);
    if (family.bound(artefact.laplace()).isPresent()) {
      FireflyBounds bounds = FireflyBounds.of(artefact, family, config.firefly());
      double bright = bright(config, table, artefact, bounds, sampled);
      double candidates = config.firefly().kappa() * bright;
      cost.put(
          Algorithm.FIREFLY, (bright * gradients + candidates) * fireflyTime(artefact, bounds));
    }
    if (!gradientKernel || config.kernel() == Kernel.AUTO) {
      points(config, table, artefact, family, sampled)
          .ifPresent(
              points -> {
                double evaluations = 2 * points;
                double loss = 1 + MHSS_LOSS * Math.pow(evaluations, MHSS_POWER);
                cost.put(Algorithm.MHSS, MHSS_SHORTFALL * evaluations * loss);
              });
    }
    Algorithm chosen =
        cost.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow().getKey();
    String figures =
        cost.entrySet().stream()
            .map(
                entry ->
                    String.format(Locale.ROOT, "%s %.3g", name(entry.getKey()), entry.getValue()))
            .collect(Collectors.joining(", "));
    return new Choice(
        config.with(chosen),
        "algorithm: "
            + name(chosen)
            + " (expected likelihood evaluations for an effective draw: "
            + figures
            + ")");
  }

  private static String name(Algorithm algorithm) {
    return algorithm.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns how many iterations of Firefly make an effective draw: to what trajectories lose, what
   * the alternation with brightness does is added. (Their product expects 0.02 effective draws on
   * MNIST, where 0.03 are measured.)
   */
  private static double fireflyTime(BoundsArtefact artefact, FireflyBounds bounds) {
    double alternation =
        FireflyMixing.longestTime(
            bounds.collapsed(),
            ProductPrior.parse(artefact.priors()),
            artefact.theta(),
            artefact.fit().covariance());
    return alternation + 1 / FULL_DATA_DRAWS - 1;
  }

  /** Returns how many rows should be bright. */
  private static double bright(
      SamplerConfig config,
      BlockTable table,
      BoundsArtefact artefact,
      FireflyBounds bounds,
      long sampled) {
    PerRowRates rates =
        new PerRowRates(
            bounds.bound(),
            artefact.theta(),
            artefact.fit().covariance(),
            config.firefly().kappa(),
            config.firefly().floor());
    BoundTable.AnchorRule rule = bounds.rule();
    return scaled(
        table,
        sampled,
        (block, out) -> {
          for (double expected : rates.expectedBrightness(block, rule.anchors(block))) {
            out[0] += expected;
          }
          out[1] += block.rows();
        });
  }

  /** Returns how many points a step should have, or nothing if the constants are not bounded. */
  private static Optional<Double> points(
      SamplerConfig config,
      BlockTable table,
      BoundsArtefact artefact,
      ModelOfTable family,
      long sampled) {
    int d = artefact.theta().length;
    Double radius = config.subsampling().radius();
    TaylorProxy proxy =
        new TaylorProxy(
            family.model(),
            config.subsampling().order(),
            artefact.fit().laplace(),
            radius == null ? Double.POSITIVE_INFINITY : radius);
    try {
      double total =
          scaled(
              table,
              sampled,
              (block, out) -> {
                for (double constant : proxy.constants(block)) {
                  out[0] += constant;
                }
                out[1] += block.rows();
              });
      // Steps of pCN with β = 1, between two independent points of the posterior.
      return Optional.of(total * proxy.usualFactor(Math.sqrt(2.0 * d)));
    } catch (RuntimeException e) {
      if (isUserException(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Returns whether constants that are not bounded are what a job failed of. */
  private static boolean isUserException(Throwable error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (e instanceof UserException) {
        return true;
      }
    }
    return false;
  }

  /** Returns a sum over all rows from one over the first blocks: the sum, then the rows. */
  private static double scaled(BlockTable table, long sampled, BlockSum.Term<DataBlock> term) {
    JavaRDD<DataBlock> first = FirstBlocks.of(table.blocks(), table.ranges(), sampled);
    double[] sums = BlockSum.over(first, table.ranges(), 2, term);
    return sums[0] * table.schema().rows() / sums[1];
  }
}
