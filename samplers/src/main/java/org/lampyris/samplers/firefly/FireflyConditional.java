package org.lampyris.samplers.firefly;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.lowerbound.CollapsedQuadratic;
import org.lampyris.bounds.lowerbound.QuadraticForm;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.density.LogDensity;
import org.lampyris.samplers.firefly.FireflyQuestion.BrightnessUpdate;

/**
 * The density of θ given the brightness of all rows: log p(θ | z, data) = log p(θ) + Σ_n log B_n(θ)
 * + Σ_{bright} log L̃_n(θ) + constant.
 *
 * <p>A z-step that has been {@linkplain #schedule scheduled} is made together with the next
 * evaluation, in one question to the rows. The density is zero on the hyperplanes where the bound
 * of a bright row is tight.
 *
 * <p>Source: Maclaurin and Adams (2014), equation 2. Not safe for use by several threads.
 */
final class FireflyConditional implements LogDensity {
  private final int chain;
  private final Prior prior;
  private final QuadraticForm collapsed;
  private final FireflyRows rows;
  private @Nullable BrightnessUpdate scheduled;
  private long evaluations;
  private long bright;

  FireflyConditional(int chain, Prior prior, CollapsedQuadratic collapsed, FireflyRows rows) {
    this.chain = chain;
    this.prior = prior;
    this.collapsed = collapsed.form();
    this.rows = rows;
  }

  @Override
  public int dimension() {
    return prior.dimension();
  }

  /** Has a z-step made before the next evaluation. */
  void schedule(BrightnessUpdate update) {
    if (scheduled != null) {
      throw new IllegalStateException("a z-step is scheduled already");
    }
    scheduled = update;
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
    java.util.Arrays.fill(gradient, 0);
    answer.addGradient(0, gradient);
    return prior.addGradient(theta, gradient)
        + collapsed.addGradient(theta, gradient)
        + answer.sum(0);
  }

  private FireflyAnswer ask(double[][] thetas, boolean gradient) {
    FireflyAnswer answer = rows.ask(new FireflyQuestion(chain, scheduled, thetas, gradient));
    scheduled = null;
    evaluations += answer.evaluations();
    bright = answer.bright();
    return answer;
  }

  /** Returns the evaluations since the last call. */
  long takeEvaluations() {
    long taken = evaluations;
    evaluations = 0;
    return taken;
  }

  /** Returns how many rows were bright at the last evaluation. */
  long bright() {
    return bright;
  }
}
