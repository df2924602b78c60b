package org.lampyris.driver.predict;

import org.lampyris.samplers.diagnostics.DifferenceEstimate;

/**
 * Difference in elpd_loo between a run and a better one.
 *
 * @param difference of elpd, at most 0 if the other one is the best
 * @param standardError how much it would vary with other rows: √(n Var(π − π′)), by the rows drawn
 * @param subsamplingError how much it varies with which rows were drawn
 * @param monteCarloError its variation with the posterior draws: from the differences of both runs'
 *     {@linkplain Loo.Influence influences}, draw by draw, because chains with one seed may move
 *     together; runs with different chains are taken as independent NaN where it is not known
 * @param paired whether both used the same rows; if not, errors are computed as for independent
 *     sums
 */
record LooDifference(
    double difference,
    double standardError,
    double subsamplingError,
    double monteCarloError,
    boolean paired) {
  /** Returns the difference with its errors, except the Monte-Carlo error. */
  DifferenceEstimate estimate() {
    return new DifferenceEstimate(difference, subsamplingError, standardError);
  }

  /** Holds a run against the best one. Source: Magnusson et al. (2020), section 3. */
  static LooDifference of(Loo loo, Loo best) {
    double difference = loo.elpd().total() - best.elpd().total();
    if (!loo.table().equals(best.table()) || loo.rows() != best.rows()) {
      return new LooDifference(
          difference,
          Math.hypot(loo.elpd().standardError(), best.elpd().standardError()),
          Math.hypot(loo.elpd().subsamplingError(), best.elpd().subsamplingError()),
          monteCarloError(loo, best),
          false);
    }
    int size = loo.rows();
    double[] weights = loo.sample().weights();
    double sum = 0;
    double of = 0;
    double ofErrors = 0;
    for (int i = 0; i < size; i++) {
      sum += weights[i];
      of += weights[i] * value(loo, best, i);
      ofErrors += weights[i] * error(loo, best, i);
    }
    double mean = of / sum;
    double meanError = ofErrors / size;
    double squares = 0;
    double squaredErrors = 0;
    for (int i = 0; i < size; i++) {
      squares += weights[i] * square(value(loo, best, i) - mean);
      squaredErrors += square(weights[i] * error(loo, best, i) - meanError);
    }
    double n = loo.all().rows();
    double variance = squares / sum * size / (size - 1);
    double ofDraw = n * n * (1 - size / n) * squaredErrors / (size - 1) / size;
    return new LooDifference(
        difference,
        Math.sqrt(loo.all().weights() * variance),
        Math.sqrt(Math.max(0, ofDraw)),
        monteCarloError(loo, best),
        true);
  }

  private static double monteCarloError(Loo loo, Loo best) {
    double[][] one = loo.influence().elpd();
    double[][] other = best.influence().elpd();
    if (one.length != other.length || one[0].length != other[0].length) {
      return Math.hypot(loo.elpdError(), best.elpdError());
    }
    if (loo.unreliable() + best.unreliable() > 0) {
      return Double.NaN;
    }
    double[][] difference = new double[one.length][one[0].length];
    for (int c = 0; c < one.length; c++) {
      for (int i = 0; i < one[c].length; i++) {
        difference[c][i] = one[c][i] - other[c][i];
      }
    }
    return Loo.Influence.error(difference);
  }

  private static double value(Loo loo, Loo best, int i) {
    return loo.sample().values()[i] - best.sample().values()[i];
  }

  private static double error(Loo loo, Loo best, int i) {
    return value(loo, best, i) - loo.sample().proxies()[i] + best.sample().proxies()[i];
  }

  private static double square(double x) {
    return x * x;
  }
}
