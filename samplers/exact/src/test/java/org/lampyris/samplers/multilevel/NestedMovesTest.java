package org.lampyris.samplers.multilevel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.effects.EffectCovariance;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.diagnostics.FalseAlarms;
import org.lampyris.samplers.multilevel.NestedMoves.Nesting;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.run.PlainBlock;

/** Moves of nested groupings against each other: seven inner levels in three outer ones. */
class NestedMovesTest {
  private static final int[] OUTER = {0, 1, 1, 2, 0, 2, 2};
  private static final int LEVELS = 3;
  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

  /** The inner grouping has effects of a column as well, before the intercept. */
  private static final List<TableEffects> GROUPINGS =
      List.of(
          effects("inner", 0, new int[] {1, -1}, OUTER.length),
          effects("outer", 1, new int[] {-1}, LEVELS));

  private final Streams streams = new Streams(7);
  private final Structure structure = structure();
  private final Nesting nesting = new Nesting(0, 1, OUTER);

  private static TableEffects effects(String name, int grouping, int[] columns, int levels) {
    List<String> names =
        Arrays.stream(columns).mapToObj(k -> k < 0 ? "(Intercept)" : "x" + k).toList();
    GroupingEffects of =
        new GroupingEffects(name, names, PriorParser.parse("half_normal(0, 1)"), 2);
    return new TableEffects(of, grouping, columns, new double[columns.length], levels, false);
  }

  private Structure structure() {
    return structure(GROUPINGS);
  }

  private Structure structure(List<TableEffects> groupings) {
    RowPass pass = new RowPass(new LinearModel(new LogisticLikelihood(), 2), groupings);
    return new Structure(
        ProductPrior.shared(new UnivariatePrior.Normal(0, 1), 2),
        pass,
        0,
        new EffectsEvolution(pass, streams, 1, 0),
        List.of());
  }

  private static LevelEffects of(int grouping, double[] values) {
    int q = GROUPINGS.get(grouping).size();
    return LevelEffects.zero(values.length / q, q, 2).with(values);
  }

  /** Effects drawn given φ: L times normals. */
  private static double[] drawn(int grouping, double[] phi, Noise noise) {
    int q = GROUPINGS.get(grouping).size();
    double[] factor = new EffectCovariance(GROUPINGS.get(grouping).effects()).factor(phi);
    double[] values = new double[(int) GROUPINGS.get(grouping).levels() * q];
    for (int j = 0; j < values.length; j += q) {
      double[] z = noise.normals(q);
      for (int e = 0; e < q; e++) {
        for (int f = 0; f <= e; f++) {
          values[j + e] += factor[e * q + f] * z[f];
        }
      }
    }
    return values;
  }

  /** Returns log N(b; 0, Σ) of one level, up to a constant. */
  private double logNormal(int grouping, double[] phi, double[] values, int level, double by) {
    int q = GROUPINGS.get(grouping).size();
    double[] b = Arrays.copyOfRange(values, level * q, (level + 1) * q);
    b[q - 1] += by; // the intercept
    double[] precision = structure.precision(grouping, phi);
    double[] factor = structure.covariance(grouping).factor(phi);
    double sum = 0;
    for (int e = 0; e < q; e++) {
      sum -= Math.log(factor[e * q + e]);
      for (int f = 0; f < q; f++) {
        sum -= 0.5 * b[e] * precision[e * q + f] * b[f];
      }
    }
    return sum;
  }

  /** Returns log p(φ) + Σ_l log ∫ N(u_l + c) Π N(b_j − c) dc by the trapezoidal rule. */
  private double integrated(double[] phiInner, double[] phiOuter, double[] b, double[] u) {
    double sum =
        structure.covariance(0).logPrior(phiInner) + structure.covariance(1).logPrior(phiOuter);
    for (int l = 0; l < LEVELS; l++) {
      double integral = 0;
      for (double c = -20; c <= 20; c += 0.01) {
        double log = logNormal(1, phiOuter, u, l, c);
        for (int j = 0; j < OUTER.length; j++) {
          log += OUTER[j] == l ? logNormal(0, phiInner, b, j, -c) : 0;
        }
        integral += Math.exp(log);
      }
      sum += Math.log(integral);
    }
    return sum;
  }

  @Test
  void covariancesMoveByTheDensityWithTheShiftsIntegratedOut() {
    Noise noise = Noise.of(streams.stream(Streams.Purpose.INITIAL, 0, 0, 0));
    double[] b = drawn(0, new double[] {-0.2, 0.1, 0.4}, noise);
    double[] u = drawn(1, new double[] {0.3}, noise);
    NestedMoves moves = new NestedMoves(structure, nesting, of(0, b), of(1, u));
    double[][] phis = {{-0.2, 0.1, 0.4, 0.3}, {0.5, -0.9, -0.3, -0.6}, {-1, 0.7, 0.9, 1.1}};
    double[] found = new double[phis.length];
    moves.values(phis, found);
    double[] expected =
        Arrays.stream(phis)
            .mapToDouble(
                phi -> integrated(Arrays.copyOf(phi, 3), Arrays.copyOfRange(phi, 3, 4), b, u))
            .toArray();
    for (int k = 1; k < phis.length; k++) {
      assertEquals(expected[k] - expected[0], found[k] - found[0], 1e-8);
    }
  }

  /**
   * Without rows the posterior is the prior: draws of it are draws of it after some steps. False
   * alarms: 1 in 1,000 of the four comparisons together.
   */
  @Test
  void thePriorIsInvariantAndThePredictorsStay() {
    int replicates = 2000;
    double[][] uniform = new double[4][replicates];
    for (int r = 0; r < replicates; r++) {
      UniformRandomProvider rng = streams.stream(Streams.Purpose.INITIAL, 1, r, 0);
      Noise noise = Noise.of(rng);
      double[][] phi = {
        {logSd(noise), logSd(noise), artanhOfCorrelation(noise)}, {logSd(noise)},
      };
      double[] b = drawn(0, phi[0], noise);
      double[] u = drawn(1, phi[1], noise);
      LevelEffects[] effects = {of(0, b), of(1, u)};
      for (int s = 0; s < 6; s++) {
        new NestedMoves(structure, nesting, effects[0], effects[1]).step(phi, effects, noise);
      }
      double[] bThere = effects[0].values();
      double[] uThere = effects[1].values();
      assertArrayEquals(sums(b, u), sums(bThere, uThere), 1e-9);
      for (int j = 0; j < OUTER.length; j++) {
        assertEquals(b[2 * j], bThere[2 * j], "the effect that the outer grouping has not");
      }
      double sdInner = Math.exp(phi[0][1]);
      double sdOuter = Math.exp(phi[1][0]);
      uniform[0][r] = 2 * NORMAL.cumulativeProbability(sdInner) - 1;
      uniform[1][r] = 2 * NORMAL.cumulativeProbability(sdOuter) - 1;
      uniform[2][r] = NORMAL.cumulativeProbability(bThere[1] / sdInner);
      uniform[3][r] = NORMAL.cumulativeProbability(uThere[0] / sdOuter);
    }
    double limit = new FalseAlarms(1e-3, uniform.length).kolmogorov() / Math.sqrt(replicates);
    for (int k = 0; k < uniform.length; k++) {
      double[] sorted = Arrays.stream(uniform[k]).sorted().toArray();
      double farthest =
          IntStream.range(0, replicates)
              .mapToDouble(i -> Math.abs(sorted[i] - (i + 0.5) / replicates))
              .max()
              .orElse(1);
      int number = k;
      assertTrue(farthest < limit, () -> "element " + number + ": " + farthest + " for " + limit);
    }
  }

  private static double logSd(Noise noise) {
    return Math.log(Math.abs(noise.normal()));
  }

  /** Returns y = artanh z under LKJ(2) of a 2 × 2 matrix: p(z) ∝ 1 − z², by refusals. */
  private static double artanhOfCorrelation(Noise noise) {
    while (true) {
      double z = 2 * NORMAL.cumulativeProbability(noise.normal()) - 1;
      if (noise.flip(1 - z * z)) {
        return 0.5 * Math.log((1 + z) / (1 - z));
      }
    }
  }

  private static double[] sums(double[] b, double[] u) {
    return IntStream.range(0, OUTER.length).mapToDouble(j -> b[2 * j + 1] + u[OUTER[j]]).toArray();
  }

  private static DataBlock block(int id, long[] inner, long[] outer) {
    double[] ones = IntStream.range(0, inner.length).mapToDouble(row -> 1).toArray();
    return new DenseBlock(id, 1, ones, ones, ones).grouped(new long[][] {inner, outer});
  }

  private static List<Nesting> nestings(long[][]... blocks) {
    MultilevelRun.LevelKeys keys = new MultilevelRun.LevelKeys(GROUPINGS);
    List<long[][]> shares =
        IntStream.range(0, blocks.length)
            .mapToObj(i -> new PlainBlock(block(i, blocks[i][0], blocks[i][1])))
            .map(block -> keys.add(Place.whole(List.of(block)), List.of(true)).get(0))
            .toList();
    return keys.merge(true, shares).nestings();
  }

  /** Effects of 2(x + 0.7) + 3: what they lose the coefficients of x and of the intercept gain. */
  @Test
  void aShiftOfEffectsOfALineLeavesThePredictors() {
    TableEffects of =
        new TableEffects(
            GROUPINGS.get(0).effects(),
            0,
            new int[] {1, -1},
            new double[] {0.7, 0},
            List.of(new TableEffects.Line(2, 3), TableEffects.Line.SAME),
            OUTER.length,
            false);
    double[] sums = {0, 0, 0, 0, 0, 0, 9, 1, 1, 8, 3, -2, OUTER.length};
    LevelEffects.Tally tally = new LevelEffects.Tally(2, 2, sums, 0);
    CentredMoves moves = new CentredMoves(structure(List.of(of)), 0, tally);
    Noise noise = Noise.of(streams.stream(Streams.Purpose.INITIAL, 1, 0, 0));
    DataBlock row = new DenseBlock(0, 2, new double[] {1, -1.3}, new double[1], null);
    for (int effect = 0; effect < 2; effect++) {
      double[] theta = {0.1, -0.2};
      double c = moves.shift(effect, new double[3], structure.prior(), theta, noise);
      assertTrue(c != 0);
      assertEquals(0.1 + 0.2 * 1.3, theta[0] - 1.3 * theta[1] - c * of.z(row, 0, effect), 1e-12);
    }
    assertEquals(0, NestedMoves.common(of, GROUPINGS.get(0))[0] - 1);
    assertEquals(1, NestedMoves.common(of, GROUPINGS.get(0)).length);
  }

  @Test
  void nestedGroupingsAreFoundWhereverTheirRowsAre() {
    long[][] first = {{8, 5, 8, 9}, {30, 10, 30, 20}};
    List<Nesting> found = nestings(first, new long[][] {{5, 6}, {10, 30}});
    assertEquals(1, found.size());
    assertEquals(0, found.get(0).inner());
    assertEquals(1, found.get(0).outer());
    assertArrayEquals(new int[] {0, 2, 2, 1}, found.get(0).levels(), "of 5, 6, 8, 9");
    assertEquals(List.of(), nestings(first, new long[][] {{5, 6}, {20, 30}}), "5 is in 10 and 20");
    assertEquals(List.of(), nestings(first, new long[][] {{6, 6}, {10, 30}}), "6 is in 10 and 30");
  }
}
