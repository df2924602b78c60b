package org.lampyris.samplers.minibatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.InMemoryContext;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.testdata.LogisticTable;
import org.lampyris.samplers.testdata.MemoryRun;

/** The confidence sampler's test: how often it is wrong, when it ends, and the ranges it knows. */
class BernsteinDecisionTest {
  private static final int ROWS = 4000;
  private static final double RANGE = 1;

  /** Values of which few are large: where a normal approximation fails. */
  private static double[] skewed() {
    double[] values = new double[ROWS];
    Arrays.setAll(values, i -> i % 50 == 0 ? 0.9 : -0.02 + 1e-3 * (i % 7));
    return values;
  }

  private static BernsteinDecision test(double delta, double range) {
    return new BernsteinDecision(delta, 2, 32, (remainders, from, to) -> range);
  }

  @Test
  void decisionsAreWrongNoMoreOftenThanDelta() {
    double[] values = skewed();
    double sum = Arrays.stream(values).sum();
    for (double delta : new double[] {0.5, 0.1}) {
      int wrong = 0;
      int orders = 400;
      for (int k = 0; k < orders; k++) {
        // log u − rest is a little below or above the sum.
        double rest = (k % 2 == 0 ? 1 : -1) * (5 + k % 40) - sum;
        boolean decided =
            test(delta, RANGE)
                .accepts(
                    Population.trial(rest, Population.shuffled(values, k)),
                    Population.uniforms(0.5));
        wrong += decided == (Math.log(0.5) < rest + sum) ? 0 : 1;
      }
      assertTrue(wrong <= delta * orders, wrong + " of " + orders);
    }
  }

  /** Far from the threshold a few rows suffice, near it all are looked at. */
  @Test
  void aTestEndsWhereTheBoundSays() {
    int[] looked = new int[1];
    double[] values = skewed();
    for (double rest : new double[] {4000, -values.length * 0.0001}) {
      Population.Counting counting = Population.counting(rest, values);
      test(0.1, RANGE).accepts(counting.trial(), Population.uniforms(0.5));
      looked[0] = counting.looked();
      double log = Math.log(5 / 0.05);
      long least = (long) ((7.0 / 3 + 3 / Math.sqrt(2)) * 2 * log);
      assertTrue(rest > 0 ? looked[0] < 256 && looked[0] >= least / 2 : looked[0] == ROWS);
    }
    Population.Counting unknown = Population.counting(4000, values);
    test(0.1, Double.POSITIVE_INFINITY).accepts(unknown.trial(), Population.uniforms(0.5));
    assertEquals(ROWS, unknown.looked());
  }

  @Test
  void theSharesOfTheLooksAddUpToLessThanDelta() {
    double sum = 0;
    for (int look = 1; look < 100_000; look++) {
      sum += test(0.1, 1).deltaAt(look);
    }
    assertTrue(sum < 0.1 && sum > 0.08, "" + sum);
  }

  /** Every row's change is within the range, with and without proxies, also of one elsewhere. */
  @Test
  void noRowChangesByMoreThanTheRange() {
    List<DataBlock> blocks = LogisticTable.blocks();
    InMemoryContext context =
        new MemoryRun(blocks, List.of("(Intercept)", "a", "b"), Map.of()).context(Map.of());
    ResidentRows<PlainBlock> rows = context.resident(PlainBlock::new);
    Model model = context.model().model();
    LaplaceApproximation laplace = context.laplace();
    double radius = ChangeRange.radius(laplace);
    UniformRandomProvider rng = new Streams(4).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    Preconditioner factor = Preconditioner.of(laplace);
    for (boolean proxies : new boolean[] {true, false}) {
      ChangeRange range = ChangeRange.of(model, laplace, proxies, rows);
      Remainders remainders =
          proxies ? Remainders.atMode(context, rows, radius, 9) : Remainders.whole(model);
      double closest = 0;
      int outside = 0;
      int elsewhere = 0;
      for (int pair = 0; pair < 300; pair++) {
        double spread = pair < 250 ? 0.1 + 1.5 * rng.nextDouble() : 30;
        double[] from = StartingPoint.laplace(laplace.mode(), factor, spread, rng);
        double[] to = StartingPoint.laplace(laplace.mode(), factor, spread, rng);
        Remainders nearest = remainders.nearest(from, to);
        double limit = range.of(nearest, from, to);
        assertTrue(limit <= range.of(remainders, from, to));
        elsewhere += nearest.proxy() == remainders.proxy() ? 0 : 1;
        boolean inside = laplace.distance(from) <= radius && laplace.distance(to) <= radius;
        outside += inside ? 0 : 1;
        for (DataBlock block : blocks) {
          for (int row = 0; row < block.rows(); row++) {
            double[] change = new double[2];
            nearest.changes(from, to).addTo(block, new int[] {row}, change);
            assertTrue(Math.abs(change[0]) <= limit * (1 + 1e-9) + 1e-12, "row " + row);
            closest = Math.max(closest, Math.abs(change[0]) / limit);
          }
        }
      }
      assertTrue(outside > 20, "the ball is hardly left: " + outside);
      assertEquals(proxies, elsewhere > 50, elsewhere + " pairs");
      assertTrue(closest > 0.2, "the range is too wide: " + closest);
    }
  }

  /** The normal distribution's derivatives by log σ are bounded in balls only. */
  @Test
  void whereNothingIsKnownTheRangeIsInfinite() {
    InMemoryContext context =
        new MemoryRun(
                FamilySpec.of("gaussian").with("sigma", "flat"),
                LogisticTable.blocks(),
                List.of("(Intercept)", "a", "b"),
                Map.of())
            .context(Map.of());
    ResidentRows<PlainBlock> rows = context.resident(PlainBlock::new);
    LaplaceApproximation laplace = context.laplace();
    ChangeRange range = ChangeRange.of(context.model().model(), laplace, true, rows);
    Remainders remainders = Remainders.atMode(context, rows, ChangeRange.radius(laplace));
    double[] mode = laplace.mode();
    double[] near = mode.clone();
    near[3] += 0.01;
    double[] far = mode.clone();
    far[3] += 20;
    assertTrue(range.of(remainders, mode, near) < 1);
    assertEquals(Double.POSITIVE_INFINITY, range.of(remainders, mode, far));
  }
}
