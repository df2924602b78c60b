package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.bound.LowerBoundContract;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

class ExactGaussianBoundTest extends LowerBoundContract {

  private static final GaussianFamily.GaussianLikelihood LIKELIHOOD =
      new GaussianFamily.GaussianLikelihood(0.8);

  @Override
  protected LowerBound bound(int columns) {
    return new GaussianFamily.ExactBound(LIKELIHOOD, columns);
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

  /** About 0, to the rounding of the terms that the quadratic then is made of. */
  @Test
  void theCollapsedSumAgreesWithReferencesFarIntoTheTails() {
    for (String[] f : Fixture.read(ExactGaussianBoundTest.class, "gaussian.csv")) {
      double[] v = Arrays.stream(f).mapToDouble(Double::parseDouble).toArray();
      DataBlock row = new DenseBlock(0, 1, new double[] {1}, new double[] {v[2]}, null);
      LowerBound bound =
          new GaussianFamily.ExactBound(new GaussianFamily.GaussianLikelihood(v[0]), 1);
      CollapsedQuadratic sum = new CollapsedQuadratic(new double[1]);
      bound.collapse(row, Anchors.constant(0), sum);
      double terms = Math.pow((Math.abs(v[1]) + Math.abs(v[2])) / v[0], 2);
      double size = 1 + Math.abs(Math.log(v[0])) + terms;
      String where = String.join(", ", List.of(f).subList(0, 3));
      assertEquals(v[3], sum.value(new double[] {v[1]}), 1e-15 * size, where);
    }
  }
}
