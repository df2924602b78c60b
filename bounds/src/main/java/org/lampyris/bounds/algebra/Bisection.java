package org.lampyris.bounds.algebra;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Largest absolute derivatives of a function on a box, from enclosures of them. A box whose
 * enclosure may be too wide is halved, until the bound is at most {@value #CLOSE} times a value
 * that is attained, or {@value #HALVINGS} boxes are halved. Source: Moore (1966), chapter 4; the
 * algorithm of Moore and Skelboe.
 */
final class Bisection {
  private static final int HALVINGS = 16;

  private static final double CLOSE = 1.1;

  /** Derivatives that are a smaller share of the largest one need not be close. */
  private static final double SMALL = 0.02;

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

  /**
   * Writes bounds on the derivatives' absolute values; +∞ for none.
   *
   * @param from the lower ends of the variables. Not modified.
   * @param to the upper ends. Not modified.
   * @param out one element a derivative. Modified.
   */
  void largest(double[] from, double[] to, double[] out) {
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
      int worst = worst(out, attained);
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

  /**
   * Returns the derivative whose bound is the furthest above a value that is attained; −1: none.
   */
  private static int worst(double[] most, double[] attained) {
    double largest = Arrays.stream(most).max().orElse(0);
    int worst = -1;
    double ratio = CLOSE;
    for (int k = 0; k < most.length; k++) {
      boolean counts = most[k] > SMALL * largest || most[k] == Double.POSITIVE_INFINITY;
      if (counts && most[k] > ratio * attained[k]) {
        worst = k;
        ratio = attained[k] == 0 ? Double.MAX_VALUE : most[k] / attained[k];
      }
    }
    return worst;
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
