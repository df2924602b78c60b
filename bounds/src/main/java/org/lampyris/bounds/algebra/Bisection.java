package org.lampyris.bounds.algebra;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Largest absolute derivatives of a function on a box, from enclosures of them. A box whose
 * enclosure may be too wide is halved, until the Taylor terms Σ M_p Π rᵥ^pᵥ/pᵥ!, r half of the
 * whole box's widths, are at most {@value #CLOSE} times those of values that are attained, or
 * {@value #HALVINGS} boxes are halved. Derivatives that hardly count are so left as they are.
 * Source: Moore (1966), chapter 4; the algorithm of Moore and Skelboe.
 *
 * <p>Labels that are whole numbers repeat: for those the box is widened to a grid, by an eighth of r
 * at most, and its bounds are kept for other rows.
 */
final class Bisection {
  private static final int HALVINGS = 16;

  private static final double CLOSE = 1.1;

  /** A side of a box is widened by r/8 up to here, and from here on by r/32. */
  private static final double GRID = 0x1p-8;

  /** Some 20 MB. */
  private static final int KEPT = 1 << 15;

  /** Function to enclose. */
  interface Function {
    /** Returns f of the variables. */
    Enclosure of(Enclosure[] variables);
  }

  private record Box(double[] from, double[] to, double[] most, double[] least) {}

  private final Monomials monomials;
  private final int[] places;
  private final Function function;

  /** Takes the places of the derivatives' monomials. */
  Bisection(Monomials monomials, int[] places, Function function) {
    this.monomials = monomials;
    this.places = places;
    this.function = function;
  }

  /** Bounds of boxes about whole labels; any number of threads may use it. */
  static final class Known {
    private final Map<List<Double>, double[]> bounds = new ConcurrentHashMap<>();

    /**
     * Writes the bounds of a {@link Bisection}, of a wider box for a whole label.
     *
     * @param from the lower ends of the variables. Not modified.
     * @param to the upper ends. Not modified.
     * @param out one element a derivative. Modified.
     */
    void largest(Bisection of, double y, double[] from, double[] to, double[] out) {
      if (y != Math.rint(y)) {
        of.largest(from, to, out);
        return;
      }
      List<Double> key = new ArrayList<>(List.of(y));
      double[] low = new double[from.length];
      double[] high = new double[from.length];
      for (int v = 0; v < from.length; v++) {
        double r = 0.5 * (to[v] - from[v]);
        double share = Math.min(r / 8, Math.max(GRID, r / 32));
        boolean isMoved = share > 0 && share < Double.POSITIVE_INFINITY;
        double step = isMoved ? Math.scalb(1, Math.getExponent(share)) : 1;
        low[v] = isMoved ? Math.floor(from[v] / step) * step : from[v];
        high[v] = isMoved ? Math.ceil(to[v] / step) * step : to[v];
        key.add(low[v]);
        key.add(high[v]);
      }
      double[] known = bounds.get(key);
      if (known == null) {
        known = new double[out.length];
        of.largest(low, high, known);
        if (bounds.size() < KEPT) {
          bounds.put(key, known);
        }
      }
      if (Arrays.stream(known).max().orElse(0) == Double.POSITIVE_INFINITY) {
        of.largest(from, to, out); // The wider box may leave the formula's domain.
      } else {
        System.arraycopy(known, 0, out, 0, out.length);
      }
    }
  }

  /**
   * Writes bounds on the derivatives' absolute values; +∞ for none.
   *
   * @param from the lower ends of the variables. Not modified.
   * @param to the upper ends. Not modified.
   * @param out one element a derivative. Modified.
   */
  void largest(double[] from, double[] to, double[] out) {
    double[] weight = weights(from, to);
    List<Box> boxes = new ArrayList<>();
    boxes.add(box(from.clone(), to.clone()));
    double[] attained = new double[places.length];
    for (int n = 0; ; n++) {
      Arrays.fill(out, 0);
      for (Box box : boxes) {
        for (int k = 0; k < places.length; k++) {
          out[k] = Math.max(out[k], box.most[k]);
          attained[k] = Math.max(attained[k], box.least[k]);
        }
      }
      int worst = worst(out, attained, weight);
      if (worst < 0 || n == HALVINGS) {
        return;
      }
      int at = 0;
      for (int i = 1; i < boxes.size(); i++) {
        at = boxes.get(i).most[worst] > boxes.get(at).most[worst] ? i : at;
      }
      if (!halve(boxes, at, from, to)) {
        return;
      }
    }
  }

  /** Returns Π rᵥ^pᵥ/pᵥ! of the derivatives; an unbounded side counts as 1. */
  private double[] weights(double[] from, double[] to) {
    double[] r = new double[from.length];
    for (int v = 0; v < r.length; v++) {
      double width = to[v] - from[v];
      r[v] = width < Double.POSITIVE_INFINITY ? 0.5 * width : 1;
    }
    double[] weight = new double[places.length];
    Arrays.setAll(weight, k -> monomials.value(places[k], r) / monomials.factorial(places[k]));
    return weight;
  }

  /**
   * Returns the derivative whose Taylor term is the furthest above a value that is attained, an
   * unbounded one first; −1 if all together are close to those.
   */
  private static int worst(double[] most, double[] attained, double[] weight) {
    int worst = -1;
    double furthest = 0;
    double all = 0;
    double sure = 0;
    for (int k = 0; k < most.length; k++) {
      if (most[k] == Double.POSITIVE_INFINITY) {
        return k;
      }
      all += weight[k] * most[k];
      sure += weight[k] * attained[k];
      double excess = weight[k] * (most[k] - attained[k]);
      if (excess > furthest) {
        worst = k;
        furthest = excess;
      }
    }
    return all > CLOSE * sure ? worst : -1;
  }

  /** Replaces a box by its halves, along the variable that spans most of the whole. */
  private boolean halve(List<Box> boxes, int at, double[] from, double[] to) {
    Box whole = boxes.get(at);
    int along = -1;
    double most = 0;
    for (int v = 0; v < from.length; v++) {
      double width = to[v] - from[v];
      double share = width == Double.POSITIVE_INFINITY ? 1 : (whole.to[v] - whole.from[v]) / width;
      double middle = middle(whole.from[v], whole.to[v]);
      if (share > most && middle > whole.from[v] && middle < whole.to[v]) {
        along = v;
        most = share;
      }
    }
    if (along < 0) {
      return false;
    }
    double[] lower = whole.to.clone();
    double[] upper = whole.from.clone();
    lower[along] = middle(whole.from[along], whole.to[along]);
    upper[along] = lower[along];
    boxes.set(at, box(whole.from, lower));
    boxes.add(box(upper, whole.to));
    return true;
  }

  private static double middle(double from, double to) {
    boolean below = from == Double.NEGATIVE_INFINITY;
    boolean above = to == Double.POSITIVE_INFINITY;
    if (below && above) {
      return 0;
    }
    return above ? 2 * Math.max(from, 0) + 1 : below ? 2 * Math.min(to, 0) - 1 : 0.5 * (from + to);
  }

  private Box box(double[] from, double[] to) {
    Enclosure[] variables = new Enclosure[from.length];
    Arrays.setAll(variables, v -> Enclosure.variable(monomials, v, from[v], to[v]));
    Enclosure value = function.of(variables);
    double[] most = new double[places.length];
    double[] least = new double[places.length];
    for (int k = 0; k < places.length; k++) {
      double factorial = monomials.factorial(places[k]);
      double low = value.low(places[k]);
      double high = value.high(places[k]);
      // The factor moves an end by half a unit in the last place at most.
      most[k] = Math.nextUp(factorial * Math.max(-low, high));
      least[k] = factorial * Math.max(0, Math.max(low, -high));
    }
    return new Box(from, to, most, least);
  }
}
