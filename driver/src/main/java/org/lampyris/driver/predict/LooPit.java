package org.lampyris.driver.predict;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.Response;
import org.lampyris.samplers.diagnostics.ParetoSmoothing;
import org.lampyris.samplers.random.Streams;

/**
 * Probability integral transforms of responses that are left out: u_i = P(Y ≤ y_i | the other
 * rows), from Pareto smoothed importance sampling with the draws of all rows. A count is spread
 * over its step: P(Y &lt; y) + v P(Y = y), v uniform. The u of a right model are uniform.
 *
 * <p>The test statistic is the largest standardised deviation of their distribution function from
 * the uniform one, at the twentieths, among as many uniform numbers 4,000 times. For independent
 * uniform u, the observed one exceeds all with probability 1/4,001.
 *
 * <p>Source: Gelfand, Dey and Chang (1992); Säilynoja, Bürkner and Vehtari (2022) for the test.
 * Cost: S densities and distribution functions a response, at most 2,000 responses.
 *
 * @param difference F(z) − z at z = 0, 1/20, …, 1, for the distribution function F of the u. Not
 *     copied
 * @param limit the largest standardised deviation of 95 % of the tables of uniform numbers
 * @param responses how many there are
 * @param p share of tables, the observed one among them, that deviate at least as much
 * @param location (mean − ½)/sd, the sd that of uniform numbers
 * @param spread the same for (u − ½)²: above 0 if too many u are near 0 and 1
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record LooPit(
    double[] difference, double limit, int responses, double p, double location, double spread) {
  private static final int CELLS = 20;
  private static final int MOST = 2_000;
  private static final int TABLES = 4_000;
  private static final double SIMULTANEOUS = 0.95;
  private static final int CHUNK = 64;

  /** Returns the half width of the 95 % band, of all places at once, at a place. */
  public double band(int k) {
    double z = (double) k / CELLS;
    return limit * Math.sqrt(z * (1 - z) / responses);
  }

  /** Returns whether the u deviate more than those of all 4,000 tables. */
  public boolean isExtreme() {
    return p * (TABLES + 1) < 1.5;
  }

  /** Computes them; null if the family has no distribution of numbers or counts. */
  static @Nullable LooPit of(
      CheckedRows rows,
      PredictiveCheck.Fitted fitted,
      PosteriorPredictor predictor,
      Streams streams) {
    int all = rows.first(rows.size());
    int every = Math.max(1, (all + MOST - 1) / MOST);
    double[] u = new double[(all + every - 1) / every];
    Arrays.fill(u, Double.NaN);
    IntStream.range(0, (rows.size() + CHUNK - 1) / CHUNK)
        .parallel()
        .forEach(
            chunk -> {
              PosteriorPredictor.Row room = predictor.row();
              for (int i = chunk * CHUNK; i < Math.min(rows.size(), (chunk + 1) * CHUNK); i++) {
                int first = (rows.first(i) + every - 1) / every;
                if (first * every < rows.first(i + 1)) {
                  double[] steps = leftOut(rows, fitted, room, i);
                  for (int k = first; k * every < rows.first(i + 1); k++) {
                    double v =
                        streams.stream(Streams.Purpose.REPLICATES, 3, 0, (long) k * every)
                            .nextDouble();
                    u[k] = steps[0] + v * (steps[1] - steps[0]);
                  }
                }
              }
            });
    double[] known = Arrays.stream(u).filter(Double::isFinite).toArray();
    return known.length == 0
        ? null
        : tested(known, streams.stream(Streams.Purpose.REPLICATES, 4, 0, 0));
  }

  /** Returns P(Y &lt; y) and P(Y ≤ y) of a response, given the others; NaN if unknown. */
  static double[] leftOut(
      CheckedRows rows, PredictiveCheck.Fitted fitted, PosteriorPredictor.Row room, int i) {
    boolean successes = fitted.schema().label().kind() == LabelKind.SUCCESSES;
    double trials = rows.trials(i);
    double y = successes ? Math.rint(rows.response(i) * trials) : rows.response(i);
    double weight = successes ? 1 : rows.weight(i);
    double[] expected = rows.expected(room, i)[0];
    double[] ratios = new double[expected.length];
    double[][] steps = new double[2][expected.length];
    for (int s = 0; s < expected.length; s++) {
      Optional<Response> response =
          Replicates.response(fitted.expectation(), expected[s], room.ofRow()[s]);
      if (response.isEmpty()) {
        return new double[] {Double.NaN, Double.NaN};
      }
      ResponseDistribution at = ResponseDistribution.at(y, response.get(), trials);
      ratios[s] = -weight * at.logDensity();
      steps[0][s] = at.below();
      steps[1][s] = at.atMost();
    }
    if (!Arrays.stream(ratios).allMatch(Double::isFinite)) {
      return new double[] {Double.NaN, Double.NaN};
    }
    double[] log = ParetoSmoothing.of(ratios, 1).logWeights();
    double[] sums = new double[2];
    for (int s = 0; s < log.length; s++) {
      sums[0] += Math.exp(log[s]) * steps[0][s];
      sums[1] += Math.exp(log[s]) * steps[1][s];
    }
    return sums;
  }

  /** Tests numbers for uniformity. */
  static LooPit tested(double[] u, UniformRandomProvider rng) {
    int n = u.length;
    double[] deviations = new double[TABLES];
    for (int t = 0; t < TABLES; t++) {
      int[] cells = new int[CELLS];
      for (int i = 0; i < n; i++) {
        cells[rng.nextInt(CELLS)]++;
      }
      deviations[t] = deviation(cells, n);
    }
    int[] cells = new int[CELLS];
    double mean = 0;
    double square = 0;
    for (double one : u) {
      cells[(int) Math.min(CELLS - 1, CELLS * one)]++;
      mean += (one - 0.5) / n;
      square += (one - 0.5) * (one - 0.5) / n;
    }
    double[] difference = new double[CELLS + 1];
    int below = 0;
    for (int k = 1; k <= CELLS; k++) {
      below += cells[k - 1];
      difference[k] = (double) below / n - (double) k / CELLS;
    }
    double observed = deviation(cells, n);
    double as = Arrays.stream(deviations).filter(one -> one >= observed).count();
    Arrays.sort(deviations);
    return new LooPit(
        difference,
        deviations[(int) (SIMULTANEOUS * TABLES)],
        n,
        (1 + as) / (TABLES + 1),
        mean * Math.sqrt(12.0 * n),
        (square - 1.0 / 12) * Math.sqrt(180.0 * n));
  }

  private static double deviation(int[] cells, int n) {
    double most = 0;
    int below = 0;
    for (int k = 1; k < CELLS; k++) {
      below += cells[k - 1];
      double z = (double) k / CELLS;
      most = Math.max(most, Math.abs(below - n * z) / Math.sqrt(n * z * (1 - z)));
    }
    return most;
  }
}
