package org.lampyris.samplers.program;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;

/** Bernoulli density, for choices of a program: 1 with a probability, otherwise 0. */
record Coin(Term probability) implements Density {
  @Override
  public List<Term> parameters() {
    return List.of(probability);
  }

  @Override
  public double logDensity(Given given, double[] x, int at) {
    double p = probability.at(given);
    return x[at] == 1 ? Math.log(p) : x[at] == 0 ? Math.log1p(-p) : Double.NEGATIVE_INFINITY;
  }

  @Override
  public void sample(Given given, UniformRandomProvider rng, double[] out, int at) {
    out[at] = rng.nextDouble() < probability.at(given) ? 1 : 0;
  }
}
