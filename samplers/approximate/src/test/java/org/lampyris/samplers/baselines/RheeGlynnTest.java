package org.lampyris.samplers.baselines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.estimate.Estimate;
import org.lampyris.samplers.minibatch.BatchRows;
import org.lampyris.samplers.minibatch.ChangeRange;
import org.lampyris.samplers.minibatch.Population;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.InMemoryContext;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.testdata.LogisticTable;
import org.lampyris.samplers.testdata.MemoryRun;

/** The exponential of the series is the likelihood, on average. */
class RheeGlynnTest {
  private static final int ROWS = 100;
  private static final List<DataBlock> BLOCKS = LogisticTable.blocks(ROWS, ROWS, false);
  private static final List<String> COLUMNS = List.of("(Intercept)", "a", "b");

  private InMemoryContext context = new MemoryRun(BLOCKS, COLUMNS, Map.of()).context(Map.of());
  private LaplaceApproximation laplace = context.laplace();
  private final BatchRows rows = Population.rows(BLOCKS.get(0), 3);

  private RheeGlynn.Series series(boolean proxies, long batch, double truncation) {
    ResidentRows<PlainBlock> resident = context.resident(PlainBlock::new);
    Remainders remainders =
        proxies
            ? Remainders.atMode(context, resident, ChangeRange.radius(laplace))
            : Remainders.whole(context.model().model());
    ChangeRange range = ChangeRange.of(context.model().model(), laplace, proxies, resident);
    return new RheeGlynn.Series(remainders, range, laplace.mode(), batch, truncation);
  }

  /** Returns the mean of e^(estimate − log-likelihood), both less those at the mode. */
  private double ratio(RheeGlynn.Series series, double[] theta, int repetitions) {
    double[][] thetas = {theta, laplace.mode()};
    double[] exact = new double[2];
    context.model().model().addLogLikelihoods(BLOCKS.get(0), thetas, exact);
    double atMode = series.remainders().proxies(laplace.mode());
    double sum = 0;
    for (int i = 1; i <= repetitions; i++) {
      Estimate.Estimated made =
          series.of(new double[][] {theta}, i, rows, new Streams(7).iteration(1, i));
      sum += Math.exp(made.values()[0] - atMode - (exact[0] - exact[1]));
    }
    return sum / repetitions;
  }

  /** Two posterior sds away, and 2 % of one. */
  @Test
  void itIsUnbiasedWithProxiesAndWithout() {
    double[] near = laplace.mode().clone();
    near[1] += 2 * Math.sqrt(laplace.covariance()[LogisticTable.D + 1]);
    assertEquals(1, ratio(series(true, 30, 0.2), near, 20_000), 0.03);
    double[] nearer = laplace.mode().clone();
    nearer[1] += 0.02 * Math.sqrt(laplace.covariance()[LogisticTable.D + 1]);
    assertEquals(1, ratio(series(false, 30, 0.05), nearer, 20_000), 0.04);
  }

  /** The normal distribution's derivatives by log σ are bounded in balls only. */
  @Test
  void whereNothingIsKnownAllRowsAreLookedAt() {
    context =
        new MemoryRun(FamilySpec.of("gaussian").with("sigma", "flat"), BLOCKS, COLUMNS, Map.of())
            .context(Map.of());
    laplace = context.laplace();
    double[] far = laplace.mode().clone();
    far[3] += 20;
    assertEquals(1, ratio(series(true, 30, 0.2), far, 1), 1e-9);
    Estimate.Estimated made =
        series(true, 30, 0.2).of(new double[][] {far}, 1, rows, new Streams(7).iteration(1, 1));
    assertEquals(2 * ROWS, made.evaluations());
    assertTrue(Double.isFinite(made.values()[0]));
  }
}
