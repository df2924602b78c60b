package org.lampyris.dataprep.formula;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Coding of a factor of n levels by n − 1 columns, as R's contrasts. */
enum Contrast {
  /** A column of ones and zeros for each level but the reference. */
  TREATMENT,
  /** Level k against the mean of all: column k is 1 for it and −1 for the last level. */
  SUM,
  /** Level k + 1 against the mean of those before: k for it and −1 for each of them. */
  HELMERT,
  /** Orthogonal polynomials of the level's number. */
  POLY,
  /**
   * Column k is 1 for all levels above the k-th: the coefficients are differences of neighbours.
   */
  MONOTONIC;

  /** Names of the first polynomials. */
  private static final String[] DEGREES = {".L", ".Q", ".C"};

  /**
   * Returns the contrast of an argument, such as sum, contr.sum or "contr.sum"; null for others.
   */
  static @Nullable Contrast of(@Nullable Expression written) {
    String name =
        written instanceof Expression.Quoted quoted
            ? quoted.text()
            : written == null ? "" : written.label();
    for (Contrast one : List.of(TREATMENT, SUM, HELMERT, POLY)) {
      String plain = one.name().toLowerCase(Locale.ROOT);
      if (name.equals(plain) || name.equals("contr." + plain)) {
        return one;
      }
    }
    return null;
  }

  /** Returns what a column's name ends with. */
  String suffix(int column) {
    return this != POLY
        ? Integer.toString(column + 1)
        : column < DEGREES.length ? DEGREES[column] : "^" + (column + 1);
  }

  /** Returns the columns of each level; for all but {@link #TREATMENT}. */
  double[][] matrix(int levels) {
    double[][] matrix = new double[levels][levels - 1];
    Basis polynomials = null;
    if (this == POLY) {
      ValueSketch numbers = new ValueSketch();
      for (int k = 1; k <= levels; k++) {
        numbers.add(k);
      }
      polynomials = Basis.OrthogonalPolynomials.on(levels - 1, numbers);
    }
    for (int k = 0; k < levels; k++) {
      if (polynomials != null) {
        polynomials.write(k + 1, matrix[k]);
        continue;
      }
      for (int j = 0; j < levels - 1; j++) {
        if (this == MONOTONIC) {
          matrix[k][j] = k > j ? 1 : 0;
          continue;
        }
        matrix[k][j] =
            this == SUM
                ? k == levels - 1 ? -1 : k == j ? 1 : 0
                : k <= j ? -1 : k == j + 1 ? j + 1 : 0;
      }
    }
    return matrix;
  }
}
