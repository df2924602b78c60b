package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.lampyris.samplers.random.Noise;

/**
 * The transition matrix, on a lattice in one dimension, of a θ-kernel whose proposal is θ' = a + bz
 * with one normal number z, and a and b that depend on θ alone: a random walk, MALA, one leapfrog
 * step, Barker's (before the sign), Crank–Nicolson.
 *
 * <p>The noise takes the values z_k for which θ' is the k-th point of the lattice, with weights
 * h·φ(z_k), h = (spacing)/b. Proposals then have the very densities that the kernel's acceptance
 * probability is made of, times one constant, so that detailed balance holds on the lattice for the
 * counting measure. The weights add up to 1 but for 2 exp(−2π²/h²) (Poisson's summation formula),
 * below 10⁻¹⁶ for h up to 0.7. The density is 0 beyond the lattice's ends, where proposals are
 * refused.
 */
final class LatticeKernel {
  /** Normal numbers beyond this have a density below 10⁻¹⁹. */
  private static final double LARGEST_Z = 9.5;

  private static final double LARGEST_H = 0.7;

  private LatticeKernel() {}

  /** A step with given noise. */
  @FunctionalInterface
  interface Step {
    ThetaKernel.Step step(LogDensity target, Point point, Noise noise);
  }

  /**
   * Points at equal distances.
   *
   * @param from the first point
   * @param spacing the distance
   * @param states how many points have positive density
   */
  record Lattice(double from, double spacing, int states) {

    double theta(int k) {
      return from + spacing * k;
    }

    double[] thetas() {
      double[] thetas = new double[states];
      Arrays.setAll(thetas, this::theta);
      return thetas;
    }
  }

  /** Returns the transition probabilities between the lattice's points. */
  static double[][] matrix(Lattice lattice, LogDensity target, Step kernel) {
    double[][] matrix = new double[lattice.states()][lattice.states()];
    for (int from = 0; from < lattice.states(); from++) {
      double[] row = matrix[from];
      double[] theta = {lattice.theta(from)};
      double a = proposal(target, theta, kernel, 0);
      double b = proposal(target, theta, kernel, 1) - a;
      double h = lattice.spacing() / b;
      assertEquals(0.5 * LARGEST_H, h, 0.5 * LARGEST_H, "the lattice is too coarse");
      int first = (int) Math.ceil((a - LARGEST_Z * b - lattice.from()) / lattice.spacing());
      int last = (int) Math.floor((a + LARGEST_Z * b - lattice.from()) / lattice.spacing());
      OnLattice onLattice = new OnLattice(target, lattice);
      for (int k = first; k <= last; k++) {
        double z = (lattice.theta(k) - a) / b;
        double weight = h * Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);
        new OneNormal(z)
            .forEachPath(
                noise -> {
                  double to = kernel.step(onLattice, Point.at(theta), noise).point().theta()[0];
                  row[onLattice.index(to)] += weight * noise.probability();
                });
      }
    }
    return matrix;
  }

  /** Returns a + bz: where the kernel looks last. */
  private static double proposal(LogDensity target, double[] theta, Step kernel, double z) {
    LastAsked spied = new LastAsked(target);
    // The first path says yes to every question.
    boolean[] first = {true};
    double[] found = new double[1];
    new OneNormal(z)
        .forEachPath(
            noise -> {
              kernel.step(spied, Point.at(theta), noise);
              found[0] = first[0] ? spied.theta() : found[0];
              first[0] = false;
            });
    return found[0];
  }

  /** A density on the lattice, 0 beyond its ends, asked about nothing that is not on it. */
  private record OnLattice(LogDensity target, Lattice lattice) implements Around {
    int index(double theta) {
      double k = (theta - lattice.from()) / lattice.spacing();
      assertEquals(Math.rint(k), k, 1e-9, "off the lattice");
      return (int) Math.rint(k);
    }

    private double[] snapped(double[] theta) {
      return new double[] {lattice.theta(index(theta[0]))};
    }

    private boolean inside(double[] theta) {
      int k = index(theta[0]);
      return k >= 0 && k < lattice.states();
    }

    @Override
    public void values(double[][] thetas, double[] out) {
      for (int i = 0; i < thetas.length; i++) {
        out[i] = inside(thetas[i]) ? target.value(snapped(thetas[i])) : Double.NEGATIVE_INFINITY;
      }
    }

    @Override
    public double valueAndGradient(double[] theta, double[] gradient) {
      double value = target.valueAndGradient(snapped(theta), gradient);
      return inside(theta) ? value : Double.NEGATIVE_INFINITY;
    }
  }
}
