package org.lampyris.samplers.algorithm;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.Inline;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.config.Registry;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.chain.PlanSettings;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.kernel.ThetaKernelType;
import org.lampyris.samplers.run.ChainSettings;
import org.lampyris.samplers.run.RunInputs;

/**
 * The section {@code sampler}.
 *
 * @param algorithm how the rows enter an iteration: a name, or {@value #AUTO} for the one that
 *     should need least for an effective draw
 * @param lp whether the log posterior at the draws is computed where the chains do not know it
 * @param evidence where the evidence comes from
 * @param own what algorithms and kernels read from sections of their own
 */
public record SamplerSettings(
    String algorithm,
    @Inline KernelSettings theta,
    @Inline ChainSettings run,
    @Inline PlanSettings execution,
    LogPosteriors.When lp,
    BridgeSampling.When evidence,
    @Inline OwnSettings own)
    implements Serializable {
  /** The name that leaves the choice of the algorithm to the program. */
  public static final String AUTO = "auto";

  /**
   * Reads the section of a whole configuration.
   *
   * @param defaults what other sections say of defaults
   * @throws UserException (usage) if a key is unknown or a value wrong
   */
  public static SamplerSettings read(Section root, OwnSection.Defaults defaults) {
    Section section = root.section("sampler", keys().toArray(String[]::new));
    Registry<SamplingAlgorithm> algorithms = SamplingAlgorithm.registry();
    List<String> names = new ArrayList<>(List.of(AUTO));
    names.addAll(algorithms.names());
    String named = section.choice("algorithm", names);
    String algorithm = named == null ? AUTO : named;
    requireEffects(section, algorithms, algorithm, defaults.effects());
    SamplerSettings settings =
        new SamplerSettings(
            algorithm,
            KernelSettings.read(section),
            ChainSettings.read(section),
            PlanSettings.read(section),
            section.choice("lp", LogPosteriors.When.AUTO),
            section.choice("evidence", BridgeSampling.When.OWN),
            OwnSettings.read(section, ownSections(), defaults));
    if (settings.run.priorOnly() && !algorithm.equals(AUTO)) {
      throw UserException.usage(
          section.originOf("prior_only")
              + ": sampler.prior_only draws from the prior without an algorithm, but"
              + " sampler.algorithm is %s. Remove one of the two keys.".formatted(algorithm));
    }
    SamplerSettings suiting = settings.type().map(settings::with).orElse(settings);
    boolean shaped = suiting.theta.preconditioner() == KernelSettings.Shape.LAPLACE;
    suiting.theta.type().ifPresent(kernel -> kernel.require(shaped, suiting.theta.stepSize()));
    // Said before a table is read; kernels that are chosen for an algorithm suit it.
    if (suiting.type().map(SamplingAlgorithm::needs).orElse(Set.of()).contains(Need.PROPOSAL)
        && suiting.theta.type().filter(kernel -> !kernel.isProposal()).isPresent()) {
      throw SamplingAlgorithm.withoutProposal();
    }
    return suiting;
  }

  /**
   * Refuses effects of groups with an algorithm that does not draw them, and an algorithm for
   * effects without any.
   */
  private static void requireEffects(
      Section section, Registry<SamplingAlgorithm> algorithms, String algorithm, boolean effects) {
    List<String> drawing =
        algorithms.names(
            one -> one.has(Trait.DRAWS_EFFECTS) || (effects && one.has(Trait.TAKES_SCALES)));
    if (algorithm.equals(AUTO) || drawing.contains(algorithm) == effects) {
      return;
    }
    String names = ConfigText.listed(drawing, "or");
    throw UserException.usage(
        section.originOf("algorithm")
            + (effects
                ? ": model.random has effects of groups, which %s cannot draw. Set sampler.algorithm: %s, or remove it."
                    .formatted(algorithm, names)
                : ": sampler.algorithm: %s draws effects of groups, but model.random has none. Name a group there, or choose another algorithm."
                    .formatted(algorithm)));
  }

  /** Returns the keys of the section, including nested sections. */
  public static List<String> keys() {
    List<String> keys = new ArrayList<>(List.of("algorithm"));
    keys.addAll(ConfigText.keys(KernelSettings.class));
    keys.addAll(ConfigText.keys(ChainSettings.class));
    keys.addAll(ConfigText.keys(PlanSettings.class));
    keys.add("lp");
    keys.add("evidence");
    ownSections().forEach(section -> keys.add(section.key()));
    return keys;
  }

  /** Returns the nested sections: kernels', then algorithms'. */
  public static List<OwnSection<?>> ownSections() {
    List<OwnSection<?>> sections = new ArrayList<>(KernelSettings.registry().sections());
    sections.addAll(SamplingAlgorithm.registry().sections());
    return sections;
  }

  /** Returns the algorithm, or nothing if none has been chosen. */
  public Optional<SamplingAlgorithm> type() {
    return algorithm.equals(AUTO)
        ? Optional.empty()
        : Optional.of(SamplingAlgorithm.registry().named(algorithm));
  }

  /**
   * Returns whether a key is set that only chains heed.
   *
   * @param kernel the kernel if none was set
   */
  boolean setsUpChains(String kernel) {
    return !theta.kernel().equals(kernel)
        || theta.stepSize() != null
        || theta.targetAcceptance() != null
        || theta.preconditioner() != KernelSettings.Shape.LAPLACE
        || run.thin() > 1
        || run.init() != StartingPoint.Init.LAPLACE
        || execution.plan() != PlanSettings.Plan.AUTO;
  }

  /**
   * Returns whether proposals are about a normal density, which misses tails heavier than its own.
   */
  public boolean isCrankNicolson() {
    return theta.kernel().equals("pcn");
  }

  /** Returns whether an algorithm fits the configured plan. */
  boolean permits(SamplingAlgorithm algorithm) {
    return execution.plan() != PlanSettings.Plan.SEGMENT || algorithm.has(Trait.FEW_ROWS);
  }

  /** Returns these settings with an algorithm, and a kernel that suits it. */
  public SamplerSettings with(SamplingAlgorithm chosen) {
    if (!permits(chosen)) {
      throw UserException.usage(
          "sampler.plan: segment is for sampler.algorithm: "
              + ConfigText.listed(
                  SamplingAlgorithm.registry().names(one -> one.has(Trait.FEW_ROWS)), "and")
              + ", which read few rows an iteration. Remove sampler.plan.");
    }
    ChainSettings suiting = chosen.has(Trait.INDEPENDENT) ? run.withoutWarmup() : run;
    return new SamplerSettings(
        chosen.name(), theta.suiting(chosen), suiting, execution, lp, evidence, own);
  }

  /** Returns these settings with the algorithm that draws effects beside their rows. */
  public SamplerSettings drawingEffects() {
    Registry<SamplingAlgorithm> algorithms = SamplingAlgorithm.registry();
    return with(algorithms.named(algorithms.names(one -> one.has(Trait.DRAWS_EFFECTS)).get(0)));
  }

  /**
   * Returns settings of a short exact run for comparison: everything that can be chosen is chosen.
   */
  public SamplerSettings exact(int warmup, int draws) {
    ChainSettings shorter =
        new ChainSettings(run.chains(), warmup, draws, run.seed() + 1, 1, run.init());
    KernelSettings kernel =
        new KernelSettings(KernelSettings.AUTO, theta.preconditioner(), null, null);
    PlanSettings plan =
        new PlanSettings(
            PlanSettings.Plan.AUTO, execution.poolMib(), execution.checkpointInterval(), 0);
    return new SamplerSettings(
        AUTO, kernel, shorter, plan, LogPosteriors.When.NEVER, BridgeSampling.When.OWN, own);
  }

  /** Returns known sampling problems with remedies, a line each. */
  public List<String> warnings() {
    return type().map(chosen -> chosen.warnings(own)).orElse(List.of());
  }

  /**
   * Returns what makes the θ-kernel, with its initial step size, for a density. It throws {@link
   * UserException} (usage) if the settings conflict.
   */
  public RunInputs.Making making() {
    ThetaKernelType type =
        theta.type().orElseThrow(() -> new IllegalStateException("no kernel has been chosen"));
    boolean shaped = theta.preconditioner() == KernelSettings.Shape.LAPLACE;
    Double stepSize = theta.stepSize();
    OwnSettings settings = own;
    return (laplace, prior) ->
        type.create(new ThetaKernelType.Setting(laplace, prior, shaped, stepSize, settings));
  }
}
