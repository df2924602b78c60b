package org.lampyris.samplers.mhss;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.kernel.CrankNicolson;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.Pool;
import org.lampyris.samplers.testdata.Factors;
import org.lampyris.samplers.testdata.LogisticTable;

/**
 * Segments from pools against the same chain with all rows at hand: every draw and every count the
 * same, to the bit, also where pools do not suffice for an iteration.
 */
class SubsampledSamplerTest {
  private static final int D = 3;
  private static final int BLOCKS = 12;
  private static final int BLOCK_ROWS = 200;
  private static final double[] MODE = {0.4, -0.7, 0.2};
  private static final double[] COVARIANCE = {
    0.004, 0.0003, 0, 0.0003, 0.003, 0.0002, 0, 0.0002, 0.003
  };
  private static final ChainRunner.Length LENGTH = new ChainRunner.Length(20, 60, 1, 0.45);

  private final Streams streams = new Streams(4);
  private final ChainRunner runner = new ChainRunner(LENGTH, streams, (c, i, info) -> {});

  private static List<DataBlock> data() {
    return LogisticTable.blocks(BLOCK_ROWS, BLOCKS * BLOCK_ROWS, false);
  }

  private record Case(
      SubsampledSampler sampler, List<ProxyBlock> blocks, PointStream points, ThetaKernel kernel) {

    PointRows all() {
      return new InMemoryPointRows(sampler.proxy(), blocks, points);
    }
  }

  /** Makes a case whose slabs are of a thickness. */
  private Case of(int order, RowDecision test, ThetaKernel kernel, double thickness) {
    TaylorProxy proxy =
        new TaylorProxy(
            new LinearModel(new LogisticLikelihood(), D),
            order,
            new LaplaceApproximation(MODE, COVARIANCE),
            Double.POSITIVE_INFINITY);
    CollapsedQuadratic collapsed = proxy.emptySum();
    List<ProxyBlock> blocks = new ArrayList<>();
    for (DataBlock block : data()) {
      proxy.collapse(block, collapsed);
      blocks.add(ProxyBlock.of(proxy, block));
    }
    PointStream points = new PointStream(streams, 2, 16, thickness);
    ProductPrior prior = ProductPrior.shared(new UnivariatePrior.Normal(0, 1), D);
    SubsampledSampler sampler =
        new SubsampledSampler(
            proxy, prior, collapsed, List.of(), test, ProxyBlocks.size(blocks), points, null, null);
    return new Case(sampler, blocks, points, kernel);
  }

  private List<Case> cases() {
    Preconditioner laplace = Factors.choleskyOf(COVARIANCE, D);
    RandomWalk walk = new RandomWalk(laplace, 0.8);
    CrankNicolson independence = new CrankNicolson(MODE, laplace, 0.9);
    return List.of(
        of(2, new RowDecision.Scalable(true), independence, 40),
        of(2, new RowDecision.Factorised(), walk, 40),
        // Slabs so thin that pools often do not suffice.
        of(2, new RowDecision.Scalable(true), independence, 1),
        // Proxies of order 1 ask for all rows now and then.
        of(1, new RowDecision.Scalable(false), walk, 1));
  }

  private ChainTrace oneAtATime(Case what) {
    return runner.run(2, what.sampler().kernel(what.all()), what.kernel(), MODE);
  }

  /**
   * Runs the chain in segments, with the blocks at two places, and counts what had to be mended.
   */
  private ChainTrace inSegments(Case what, int segment, int[] mended) {
    ChainTrace trace = new ChainTrace(2);
    SubsampledKernel complete = what.sampler().kernel(what.all());
    ChainState<Point> state = runner.begin(trace, complete, what.kernel(), MODE);
    while (state.iteration() < LENGTH.iterations()) {
      long first = state.iteration() + 1;
      int length = (int) Math.min(segment, LENGTH.iterations() + 1 - first);
      List<Pool<ProxyBlock>> pools = new ArrayList<>();
      for (List<ProxyBlock> place :
          List.of(what.blocks().subList(5, BLOCKS), what.blocks().subList(0, 5))) {
        pools.add(what.sampler().draw(2, first, length, place));
      }
      long to = first + length - 1;
      state = what.sampler().advance(runner, state, to, pools, trace);
      if (state.iteration() < to) {
        state = runner.advance(state, state.iteration() + 1, complete, trace);
        mended[0]++;
      }
    }
    return trace;
  }

  @Test
  void segmentsOfAnyLengthDrawTheSame() {
    for (Case what : cases()) {
      ChainTrace expected = oneAtATime(what);
      assertTrue(
          expected.sampling().stream().mapToLong(i -> i.info().likelihoodEvaluations()).sum() > 0,
          what.kernel().toString());
      for (int segment : new int[] {1, 7, 16, 200}) {
        assertSame(expected, inSegments(what, segment, new int[1]));
      }
    }
  }

  @Test
  void anIterationThatPoolsDoNotSufficeForIsLeftToBeMadeWithAllRows() {
    int[] never = new int[1];
    inSegments(cases().get(0), 20, never);
    assertEquals(0, never[0]);
    for (Case thin : cases().subList(2, 4)) {
      int[] mended = new int[1];
      inSegments(thin, 20, mended);
      assertTrue(mended[0] > 2, "mended " + mended[0]);
    }
  }

  private static void assertSame(ChainTrace expected, ChainTrace actual) {
    assertEquals(expected.logDensities(), actual.logDensities());
    assertEquals(expected.stepSize(), actual.stepSize());
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.draws().get(i), actual.draws().get(i));
    }
    for (int i = 0; i < expected.sampling().size(); i++) {
      assertEquals(expected.sampling().get(i).info(), actual.sampling().get(i).info());
    }
  }
}
