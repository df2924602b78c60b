package org.lampyris.samplers.diagnostics;

/**
 * Summary of one variable's draws, pooled over the chains: the columns of R's {@code
 * posterior::summarise_draws}, and the Monte-Carlo standard errors of mean and sd. NaN where a
 * number is not defined: see {@link Diagnostics}.
 *
 * @param sd the standard deviation, with divisor S − 1
 * @param quantiles the median and what is about it
 * @param mixing how well the chains agree, and how far mean and sd are known
 * @param inclusion how often the variable is in the model
 */
public record VariableSummary(
    String variable,
    double mean,
    double sd,
    Quantiles quantiles,
    Mixing mixing,
    Inclusion inclusion) {
  /** Up to this share of the draws that it is in, a variable's outer quantiles may be 0. */
  private static final double MOSTLY = 0.95;

  /** A variable that is in the model in every draw. */
  public VariableSummary(
      String variable, double mean, double sd, Quantiles quantiles, Mixing mixing) {
    this(variable, mean, sd, quantiles, mixing, Inclusion.ALWAYS);
  }

  /**
   * Inclusion of a variable in the model: it is out if it is exactly 0, which no draw from a
   * density is.
   *
   * @param probability the share of the draws that it is in
   * @param ess the effective sample size for that; NaN where it is in all draws, or in none
   * @param mcse the Monte-Carlo standard error of that; 0 where it is in all, or in none
   */
  public record Inclusion(double probability, double ess, double mcse) {
    static final Inclusion ALWAYS = new Inclusion(1, Double.NaN, 0);

    /** Returns whether some draws are without it. */
    public boolean isChosen() {
      return probability < 1;
    }

    static Inclusion of(double[][] draws) {
      if (!Chains.contain(draws, 0)) {
        return ALWAYS;
      }
      double[][] in = Chains.map(draws, x -> x == 0 ? 0 : 1);
      double probability = DrawMoments.mean(Chains.pool(in));
      boolean varies = probability > 0 && probability < 1;
      double ess = varies ? Diagnostics.essMean(in) : Double.NaN;
      double sd = Math.sqrt(probability * (1 - probability));
      return new Inclusion(probability, ess, varies ? sd / Math.sqrt(ess) : 0);
    }
  }

  /**
   * Quantiles of the draws.
   *
   * @param median the median
   * @param mad 1.4826 · the median absolute deviation from the median
   * @param q5 the 5 % quantile, of type 7 of Hyndman and Fan (1996)
   * @param q95 the 95 % quantile
   */
  public record Quantiles(double median, double mad, double q5, double q95) {}

  /** Mixing of the chains: see {@link Diagnostics} for each figure. */
  public record Mixing(
      double rhat, double essBulk, double essTail, double mcseMean, double mcseSd) {}

  /**
   * Returns the tail's effective sample size; for a variable that is often out of the model, whose
   * quantiles may be 0, the ESS of its inclusion.
   */
  public double essTail() {
    return inclusion.probability > MOSTLY ? mixing.essTail() : inclusion.ess;
  }

  /**
   * Summarises the draws of a variable, chains × iterations, warm-up left out, not modified. Cost
   * O(S) for S draws in all, O(S log S) where they mix badly.
   *
   * @throws IllegalArgumentException if there are no draws or the chains differ in length
   */
  public static VariableSummary of(String name, double[][] draws) {
    return of(name, draws, NormalScores.untabulated(draws));
  }

  /**
   * Summarises the draws of one of many variables: to the same bits, in less time.
   *
   * @param scores the table for chains of that number and length
   * @throws IllegalArgumentException also if the table is for others
   */
  public static VariableSummary of(String name, double[][] draws, NormalScores scores) {
    return of(name, draws, new Ranks(draws, scores));
  }

  /** Summarises draws that have been ranked. */
  static VariableSummary of(String name, double[][] draws, Ranks ranks) {
    SplitChains bulkScores = ranks.bulkScores();
    CentredDraws centred = CentredDraws.of(draws);
    return new VariableSummary(
        name,
        centred.mean(),
        centred.sd(),
        new Quantiles(
            ranks.median(),
            ranks.medianAbsoluteDeviation(),
            ranks.quantile(0.05),
            ranks.quantile(0.95)),
        new Mixing(
            ranks.rhat(bulkScores),
            EffectiveSampleSize.of(bulkScores),
            ranks.essTail(),
            centred.mcseMean(),
            centred.mcseSd()),
        Inclusion.of(draws));
  }
}
