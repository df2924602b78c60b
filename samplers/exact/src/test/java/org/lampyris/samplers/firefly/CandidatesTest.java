package org.lampyris.samplers.firefly;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Nested;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.EventSource;
import org.lampyris.samplers.rows.EventSourceContract;
import org.lampyris.samplers.testdata.LogisticTable;

/** The candidates of every z-kernel. */
class CandidatesTest {
  private static final int ROWS = LogisticTable.ROWS;
  private static final RowSelection RANDOM =
      new RowSelection.Random(4, ROWS, LogisticTable.BLOCK_ROWS);

  @Nested
  class OneRate extends Contract {
    OneRate() {
      super(new ImplicitBrightness(8), BoundBlocks.logistic(0.05));
    }
  }

  @Nested
  class RatesOfRows extends Contract {
    RatesOfRows() {
      super(new ImplicitBrightness(16), BoundBlocks.ratedLogistic());
    }
  }

  @Nested
  class WindowsOfOne extends Contract {
    WindowsOfOne() {
      super(new ImplicitBrightness(1), BoundBlocks.ratedLogistic());
    }
  }

  @Nested
  class WithReplacement extends Contract {
    WithReplacement() {
      super(RANDOM, RowSelection.Size.distinctOf(30, ROWS));
    }
  }

  @Nested
  class WithoutReplacement extends Contract {
    WithoutReplacement() {
      super(RANDOM, RowSelection.Size.fixed(11));
    }
  }

  /** Places with few rows ask about each, others find theirs. */
  @Nested
  class MostRows extends Contract {
    MostRows() {
      super(RANDOM, RowSelection.Size.fixed(60));
    }
  }

  @Nested
  class Scheduled extends Contract {
    Scheduled() {
      super(new RowSelection.Scheduled(9, LogisticTable.BLOCK_ROWS), RowSelection.Size.fixed(0));
    }
  }

  @Nested
  class AllRows extends Contract {
    AllRows() {
      super(new RowSelection.All(), RowSelection.Size.fixed(0));
    }
  }

  private abstract static class Contract extends EventSourceContract<BoundBlock> {
    private final BrightnessKernel kernel;
    private final RowSelection.Size size;
    private final List<BoundBlock> blocks;

    Contract(ImplicitBrightness kernel, List<BoundBlock> blocks) {
      this.kernel = kernel;
      this.size = RowSelection.Size.fixed(0);
      this.blocks = blocks;
    }

    Contract(RowSelection selection, RowSelection.Size size) {
      this.kernel = new ExplicitBrightness(selection);
      this.size = size;
      this.blocks = BoundBlocks.logistic();
    }

    @Override
    protected List<BoundBlock> blocks() {
      return blocks;
    }

    @Override
    protected EventSource<BoundBlock> source(int chain) {
      return new BrightnessKernel.Candidates(kernel, new Streams(12), chain, size);
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
