package org.lampyris.samplers.algorithm;

/** Property of an algorithm that does not depend on its settings. */
public enum Trait {
  /** The posterior itself is its invariant distribution, with default settings. */
  EXACT,

  /**
   * An iteration reads few rows only, drawn before θ is known, so that iterations can run in
   * segments.
   */
  FEW_ROWS,

  /**
   * Its draws are independent, without warm-up: R̂ and ESS say nothing, chains divide the draws.
   */
  INDEPENDENT,

  /** It draws effects of groups, which others do not. */
  DRAWS_EFFECTS,

  /**
   * It draws effects that are coefficients, whose scales lie behind those elements of θ that the
   * rows know: it heeds {@link org.lampyris.bounds.prior.Prior#known}.
   */
  TAKES_SCALES,

  /**
   * Its chains' log-density at a draw is log p(θ) + Σ_n log L_n(θ); without it, that is computed
   * after sampling.
   */
  KNOWS_LOG_POSTERIOR,

  /** It moves θ by moves of its own, without the kernel of {@code sampler.kernel}. */
  WITHOUT_KERNEL,

  /**
   * It uses no d × d matrix, and so not the covariance of the Laplace approximation. It supports
   * many thousands of coefficients.
   */
  WITHOUT_COVARIANCE,

  /**
   * It keeps no checkpoint. Without this and the next one, a run can be resumed to any number of
   * draws: {@link org.lampyris.samplers.run.ResidentChains} must run the chains, and they must not
   * depend on the number of draws.
   */
  NOT_RESUMED,

  /** A run is resumed only up to the number of draws wanted at its start. */
  RESUMED_TO_SAME_DRAWS
}
