package org.lampyris.experiments.pictures;

import java.util.ArrayList;
import java.util.List;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.firefly.BoundBlock;
import org.lampyris.samplers.firefly.Brightness;
import org.lampyris.samplers.firefly.ExplicitBrightness;
import org.lampyris.samplers.firefly.FireflyKernel;
import org.lampyris.samplers.firefly.FireflyPass;
import org.lampyris.samplers.firefly.FireflyRows;
import org.lampyris.samplers.firefly.RowSelection;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.RowId;

/**
 * Firefly on a logistic regression of a few rows, whose brightness can be seen: the library's own
 * kernel with untuned bounds. An iteration draws the brightness of all rows, then moves θ.
 *
 * @param rows one block
 * @param priorSd of each coefficient's normal prior
 * @param stepSize of the random walk
 */
record ToyFirefly(DataBlock rows, double priorSd, double stepSize) {
  /** ξ, the anchor of all bounds: that of Maclaurin and Adams (2014), section 3.1. */
  static final double ANCHOR = 1.5;

  /** An iteration: which rows were bright, and θ drawn given them. */
  record Step(List<Integer> bright, double[] theta) {}

  /** Returns the iterations of a chain that begins in the dark at θ = 0. */
  List<Step> run(int steps, long seed) {
    int d = rows.columns();
    LowerBound bound = new JaakkolaJordanBound(d);
    Anchors anchors = bound.untuned(ANCHOR).orElseThrow();
    CollapsedQuadratic collapsed = new CollapsedQuadratic(new double[d]);
    bound.collapse(rows, anchors, collapsed);
    Streams streams = new Streams(seed);
    FireflyKernel<Brightness> kernel =
        new FireflyKernel<>(
            1,
            ProductPrior.shared(new UnivariatePrior.Normal(0, priorSd), d),
            collapsed,
            new FireflyRows.InMemory(
                List.of(new BoundBlock(rows, anchors, null)), new FireflyPass(bound, streams)),
            new FireflyKernel.ZStep(
                new ExplicitBrightness(new RowSelection.All()),
                RowSelection.Size.fixed(rows.rows())),
            1);
    RandomWalk walk = new RandomWalk(Preconditioner.identity(d), stepSize);
    TransitionKernel.Transition<FireflyKernel.State<Brightness>> at = kernel.init(new double[d]);
    List<Step> all = new ArrayList<>();
    for (int i = 1; i <= steps; i++) {
      at = kernel.step(at.state(), i, walk, streams.iteration(1, i));
      List<Integer> bright = new ArrayList<>();
      for (long id : at.state().rows().rows()) {
        bright.add(RowId.row(id));
      }
      all.add(new Step(bright, at.state().point().theta().clone()));
    }
    return all;
  }
}
