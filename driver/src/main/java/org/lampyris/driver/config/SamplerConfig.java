package org.lampyris.driver.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Inline;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.config.Registry;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.kernel.ThetaKernelType;

/**
 * The section {@code sampler}.
 *
 * @param algorithm how the data enter an iteration
 * @param kernel how θ is proposed
 * @param preconditioner what shapes the proposals
 * @param stepSize the first step size, adapted in warm-up; null for the kernel's default
 * @param targetAcceptance the acceptance rate that warm-up adapts the step size to; null for the
 *     kernel's own
 * @param chains how many chains
 * @param warmup iterations per chain that adapt and are not kept
 * @param draws draws kept per chain
 * @param seed the seed of everything random, the order of the prepared rows included
 * @param thin every how many iterations a draw is kept
 * @param init where chains begin
 * @param plan how iterations are spread over jobs
 * @param poolMib how many MiB the candidates of a chain may take in a segment
 * @param checkpointInterval every how many iterations the lineage of the brightness is cut
 * @param kernels the kernels' own settings
 * @param firefly the settings of Firefly
 * @param subsampling the settings of mhss and smh
 */
public record SamplerConfig(
    Algorithm algorithm,
    String kernel,
    Preconditioner preconditioner,
    @Nullable Double stepSize,
    @Nullable Double targetAcceptance,
    int chains,
    int warmup,
    int draws,
    long seed,
    int thin,
    Init init,
    Plan plan,
    int poolMib,
    int checkpointInterval,
    @Inline OwnSettings kernels,
    FireflyConfig firefly,
    SubsamplingConfig subsampling) {

  /** How the data enter an iteration. */
  public enum Algorithm {
    /** The one of firefly, mhss and metropolis that should need least for an effective draw. */
    AUTO,
    /** Metropolis–Hastings on all rows. */
    METROPOLIS,
    /** Firefly Monte Carlo: only bright rows are evaluated. */
    FIREFLY,
    /** Metropolis–Hastings with scalable subsampling: Taylor proxies and a few rows. */
    MHSS,
    /** Scalable Metropolis–Hastings: the proxies' test, and a test of every row by thinning. */
    SMH;

    /** Returns whether decisions are made by Taylor proxies, on proposals that know no gradient. */
    public boolean isSubsampled() {
      return this == MHSS || this == SMH;
    }
  }

  /** The kernel that stands for what suits the algorithm. */
  private static final String AUTO = "auto";

  /** Returns a kernel, or for {@link #AUTO} what suits an algorithm that is known. */
  private static String suited(String kernel, Algorithm algorithm) {
    if (!kernel.equals(AUTO) || algorithm == Algorithm.AUTO) {
      return kernel;
    }
    return algorithm.isSubsampled() ? "pcn" : "hmc";
  }

  /** Returns the type of the kernel, or nothing if none has been chosen. */
  public Optional<ThetaKernelType> kernelType() {
    return kernel.equals(AUTO)
        ? Optional.empty()
        : Optional.of(Registry.of(ThetaKernelType.class).named(kernel));
  }

  /**
   * Returns the θ-kernel, with the step size to begin with.
   *
   * @param mode θ̂. Not modified.
   * @param covariance the Laplace covariance Σ̂, row-major. Not modified.
   * @param laplace L, with LLᵀ = Σ̂
   * @throws UserException (usage) if the settings do not go together
   */
  public ThetaKernel thetaKernel(
      double[] mode, double[] covariance, org.lampyris.samplers.kernel.Preconditioner laplace) {
    boolean shaped = preconditioner == Preconditioner.LAPLACE;
    return kernelType()
        .orElseThrow(() -> new IllegalStateException("no kernel has been chosen"))
        .create(new ThetaKernelType.Setting(mode, covariance, laplace, shaped, stepSize, kernels));
  }

  /**
   * Returns what is known to sample badly, and the remedy, a line each.
   *
   * <p>Factors of order 1 leave the curvature out of the proxies, so that every row may reject for
   * it: with 6 coefficients, an iteration of smh came to 0.02 effective draws at 300, 20,000 and
   * 100,000 rows alike, and it is less with more coefficients.
   */
  public List<String> warnings() {
    return algorithm == Algorithm.SMH && subsampling.order() == 1
        ? List.of(
            "smh of order 1 hardly moves, as every row may reject for the curvature that its proxy"
                + " leaves out; set sampler.subsampling.order: 2, or sampler.algorithm: mhss")
        : List.of();
  }

  /** Returns this configuration with an algorithm, and a kernel that suits it. */
  public SamplerConfig with(Algorithm chosen) {
    return new SamplerConfig(
        chosen,
        suited(kernel, chosen),
        preconditioner,
        stepSize,
        targetAcceptance,
        chains,
        warmup,
        draws,
        seed,
        thin,
        init,
        plan,
        poolMib,
        checkpointInterval,
        kernels,
        firefly,
        subsampling);
  }

  /** What shapes the proposals. */
  public enum Preconditioner {
    /** The Laplace approximation's covariance. */
    LAPLACE,
    /** Nothing: every coefficient alike. */
    NONE
  }

  /** Where chains begin. */
  public enum Init {
    /** Draws from the Laplace approximation. */
    LAPLACE,
    /** Draws wider than the Laplace approximation, so that R̂ can tell what has not mixed. */
    OVERDISPERSED,
    /** Draws from the prior. */
    PRIOR
  }

  /** How iterations are spread over jobs. */
  public enum Plan {
    /** Whichever is faster, by the candidates and bytes an iteration needs and the job latency. */
    AUTO,
    /** One job answers the questions of all chains for one iteration. */
    STEPWISE,
    /** One job draws the candidates of many iterations and makes them. */
    SEGMENT
  }

  private static final String[] LATER_ALGORITHMS = {"austerity", "confidence", "sgld"};
  private static final int MOST = 1_000_000_000;

  private static final List<String> KEYS =
      List.of(
          "algorithm",
          "kernel",
          "preconditioner",
          "step_size",
          "target_acceptance",
          "chains",
          "warmup",
          "draws",
          "seed",
          "thin",
          "init",
          "plan",
          "pool_mib",
          "checkpoint_interval");

  static SamplerConfig read(Section root, PrecomputeConfig precompute) {
    Registry<ThetaKernelType> kernels = Registry.of(ThetaKernelType.class);
    List<String> keys = new ArrayList<>(KEYS);
    kernels.sections().forEach(own -> keys.add(own.key()));
    keys.add("firefly");
    keys.add("subsampling");
    Section section = root.section("sampler", keys.toArray(String[]::new));
    List<String> names = new ArrayList<>(kernels.names());
    names.add(AUTO);
    Algorithm algorithm = section.choice("algorithm", Algorithm.FIREFLY, LATER_ALGORITHMS);
    String kernel = section.choice("kernel", names);
    return new SamplerConfig(
        algorithm,
        suited(kernel == null ? AUTO : kernel, algorithm),
        section.choice("preconditioner", Preconditioner.LAPLACE),
        section.number("step_size", Interval.POSITIVE),
        section.number("target_acceptance", Interval.OPEN_UNIT),
        section.whole("chains", 4, 1, 10_000),
        section.whole("warmup", 500, 0, MOST),
        section.whole("draws", 1000, 1, MOST),
        section.whole("seed", 1L, Long.MIN_VALUE, Long.MAX_VALUE),
        section.whole("thin", 1, 1, MOST),
        section.choice("init", Init.LAPLACE),
        section.choice("plan", Plan.AUTO),
        section.whole("pool_mib", 64, 1, 1_000_000),
        section.whole("checkpoint_interval", 100, 1, MOST),
        OwnSettings.read(section, kernels.sections(), new OwnSection.Defaults(precompute.anchor())),
        FireflyConfig.read(section, precompute),
        SubsamplingConfig.read(section));
  }
}
