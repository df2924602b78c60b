package org.lampyris.samplers.firefly;

import java.util.List;
import java.util.stream.IntStream;
import org.lampyris.bounds.block.DenseBlock;
import org.lampyris.bounds.lowerbound.Anchors;
import org.lampyris.bounds.lowerbound.CollapsedQuadratic;
import org.lampyris.bounds.lowerbound.JaakkolaJordanBound;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.samplers.density.LogDensity;
import org.lampyris.samplers.random.Streams;

/**
 * Logistic regression with four rows and one coefficient, for tests of θ-kernels: Firefly's
 * conditional density of θ for each set of bright rows, evaluated by the code that samples.
 */
public final class TinyModel {
  private static final double[] X = {0.9, -1.7, 2.2, 0.6};
  private static final double[] Y = {1, 1, -1, 1};
  private static final double[] ANCHORS = {0.6, 1.1, 0.9, 2};

  /** For questions that do not resample brightness. */
  static final CandidateSource NO_CANDIDATES =
      (kernel, chain, iteration) -> {
        throw new IllegalStateException("candidates are asked for");
      };

  /** How many sets of bright rows there are. */
  public static final int SETS = 1 << X.length;

  private TinyModel() {}

  /** Returns where the density is 0 if all rows are bright: θ = ±ξ_n/x_n. */
  public static double[] holes() {
    return IntStream.range(0, 2 * X.length)
        .mapToDouble(i -> (i % 2 == 0 ? 1 : -1) * ANCHORS[i / 2] / X[i / 2])
        .sorted()
        .toArray();
  }

  /**
   * Returns log p(θ | z, data) up to a constant.
   *
   * @param set the bright rows as bits
   */
  public static LogDensity conditional(int set) {
    DenseBlock data = new DenseBlock(0, 1, X, Y, null);
    JaakkolaJordanBound bound = new JaakkolaJordanBound(1);
    Anchors anchors = Anchors.perRow(ANCHORS, 1);
    CollapsedQuadratic collapsed = new CollapsedQuadratic(new double[] {0.1});
    bound.collapse(data, anchors, collapsed);
    FireflyPass pass = new FireflyPass(bound, new Streams(1));
    BoundBlock block = new BoundBlock(data, anchors, null);
    long[] bright =
        IntStream.range(0, X.length)
            .filter(n -> (set >> n & 1) == 1)
            .mapToLong(n -> Brightness.key(0, n))
            .toArray();
    Brightness brightness = new Brightness(new double[0][], bright, new double[0][]);
    FireflyRows rows =
        question ->
            new InMemoryFireflyRows(List.of(block), pass, NO_CANDIDATES, brightness).ask(question);
    UnivariatePrior prior = new UnivariatePrior.Normal(0.2, 1.5);
    return new FireflyConditional(1, ProductPrior.shared(prior, 1), collapsed, rows);
  }
}
