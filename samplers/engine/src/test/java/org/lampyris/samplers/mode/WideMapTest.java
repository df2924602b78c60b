package org.lampyris.samplers.mode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.GaussianScaleModel;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.family.RobustFamily;
import org.lampyris.bounds.family.softmax.SoftmaxModel;
import org.lampyris.bounds.laplace.LowRankFactor;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.InterceptShift;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.Predictors;
import org.lampyris.bounds.rows.SparseBlock;
import org.lampyris.samplers.testdata.OneHotTable;

/** The mode by conjugate gradients, and the approximation of low rank, against dense Newton's. */
class WideMapTest {
  private static final double TOLERANCE = 1e-3;

  /** 20 columns of 11 levels: 201 coefficients. */
  private static final List<DataBlock> ONE_HOT = OneHotTable.blocks(5, 4_000, 20, 11, 512);

  private static final int D = OneHotTable.dimension(20, 11);

  private static Prior shared(String text, int d) {
    return ProductPrior.shared(PriorParser.parse(text), d);
  }

  private static MapFinder finder(Prior prior, double tolerance) {
    return new MapFinder(prior, Collections.nCopies(prior.dimension(), "x"), tolerance, 60);
  }

  private static MapFit dense(Prior prior, Model model, List<DataBlock> blocks) {
    return finder(prior, 1e-6).find(Objective.of(blocks, model, 1), null, pass -> {});
  }

  private static MapFit wide(Prior prior, Model model, List<DataBlock> blocks) {
    return finder(prior, TOLERANCE)
        .find(null, WideObjective.of(blocks, model, 1), null, pass -> {});
  }

  /** Both are within the tolerance of the mode; sds within a factor. */
  private static MapFit assertSame(
      Prior prior, Model model, List<DataBlock> blocks, double sdFactor) {
    MapFit dense = dense(prior, model, blocks);
    MapFit wide = wide(prior, model, blocks);
    double distance = dense.laplace().distance(wide.theta());
    assertTrue(distance <= TOLERANCE, "sds between the modes: " + distance);
    assertEquals(dense.logPosterior(), wide.logPosterior(), 1e-5);
    for (int j = 0; j < prior.dimension(); j++) {
      assertEquals(1, wide.sd(j) / dense.sd(j), sdFactor, "sd of coefficient " + j);
    }
    return wide;
  }

  private static List<DataBlock> withResponses(
      List<DataBlock> blocks, IntFunction<Double> response) {
    List<DataBlock> changed = new ArrayList<>();
    for (DataBlock block : blocks) {
      int[] start = new int[block.rows() + 1];
      List<Integer> columns = new ArrayList<>();
      for (int row = 0; row < block.rows(); row++) {
        for (int j = 0; j < block.columns(); j++) {
          if (block.feature(row, j) != 0) {
            columns.add(j);
          }
        }
        start[row + 1] = columns.size();
      }
      double[] y = new double[block.rows()];
      Arrays.setAll(y, response::apply);
      double[] ones = new double[columns.size()];
      Arrays.fill(ones, 1);
      changed.add(
          new SparseBlock(
              block.id(),
              block.columns(),
              start,
              columns.stream().mapToInt(c -> c).toArray(),
              ones,
              y,
              null));
    }
    return changed;
  }

  @Test
  void oneHotColumnsAsADenseNewtonHasThem() {
    LinearModel model = new LinearModel(new LogisticLikelihood(), D);
    MapFit wide = assertSame(shared("normal(0, 2.5)", D), model, ONE_HOT, 0.15);
    LowRankFactor factor = (LowRankFactor) wide.laplace().factor();
    double[] far = factor.eigenvalues();
    // An intercept and 20 columns: one direction where they add up, 20 where they cancel.
    assertTrue(far[far.length - 1] > 15 && far[19] < 0.3, () -> Arrays.toString(far));
    assertTrue(wide.products() > 0 && wide.passes() == wide.history().size() + wide.products());
  }

  /** What the factor makes of the dense precision is near I: no direction has been left out. */
  @Test
  void theFactorMakesThePosteriorRound() {
    LinearModel model = new LinearModel(new LogisticLikelihood(), D);
    Prior prior = shared("normal(0, 2.5)", D);
    MapFit dense = dense(prior, model, ONE_HOT);
    MapFit wide = wide(prior, model, ONE_HOT);
    SplittableRandom random = new SplittableRandom(1);
    // uᵀΣ⁻¹u of u = Lz is |z|², on average over z, and at the ends of the spectrum of DΣD.
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    List<double[]> directions = new ArrayList<>();
    for (int j = 0; j < D; j++) {
      double[] unit = new double[D];
      unit[j] = 1;
      directions.add(unit);
    }
    for (double[] v : ((LowRankFactor) wide.laplace().factor()).vectors()) {
      directions.add(v);
    }
    for (int k = 0; k < 50; k++) {
      directions.add(random.doubles(D).map(u -> u - 0.5).toArray());
    }
    double[] zero = new double[D];
    for (double[] z : directions) {
      double[] u = new double[D];
      wide.laplace().factor().addTo(z, 1, u);
      double[] difference = dense.laplace().difference(zero, u);
      double ratio =
          Arrays.stream(difference).map(x -> x * x).sum() / Arrays.stream(z).map(x -> x * x).sum();
      least = Math.min(least, ratio);
      most = Math.max(most, ratio);
    }
    assertTrue(least > 0.45 && most < 2.2, "from " + least + " to " + most);
    assertEquals(
        dense.laplace().factor().logDeterminant(),
        wide.laplace().factor().logDeterminant(),
        0.02 * D);
  }

  @Test
  void aPriorOfTheInterceptAtTheCentresOfTheColumns() {
    double[] centres = new double[D];
    Arrays.fill(centres, 1, D, 0.08);
    Prior prior =
        ProductPrior.shared(PriorParser.parse("normal(0.3, 0.1)"), D)
            .about(new InterceptShift(centres, 0, Predictors.all(centres.length, 1)));
    assertSame(prior, new LinearModel(new LogisticLikelihood(), D), ONE_HOT, 0.15);
  }

  @Test
  void kinksAndEndsOfPriors() {
    LinearModel model = new LinearModel(new LogisticLikelihood(), D);
    List<String> texts =
        IntStream.range(0, D)
            .mapToObj(
                j ->
                    j == 0 ? "normal(0, 2.5)" : j % 2 == 0 ? "laplace(0, 0.1)" : "uniform(-0.1, 2)")
            .toList();
    Prior prior = ProductPrior.parse(texts);
    MapFit dense = dense(prior, model, ONE_HOT);
    MapFit wide = wide(prior, model, ONE_HOT);
    assertTrue(Arrays.stream(dense.theta()).filter(x -> x == 0 || x == -0.1).count() > 20);
    assertTrue(dense.laplace().distance(wide.theta()) <= 5 * TOLERANCE);
    assertEquals(dense.logPosterior(), wide.logPosterior(), 1e-4);
  }

  @Test
  void modelsOfMoreThanOnePredictorAndOfSampledScales() {
    SplittableRandom random = new SplittableRandom(8);
    List<DataBlock> some = ONE_HOT.subList(0, 3);
    List<DataBlock> classes = withResponses(some, row -> (double) random.nextInt(3));
    assertSame(shared("normal(0, 1)", 2 * D), new SoftmaxModel(D, 3, 0), classes, 0.3);
    List<DataBlock> numbers = withResponses(some, row -> 2 * random.nextGaussian());
    assertSame(shared("normal(0, 1)", D + 1), new GaussianScaleModel(D), numbers, 0.3);
  }

  /** A likelihood that is not concave: far off, the Hessian is indefinite. */
  @Test
  void heavyTailsFromAFarStart() {
    SplittableRandom random = new SplittableRandom(9);
    List<DataBlock> numbers = withResponses(ONE_HOT, row -> random.nextGaussian());
    Model model = new LinearModel(new RobustFamily.RobustLikelihood(4, 0.5), D);
    Prior prior = shared("normal(0, 5)", D);
    double[] start = new double[D];
    start[0] = 8;
    MapFit dense = dense(prior, model, numbers);
    MapFit wide =
        finder(prior, TOLERANCE).find(start, WideObjective.of(numbers, model, 1), null, pass -> {});
    assertTrue(dense.laplace().distance(wide.theta()) <= TOLERANCE);
  }

  @Test
  void aSubsampleSavesPasses() {
    LinearModel model = new LinearModel(new LogisticLikelihood(), D);
    Prior prior = shared("normal(0, 2.5)", D);
    WideObjective table = WideObjective.of(ONE_HOT, model, 1);
    WideObjective half = WideObjective.of(ONE_HOT.subList(0, 4), model, 4_000.0 / 2_048);
    MapFit cold = finder(prior, TOLERANCE).find(null, table, null, pass -> {});
    MapFit warm = finder(prior, TOLERANCE).find(null, table, half, pass -> {});
    assertTrue(warm.passes() < cold.passes(), warm.passes() + " and " + cold.passes());
    assertTrue(dense(prior, model, ONE_HOT).laplace().distance(warm.theta()) <= TOLERANCE);
  }

  @Test
  void sameBitsTwice() {
    LinearModel model = new LinearModel(new LogisticLikelihood(), D);
    Prior prior = shared("normal(0, 2.5)", D);
    MapFit one = wide(prior, model, ONE_HOT);
    MapFit other = wide(prior, model, ONE_HOT);
    assertArrayEquals(one.theta(), other.theta());
    List<double[]> numbers = one.laplace().factor().numbers();
    for (int k = 0; k < numbers.size(); k++) {
      assertArrayEquals(numbers.get(k), other.laplace().factor().numbers().get(k));
    }
  }

  /** Every level has a column, beside an intercept, and nothing but their sums is known. */
  @Test
  void whatTheDataDoNotTellApartIsTold() {
    SplittableRandom random = new SplittableRandom(10);
    int rows = 600;
    int[] column = new int[2 * rows];
    double[] y = new double[rows];
    for (int row = 0; row < rows; row++) {
      column[2 * row] = 0;
      column[2 * row + 1] = 1 + random.nextInt(40);
      y[row] = random.nextBoolean() ? 1 : -1;
    }
    double[] ones = new double[2 * rows];
    Arrays.fill(ones, 1);
    int[] start = IntStream.rangeClosed(0, rows).map(row -> 2 * row).toArray();
    List<DataBlock> blocks = List.of(new SparseBlock(0, 41, start, column, ones, y, null));
    LinearModel model = new LinearModel(new LogisticLikelihood(), 41);
    UserException refused =
        assertThrows(UserException.class, () -> wide(shared("flat", 41), model, blocks));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.startsWith("the posterior has no single mode"), message);
  }
}
