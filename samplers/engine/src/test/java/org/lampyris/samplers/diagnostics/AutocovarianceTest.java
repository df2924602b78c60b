package org.lampyris.samplers.diagnostics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import org.apache.commons.rng.core.source64.SplitMix64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AutocovarianceTest {

  /** Lag by lag, as it is defined. */
  private static double direct(double[][] chains, int lag) {
    double sum = 0;
    for (double[] chain : chains) {
      double mean = DrawMoments.mean(chain);
      double products = 0;
      for (int i = 0; i + lag < chain.length; i++) {
        products += (chain[i] - mean) * (chain[i + lag] - mean);
      }
      sum += products / chain.length;
    }
    return sum / chains.length;
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5, 7, 8, 9, 31, 32, 33, 100, 257, 1000})
  void isTheSumOfProductsAtEveryLag(int n) {
    for (int count : new int[] {1, 2, 3, 8}) {
      // One chain is far larger than the others: it shares its transform with one of them.
      double[][] chains = skewedChains(count, n);
      Autocovariance autocovariance =
          new Autocovariance(SplitChains.ofHalves(Chains.map(chains, x -> x)));
      double variance = autocovariance.variance();
      double[] transformed = new double[n];
      double[] summed = new double[n];
      autocovariance.transform(1, transformed);
      for (int first = 1; first < n; first += Autocovariance.BATCH) {
        autocovariance.sum(first, summed);
      }
      assertEquals(direct(chains, 0), variance, 1e-14 * variance);
      for (int lag = 1; lag < n; lag++) {
        double expected = direct(chains, lag);
        String what = count + " chains of " + n + " at lag " + lag;
        assertEquals(expected, transformed[lag], 1e-14 * variance, what);
        assertEquals(expected, summed[lag], 1e-14 * variance, what);
      }
    }
  }

  @Test
  void aChainThatNeverMovesHasNone() {
    Autocovariance none =
        new Autocovariance(
            SplitChains.ofHalves(new double[][] {chainOf(0.1, 49), chainOf(7.3, 49)}));
    double[] transformed = new double[49];
    none.transform(1, transformed);
    double[] summed = new double[49];
    none.sum(1, summed);
    assertArrayEquals(new double[49], transformed);
    assertArrayEquals(new double[49], summed);
    assertEquals(0, none.variance());
  }

  @Test
  void transformIsTheSumItIsDefinedAs() {
    int n = 64;
    SplitMix64 rng = new SplitMix64(11);
    double[] re = rng.doubles(n).toArray();
    double[] im = rng.doubles(n).toArray();
    double[] outRe = re.clone();
    double[] outIm = im.clone();
    new FourierTransform(n).transform(outRe, outIm);
    for (int k = 0; k < n; k++) {
      double sumRe = 0;
      double sumIm = 0;
      for (int j = 0; j < n; j++) {
        double angle = -2 * Math.PI * (j * k % n) / n;
        sumRe += re[j] * Math.cos(angle) - im[j] * Math.sin(angle);
        sumIm += re[j] * Math.sin(angle) + im[j] * Math.cos(angle);
      }
      assertEquals(sumRe, outRe[k], 1e-13);
      assertEquals(sumIm, outIm[k], 1e-13);
    }
  }

  @Test
  void transformNeedsAPowerOfTwo() {
    assertThrows(IllegalArgumentException.class, () -> new FourierTransform(12));
    assertThrows(IllegalArgumentException.class, () -> new FourierTransform(0));
    FourierTransform transform = new FourierTransform(8);
    assertThrows(
        IllegalArgumentException.class, () -> transform.transform(new double[8], new double[4]));
  }

  private static double[][] skewedChains(int count, int n) {
    SplitMix64 rng = new SplitMix64(31 * n + count);
    double[][] chains = new double[count][n];
    for (int chain = 0; chain < count; chain++) {
      double x = 0;
      for (int i = 0; i < n; i++) {
        x = 0.8 * x - Math.log(rng.nextDouble());
        chains[chain][i] = chain == 0 ? 1000 * x : x;
      }
    }
    return chains;
  }

  private static double[] chainOf(double value, int n) {
    double[] chain = new double[n];
    Arrays.fill(chain, value);
    return chain;
  }
}
