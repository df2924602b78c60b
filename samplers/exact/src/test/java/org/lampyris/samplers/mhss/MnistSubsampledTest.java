package org.lampyris.samplers.mhss;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.kernel.CrankNicolson;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.testdata.Factors;
import org.lampyris.samplers.testdata.Mnist79;

/** Scalable subsampling of order 2 with Crank–Nicolson proposals against the gold standard. */
class MnistSubsampledTest {
  private static final int CHAINS = 4;
  private static final int DRAWS = 600;

  /**
   * With 51 degrees of freedom, χ² exceeds this with probability 10⁻⁵; standard errors that are
   * estimated from some hundred effective draws leave it at 10⁻⁴.
   */
  private static final double LIMIT = 107;

  @Test
  void posteriorMeansAreThoseOfTheReference() {
    Mnist79 mnist = Mnist79.loadOrSkip();
    int d = Mnist79.DIMENSION;
    TaylorProxy proxy =
        new TaylorProxy(
            new LinearModel(new LogisticLikelihood(), d),
            2,
            new LaplaceApproximation(mnist.mode(), mnist.covariance()),
            Double.POSITIVE_INFINITY);
    CollapsedQuadratic collapsed = proxy.emptySum();
    List<ProxyBlock> blocks = new ArrayList<>();
    for (DataBlock block : mnist.blocks()) {
      proxy.collapse(block, collapsed);
      blocks.add(ProxyBlock.of(proxy, block));
    }
    Preconditioner factor = Factors.choleskyOf(mnist.covariance(), d);
    Streams streams = new Streams(12);
    double[][][] draws = new double[d][CHAINS][DRAWS];
    for (int c = 0; c < CHAINS; c++) {
      PointStream stream = new PointStream(streams, c, 16, proxy.usualFactor(Math.sqrt(2.0 * d)));
      SubsampledKernel kernel =
          new SubsampledKernel(
              proxy,
              Mnist79.prior(),
              collapsed,
              new InMemoryPointRows(proxy, blocks, stream),
              ProxyBlocks.size(blocks),
              new RowDecision.Scalable(true));
      double[] start =
          StartingPoint.laplace(
              mnist.mode(), factor, 1, streams.stream(Streams.Purpose.INITIAL, c, 0, 0));
      List<double[]> chain =
          new ChainRunner(
                  new ChainRunner.Length(0, DRAWS, 1, 0.5), streams, (number, i, info) -> {})
              .run(c, kernel, new CrankNicolson(mnist.mode(), factor, 0.9), start)
              .draws();
      for (int t = 0; t < DRAWS; t++) {
        for (int j = 0; j < d; j++) {
          draws[j][c][t] = chain.get(t)[j];
        }
      }
    }
    double chiSquare = 0;
    for (int j = 0; j < d; j++) {
      double mean = 0;
      for (double[] chain : draws[j]) {
        for (double value : chain) {
          mean += value / (CHAINS * DRAWS);
        }
      }
      double error = Diagnostics.mcseMean(draws[j]);
      assertTrue(error < 0.1 * mnist.sd()[j], "coefficient " + j + ": standard error " + error);
      double z = (mean - mnist.mean()[j]) / error;
      chiSquare += z * z;
    }
    assertTrue(chiSquare < LIMIT, "χ² " + chiSquare);
  }
}
