package org.lampyris.bounds.lowerbound;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.model.GaussianLikelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;

class ExactGaussianBoundTest extends LowerBoundContract {

  private static final GaussianLikelihood LIKELIHOOD = new GaussianLikelihood(0.8);

  @Override
  protected LowerBound bound(int columns) {
    return new ExactGaussianBound(LIKELIHOOD, columns);
  }

  @Override
  protected Model model(int columns) {
    return new LinearModel(LIKELIHOOD, columns);
  }

  @Override
  protected List<DataBlock> blocks() {
    return RandomBlocks.withOffset(41, ROWS, COLUMNS, random -> 2 * random.nextGaussian());
  }

  @Override
  protected Anchors someAnchors(RandomGenerator random, int rows) {
    return Anchors.constant(3);
  }

  @Test
  void theCollapsedSumIsTheLogLikelihoodEverywhere() {
    double[] theta = {4, -2, 0, 1, 30, -9};
    for (DataBlock block : blocks()) {
      CollapsedQuadratic sum = new CollapsedQuadratic(new double[COLUMNS]);
      bound(COLUMNS).collapse(block, someAnchors(RandomBlocks.random(1), ROWS), sum);
      double[] value = new double[1];
      model(COLUMNS).addLogLikelihoods(block, new double[][] {theta}, value);
      assertEquals(value[0], sum.value(theta), 1e-13 * Math.abs(value[0]));
    }
  }
}
