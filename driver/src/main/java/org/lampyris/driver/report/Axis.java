package org.lampyris.driver.report;

import java.util.ArrayList;
import java.util.List;
import org.lampyris.bounds.config.Text;

/**
 * Axis of a chart: maps numbers to positions between two ends, on a linear or a logarithmic scale.
 *
 * @param low what is at {@code from}: a number, or its log₁₀
 * @param high what is at {@code to}, above {@code low}
 */
record Axis(boolean log, double low, double high, double from, double to) {
  /** Largest number of powers of ten with marks at the multiples between them. */
  private static final double FEW_POWERS = 2;

  private static final double LARGE = 1e6;
  private static final double SMALL = 1e-4;

  /** Returns the axis that all finite numbers fit on; on a logarithmic one those above 0. */
  static Axis of(boolean log, List<double[]> values, double from, double to) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (double[] some : values) {
      for (double value : some) {
        double at = log ? Math.log10(value) : value;
        if (Double.isFinite(at)) {
          low = Math.min(low, at);
          high = Math.max(high, at);
        }
      }
    }
    if (low > high) {
      return new Axis(log, 0, 1, from, to);
    }
    double margin = high > low ? 0.03 * (high - low) : Math.max(1e-9, 0.5 * Math.abs(low));
    if (log) {
      margin = Math.max(margin, 0.05);
    }
    return new Axis(log, low - margin, high + margin, from, to);
  }

  /** Returns the position of a number; NaN if it has none. */
  double place(double value) {
    double at = log ? Math.log10(value) : value;
    return Double.isFinite(at) ? from + (to - from) * (at - low) / (high - low) : Double.NaN;
  }

  /** Returns some five round numbers from end to end, at most {@code most}. */
  double[] ticks(int most) {
    return log ? powers(most) : even(most);
  }

  private double[] even(int most) {
    double step = Math.pow(10, Math.floor(Math.log10((high - low) / most)));
    for (double factor : new double[] {1, 2, 5, 10}) {
      if ((high - low) / (factor * step) <= most) {
        step *= factor;
        break;
      }
    }
    List<Double> ticks = new ArrayList<>();
    for (long k = (long) Math.ceil(low / step); k * step <= high; k++) {
      ticks.add(k * step);
    }
    return ticks.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private double[] powers(int most) {
    List<Double> ticks = new ArrayList<>();
    int[] multiples =
        high - low < 0.8
            ? new int[] {1, 2, 3, 4, 5, 6, 8}
            : high - low < FEW_POWERS ? new int[] {1, 2, 5} : new int[] {1};
    int every = (int) Math.max(1, Math.ceil((high - low) / most));
    for (int power = (int) Math.floor(low); power <= high; power++) {
      for (int multiple : multiples) {
        double at = power + Math.log10(multiple);
        if (at >= low && at <= high && Math.floorMod(power, every) == 0) {
          ticks.add(multiple * Math.pow(10, power));
        }
      }
    }
    return ticks.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Returns a mark's label with as few characters as distinguish it from its neighbours. */
  String label(double tick, double[] ticks) {
    double largest = 0;
    for (double other : ticks) {
      largest = Math.max(largest, Math.abs(other));
    }
    if (tick == 0) {
      return "0";
    }
    boolean plain = log ? tick < LARGE && tick >= SMALL : largest < LARGE && largest >= SMALL;
    double step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : Math.abs(tick);
    double digitOf = log ? tick : step;
    int decimals = (int) Math.max(0, -Math.floor(Math.log10(digitOf * (1 + 1e-9))));
    if (plain && decimals <= 7) {
      return Text.of("%,." + decimals + "f", tick).replace('-', '−');
    }
    int digits = log ? 0 : (int) Math.floor(Math.log10(largest / step) + 1e-9);
    String text = Text.of("%." + Math.min(digits, 9) + "e", tick);
    return text.replaceFirst("e\\+?(-?)0*(\\d)", "e$1$2").replace('-', '−');
  }
}
