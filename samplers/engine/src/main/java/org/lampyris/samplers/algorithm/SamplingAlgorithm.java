package org.lampyris.samplers.algorithm;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.config.Registered;
import org.lampyris.bounds.config.Registry;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.chain.Column;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.kernel.ThetaKernelType;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;
import org.lampyris.samplers.run.SentClasses;

/**
 * An algorithm as {@code sampler.algorithm} names it: how the rows enter an iteration.
 *
 * <p>{@link #name}, {@link #traits} and {@link #run} must be overridden; {@link #sections} if it
 * has keys of its own, {@link #needs} if it needs a bound or a proposal, {@link #columns} if it
 * reports figures of an iteration, and {@link #sentClasses} if classes of its own are sent to
 * executors. {@code META-INF/services} of its jar names it. A complete algorithm,
 * Metropolis–Hastings on all rows with any kernel:
 *
 * <pre>{@code
 * public final class AllRows implements SamplingAlgorithm {
 *   @Override
 *   public String name() {
 *     return "all-rows";
 *   }
 *
 *   @Override
 *   public Set<Trait> traits() {
 *     return Set.of(Trait.EXACT);
 *   }
 *
 *   @Override
 *   public RunResult run(SamplingContext context, OwnSettings own) {
 *     Prior prior = context.model().prior();
 *     double target = context.thetaKernel().targetAcceptance();
 *     return FullPasses.run(
 *         context, target, (chain, rows) -> new Kernel(new PosteriorDensity(prior, rows)));
 *   }
 *
 *   // The kernel of one chain; every evaluation of the density is a pass over all rows.
 *   private record Kernel(PosteriorDensity posterior) implements TransitionKernel<Point> {
 *     @Override
 *     public Transition<Point> init(double[] theta) {
 *       Point point = new Point(theta, posterior.value(theta));
 *       return new Transition<>(point, new StepInfo(1, posterior.takeEvaluations(), false));
 *     }
 *
 *     @Override
 *     public Transition<Point> step(
 *         Point point, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
 *       ThetaKernel.Step step = kernel.step(posterior, point, rng);
 *       long evaluations = posterior.takeEvaluations();
 *       return new Transition<>(step.point(), StepInfo.of(step, evaluations, List.of()));
 *     }
 *
 *     @Override
 *     public boolean showsShape() {
 *       return true;
 *     }
 *   }
 * }
 * }</pre>
 */
public interface SamplingAlgorithm extends Registered, SentClasses {
  /** Returns all algorithms. */
  static Registry<SamplingAlgorithm> registry() {
    return Registry.of(SamplingAlgorithm.class);
  }

  /** Returns the names, for messages, of algorithms without requirements: "a, b or c". */
  static String withoutNeeds() {
    return ConfigText.listed(
        registry().names(one -> one.needs().isEmpty() && !one.has(Trait.DRAWS_EFFECTS)), "or");
  }

  /** Returns the error that an algorithm needs a lower bound, and a family has none. */
  static UserException withoutBound(String family, String algorithm) {
    return UserException.usage(
        ("sampler.algorithm: %s needs %s, and the family %s has none. Set sampler.algorithm: %s,"
                + " which works with every family and kernel.")
            .formatted(algorithm, Need.BOUND.text(), family, withoutNeeds()));
  }

  /** Returns the θ-kernel as one with proposals; {@link UserException} (usage) if it has none. */
  static ProposalKernel requireProposal(ThetaKernel kernel) {
    if (kernel instanceof ProposalKernel proposal) {
      return proposal;
    }
    throw withoutProposal();
  }

  /** Returns the error that an algorithm needs a kernel with proposals, and this one has none. */
  static UserException withoutProposal() {
    return UserException.usage(
        "sampler.algorithm: "
            + ConfigText.listed(registry().names(one -> one.needs().contains(Need.PROPOSAL)), "and")
            + " need proposals without gradients. Set sampler.kernel: "
            + ConfigText.listed(KernelSettings.registry().names(ThetaKernelType::isProposal), "or")
            + ".");
  }

  /** Returns its properties, whatever its settings. */
  Set<Trait> traits();

  /** Returns whether it has a property. */
  default boolean has(Trait trait) {
    return traits().contains(trait);
  }

  /** Returns whether the posterior itself is its invariant distribution with these settings. */
  default boolean isExact(OwnSettings own) {
    return has(Trait.EXACT);
  }

  /** Returns p(θ) of the sampled posterior: the model's, unless the algorithm adds to it. */
  default Prior prior(SamplingContext context, OwnSettings own) {
    return context.model().prior();
  }

  /** Returns its requirements. */
  default Set<Need> needs() {
    return Set.of();
  }

  /**
   * Refuses, before the table is read, a model that it cannot sample: a family without a required
   * bound, or a kernel or other settings that the algorithm does not allow.
   *
   * @throws UserException (usage) that names the keys and the remedy
   */
  default void require(Foreseen model, SamplerSettings settings) {
    if (!model.mayHaveBound() && needs().contains(Need.BOUND)) {
      throw withoutBound(model.family(), name());
    }
    if (has(Trait.INDEPENDENT) && settings.setsUpChains(defaultKernel())) {
      throw UserException.usage(
          "sampler.algorithm: %s makes independent draws. Remove sampler.kernel, step_size, target_acceptance, preconditioner, thin, init or plan, which only chains heed."
              .formatted(name()));
    }
  }

  /** Refuses a table for which precompute has made no d × d matrices, if they are needed. */
  default void require(LaplaceApproximation laplace) {
    if (!laplace.hasCovariance()) {
      requireWide(laplace.dimension());
    }
  }

  /**
   * Refuses a table with so many coefficients that precompute omits d × d matrices, if they are
   * needed.
   *
   * @throws UserException (usage) that names the keys and the remedy
   */
  default void requireWide(int d) {
    if (!has(Trait.WITHOUT_COVARIANCE)) {
      List<String> others =
          registry()
              .names(
                  one ->
                      one.has(Trait.WITHOUT_COVARIANCE)
                          && one.has(Trait.DRAWS_EFFECTS) == has(Trait.DRAWS_EFFECTS));
      throw UserException.usage(
          Text.of(
              "sampler.algorithm: %s needs a matrix with a row and a column for each coefficient,"
                  + " but for %,d coefficients none is computed. Set %sprecompute.covariance: dense"
                  + " (%.2g GB a matrix) and run precompute again, or name fewer columns in"
                  + " data.features.",
              name(),
              d,
              others.isEmpty()
                  ? ""
                  : "sampler.algorithm: %s, or set ".formatted(ConfigText.listed(others, "or")),
              8e-9 * d * d));
    }
  }

  /**
   * Returns the name of the θ-kernel that suits it.
   *
   * <p>An algorithm that moves θ by itself still has one, and ignores it. {@link
   * org.lampyris.samplers.chain.StepInfo#tuning} is then NaN, which leaves its step size alone.
   */
  default String defaultKernel() {
    return "hmc";
  }

  /** Returns known sampling problems with these settings, with remedies, a line each. */
  default List<String> warnings(OwnSettings own) {
    return List.of();
  }

  /** Returns the key, with its value, that makes its draws less biased; empty if it is exact. */
  default String knob(OwnSettings own) {
    return "";
  }

  /** Returns the columns that it adds to the statistics of an iteration. */
  default List<Column> columns() {
    return List.of();
  }

  /**
   * Returns its expected cost; empty if it is unknown, or the algorithm does not fit the model or
   * the settings. {@code sampler.algorithm: auto} uses it, before a kernel has been chosen.
   */
  default Optional<ExpectedCost> expectedCost(SamplingContext context, SamplerSettings settings) {
    return Optional.empty();
  }

  /** Runs all chains, with the settings of all algorithms and kernels. */
  RunResult run(SamplingContext context, OwnSettings own);
}
