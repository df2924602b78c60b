package org.lampyris.driver.predict;

/**
 * Posterior of an effect of a column on the expected response.
 *
 * @param column the input's column
 * @param value the level, or the number, at which the response is expected; of a contrast the level
 *     that is compared; empty for a slope
 * @param against the level that a contrast subtracts; empty for all else
 * @param output the class whose probability is expected; empty unless the label has several
 * @param mean posterior mean, on the response's scale; of a slope per unit of the column
 * @param sd posterior standard deviation
 * @param lower the lower end of the central interval
 * @param upper its upper end
 * @param positive the share of draws in which the effect is above 0; NaN for expected responses
 */
public record MarginalEffect(
    Kind kind,
    String column,
    String value,
    String against,
    String output,
    double mean,
    double sd,
    double lower,
    double upper,
    double positive) {
  /** Kind of an effect. */
  public enum Kind {
    /** The expected response at a level or a number. */
    EXPECTED,
    /** The difference of the expected responses at two levels. */
    CONTRAST,
    /** The derivative of the expected response by a number. */
    SLOPE
  }
}
