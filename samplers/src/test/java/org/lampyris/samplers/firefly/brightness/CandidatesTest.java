package org.lampyris.samplers.firefly.brightness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Nested;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.family.logistic.JaakkolaJordanBound;
import org.lampyris.bounds.lowerbound.Anchors;
import org.lampyris.samplers.firefly.rates.PerRowRates;
import org.lampyris.samplers.pool.EventSource;
import org.lampyris.samplers.pool.EventSourceContract;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.testdata.LogisticTable;

/** The candidates of every z-kernel. */
class CandidatesTest {
  private static final JaakkolaJordanBound BOUND = new JaakkolaJordanBound(LogisticTable.D);
  private static final int ROWS = LogisticTable.ROWS;
  private static final RowSelection RANDOM =
      new RowSelection.Random(4, ROWS, LogisticTable.BLOCK_ROWS);

  private static Anchors anchors(DataBlock block) {
    return BOUND.anchorsAt(block, new double[] {1.3, 0.2, 1.1});
  }

  @Nested
  class OneRate extends Contract {
    OneRate() {
      super(
          new ImplicitBrightness(8),
          BoundBlocks.withOneRate(LogisticTable.blocks(), CandidatesTest::anchors, 0.05));
    }
  }

  @Nested
  class RatesOfRows extends Contract {
    RatesOfRows() {
      super(new ImplicitBrightness(16), rated());
    }
  }

  @Nested
  class WindowsOfOne extends Contract {
    WindowsOfOne() {
      super(new ImplicitBrightness(1), rated());
    }
  }

  @Nested
  class WithReplacement extends Contract {
    WithReplacement() {
      super(RANDOM, SelectionSize.distinctOf(30, ROWS));
    }
  }

  @Nested
  class WithoutReplacement extends Contract {
    WithoutReplacement() {
      super(RANDOM, SelectionSize.fixed(11));
    }
  }

  /** Places with few rows ask about each, others find theirs. */
  @Nested
  class MostRows extends Contract {
    MostRows() {
      super(RANDOM, SelectionSize.fixed(60));
    }
  }

  @Nested
  class Scheduled extends Contract {
    Scheduled() {
      super(new RowSelection.Scheduled(9, LogisticTable.BLOCK_ROWS), SelectionSize.fixed(0));
    }
  }

  @Nested
  class AllRows extends Contract {
    AllRows() {
      super(new RowSelection.All(), SelectionSize.fixed(0));
    }
  }

  private static List<BoundBlock> rated() {
    PerRowRates rates =
        new PerRowRates(BOUND, LogisticTable.mode(), LogisticTable.covariance(), 3, 0.1);
    return BoundBlocks.withRatesOfRows(LogisticTable.blocks(), CandidatesTest::anchors, rates);
  }

  private abstract static class Contract extends EventSourceContract<BoundBlock> {
    private final BrightnessKernel kernel;
    private final SelectionSize size;
    private final List<BoundBlock> blocks;

    Contract(ImplicitBrightness kernel, List<BoundBlock> blocks) {
      this.kernel = kernel;
      this.size = SelectionSize.fixed(0);
      this.blocks = blocks;
    }

    Contract(RowSelection selection, SelectionSize size) {
      this.kernel = new ExplicitBrightness(selection);
      this.size = size;
      this.blocks = BoundBlocks.withoutRates(LogisticTable.blocks(), CandidatesTest::anchors);
    }

    @Override
    protected List<BoundBlock> blocks() {
      return blocks;
    }

    @Override
    protected EventSource<BoundBlock> source(int chain) {
      return new Candidates(kernel, new Streams(12), chain, size);
    }

    @Override
    protected List<Double> limits() {
      return List.of(Double.POSITIVE_INFINITY);
    }

    @Override
    protected boolean numbered() {
      return kernel instanceof ImplicitBrightness;
    }

    @Override
    protected void assertSameRow(BoundBlock whole, int row, BoundBlock selected, int index) {
      assertEquals(whole.anchors().get(row, 0), selected.anchors().get(index, 0));
      if (numbered()) {
        assertEquals(whole.rates().logRate(row), selected.rates().logRate(index));
      }
    }
  }
}
