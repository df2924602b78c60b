package org.lampyris.samplers.program.distribution;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.samplers.program.Density;
import org.lampyris.samplers.program.Given;
import org.lampyris.samplers.program.Term;

/** A sign, +1 with probability 1/(1 + e^−η): log p(y) = −log(1 + e^(−yη)). */
record Bernoulli(Term eta) implements Density {
  @Override
  public List<Term> parameters() {
    return List.of(eta);
  }

  @Override
  public double logDensity(Given given, double[] x, int at) {
    return StableMath.logSigmoid(x[at] * eta.at(given));
  }

  @Override
  public void sample(Given given, UniformRandomProvider rng, double[] out, int at) {
    out[at] = rng.nextDouble() < StableMath.sigmoid(eta.at(given)) ? 1 : -1;
  }
}
