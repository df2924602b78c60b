package org.lampyris.samplers.algorithm;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.Registry;
import org.lampyris.bounds.config.Section;
import org.lampyris.samplers.kernel.ThetaKernelType;

/**
 * The keys of the section {@code sampler} about the proposals of θ.
 *
 * @param kernel how θ is proposed: a name, or {@value #AUTO} for what suits the algorithm
 * @param stepSize the first step size, adapted in warm-up; null for the kernel's default
 * @param targetAcceptance the acceptance rate that warm-up aims at; null for the kernel's own
 */
public record KernelSettings(
    String kernel,
    Shape preconditioner,
    @Nullable Double stepSize,
    @Nullable Double targetAcceptance)
    implements Serializable {
  /** Name for the kernel that suits the algorithm. */
  static final String AUTO = "auto";

  /** Shape of the proposals. */
  public enum Shape {
    /** The Laplace approximation's covariance. */
    LAPLACE,
    /** None: every coefficient alike. */
    NONE
  }

  static Registry<ThetaKernelType> registry() {
    return Registry.of(ThetaKernelType.class);
  }

  static KernelSettings read(Section section) {
    List<String> names = new ArrayList<>(registry().names());
    names.add(AUTO);
    String kernel = section.choice("kernel", names);
    return new KernelSettings(
        kernel == null ? AUTO : kernel,
        section.choice("preconditioner", Shape.LAPLACE),
        section.number("step_size", Interval.POSITIVE),
        section.number("target_acceptance", Interval.OPEN_UNIT));
  }

  /** Returns the kernel, or nothing if none has been chosen. */
  public Optional<ThetaKernelType> type() {
    return kernel.equals(AUTO) ? Optional.empty() : Optional.of(registry().named(kernel));
  }

  /** Returns these settings with the kernel that suits an algorithm, if none has been chosen. */
  KernelSettings suiting(SamplingAlgorithm algorithm) {
    String chosen = kernel.equals(AUTO) ? algorithm.defaultKernel() : kernel;
    return new KernelSettings(chosen, preconditioner, stepSize, targetAcceptance);
  }
}
