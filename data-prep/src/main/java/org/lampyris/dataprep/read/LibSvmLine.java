package org.lampyris.dataprep.read;

import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/**
 * A line of a LibSVM file: {@code label index:value index:value … # comment}, with indices from 1
 * in ascending order.
 *
 * @param indices the features that are not zero, from 0, ascending
 * @param values their values
 */
record LibSvmLine(double label, int[] indices, double[] values) {
  /** What is kept of columns in a scan is arrays of this length, and d² numbers of a mode. */
  private static final int MOST = 1_000_000;

  /**
   * Thrown by a task that meets a line which is not LibSVM; the driver then looks for its number.
   */
  static final class FormatException extends RuntimeException {
    FormatException(String message) {
      super(message);
    }
  }

  /**
   * Parses a line.
   *
   * @return the line's contents, or null if it is empty or a comment
   * @throws FormatException if it is something else
   */
  static @Nullable LibSvmLine parse(String line) {
    int comment = line.indexOf('#');
    StringTokenizer tokens =
        new StringTokenizer(comment < 0 ? line : line.substring(0, comment), " \t\r");
    if (!tokens.hasMoreTokens()) {
      return null;
    }
    double label = finite(tokens.nextToken(), "the label");
    int[] indices = new int[tokens.countTokens()];
    double[] values = new double[indices.length];
    int previous = 0;
    for (int k = 0; k < indices.length; k++) {
      String token = tokens.nextToken();
      int colon = token.indexOf(':');
      int index = index(token, colon);
      if (index <= previous) {
        throw new FormatException(
            "index " + index + " comes after " + previous + ": indices count from 1 and ascend");
      }
      if (index > MOST) {
        throw new FormatException(
            "index " + index + " is beyond " + MOST + ", which no coefficients fit a driver for");
      }
      previous = index;
      indices[k] = index - 1;
      values[k] = finite(token.substring(colon + 1), "the value of feature " + index);
    }
    return new LibSvmLine(label, indices, values);
  }

  private static int index(String token, int colon) {
    try {
      if (colon > 0) {
        return Integer.parseInt(token.substring(0, colon));
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new FormatException("'" + token + "' is not of the form index:value");
  }

  private static double finite(String text, String what) {
    Double number = CellText.number(text);
    if (number == null || number.isNaN() || number.isInfinite()) {
      throw new FormatException(what + " is '" + text + "', which is not a finite number");
    }
    return number;
  }

  /** Returns how many features the line speaks of. */
  int size() {
    return indices.length == 0 ? 0 : indices[indices.length - 1] + 1;
  }

  /** Returns all features, zeros included. */
  double[] dense(int size) {
    double[] all = new double[size];
    for (int k = 0; k < indices.length; k++) {
      all[indices[k]] = values[k];
    }
    return all;
  }
}
