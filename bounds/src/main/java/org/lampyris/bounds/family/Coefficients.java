package org.lampyris.bounds.family;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.lampyris.bounds.scale.CoefficientScale;

/**
 * What the elements of θ are called, and how they are reported.
 *
 * <p>First come the coefficients of P linear predictors over the D columns, predictor by predictor;
 * they are reported for the columns of the input, as {@link CoefficientScale} carries them there.
 * Then come elements that are reported as they are, and last those that are the logarithm of a
 * scale and are reported as exp(θ_j).
 *
 * @param names the names of all elements, in order
 * @param predictors P
 * @param logScales how many elements at the end are logarithms of scales
 */
public record Coefficients(List<String> names, int predictors, int logScales) {

  /** Copies the names and checks them. */
  public Coefficients {
    names = List.copyOf(names);
    if (predictors < 0 || logScales < 0 || logScales > names.size()) {
      throw new IllegalArgumentException(
          names.size() + " coefficients, " + predictors + " predictors, " + logScales + " scales");
    }
    if (new HashSet<>(names).size() < names.size()) {
      throw new IllegalArgumentException("two coefficients have the same name, of " + names);
    }
  }

  /** Returns those of one linear predictor, named as the columns are. */
  public static Coefficients of(FamilyTable table) {
    return new Coefficients(table.columns(), 1, 0);
  }

  /** Returns these and one more element, the logarithm of a scale. */
  public Coefficients withLogScale(String name) {
    List<String> all = new ArrayList<>(names);
    all.add(name);
    return new Coefficients(all, predictors, logScales + 1);
  }

  /** Returns how many elements θ has. */
  public int dimension() {
    return names.size();
  }

  /**
   * Returns θ as it is reported: coefficients of the input's columns, scales themselves.
   *
   * @param theta θ. Not modified.
   * @param scale the columns' scale
   */
  public double[] toInput(double[] theta, CoefficientScale scale) {
    int columns = scale.dimension();
    if (theta.length != names.size() || predictors * columns > theta.length - logScales) {
      throw new IllegalArgumentException(
          theta.length
              + " elements, "
              + names.size()
              + " names, "
              + predictors
              + " predictors of "
              + columns
              + " columns");
    }
    double[] reported = theta.clone();
    double[] one = new double[columns];
    for (int k = 0; k < predictors; k++) {
      System.arraycopy(theta, k * columns, one, 0, columns);
      System.arraycopy(scale.toInput(one), 0, reported, k * columns, columns);
    }
    for (int j = theta.length - logScales; j < theta.length; j++) {
      reported[j] = Math.exp(theta[j]);
    }
    return reported;
  }
}
