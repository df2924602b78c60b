package org.lampyris.samplers.minibatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.statistics.distribution.TDistribution;
import org.junit.jupiter.api.Test;

/** The sequential t-test against Algorithm 1 written down anew, for every order of six rows. */
class StudentDecisionTest {
  private static final double[] VALUES = {0.3, -0.4, 0.1, 0.1, 0.9, -0.2};
  private static final double REST = -0.15;

  @Test
  void decidesAsItsRuleSaysInEveryOrder() {
    int early = 0;
    int wrong = 0;
    for (double[] order : permutations(VALUES)) {
      for (double epsilon : new double[] {0, 0.05, 0.2}) {
        for (double u : new double[] {0.02, 0.4, 0.9, 0.999}) {
          boolean decided =
              new StudentDecision(2, epsilon)
                  .accepts(Population.trial(REST, order), Population.uniforms(u));
          assertEquals(byTheRule(order, 2, epsilon, u), decided, Arrays.toString(order));
          boolean exact = Math.log(u) < REST + Arrays.stream(order).sum();
          wrong += decided == exact ? 0 : 1;
          early += epsilon > 0 ? 1 : 0;
          assertTrue(epsilon > 0 || decided == exact, "ε = 0 is not exact");
        }
      }
    }
    assertTrue(wrong > 0 && wrong < early / 2, wrong + " of " + early);
  }

  /** Algorithm 1, line by line. */
  private static boolean byTheRule(double[] x, int m, double epsilon, double u) {
    int all = x.length;
    double mu0 = (Math.log(u) - REST) / all;
    for (int n = m; ; n += m) {
      double[] seen = Arrays.copyOf(x, Math.min(n, all));
      double mean = Arrays.stream(seen).average().orElseThrow();
      if (seen.length == all) {
        return mean > mu0;
      }
      double sl = Math.sqrt(Arrays.stream(seen).map(v -> (v - mean) * (v - mean)).sum() / (n - 1));
      double s = sl / Math.sqrt(n) * Math.sqrt(1 - (n - 1.0) / (all - 1));
      double delta = 1 - TDistribution.of(n - 1).cumulativeProbability(Math.abs(mean - mu0) / s);
      if (sl > 1e-12 && delta < epsilon) {
        return mean > mu0;
      }
    }
  }

  /** A test of iteration k decides as one with ε_k: iterations have the number of their trial. */
  @Test
  void epsilonFallsAsItsPowerSays() {
    StudentDecision falling =
        new StudentDecision(2, 0.4, new StudentDecision.Boundary(0.5, 0.5, 100));
    assertEquals(0.4, falling.at(1).epsilon());
    assertEquals(0.4 / Math.sqrt(2), falling.at(101).epsilon(), 1e-15);
    assertEquals(0.2, falling.at(301).epsilon(), 1e-15);
    assertEquals(falling.at(301), falling.at(301).at(7), "it falls once");
    assertEquals(4, new StudentDecision.Boundary(0, 0, 1).factor(0.0625), 1e-15);
  }

  @Test
  void rowsThatDoNotDifferTellNothingOfTheRest() {
    Trial trial = Population.trial(0, 1, 1, 1, 1, -9, -9);
    assertEquals(false, new StudentDecision(2, 0.4).accepts(trial, Population.uniforms(0.5)));
  }

  private static List<double[]> permutations(double[] values) {
    if (values.length == 1) {
      return List.of(values);
    }
    List<double[]> all = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      double[] rest = new double[values.length - 1];
      System.arraycopy(values, 0, rest, 0, i);
      System.arraycopy(values, i + 1, rest, i, rest.length - i);
      for (double[] tail : permutations(rest)) {
        double[] one = new double[values.length];
        one[0] = values[i];
        System.arraycopy(tail, 0, one, 1, tail.length);
        all.add(one);
      }
    }
    return all;
  }
}
