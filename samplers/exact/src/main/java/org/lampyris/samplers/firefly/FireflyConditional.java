package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.QuadraticForm;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.kernel.LogDensity;

/**
 * The density of θ given the brightness of all rows, for one iteration: log p(θ | z, data) = log
 * p(θ) + Σ_n log B_n(θ) + Σ_{bright} log L̃_n(θ) + constant.
 *
 * <p>The iteration's z-step is made together with the first evaluation, in one question to the
 * rows. The density is zero on the hyperplanes where the bound of a bright row is tight.
 *
 * <p>Source: Maclaurin and Adams (2014), equation 2. Not safe for use by several threads.
 *
 * @param <R> the brightness
 */
final class FireflyConditional<R extends Serializable> implements LogDensity {
  private final int chain;
  private final Prior prior;
  private final QuadraticForm collapsed;
  private final FireflyRows<R> rows;
  private R brightness;
  private @Nullable BrightnessUpdate update;
  private long evaluations;
  private long bright;

  /** Begins an iteration, with the brightness before its z-step; null for none. */
  FireflyConditional(
      int chain,
      Prior prior,
      QuadraticForm collapsed,
      FireflyRows<R> rows,
      R before,
      @Nullable BrightnessUpdate update) {
    this.chain = chain;
    this.prior = prior;
    this.collapsed = collapsed;
    this.rows = rows;
    this.brightness = before;
    this.update = update;
  }

  @Override
  public int dimension() {
    return prior.dimension();
  }

  @Override
  public void values(double[][] thetas, double[] out) {
    FireflyAnswer answer = ask(thetas, false);
    for (int k = 0; k < thetas.length; k++) {
      out[k] = prior.logDensity(thetas[k]) + collapsed.value(thetas[k]) + answer.sum(k);
    }
  }

  @Override
  public double valueAndGradient(double[] theta, double[] gradient) {
    FireflyAnswer answer = ask(new double[][] {theta}, true);
    Arrays.fill(gradient, 0);
    answer.addGradient(0, gradient);
    return prior.addGradient(theta, gradient)
        + collapsed.addGradient(theta, gradient)
        + answer.sum(0);
  }

  private FireflyAnswer ask(double[][] thetas, boolean gradient) {
    FireflyRows.Answered<R> answered =
        rows.ask(brightness, new FireflyQuestion(chain, update, thetas, gradient));
    update = null;
    brightness = answered.rows();
    evaluations += answered.answer().evaluations();
    bright = answered.answer().bright();
    return answered.answer();
  }

  /** Returns the brightness after the last evaluation. */
  R brightness() {
    return brightness;
  }

  /** Returns how many (row, θ) pairs were evaluated. */
  long evaluations() {
    return evaluations;
  }

  /** Returns how many rows were bright at the last evaluation. */
  long bright() {
    return bright;
  }
}
