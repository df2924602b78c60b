package org.lampyris.samplers.firefly.brightness;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.block.TreeSum;
import org.lampyris.bounds.lowerbound.Anchors;
import org.lampyris.samplers.firefly.rates.PerRowRates;
import org.lampyris.samplers.firefly.rates.UniformRates;

/** Tables in memory whose rows have bounds, with and without rates of candidates. */
public final class BoundBlocks {
  private BoundBlocks() {}

  /** Returns blocks without rates. */
  public static List<BoundBlock> withoutRates(
      List<DataBlock> blocks, Function<DataBlock, Anchors> anchors) {
    return blocks.stream().map(block -> new BoundBlock(block, anchors.apply(block), null)).toList();
  }

  /** Returns blocks whose rows all have one rate. */
  public static List<BoundBlock> withOneRate(
      List<DataBlock> blocks, Function<DataBlock, Anchors> anchors, double q) {
    return blocks.stream()
        .map(b -> new BoundBlock(b, anchors.apply(b), new UniformRates(q, b.rows())))
        .toList();
  }

  /** Returns blocks whose rows have rates of their own, by the mean over all of them. */
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
                  block, own, rule.rates(rule.expectedBrightness(block, own), mean));
            })
        .toList();
  }
}
