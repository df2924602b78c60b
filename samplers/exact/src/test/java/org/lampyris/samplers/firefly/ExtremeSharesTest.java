package org.lampyris.samplers.firefly;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.commons.numbers.gamma.LogGamma;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.lampyris.samplers.testdata.MemoryRun;

/**
 * Shares down to 1e-30 and up to 1 − 2⁻⁵³ of a steep curve. Where the mean is as small, log L is
 * linear but for 1e-28, and a difference of numbers of the size 69, so that rounding decides on the
 * sign of the gaps of Firefly's local bounds: a run is not to end by it.
 */
class ExtremeSharesTest {
  private static final int ROWS = 200;
  private static final int EXTREME = 6;
  private static final int CELLS = 60;
  private static final double[] X = new double[ROWS];
  private static final double[] Y = new double[ROWS];

  static {
    Random random = new Random(30);
    for (int i = 0; i < ROWS; i++) {
      boolean extreme = i < EXTREME;
      X[i] = extreme ? -69 + 21 * i : 4 * random.nextDouble() - 2;
      double noise = extreme ? 0 : 0.05 * random.nextGaussian();
      Y[i] = Math.min(1 - 0x1p-53, StableMath.sigmoid(X[i] + noise));
    }
  }

  /**
   * By quadrature of log Γ(φ) − log Γ(φμ) − log Γ(φν) + (φμ − 1) log y + (φν − 1) log(1 − y): mean
   * and sd of the slope and of log φ, each within 4.5 Monte-Carlo errors, a false alarm in 30,000.
   */
  @Test
  void drawsAreThoseOfTheQuadrature() {
    DataBlock block = new DenseBlock(0, 1, X.clone(), Y.clone(), null);
    MemoryRun run = new MemoryRun(FamilySpec.of("beta"), List.of(block), List.of("x"), Map.of());
    List<ChainTrace> chains =
        run.run(Map.of("algorithm", "firefly", "chains", 4, "warmup", 300, "draws", 1500)).chains();
    double[] exact = quadrature(run);
    for (int k = 0; k < 2; k++) {
      int element = k;
      VariableSummary found =
          VariableSummary.of(
              "theta" + k,
              chains.stream().map(chain -> draws(chain, element)).toArray(double[][]::new));
      assertEquals(exact[2 * k], found.mean(), 4.5 * found.mixing().mcseMean(), "mean " + k);
      assertEquals(exact[2 * k + 1], found.sd(), 4.5 * found.mixing().mcseSd(), "sd " + k);
    }
  }

  private static double[] draws(ChainTrace chain, int element) {
    return chain.draws().stream().mapToDouble(draw -> draw[element]).toArray();
  }

  /** Returns mean and sd of the slope, and then of log φ. */
  private static double[] quadrature(MemoryRun run) {
    double[] mode = run.fit().theta();
    double most = logPosterior(mode[0], mode[1]);
    double sum = 0;
    double[] moments = new double[4];
    for (int i = -CELLS; i <= CELLS; i++) {
      for (int j = -CELLS; j <= CELLS; j++) {
        double slope = mode[0] + 8 * run.fit().laplace().sd(0) * i / CELLS;
        double tau = mode[1] + 8 * run.fit().laplace().sd(1) * j / CELLS;
        double weight = Math.exp(logPosterior(slope, tau) - most);
        sum += weight;
        moments[0] += weight * slope;
        moments[1] += weight * slope * slope;
        moments[2] += weight * tau;
        moments[3] += weight * tau * tau;
      }
    }
    double slope = moments[0] / sum;
    double tau = moments[2] / sum;
    return new double[] {
      slope,
      Math.sqrt(moments[1] / sum - slope * slope),
      tau,
      Math.sqrt(moments[3] / sum - tau * tau)
    };
  }

  private static double logPosterior(double slope, double tau) {
    double phi = Math.exp(tau);
    double sum = ROWS * LogGamma.value(phi) - 0.5 * (slope / 2.5) * (slope / 2.5) - phi + tau;
    for (int i = 0; i < ROWS; i++) {
      double a = phi / (1 + Math.exp(-slope * X[i]));
      double b = phi / (1 + Math.exp(slope * X[i]));
      sum += (a - 1) * Math.log(Y[i]) + (b - 1) * Math.log1p(-Y[i]);
      sum -= LogGamma.value(a) + LogGamma.value(b);
    }
    return sum;
  }
}
