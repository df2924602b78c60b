package org.lampyris.samplers.validation;

import java.util.List;
import java.util.function.UnaryOperator;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.lowerbound.Anchors;
import org.lampyris.bounds.lowerbound.CollapsedQuadratic;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.firefly.BoundBlock;
import org.lampyris.samplers.firefly.BrightnessKernel;
import org.lampyris.samplers.firefly.CandidateRates;
import org.lampyris.samplers.firefly.ExplicitBrightness;
import org.lampyris.samplers.firefly.FireflyKernel;
import org.lampyris.samplers.firefly.FireflyPass;
import org.lampyris.samplers.firefly.FireflyRows;
import org.lampyris.samplers.firefly.ImplicitBrightness;
import org.lampyris.samplers.firefly.InMemoryFireflyRows;
import org.lampyris.samplers.firefly.PerRowRates;
import org.lampyris.samplers.firefly.RowSelection;
import org.lampyris.samplers.firefly.SelectionSize;
import org.lampyris.samplers.kernel.TransitionKernel;
import org.lampyris.samplers.random.Streams;

/**
 * A z-kernel for the rows of an {@link Experiment}.
 *
 * @param name what it is called
 * @param kernel the update of brightness
 * @param size how many rows an explicit update selects
 * @param perRow whether rows have candidate rates of their own
 */
record ZStep(String name, BrightnessKernel kernel, SelectionSize size, boolean perRow) {

  static final ZStep IMPLICIT =
      new ZStep(
          "implicit",
          new ImplicitBrightness(new CandidateRates.Uniform(0.3)),
          SelectionSize.fixed(0),
          false);
  static final ZStep PER_ROW =
      new ZStep(
          "per row",
          new ImplicitBrightness(new CandidateRates.PerRow()),
          SelectionSize.fixed(0),
          true);
  static final ZStep EXPLICIT =
      new ZStep(
          "explicit",
          new ExplicitBrightness(new RowSelection.Random(5, Experiments.ROWS, Experiments.ROWS)),
          SelectionSize.distinctOf(4, Experiments.ROWS),
          false);

  static List<ZStep> all() {
    return List.of(IMPLICIT, PER_ROW, EXPLICIT);
  }

  /**
   * Where the bounds of some rows are tight, and their sum.
   *
   * @param anchors the rows' anchors
   * @param collapsed Σ log B_n, of these anchors unless something is wrong
   */
  record Bounds(Anchors anchors, CollapsedQuadratic collapsed) {
    static Bounds of(LowerBound bound, DataBlock data, Anchors anchors, double[] origin) {
      CollapsedQuadratic collapsed = new CollapsedQuadratic(origin);
      bound.collapse(data, anchors, collapsed);
      return new Bounds(anchors, collapsed);
    }
  }

  /**
   * Returns Firefly with this z-kernel.
   *
   * @param bound the rows' bound
   * @param bounds where it is tight
   * @param prior p(θ)
   * @param data the rows
   * @param laplace what candidate rates of the rows' own are made of
   * @param fault what becomes of the rows
   * @param streams the random streams
   */
  TransitionKernel firefly(
      LowerBound bound,
      Bounds bounds,
      Prior prior,
      DataBlock data,
      LaplaceApproximation laplace,
      UnaryOperator<FireflyRows> fault,
      Streams streams) {
    List<BoundBlock> blocks =
        perRow
            ? new PerRowRates(bound, laplace.mode(), laplace.covariance(), 2, 0.2)
                .inMemory(List.of(data), block -> bounds.anchors())
            : List.of(new BoundBlock(data, bounds.anchors(), null));
    FireflyRows rows = new InMemoryFireflyRows(blocks, new FireflyPass(bound, streams));
    return new FireflyKernel(
        1, prior, bounds.collapsed(), fault.apply(rows), new FireflyKernel.ZStep(kernel, size), 1);
  }
}
