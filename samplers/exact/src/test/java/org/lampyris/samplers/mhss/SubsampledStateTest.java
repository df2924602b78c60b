package org.lampyris.samplers.mhss;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.StateContract;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.CrankNicolson;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.testdata.Factors;
import org.lampyris.samplers.testdata.LogisticTable;

/** The state of a chain in memory, with every test of rows. */
class SubsampledStateTest {

  @Nested
  class Scalable extends Contract {
    Scalable() {
      super(2, new RowDecision.Scalable(true));
    }
  }

  @Nested
  class Factorised extends Contract {
    Factorised() {
      super(2, new RowDecision.Factorised());
    }
  }

  /** Asks for all rows now and then. */
  @Nested
  class OfOrderOne extends Contract {
    OfOrderOne() {
      super(1, new RowDecision.Scalable(false));
    }
  }

  private abstract static class Contract extends StateContract<Point> {
    private final int order;
    private final RowDecision test;

    Contract(int order, RowDecision test) {
      this.order = order;
      this.test = test;
    }

    @Override
    protected TransitionKernel<Point> kernel(int chain) {
      TaylorProxy proxy =
          new TaylorProxy(
              new LinearModel(new LogisticLikelihood(), LogisticTable.D),
              order,
              new LaplaceApproximation(LogisticTable.mode(), LogisticTable.covariance()),
              Double.POSITIVE_INFINITY);
      CollapsedQuadratic collapsed = proxy.emptySum();
      List<ProxyBlock> blocks = new ArrayList<>();
      for (DataBlock block : LogisticTable.blocks()) {
        proxy.collapse(block, collapsed);
        blocks.add(ProxyBlock.of(proxy, block));
      }
      return new SubsampledKernel(
          proxy,
          ProductPrior.shared(new UnivariatePrior.Normal(0, 1), LogisticTable.D),
          collapsed,
          new InMemoryPointRows(proxy, blocks, new PointStream(streams(), chain, 8, 1)),
          ProxyBlocks.size(blocks),
          test);
    }

    @Override
    protected List<ThetaKernel> thetaKernels() {
      Preconditioner laplace = Factors.choleskyOf(LogisticTable.covariance(), LogisticTable.D);
      return List.of(
          new RandomWalk(laplace, 0.6), new CrankNicolson(LogisticTable.mode(), laplace, 0.6));
    }

    @Override
    protected double[] start() {
      return LogisticTable.mode();
    }
  }
}
