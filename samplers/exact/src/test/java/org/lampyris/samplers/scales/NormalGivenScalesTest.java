package org.lampyris.samplers.scales;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.LevelScales;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.PrecisionFactor;
import org.lampyris.bounds.numeric.ArrowMatrix;
import org.lampyris.bounds.prior.PriorParser;

/** The shape of moves given scales, against the precision that these scales give. */
class NormalGivenScalesTest {
  private static final double INFORMATION = 0.5;

  /**
   * No direction is narrower than the shape has it by a factor that would make trajectories
   * diverge, however strong correlations are: the trace of the precision in the shape's units is
   * near its 1 a direction.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void noDirectionIsMuchNarrowerThanTheShape(int size) {
    List<String> effects = List.of("(Intercept)", "x", "z").subList(0, size);
    GroupingEffects grouping =
        new GroupingEffects("g", effects, PriorParser.parse("half_normal(0, 1)"), 1);
    int d = 1 + 2 * size;
    int parameters = grouping.parameters();
    double[] spread = new double[parameters];
    Arrays.fill(spread, 0.3);
    ScaledPrior scales =
        new ScaledPrior(
            d, List.of(new LevelScales(grouping, 1, 2)), new double[parameters], spread);
    DMatrixRMaj wide = precision(scales, scales.wide(), d);
    DMatrixRMaj covariance = new DMatrixRMaj(d, d);
    assertTrue(CommonOps_DDRM.invert(wide, covariance));
    NormalGivenScales normal =
        NormalGivenScales.of(
            scales,
            new LaplaceApproximation(
                new double[d], covariance.getData(), new ArrowMatrix(wide.getData(), d)),
            new CollapsedQuadratic(new double[d], new double[CollapsedQuadratic.packedLength(d)]));
    SplittableRandom random = new SplittableRandom(size);
    double most = 0;
    for (int i = 0; i < 2000; i++) {
      double[] phi = new double[parameters];
      Arrays.setAll(phi, k -> k < size ? random.nextDouble(-1, 1) : random.nextDouble(-6, 6));
      PrecisionFactor shape = (PrecisionFactor) normal.at(phi).factor();
      double[] precision = precision(scales, phi, d).getData();
      double trace = 0;
      for (int j = 0; j < d; j++) {
        trace += shape.solvePrecision(Arrays.copyOfRange(precision, j * d, (j + 1) * d))[j];
      }
      most = Math.max(most, trace);
    }
    assertTrue(most < 2 * d, most + " in " + d + " directions");
  }

  private static DMatrixRMaj precision(ScaledPrior scales, double[] phi, int d) {
    DMatrixRMaj precision = DMatrixRMaj.wrap(d, d, scales.precision(phi));
    for (int j = 0; j < d; j++) {
      precision.add(j, j, INFORMATION);
    }
    return precision;
  }
}
