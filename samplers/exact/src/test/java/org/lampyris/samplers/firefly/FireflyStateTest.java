package org.lampyris.samplers.firefly;

import java.util.List;
import org.junit.jupiter.api.Nested;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.samplers.chain.StateContract;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Hmc;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.testdata.Factors;
import org.lampyris.samplers.testdata.LogisticTable;

/** The state of a chain in memory, with every z-kernel. */
class FireflyStateTest {
  private static final int ROWS = LogisticTable.ROWS;
  private static final RowSelection RANDOM =
      new RowSelection.Random(17, ROWS, LogisticTable.BLOCK_ROWS);

  @Nested
  class OneRate extends Contract {
    OneRate() {
      super(new ImplicitBrightness(8), BoundBlocks.logistic(0.1), 1);
    }
  }

  @Nested
  class RatesOfRows extends Contract {
    RatesOfRows() {
      super(new ImplicitBrightness(), BoundBlocks.ratedLogistic(), 2);
    }
  }

  @Nested
  class WithReplacement extends Contract {
    WithReplacement() {
      super(RANDOM, RowSelection.Size.distinctOf(20, ROWS));
    }
  }

  @Nested
  class WithoutReplacement extends Contract {
    WithoutReplacement() {
      super(RANDOM, RowSelection.Size.fixed(20));
    }
  }

  @Nested
  class Scheduled extends Contract {
    Scheduled() {
      super(new RowSelection.Scheduled(7, LogisticTable.BLOCK_ROWS), RowSelection.Size.fixed(0));
    }
  }

  @Nested
  class AllRows extends Contract {
    AllRows() {
      super(new RowSelection.All(), RowSelection.Size.fixed(0));
    }
  }

  private abstract static class Contract extends StateContract<FireflyKernel.State<Brightness>> {
    private final FireflyKernel.ZStep zStep;
    private final List<BoundBlock> blocks;
    private final int thetaSteps;

    Contract(ImplicitBrightness kernel, List<BoundBlock> blocks, int thetaSteps) {
      this.zStep = new FireflyKernel.ZStep(kernel, RowSelection.Size.fixed(0));
      this.blocks = blocks;
      this.thetaSteps = thetaSteps;
    }

    Contract(RowSelection selection, RowSelection.Size size) {
      this.zStep = new FireflyKernel.ZStep(new ExplicitBrightness(selection), size);
      this.blocks = BoundBlocks.logistic();
      this.thetaSteps = 1;
    }

    @Override
    protected TransitionKernel<FireflyKernel.State<Brightness>> kernel(int chain) {
      CollapsedQuadratic collapsed = new CollapsedQuadratic(LogisticTable.mode());
      blocks.forEach(
          block -> BoundBlocks.LOGISTIC.collapse(block.data(), block.anchors(), collapsed));
      FireflyPass pass = new FireflyPass(BoundBlocks.LOGISTIC, streams());
      return new FireflyKernel<>(
          chain,
          ProductPrior.shared(new UnivariatePrior.Normal(0, 1), LogisticTable.D),
          collapsed,
          new FireflyRows.InMemory(blocks, pass),
          zStep,
          thetaSteps);
    }

    @Override
    protected List<ThetaKernel> thetaKernels() {
      Preconditioner laplace = Factors.choleskyOf(LogisticTable.covariance(), LogisticTable.D);
      return List.of(new RandomWalk(laplace, 0.7), new Hmc(laplace, 0.3, 4));
    }

    @Override
    protected double[] start() {
      return LogisticTable.mode();
    }
  }
}
