package org.lampyris.samplers.algorithm;

import java.util.List;
import java.util.Set;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.config.Registered;
import org.lampyris.bounds.config.Registry;
import org.lampyris.samplers.kernel.ThetaKernel;

/** An algorithm as {@code sampler.algorithm} names it: how the rows enter an iteration. */
public interface SamplingAlgorithm extends Registered {

  /** Returns all algorithms. */
  static Registry<SamplingAlgorithm> registry() {
    return Registry.of(SamplingAlgorithm.class);
  }

  /** Returns the names, for messages, of those that need nothing: "a, b or c". */
  static String withoutNeeds() {
    return ConfigText.listed(registry().names(one -> one.needs().isEmpty()), "or");
  }

  /** Returns whether the posterior itself is its invariant distribution. */
  boolean isExact();

  /** Returns what it cannot do without. */
  Set<Need> needs();

  /**
   * Returns whether an iteration looks at a few rows only, which are drawn before θ is known, so
   * that the iterations can be made in segments.
   */
  boolean looksAtFewRows();

  /** Returns the name of the θ-kernel that suits it. */
  default String defaultKernel() {
    return "hmc";
  }

  /**
   * Returns the mean acceptance probability that the step size of a kernel is best adapted to.
   *
   * @param own the settings of all algorithms and kernels
   * @param kernel the θ-kernel
   */
  default double targetAcceptance(OwnSettings own, ThetaKernel kernel) {
    return kernel.targetAcceptance();
  }

  /**
   * Returns what is known to sample badly, and the remedy, a line each.
   *
   * @param own the settings of all algorithms and kernels
   */
  default List<String> warnings(OwnSettings own) {
    return List.of();
  }

  /** Returns the names of the columns that it adds to the statistics of an iteration. */
  default List<String> columns() {
    return List.of();
  }
}
