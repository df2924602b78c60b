package org.lampyris.samplers.diagnostics;

/**
 * Difference estimator of a sum over all n rows, from values π at m rows drawn without replacement
 * and a proxy π̃ at all rows: Σ_n π̃ + (n/m) Σ_m (π − π̃).
 *
 * @param total the estimate of Σ π
 * @param subsamplingError its standard error by the draw of rows: n √((1 − m/n) s²/m), s² the
 *     variance of π − π̃ over the m rows; 0 if they are all
 * @param standardError √(n Var(π)), estimated likewise: how much Σ π would vary with other rows.
 *     NaN if that estimate is negative
 */
public record DifferenceEstimate(double total, double subsamplingError, double standardError) {
  /**
   * The rows that are known.
   *
   * @param values π of each
   * @param proxies π̃ of each
   * @param weights how many rows each stands for
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Sample(double[] values, double[] proxies, double[] weights) {}

  /**
   * Sums over all rows.
   *
   * @param rows n
   * @param weights Σ w, which is n unless rows stand for several
   * @param proxies Σ w π̃
   * @param squares Σ w π̃²
   */
  public record Proxies(long rows, double weights, double proxies, double squares) {}

  /**
   * Estimates. Source: Magnusson et al. (2020), equations 7 to 9, the last one with the signs of
   * the supplement; with weights, a row that stands for w is w rows of the same value.
   */
  public static DifferenceEstimate of(Proxies all, Sample sample) {
    int size = sample.values.length;
    double scale = (double) all.rows / size;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < size; i++) {
      double w = sample.weights[i];
      sum += w * (sample.values[i] - sample.proxies[i]);
      squares += w * (sample.values[i] * sample.values[i] - sample.proxies[i] * sample.proxies[i]);
    }
    double mean = sum / size;
    double variance = 0;
    for (int i = 0; i < size; i++) {
      double e = sample.weights[i] * (sample.values[i] - sample.proxies[i]) - mean;
      variance += e * e / (size - 1);
    }
    double total = all.proxies + scale * sum;
    double ofDraw = Math.max(0, (double) all.rows * all.rows * (1 - 1 / scale) * variance / size);
    double ofRows = all.squares + scale * squares - (total * total - ofDraw) / all.weights;
    return new DifferenceEstimate(total, Math.sqrt(ofDraw), Math.sqrt(ofRows));
  }
}
