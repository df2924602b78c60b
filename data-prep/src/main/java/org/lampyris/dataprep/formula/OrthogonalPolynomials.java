package org.lampyris.dataprep.formula;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Polynomials p_1, …, p_k of degree 1, …, k, orthogonal to each other and to 1 over the rows of a
 * table, Σ_n p_j(x_n)² = 1, as R's {@code poly(x, k)} has them:
 *
 * <p>q_0 = 1, q_1 = x − α_1, q_j+1 = (x − α_j+1) q_j − (ν_j / ν_j−1) q_j−1, α_j+1 = Σ x q_j² / ν_j,
 * ν_j = Σ q_j², p_j = q_j / √ν_j.
 *
 * <p>Source: Kennedy and Gentle (1980), <i>Statistical Computing</i>, pages 343–4, the recurrence
 * of Stieltjes.
 *
 * @param alpha α_1, …, α_k. Not copied
 * @param norm ν_0, …, ν_k. Not copied
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record OrthogonalPolynomials(double[] alpha, double[] norm) implements Basis {
  static OrthogonalPolynomials from(int size, List<Double> numbers) {
    double[] all = numbers.stream().mapToDouble(x -> x).toArray();
    return new OrthogonalPolynomials(
        Arrays.copyOf(all, size), Arrays.copyOfRange(all, size, all.length));
  }

  static OrthogonalPolynomials on(int size, ValueSketch sketch) {
    double[] x = sketch.values();
    long[] counts = sketch.counts();
    // Where only some values are kept, they stand for all rows.
    double share = (double) sketch.rows() / Arrays.stream(counts).sum();
    double[] alpha = new double[size];
    double[] norm = new double[size + 1];
    double[] before = new double[x.length];
    double[] now = new double[x.length];
    Arrays.fill(now, 1);
    for (int j = 0; j <= size; j++) {
      double center = 0;
      for (int n = 0; n < x.length; n++) {
        double square = share * counts[n] * now[n] * now[n];
        norm[j] += square;
        // About the first value, so that large numbers of little spread keep their digits.
        center += square * (x[n] - x[0]);
      }
      if (j < size) {
        alpha[j] = x[0] + center / norm[j];
        double ratio = j == 0 ? 0 : norm[j] / norm[j - 1];
        for (int n = 0; n < x.length; n++) {
          double next = (x[n] - alpha[j]) * now[n] - ratio * before[n];
          before[n] = now[n];
          now[n] = next;
        }
      }
    }
    return new OrthogonalPolynomials(alpha, norm);
  }

  @Override
  public int size() {
    return alpha.length;
  }

  @Override
  public void write(double x, double[] out) {
    double before = 0;
    double now = 1;
    for (int j = 0; j < alpha.length; j++) {
      double ratio = j == 0 ? 0 : norm[j] / norm[j - 1];
      double next = (x - alpha[j]) * now - ratio * before;
      before = now;
      now = next;
      out[j] = now / Math.sqrt(norm[j + 1]);
    }
  }

  @Override
  public List<Double> numbers() {
    List<Double> numbers = new ArrayList<>();
    Arrays.stream(alpha).forEach(numbers::add);
    Arrays.stream(norm).forEach(numbers::add);
    return List.copyOf(numbers);
  }
}
