package org.lampyris.samplers.firefly;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.testdata.LogisticTable;

/** Tables in memory whose rows have bounds, with and without rates of candidates. */
public final class BoundBlocks {
  /** The bound of {@link LogisticTable}. */
  public static final JaakkolaJordanBound LOGISTIC = new JaakkolaJordanBound(LogisticTable.D);

  private BoundBlocks() {}

  /**
   * Returns {@link LogisticTable} without rates, its anchors far from the mode: many are bright.
   */
  public static List<BoundBlock> logistic() {
    return withoutRates(LogisticTable.blocks(), BoundBlocks::anchors);
  }

  /** Returns the same with one rate. */
  public static List<BoundBlock> logistic(double q) {
    return withOneRate(LogisticTable.blocks(), BoundBlocks::anchors, q);
  }

  /** Returns the same with rates of the rows. */
  public static List<BoundBlock> ratedLogistic() {
    PerRowRates rates =
        new PerRowRates(
            LOGISTIC,
            new LaplaceApproximation(LogisticTable.mode(), LogisticTable.covariance()),
            3,
            0.1);
    return withRatesOfRows(LogisticTable.blocks(), BoundBlocks::anchors, rates);
  }

  private static Anchors anchors(DataBlock block) {
    return LOGISTIC.anchorsAt(block, new double[] {1.3, 0.2, 1.1});
  }

  /** Returns blocks without rates. */
  public static List<BoundBlock> withoutRates(
      List<DataBlock> blocks, Function<DataBlock, Anchors> anchors) {
    return blocks.stream().map(block -> new BoundBlock(block, anchors.apply(block), null)).toList();
  }

  /** Returns blocks whose rows all have one rate. */
  public static List<BoundBlock> withOneRate(
      List<DataBlock> blocks, Function<DataBlock, Anchors> anchors, double q) {
    return blocks.stream()
        .map(b -> new BoundBlock(b, anchors.apply(b), new BlockRates.Uniform(q, b.rows())))
        .toList();
  }

  /** A third of the expected brightness, at κ = 3. */
  public static final double SLACK = 1.0 / 9;

  /** Returns blocks whose rows have rates of their own, and slack, by the mean over all of them. */
  public static List<BoundBlock> withRatesOfRows(
      List<DataBlock> blocks, Function<DataBlock, Anchors> anchors, PerRowRates rule) {
    ToDoubleFunction<DataBlock> sumOf =
        block -> {
          double sum = 0;
          for (double expected : rule.expectedBrightness(block, anchors.apply(block))) {
            sum += expected;
          }
          return sum;
        };
    TreeSum sum = new TreeSum(0, Long.MAX_VALUE);
    long rows = 0;
    for (DataBlock block : blocks) {
      sum.add(block.id(), new double[] {sumOf.applyAsDouble(block)});
      rows += block.rows();
    }
    double mean = TreeSum.total(sum.nodes(), 1)[0] / rows;
    return blocks.stream()
        .map(
            block -> {
              Anchors own = anchors.apply(block);
              return new BoundBlock(
                  block, own, rule.rates(rule.expectedBrightness(block, own), mean), SLACK);
            })
        .toList();
  }
}
