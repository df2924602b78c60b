package org.lampyris.samplers.validation;

import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.firefly.BoundBlock;
import org.lampyris.samplers.firefly.BoundBlocks;
import org.lampyris.samplers.firefly.Brightness;
import org.lampyris.samplers.firefly.BrightnessKernel;
import org.lampyris.samplers.firefly.ExplicitBrightness;
import org.lampyris.samplers.firefly.FireflyKernel;
import org.lampyris.samplers.firefly.FireflyPass;
import org.lampyris.samplers.firefly.FireflyRows;
import org.lampyris.samplers.firefly.ImplicitBrightness;
import org.lampyris.samplers.firefly.PerRowRates;
import org.lampyris.samplers.firefly.RowSelection;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.InMemoryLikelihoodRows;
import org.lampyris.samplers.run.Inside;
import org.lampyris.samplers.run.LikelihoodPass;
import org.lampyris.samplers.run.LikelihoodRows;
import org.lampyris.samplers.run.PosteriorDensity;
import org.lampyris.samplers.run.RegionKernel;

/**
 * A z-kernel for the rows of an {@link Experiment}.
 *
 * @param name what it is called
 * @param kernel the update of brightness
 * @param size how many rows an explicit update selects
 * @param rate the rate of the candidates; NaN where rows have rates of their own, 0 for none
 */
record ZStep(String name, BrightnessKernel kernel, RowSelection.Size size, double rate) {

  private static final double OF_THE_ROWS = Double.NaN;

  static final ZStep IMPLICIT =
      new ZStep("implicit", new ImplicitBrightness(), RowSelection.Size.fixed(0), 0.3);
  static final ZStep PER_ROW =
      new ZStep("per row", new ImplicitBrightness(), RowSelection.Size.fixed(0), OF_THE_ROWS);
  static final ZStep EXPLICIT =
      new ZStep(
          "explicit",
          new ExplicitBrightness(new RowSelection.Random(5, Experiments.ROWS, Experiments.ROWS)),
          RowSelection.Size.distinctOf(4, Experiments.ROWS),
          0);

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
      return new Bounds(anchors, bound.inItsCoordinates(collapsed));
    }
  }

  /**
   * Returns Firefly with this z-kernel, confined to where its bound holds.
   *
   * @param bound the rows' bound
   * @param bounds where it is tight
   * @param prior p(θ)
   * @param data the rows
   * @param laplace what candidate rates of the rows' own are made of
   * @param fault what becomes of the rows
   * @param streams the random streams
   */
  FireflyKernel<Brightness> firefly(
      LowerBound bound,
      Bounds bounds,
      Prior prior,
      DataBlock data,
      LaplaceApproximation laplace,
      UnaryOperator<FireflyRows<Brightness>> fault,
      Streams streams) {
    FireflyRows<Brightness> rows =
        new FireflyRows.InMemory(
            blocks(bound, bounds, data, laplace), new FireflyPass(bound, streams));
    return new FireflyKernel<>(
        1,
        bound.restricted(prior),
        bounds.collapsed(),
        fault.apply(rows),
        new FireflyKernel.ZStep(kernel, size),
        1);
  }

  /**
   * Returns a kernel that holds in a region, made exact everywhere.
   *
   * @param kernel the kernel
   * @param region the region
   * @param experiment prior and likelihood
   * @param data the rows
   * @param streams the random streams
   */
  static <S extends SamplerState> TransitionKernel<S> everywhere(
      Inside<S> kernel, Region region, Experiment experiment, DataBlock data, Streams streams) {
    LikelihoodRows all =
        new InMemoryLikelihoodRows(List.of(data), new LikelihoodPass<>(experiment.model()));
    return new RegionKernel<>(
        kernel, region, new PosteriorDensity(experiment.prior(), all), 1, streams);
  }

  /** Returns by how much each row's bound is lower than its anchor has it. */
  double[] slack(LowerBound bound, Bounds bounds, DataBlock data, LaplaceApproximation laplace) {
    double[] slack = new double[data.rows()];
    if (Double.isNaN(rate)) {
      BoundBlock block = blocks(bound, bounds, data, laplace).get(0);
      Arrays.setAll(slack, row -> BoundBlocks.SLACK * block.rates().rate(row));
    }
    return slack;
  }

  private List<BoundBlock> blocks(
      LowerBound bound, Bounds bounds, DataBlock data, LaplaceApproximation laplace) {
    if (rate == 0) {
      return BoundBlocks.withoutRates(List.of(data), block -> bounds.anchors());
    }
    return Double.isNaN(rate)
        ? BoundBlocks.withRatesOfRows(
            List.of(data), block -> bounds.anchors(), new PerRowRates(bound, laplace, 2, 0.2))
        : BoundBlocks.withOneRate(List.of(data), block -> bounds.anchors(), rate);
  }
}
