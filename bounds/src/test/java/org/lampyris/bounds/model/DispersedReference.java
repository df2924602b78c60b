package org.lampyris.bounds.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.lampyris.bounds.Fixture;

/** Holds a likelihood with a sampled parameter against references of high precision. */
public final class DispersedReference {
  private static final double ULP = 2.3e-16;

  private DispersedReference() {}

  /**
   * Compares every line of a file, {@code eta,tau,y,log L,∂η,∂τ,∂²η,∂η∂τ,∂²τ}.
   *
   * @param ulps how many units in the last place of its terms, and of η and τ, each may be off by
   * @param sizes writes the sizes of the terms that the six numbers are sums of
   */
  public static void assertAgrees(
      Class<?> test, String file, DispersedLikelihood likelihood, double ulps, Sizes sizes) {
    for (String[] f : Fixture.read(test, file)) {
      double[] v = Arrays.stream(f).mapToDouble(Double::parseDouble).toArray();
      String where = String.join(", ", List.of(f).subList(0, 3));
      double[] out = new double[5];
      double value = likelihood.at(v[1]).derivatives(v[0], v[2], out);
      assertEquals(value, likelihood.at(v[1]).logLikelihood(v[0], v[2]), where);
      double[] size = sizes.of(v[0], v[1], v[2], v);
      String[] names = {"log L", "eta", "tau", "eta eta", "eta tau", "tau tau"};
      for (int k = 0; k < 6; k++) {
        double found = k == 0 ? value : out[k - 1];
        double tolerance = ulps * ULP * (size[k] + Math.abs(v[3 + k])) + Double.MIN_NORMAL;
        assertEquals(v[3 + k], found, tolerance, where + ": " + names[k]);
      }
    }
  }

  /** The sizes of terms. */
  @FunctionalInterface
  public interface Sizes {
    /** Returns those of log L, ∂η, ∂τ, ∂²η, ∂η∂τ and ∂²τ; these are v[3] … v[8]. */
    double[] of(double eta, double tau, double y, double[] v);
  }
}
