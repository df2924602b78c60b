package org.lampyris.samplers.kernel;

import java.io.Serializable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.rows.Stored;

/**
 * Adaptation of a kernel's shape to a target that spreads wider than the normal approximation at
 * its mode, for instance if the likelihood excludes one side. L becomes LC, from the {@link Spread}
 * of the chain's draws in the coordinates L⁻¹θ, or in those that L {@linkplain
 * Preconditioner#pliable knows}.
 *
 * <p>Twice in a warm-up of {@value #SHORTEST} iterations or more: after 40 % of it, by the draws
 * since 15 %, and after 80 %, by those since. If no direction stands out, L stays the same, bit for
 * bit. Immutable.
 *
 * @param given L
 * @param warmup how many iterations the warm-up has
 * @param spread of the draws since L was last looked at; null for none
 * @param stretch C, row-major, not copied; null for I
 */
public record Shaping(
    Preconditioner given, int warmup, @Nullable Spread spread, double @Nullable [] stretch)
    implements Serializable {
  /** A shorter warm-up has no draws to spare. */
  static final int SHORTEST = 100;

  private static final double FROM = 0.15;
  private static final double FIRST = 0.4;
  private static final double SECOND = 0.8;

  /** Starts adapting a kernel's shape, if it may be adapted and the warm-up is long enough. */
  public static Optional<Shaping> of(ThetaKernel kernel, int warmup) {
    // With more dimensions than draws nothing could stand out.
    return warmup < SHORTEST
        ? Optional.empty()
        : kernel
            .shape()
            .filter(given -> isShort(given.pliable(new double[given.dimension()]), warmup))
            .map(given -> new Shaping(given, warmup, null, null));
  }

  private static boolean isShort(double[] pliable, int warmup) {
    return pliable.length > 0 && pliable.length <= (SECOND - FIRST) * warmup + 1;
  }

  /** Returns the state after an iteration, from 1, that led to θ, which is not modified. */
  public Shaping after(long iteration, double[] theta) {
    if (iteration <= FROM * warmup || iteration > SECOND * warmup) {
      return this;
    }
    double[] u = given.pliable(theta);
    Spread now = (spread == null ? Spread.none(u.length) : spread).with(u);
    return iteration == (long) (FIRST * warmup) || iteration == (long) (SECOND * warmup)
        ? new Shaping(given, warmup, null, now.stretch().orElse(null))
        : new Shaping(given, warmup, now, stretch);
  }

  /**
   * Adaptation as a checkpoint holds it: without L, which is the kernel's own.
   *
   * @param warmup see {@link Shaping}
   * @param spread see {@link Shaping}
   * @param stretch see {@link Shaping}
   */
  public record Kept(int warmup, @Nullable Spread spread, double @Nullable [] stretch)
      implements Stored {
    /**
     * Returns the adaptation of a kernel that is shaped as it began.
     *
     * @throws java.util.NoSuchElementException if it has no shape
     */
    public Shaping of(ThetaKernel begun) {
      return new Shaping(begun.shape().orElseThrow(), warmup, spread, stretch);
    }
  }

  /** Returns this adaptation for a checkpoint. */
  public Kept kept() {
    return new Kept(warmup, spread, stretch);
  }

  /** Returns LC. */
  public Preconditioner shape() {
    return stretch == null ? given : given.stretched(stretch);
  }
}
