package org.lampyris.bounds.family;

import java.util.List;
import java.util.random.RandomGenerator;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.bound.LowerBoundContract;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;

class BinomialBoundTest extends LowerBoundContract {

  @Override
  protected LowerBound bound(int columns) {
    return new BinomialFamily.BinomialBound(columns);
  }

  @Override
  protected Model model(int columns) {
    return new LinearModel(new BinomialFamily.BinomialLikelihood(), columns);
  }

  @Override
  protected List<DataBlock> blocks() {
    return RandomBlocks.withOffset(22, ROWS, COLUMNS, random -> random.nextInt(6) / 5.0);
  }

  /** Signed and unsigned, small and large, and 0. */
  @Override
  protected Anchors someAnchors(RandomGenerator random, int rows) {
    return beginning(random, rows, 0, 1e-9, 900, -30);
  }
}
