package org.lampyris.samplers.firefly;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.kernel.LogDensity;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.RowId;
import org.lampyris.samplers.testdata.GradientDensity;

/** Logistic regression with four rows and one coefficient, and what bright rows make of it. */
public final class TinyModel {
  private static final double[] X = {0.9, -1.7, 2.2, 0.6};
  private static final double[] Y = {1, 1, -1, 1};
  private static final double[] ANCHORS = {0.6, 1.1, 0.9, 2};

  /** How many sets of bright rows there are. */
  public static final int SETS = 1 << X.length;

  private static final UnivariatePrior PRIOR = new UnivariatePrior.Normal(0.2, 1.5);

  private TinyModel() {}

  /** Returns the rows. */
  public static DataBlock data() {
    return new DenseBlock(0, 1, X, Y, null);
  }

  /** Returns where the rows' bounds are tight. */
  public static Anchors anchors() {
    return Anchors.perRow(ANCHORS, 1);
  }

  /** Returns the rows of a set, ascending. */
  public static int[] rows(int set) {
    return IntStream.range(0, X.length).filter(n -> (set >> n & 1) == 1).toArray();
  }

  /**
   * Returns p(θ) Π (L_n − B_n)^z_n B_n^(1 − z_n), from the formulas in the paper.
   *
   * @param theta θ
   * @param set the bright rows as bits
   */
  public static double joint(double theta, int set) {
    double p = Math.exp(PRIOR.logDensity(theta));
    for (int n = 0; n < X.length; n++) {
      double s = Y[n] * X[n] * theta;
      double xi = ANCHORS[n];
      double a = -Math.tanh(xi / 2) / (4 * xi);
      double c = -a * xi * xi + xi / 2 - Math.log(Math.exp(xi) + 1);
      double likelihood = 1 / (1 + Math.exp(-s));
      double lower = Math.exp(a * s * s + s / 2 + c);
      p *= (set >> n & 1) == 1 ? likelihood - lower : lower;
    }
    return p;
  }

  /** Returns log p(θ | data) up to a constant, as Metropolis sees it on all rows. */
  public static LogDensity posterior() {
    LinearModel model = new LinearModel(new LogisticLikelihood(), 1);
    return new GradientDensity(1) {
      @Override
      public double valueAndGradient(double[] theta, double[] gradient) {
        gradient[0] = PRIOR.derivative(theta[0]);
        double[] sum = {PRIOR.logDensity(theta[0])};
        model.addGradients(data(), new double[][] {theta}, sum, new double[][] {gradient});
        return sum[0];
      }
    };
  }

  /**
   * Returns where the density given z is 0: θ = ±ξ_n/x_n of the bright rows, ascending.
   *
   * @param set the bright rows as bits
   */
  public static double[] holes(int set) {
    return Arrays.stream(rows(set))
        .mapToDouble(n -> ANCHORS[n] / X[n])
        .flatMap(hole -> DoubleStream.of(-hole, hole))
        .sorted()
        .toArray();
  }

  /** Returns p(θ). */
  public static ProductPrior prior() {
    return ProductPrior.shared(PRIOR, 1);
  }

  /** Returns Σ log B_n. */
  public static CollapsedQuadratic collapsed() {
    CollapsedQuadratic collapsed = new CollapsedQuadratic(new double[] {0.1});
    new JaakkolaJordanBound(1).collapse(data(), anchors(), collapsed);
    return collapsed;
  }

  /**
   * Answers a question for some bright rows, by the code that samples.
   *
   * @param question a question without a z-step
   * @param bright the bright rows, ascending
   */
  public static FireflyRows.Answer answer(FireflyRows.Question question, int[] bright) {
    FireflyPass pass = new FireflyPass(new JaakkolaJordanBound(1), new Streams(1));
    return new FireflyRows.InMemory(List.of(block(null)), pass)
        .ask(brightness(ids(bright)), question)
        .answer();
  }

  /** Returns the model's rows as a block. */
  public static BoundBlock block(@Nullable BlockRates rates) {
    return new BoundBlock(data(), anchors(), rates);
  }

  /** Returns the ids of some rows. */
  public static long[] ids(int[] rows) {
    return Arrays.stream(rows).mapToLong(row -> RowId.of(0, row)).toArray();
  }

  /** Returns the brightness of which only the bright rows are known. */
  public static Brightness brightness(long[] ids) {
    return new Brightness(new double[0][], ids, new double[0][]);
  }
}
