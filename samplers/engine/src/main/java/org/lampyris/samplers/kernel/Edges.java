package org.lampyris.samplers.kernel;

import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.lampyris.bounds.prior.Prior;

/**
 * Edges of a support, lower_j ≤ θ_j ≤ upper_j. Moves are reflected at them like light, in the
 * coordinates u = L⁻¹θ, where the edge of θ_j is a plane whose normal is row j of L.
 *
 * <p>In u a reflection keeps the length of the velocity. The flow with reflections preserves volume
 * in (u, velocity), and is undone by going back with the velocity turned. A proposal at the end of
 * a flow, with a velocity from a distribution that is symmetric in u, therefore has the same ratio
 * of densities as without edges, if the arriving velocity is taken for the reverse move. No kernel
 * loses its exactness, and none must reject points beyond an edge. If no edge is met, the bits are
 * the same as without reflections. A path with {@value #MOST_REFLECTIONS} reflections is sent back
 * the way it came, and so is its reverse.
 *
 * <p>Folding each coordinate about its edge would not do: where L is not diagonal, the folded
 * proposal is not symmetric.
 *
 * <p>Source: Neal (2011), section 5.5.1.5, for trajectories between walls; Pakman and Paninski
 * (2014), sections 2 and 3, for the harmonic motion. Immutable.
 */
record Edges(int[] bounded, double[] lower, double[] upper, double[][] normals, double[][] sigmas)
    implements Serializable {
  private static final int MOST_REFLECTIONS = 10_000;

  /** A step that is this many widths long mixes no better than a shorter one. */
  private static final double LARGEST_STEP = 4;

  /** Rounding allowance, as an angle, for an arrival before its departure. */
  private static final double ROUNDING = 1e-12;

  /** Returns the edges of a prior's support, for the shape L. */
  static Edges of(Prior prior, Preconditioner shape) {
    int d = prior.dimension();
    int[] bounded =
        IntStream.range(0, d)
            .filter(j -> Double.isFinite(prior.lower(j)) || Double.isFinite(prior.upper(j)))
            .toArray();
    int m = bounded.length;
    double[][] normals = new double[m][];
    double[][] sigmas = new double[m][d];
    for (int k = 0; k < m; k++) {
      double[] unit = new double[d];
      unit[bounded[k]] = 1;
      normals[k] = shape.transposed(unit);
      shape.addTo(normals[k], 1, sigmas[k]);
    }
    return new Edges(
        bounded,
        IntStream.of(bounded).mapToDouble(prior::lower).toArray(),
        IntStream.of(bounded).mapToDouble(prior::upper).toArray(),
        normals,
        sigmas);
  }

  /** Returns whether there are no edges. */
  boolean areNone() {
    return bounded.length == 0;
  }

  /** Returns the step size beyond which larger steps gain nothing; +∞ if there is none. */
  double largestStepSize() {
    double largest = Double.POSITIVE_INFINITY;
    for (int k = 0; k < bounded.length; k++) {
      double sd = Math.sqrt(sigmas[k][bounded[k]]);
      largest = Math.min(largest, LARGEST_STEP * (upper[k] - lower[k]) / sd);
    }
    return largest;
  }

  /** Returns whether θ lies in the support. */
  private boolean hold(double[] theta) {
    for (int k = 0; k < bounded.length; k++) {
      double x = theta[bounded[k]];
      if (!(x >= lower[k] && x <= upper[k])) {
        return false;
      }
    }
    return true;
  }

  /**
   * Moves θ in the support by time · L · velocity, with reflections.
   *
   * @param shape L
   * @param velocity in the coordinates u; turned by reflections. Modified.
   * @param time above 0
   * @param theta in the support. Modified.
   */
  void move(Preconditioner shape, double[] velocity, double time, double[] theta) {
    double[] end = theta.clone();
    shape.addTo(velocity, time, end);
    if (!hold(end) && Arrays.stream(end).allMatch(Double::isFinite)) {
      double[] speed = new double[theta.length];
      shape.addTo(velocity, 1, speed);
      end = theta.clone();
      if (!reflect(end, speed, time, velocity)) {
        return;
      }
    }
    System.arraycopy(end, 0, theta, 0, end.length);
  }

  /** Goes from edge to edge; returns false, with the velocity turned back, if they are too many. */
  private boolean reflect(double[] theta, double[] speed, double time, double[] velocity) {
    double[] begin = velocity.clone();
    double left = time;
    for (int i = 0; i < MOST_REFLECTIONS; i++) {
      int next = -1;
      double when = left;
      for (int k = 0; k < bounded.length; k++) {
        double v = speed[bounded[k]];
        double edge = v < 0 ? lower[k] : upper[k];
        double arrival = v == 0 ? left : Math.max(0, (edge - theta[bounded[k]]) / v);
        if (arrival < when) {
          next = k;
          when = arrival;
        }
      }
      for (int j = 0; j < theta.length; j++) {
        theta[j] += when * speed[j];
      }
      hold(theta, next, next >= 0 && speed[bounded[next]] < 0);
      if (next < 0) {
        return true;
      }
      left -= when;
      turn(next, speed, velocity);
    }
    for (int j = 0; j < begin.length; j++) {
      velocity[j] = -begin[j];
    }
    return false;
  }

  /** Corrects rounding beyond edges, and puts θ exactly on the edge that it has reached. */
  private void hold(double[] theta, int at, boolean below) {
    for (int k = 0; k < bounded.length; k++) {
      int j = bounded[k];
      theta[j] = Math.max(lower[k], Math.min(upper[k], theta[j]));
    }
    if (at >= 0) {
      theta[bounded[at]] = below ? lower[at] : upper[at];
    }
  }

  /** Reflects at an edge: v ← v − 2·(v_j/Σ_jj)·Σ_j, in u the reflection at the edge's plane. */
  private void turn(int k, double[] speed, double[] velocity) {
    int j = bounded[k];
    double before = speed[j];
    double factor = 2 * before / sigmas[k][j];
    for (int i = 0; i < speed.length; i++) {
      speed[i] -= factor * sigmas[k][i];
      velocity[i] -= factor * normals[k][i];
    }
    speed[j] = -before;
  }

  /**
   * Moves θ along the ellipse centre + (θ − centre)·cos t + speed·sin t, with reflections: free
   * motion under the density N(centre, LLᵀ), which stays invariant within the edges.
   *
   * @param centre in the support. Not modified.
   * @param theta in the support. Modified.
   * @param speed the velocity, in the coordinates θ. Modified.
   * @param angle how far t goes, in (0, π]
   * @return false if there are too many reflections: θ is where it was, its speed means nothing
   */
  boolean turnAbout(double[] centre, double[] theta, double[] speed, double angle) {
    double[] begin = theta.clone();
    double[] unused = new double[theta.length];
    double left = angle;
    for (int i = 0; i < MOST_REFLECTIONS; i++) {
      int next = -1;
      boolean below = false;
      double when = left;
      for (int k = 0; k < bounded.length; k++) {
        int j = bounded[k];
        double a = theta[j] - centre[j];
        double toLower = arrival(-a, -speed[j], centre[j] - lower[k]);
        double toUpper = arrival(a, speed[j], upper[k] - centre[j]);
        if (Math.min(toLower, toUpper) < when) {
          next = k;
          below = toLower < toUpper;
          when = Math.min(toLower, toUpper);
        }
      }
      double cosine = Math.cos(when);
      double sine = Math.sin(when);
      for (int j = 0; j < theta.length; j++) {
        double a = theta[j] - centre[j];
        theta[j] = centre[j] + (a * cosine + speed[j] * sine);
        speed[j] = speed[j] * cosine - a * sine;
      }
      hold(theta, next, below);
      if (next < 0) {
        return true;
      }
      left -= when;
      turn(next, speed, unused);
    }
    System.arraycopy(begin, 0, theta, 0, begin.length);
    return false;
  }

  /**
   * Returns the first t ≥ 0 at which a·cos t + v·sin t passes c from below; +∞ if there is none.
   */
  private static double arrival(double a, double v, double c) {
    double reach = Math.hypot(a, v);
    if (!(reach > c)) {
      return Double.POSITIVE_INFINITY;
    }
    if (a >= c && v > 0) {
      return 0;
    }
    double t = Math.atan2(v, a) - Math.acos(Math.max(-1, c / reach));
    return t < -ROUNDING ? t + 2 * Math.PI : Math.max(0, t);
  }
}
