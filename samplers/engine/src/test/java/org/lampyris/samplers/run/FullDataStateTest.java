package org.lampyris.samplers.run;

import java.util.List;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.samplers.chain.StateContract;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Hmc;
import org.lampyris.samplers.kernel.Mala;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.Slice;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.testdata.Factors;
import org.lampyris.samplers.testdata.LogisticTable;

class FullDataStateTest extends StateContract<Point> {

  @Override
  protected TransitionKernel<Point> kernel(int chain) {
    LikelihoodPass<PlainBlock> pass =
        new LikelihoodPass<>(new LinearModel(new LogisticLikelihood(), LogisticTable.D));
    return new FullDataKernel(
        ProductPrior.shared(new UnivariatePrior.Normal(0, 1), LogisticTable.D),
        new InMemoryLikelihoodRows(LogisticTable.blocks(), pass));
  }

  @Override
  protected List<ThetaKernel> thetaKernels() {
    int d = LogisticTable.D;
    Preconditioner laplace = Factors.choleskyOf(LogisticTable.covariance(), d);
    return List.of(
        new RandomWalk(laplace, 1),
        new Hmc(laplace, 0.4, 4),
        new Mala(laplace, 0.8),
        new Slice(laplace, 1, Slice.Directions.RANDOM, 1, 6));
  }

  @Override
  protected double[] start() {
    return LogisticTable.mode();
  }
}
