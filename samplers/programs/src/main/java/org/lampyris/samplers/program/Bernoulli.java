package org.lampyris.samplers.program;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.numeric.StableMath;

/**
 * A sign, +1 with probability 1/(1 + e^−η): log p(y) = −log(1 + e^(−yη)).
 *
 * @param predictor η
 */
record Bernoulli(Term predictor) implements PredictorDensity {
  @Override
  public List<Term> parameters() {
    return List.of(predictor);
  }

  @Override
  public double logDensity(Given given, double[] x, int at) {
    return StableMath.logSigmoid(x[at] * predictor.at(given));
  }

  @Override
  public void sample(Given given, UniformRandomProvider rng, double[] out, int at) {
    out[at] = rng.nextDouble() < StableMath.sigmoid(predictor.at(given)) ? 1 : -1;
  }

  @Override
  public Likelihood likelihood() {
    return new LogisticLikelihood();
  }

  @Override
  public boolean bounds(double value) {
    return Math.abs(value) == 1;
  }
}
