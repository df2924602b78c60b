package org.lampyris.samplers.kernel;

import java.io.Serializable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.config.Registered;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.Prior;

/**
 * Type of a θ-kernel as named in {@code sampler.kernel}: its requirements, its adaptation, the keys
 * of its own section, and its construction.
 *
 * <p>The constructor and {@link #create} must be written; {@link #sections} if it has keys of its
 * own, {@link #isProposal} if its proposal is a {@link ProposalKernel}, {@link #adapts} if warm-up
 * adapts something else than the step size, and {@link #require} if some settings do not go with
 * it.
 *
 * <p>A kernel of one's own is a {@link ThetaKernel} and its type, which {@code
 * META-INF/services/org.lampyris.samplers.kernel.ThetaKernelType} of a jar names. A complete one, a
 * random walk with steps of uniform length, which {@code sampler.kernel: box} then names:
 *
 * <pre>{@code
 * public record Box(double stepSize) implements ThetaKernel {
 *   public static final class Type extends ThetaKernelType {
 *     public Type() {
 *       super("box", false);
 *     }
 *
 *     @Override
 *     public ThetaKernel create(Setting setting) {
 *       return new Box(setting.stepSize(1));
 *     }
 *   }
 *
 *   @Override
 *   public Step step(LogDensity target, Point point, Noise noise) {
 *     double[] theta = point.theta().clone();
 *     for (int j = 0; j < theta.length; j++) {
 *       theta[j] += noise.uniform(-stepSize, stepSize);
 *     }
 *     double[] densities = point.logDensities(target, theta);
 *     double probability = Metropolis.acceptanceProbability(densities[0], densities[1]);
 *     Point next =
 *         noise.flip(probability)
 *             ? new Point(theta, densities[1])
 *             : new Point(point.theta(), densities[0]);
 *     return new Step(next, probability, false);
 *   }
 *
 *   @Override
 *   public Box withStepSize(double size) {
 *     return new Box(size);
 *   }
 *
 *   @Override
 *   public double targetAcceptance() {
 *     return 0.3;
 *   }
 * }
 * }</pre>
 */
public abstract class ThetaKernelType implements Registered, Serializable {
  private final String name;
  private final boolean usesGradient;

  /** Declares a kernel: its name in the configuration, and whether a step needs gradients. */
  protected ThetaKernelType(String name, boolean usesGradient) {
    this.name = name;
    this.usesGradient = usesGradient;
  }

  @Override
  public final String name() {
    return name;
  }

  /** Returns whether a step needs the gradient of the log-density. */
  public final boolean usesGradient() {
    return usesGradient;
  }

  /** Returns whether it makes {@link ProposalKernel}s, for algorithms that see a few rows. */
  public boolean isProposal() {
    return false;
  }

  /** Returns whether θ has to be an orthonormal matrix, which is all that it moves. */
  public boolean movesMatrix() {
    return false;
  }

  /**
   * Refuses settings that this kernel does not allow for any model.
   *
   * @param shaped whether L shapes the proposals
   * @param givenStepSize the step size that the user asks for; null for the kernel's own
   * @throws UserException (usage) if they do not
   */
  public void require(boolean shaped, @Nullable Double givenStepSize) {}

  /** Returns a short description of the adaptation in warm-up. */
  public String adapts() {
    return "the step size, from the acceptance probability";
  }

  /** Returns a kernel; throws {@link UserException} (usage) if the settings do not go together. */
  public abstract ThetaKernel create(Setting setting);

  /**
   * Inputs for constructing a kernel.
   *
   * @param shaped whether L shapes the proposals; otherwise every coefficient is treated alike
   * @param givenStepSize the step size that the user asks for; null for the kernel's own
   * @param own the settings of all kernels
   */
  public record Setting(
      LaplaceApproximation laplace,
      Prior prior,
      boolean shaped,
      @Nullable Double givenStepSize,
      OwnSettings own) {

    /** Returns d. */
    public int dimension() {
      return laplace.dimension();
    }

    /** Returns the shape of the proposals, within the support. */
    public Preconditioner shape() {
      Preconditioner shape =
          shaped ? Preconditioner.of(laplace) : Preconditioner.identity(dimension());
      return shape.within(prior);
    }

    /**
     * Returns the initial step size: the configured one, or otherwise near the optimum on a target
     * of covariance LLᵀ. Without a shape, it is in units of the narrowest coefficient's standard
     * deviation; it is at most {@link Preconditioner#largestStepSize}.
     */
    public double stepSize(double optimal) {
      double size =
          shaped
              ? optimal
              : IntStream.range(0, dimension()).mapToDouble(laplace::sd).min().orElseThrow()
                  * optimal;
      return Math.min(givenStepSize == null ? size : givenStepSize, shape().largestStepSize());
    }
  }
}
