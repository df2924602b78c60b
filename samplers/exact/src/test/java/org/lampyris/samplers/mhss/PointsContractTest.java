package org.lampyris.samplers.mhss;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.EventSource;
import org.lampyris.samplers.rows.EventSourceContract;
import org.lampyris.samplers.testdata.LogisticTable;

/** Points of several slabs of heights. */
class PointsContractTest extends EventSourceContract<ProxyBlock> {
  private static final double THICKNESS = 0.5;

  private final List<ProxyBlock> blocks = proxyBlocks();

  private static List<ProxyBlock> proxyBlocks() {
    TaylorProxy proxy =
        new TaylorProxy(
            new LinearModel(new LogisticLikelihood(), LogisticTable.D),
            1,
            new LaplaceApproximation(LogisticTable.mode(), LogisticTable.covariance()),
            Double.POSITIVE_INFINITY);
    return LogisticTable.blocks().stream().map(block -> ProxyBlock.of(proxy, block)).toList();
  }

  @Override
  protected List<ProxyBlock> blocks() {
    return blocks;
  }

  @Override
  protected EventSource<ProxyBlock> source(int chain) {
    return new PointStream(new Streams(9), chain, 8, THICKNESS);
  }

  /** Up to four slabs, whole and in part. */
  @Override
  protected List<Double> limits() {
    return List.of(0.0, 0.2, THICKNESS, 1.1, 3.9);
  }

  @Override
  protected boolean numbered() {
    return true;
  }

  @Override
  protected void assertSameRow(ProxyBlock whole, int row, ProxyBlock selected, int index) {
    assertEquals(whole.constant(row), selected.constant(index));
  }
}
