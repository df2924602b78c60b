package org.lampyris.samplers.program;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.samplers.random.Noise;

/**
 * Independent normal elements of one mean and sd: −½((x − mean)/sd)² − log sd − ½ log 2π each.
 *
 * @param dimension how many
 */
record Normal(int dimension, Term mean, Term sd) implements Density {
  private static final double HALF_LOG_2_PI = 0.5 * Math.log(2 * Math.PI);

  @Override
  public List<Term> parameters() {
    return List.of(mean, sd);
  }

  @Override
  public double logDensity(Given given, double[] x, int at) {
    double m = mean.at(given);
    double s = sd.at(given);
    double squares = 0;
    for (int j = 0; j < dimension; j++) {
      double z = (x[at + j] - m) / s;
      squares += z * z;
    }
    return -0.5 * squares - dimension * (Math.log(s) + HALF_LOG_2_PI);
  }

  @Override
  public void sample(Given given, UniformRandomProvider rng, double[] out, int at) {
    double m = mean.at(given);
    double s = sd.at(given);
    Noise noise = Noise.of(rng);
    for (int j = 0; j < dimension; j++) {
      out[at + j] = m + s * noise.normal();
    }
  }
}
