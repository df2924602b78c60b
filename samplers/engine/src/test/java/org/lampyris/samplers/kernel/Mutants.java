package org.lampyris.samplers.kernel;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.samplers.kernel.Invariance.Stepper;
import org.lampyris.samplers.random.Noise;

/**
 * θ-kernels with a deliberate fault. Where a fault can be had by lying to the kernel that runs, its
 * noise or its target are wrapped; otherwise the kernel is written again with the fault in it.
 */
final class Mutants {
  private static final Preconditioner SHAPE = SkewedTarget.preconditioner();
  private static final double[] CENTRE = {0.5, 1, 0};

  private Mutants() {}

  /** Returns the faults that a test of invariance must find, by name. */
  static Map<String, Stepper> all() {
    RandomWalk walk = new RandomWalk(SHAPE, 0.5);
    Mala mala = new Mala(SHAPE, 0.5);
    Barker barker = new Barker(SHAPE, 0.6);
    Hmc hmc = new Hmc(SHAPE, 0.4, 3);
    CrankNicolson pcn = new CrankNicolson(CENTRE, SHAPE, 0.6);
    Map<String, Stepper> mutants = new LinkedHashMap<>();
    mutants.put(
        "random walk, accept test turned", (t, x, r) -> theta(walk.step(t, at(x), new Turned(r))));
    mutants.put(
        "random walk, every proposal accepted",
        (t, x, r) -> theta(walk.step(t, at(x), new Yes(r))));
    mutants.put(
        "random walk, candidate reused", (t, x, r) -> theta(walk.step(t, at(x), new Reused(r))));
    mutants.put("random walk, density of another point", Mutants::staleWalk);
    mutants.put(
        "MALA, every proposal accepted", (t, x, r) -> theta(mala.step(t, at(x), new Yes(r))));
    mutants.put("MALA, no correction", (t, x, r) -> mala(t, x, r, MalaFault.NO_CORRECTION));
    mutants.put("MALA, correction turned", (t, x, r) -> mala(t, x, r, MalaFault.CORRECTION_TURNED));
    mutants.put(
        "MALA, gradient's sign on the way back", (t, x, r) -> mala(t, x, r, MalaFault.SIGN_BACK));
    mutants.put("MALA, candidate reused", (t, x, r) -> theta(mala.step(t, at(x), new Reused(r))));
    mutants.put(
        "Barker, every proposal accepted",
        (t, x, r) -> theta(barker.step(t, at(x), new YesAfter(r, 3))));
    mutants.put("Barker, no correction", (t, x, r) -> barker(t, x, r, 0, 1));
    mutants.put("Barker, gradient's sign on the way back", (t, x, r) -> barker(t, x, r, 1, -1));
    mutants.put("HMC, every end accepted", (t, x, r) -> theta(hmc.step(t, at(x), new Yes(r))));
    mutants.put("HMC, no last half kick", (t, x, r) -> hmc(t, x, r, 0, 1));
    mutants.put("HMC, a whole last kick", (t, x, r) -> hmc(t, x, r, 1, 1));
    mutants.put("HMC, momentum not in the energy", (t, x, r) -> hmc(t, x, r, 0.5, 0));
    mutants.put("HMC, candidate reused", (t, x, r) -> theta(hmc.step(t, at(x), new Reused(r))));
    mutants.put(
        "Crank–Nicolson, every proposal accepted",
        (t, x, r) -> theta(pcn.step(t, at(x), new Yes(r))));
    mutants.put(
        "Crank–Nicolson, no correction",
        (t, x, r) -> theta(pcn.step(new TimesNormal(t), at(x), Noise.of(r))));
    for (SliceFault fault : SliceFault.values()) {
      mutants.put("slice, " + fault, (t, x, r) -> slice(t, x, Noise.of(r), 0.8, fault));
    }
    return mutants;
  }

  private static Point at(double[] theta) {
    return Point.at(theta);
  }

  private static double[] theta(ThetaKernel.Step step) {
    return step.point().theta();
  }

  /** The current point's density is taken for that of a point beside it: not evaluated anew. */
  private static double[] staleWalk(LogDensity target, double[] theta, UniformRandomProvider rng) {
    double[] beside = theta.clone();
    beside[0] += 0.1;
    Point stale = new Point(theta, Math.max(-50, target.value(beside)));
    return theta(new RandomWalk(SHAPE, 0.5).step(target, stale, rng));
  }

  private enum MalaFault {
    NO_CORRECTION,
    CORRECTION_TURNED,
    SIGN_BACK
  }

  private static double[] mala(
      LogDensity target, double[] from, UniformRandomProvider rng, MalaFault fault) {
    double size = 0.5;
    Noise noise = Noise.of(rng);
    Point current = Point.evaluate(target, from);
    double[] slope = SHAPE.transposed(current.knownGradient());
    double[] z = noise.normals(from.length);
    double[] move = z.clone();
    for (int i = 0; i < z.length; i++) {
      move[i] += 0.5 * size * slope[i];
    }
    double[] theta = from.clone();
    SHAPE.addTo(move, size, theta);
    Point proposed = Point.evaluate(target, theta);
    double[] there = SHAPE.transposed(proposed.knownGradient());
    double correction = 0;
    for (int i = 0; i < z.length; i++) {
      double back = move[i] + (fault == MalaFault.SIGN_BACK ? -0.5 : 0.5) * size * there[i];
      correction += 0.5 * (z[i] * z[i] - back * back);
    }
    double used =
        switch (fault) {
          case NO_CORRECTION -> 0;
          case CORRECTION_TURNED -> -correction;
          case SIGN_BACK -> correction;
        };
    double probability =
        Metropolis.acceptanceProbability(current.logDensity(), proposed.logDensity(), used);
    return noise.flip(probability) ? theta : from;
  }

  private static double[] barker(
      LogDensity target, double[] from, UniformRandomProvider rng, double weight, double signBack) {
    Noise noise = Noise.of(rng);
    Point current = Point.evaluate(target, from);
    double[] slope = SHAPE.transposed(current.knownGradient());
    double[] move = noise.normals(from.length);
    for (int i = 0; i < move.length; i++) {
      move[i] *= noise.flip(StableMath.sigmoid(0.6 * move[i] * slope[i])) ? 0.6 : -0.6;
    }
    double[] theta = from.clone();
    SHAPE.addTo(move, 1, theta);
    Point proposed = Point.evaluate(target, theta);
    double[] there = SHAPE.transposed(proposed.knownGradient());
    double correction = 0;
    for (int i = 0; i < move.length; i++) {
      correction += StableMath.logSigmoid(-signBack * move[i] * there[i]);
      correction -= StableMath.logSigmoid(move[i] * slope[i]);
    }
    double probability =
        Metropolis.acceptanceProbability(
            current.logDensity(), proposed.logDensity(), weight * correction);
    return noise.flip(probability) ? theta : from;
  }

  private static double[] hmc(
      LogDensity target,
      double[] from,
      UniformRandomProvider rng,
      double lastKick,
      double kineticWeight) {
    double size = 0.4;
    Noise noise = Noise.of(rng);
    double[] p = noise.normals(from.length);
    Point start = Point.evaluate(target, from);
    double begin = start.logDensity() - kineticWeight * kinetic(p);
    Point now = start;
    for (int step = 0; step < 3; step++) {
      kick(p, now, 0.5 * size);
      double[] theta = now.theta().clone();
      SHAPE.addTo(p, size, theta);
      now = Point.evaluate(target, theta);
      kick(p, now, (step == 2 ? lastKick : 0.5) * size);
    }
    double end = now.logDensity() - kineticWeight * kinetic(p);
    return noise.flip(Metropolis.acceptanceProbability(begin, end)) ? now.theta() : from;
  }

  private static void kick(double[] p, Point at, double size) {
    double[] slope = SHAPE.transposed(at.knownGradient());
    for (int i = 0; i < p.length; i++) {
      p[i] += size * slope[i];
    }
  }

  private static double kinetic(double[] p) {
    double squares = 0;
    for (double x : p) {
      squares += x * x;
    }
    return 0.5 * squares;
  }

  /** What can go wrong in a slice. */
  enum SliceFault {
    /** The other end of the bracket shrinks. */
    SHRINKS_THE_WRONG_END,
    /** A point out of the slice is shrunk past: the bracket loses a piece that may be in it. */
    SHRINKS_TOO_FAR,
    /** The bracket does not shrink about θ but begins anew where it fell. */
    SHRINKS_ABOUT_THE_MIDDLE,
    /** All steps out are given to one end, by where θ is, and not shared at random. */
    LIMIT_NOT_SHARED_AT_RANDOM,
    /** The two ends share m steps out and not m − 1. */
    ONE_STEP_TOO_MANY,
    /** The bracket does not lie at random. */
    BRACKET_CENTRED,
    /** The level is the density itself. */
    NO_LEVEL,
    /** The level is drawn anew for each point. */
    LEVEL_REDRAWN
  }

  /** One update of the first coordinate, in a bracket of at most three widths. */
  static double[] slice(
      LogDensity target, double[] theta, Noise noise, double width, SliceFault fault) {
    int limit = 3;
    double current = target.value(theta);
    double level = current - (fault == SliceFault.NO_LEVEL ? 1e-3 : noise.exponential());
    double lower = fault == SliceFault.BRACKET_CENTRED ? -0.25 * width : -noise.uniform(0, width);
    double upper = lower + width;
    int left = noise.index(limit);
    int right = limit - 1 - left;
    if (fault == SliceFault.LIMIT_NOT_SHARED_AT_RANDOM) {
      left = theta[0] > 0.5 ? limit : 0;
      right = limit - left;
    } else if (fault == SliceFault.ONE_STEP_TOO_MANY) {
      right++;
    }
    while (left-- > 0 && target.value(moved(theta, lower)) > level) {
      lower -= width;
    }
    while (right-- > 0 && target.value(moved(theta, upper)) > level) {
      upper += width;
    }
    for (int i = 0; i < 200; i++) {
      double candidate = noise.uniform(lower, upper);
      if (fault == SliceFault.LEVEL_REDRAWN) {
        level = current - noise.exponential();
      }
      if (target.value(moved(theta, candidate)) > level) {
        return moved(theta, candidate);
      }
      boolean below =
          switch (fault) {
            case SHRINKS_THE_WRONG_END -> candidate > 0;
            case SHRINKS_ABOUT_THE_MIDDLE -> candidate < (lower + upper) / 2;
            default -> candidate < 0;
          };
      double kept = fault == SliceFault.SHRINKS_TOO_FAR ? 0.5 * candidate : candidate;
      if (below) {
        lower = kept;
      } else {
        upper = kept;
      }
    }
    return theta;
  }

  private static double[] moved(double[] theta, double distance) {
    double[] there = theta.clone();
    there[0] += distance;
    return there;
  }

  /** A target whose gradient has the wrong sign. */
  record TurnedGradient(LogDensity target) implements Around {
    @Override
    public double valueAndGradient(double[] theta, double[] gradient) {
      double value = target.valueAndGradient(theta, gradient);
      for (int i = 0; i < gradient.length; i++) {
        gradient[i] = -gradient[i];
      }
      return value;
    }
  }

  /** A target times the density that Crank–Nicolson is reversible for, which takes it out again. */
  private record TimesNormal(LogDensity target) implements Around {
    @Override
    public void values(double[][] thetas, double[] out) {
      target.values(thetas, out);
      double[] normal = new double[out.length];
      new NormalTarget(CENTRE, SHAPE).values(thetas, normal);
      for (int k = 0; k < out.length; k++) {
        out[k] += normal[k];
      }
    }
  }

  /** Noise with one thing changed. */
  static class Wrapped implements Noise {
    private final Noise noise;

    Wrapped(Noise noise) {
      this.noise = noise;
    }

    @Override
    public double normal() {
      return noise.normal();
    }

    @Override
    public double exponential() {
      return noise.exponential();
    }

    @Override
    public double uniform(double low, double high) {
      return noise.uniform(low, high);
    }

    @Override
    public int index(int count) {
      return noise.index(count);
    }

    @Override
    public boolean flip(double probability) {
      return noise.flip(probability);
    }
  }

  /** Decides the other way around, but never for a point of density 0. */
  private static final class Turned extends Wrapped {
    Turned(UniformRandomProvider rng) {
      super(Noise.of(rng));
    }

    @Override
    public boolean flip(double probability) {
      return probability > 0 && super.flip(1 - probability);
    }
  }

  /** Says yes to all that is possible. */
  private static final class Yes extends Wrapped {
    Yes(UniformRandomProvider rng) {
      super(Noise.of(rng));
    }

    @Override
    public boolean flip(double probability) {
      return probability > 0;
    }
  }

  /** Says yes after some decisions that are left as they are. */
  private static final class YesAfter extends Wrapped {
    private int left;

    YesAfter(UniformRandomProvider rng, int left) {
      super(Noise.of(rng));
      this.left = left;
    }

    @Override
    public boolean flip(double probability) {
      return left-- > 0 ? super.flip(probability) : probability > 0;
    }
  }

  /** The same normal numbers at every step. */
  private static final class Reused extends Wrapped {
    private int next;

    Reused(UniformRandomProvider rng) {
      super(Noise.of(rng));
    }

    @Override
    public double normal() {
      return new double[] {0.7, -0.4, 1.1}[next++ % 3];
    }
  }
}
