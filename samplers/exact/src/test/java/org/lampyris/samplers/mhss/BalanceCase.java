package org.lampyris.samplers.mhss;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.family.PoissonFamily;
import org.lampyris.bounds.family.RobustFamily;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.kernel.CrankNicolson;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.testdata.Factors;

/**
 * A model of three rows and a way to sample it, for tests of detailed balance between a few points.
 *
 * @param family the likelihood
 * @param order of the proxies
 * @param test how rows decide
 * @param crankNicolson whether proposals are Crank–Nicolson's; otherwise a random walk's
 * @param fault what is wrong
 * @param several whether there are proxies about two further points
 */
record BalanceCase(
    Family family,
    int order,
    RowDecision test,
    boolean crankNicolson,
    Fault fault,
    boolean several) {
  private static final double[] X = {0.9, -0.5, -0.7, 0.6, 0.4, 1.1};
  private static final double[] COVARIANCE = {0.5, 0.1, 0.1, 0.3};
  private static final double BETA = 0.7;
  private static final double[][] GRID = {
    {0.3, -0.2}, {-0.4, 0.25}, {0.9, 0.4}, {0.1, -0.8}, {0.35, -0.15}
  };
  private static final double[] CENTER = {0.2, -0.1};
  private static final double[][] ELSEWHERE = {{0.7, 0.3}, {0.05, -0.6}};
  private static final ProductPrior PRIOR =
      ProductPrior.parse(List.of("normal(0.5, 1.5)", "laplace(0, 1)"));

  /** What may be wrong. */
  enum Fault {
    /** Nothing. */
    NONE,
    /** θ and θ′ swapped in the density of the proposal. */
    CORRECTION_TURNED,
    /** The proxies' ratio left out. */
    NO_PROXIES,
    /** The collapsed proxies are of the other order than the rows'. */
    OTHER_ORDER,
    /** The prior counted twice. */
    PRIOR_TWICE,
    /** The proxies about further points have the sum of the proxies about the centre. */
    SUM_OF_THE_CENTRE
  }

  /** Makes a case with proxies about one point. */
  BalanceCase(Family family, int order, RowDecision test, boolean crankNicolson, Fault fault) {
    this(family, order, test, crankNicolson, fault, false);
  }

  /**
   * A family.
   *
   * @param name its name
   * @param likelihood the code
   * @param response the rows' responses
   * @param radius of the ball
   * @param log log L(η; y) up to a constant, written down again
   */
  record Family(
      String name,
      Likelihood likelihood,
      double[] response,
      double radius,
      DoubleBinaryOperator log) {

    DataBlock data() {
      return new DenseBlock(0, 2, X, response, null);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Family> families() {
    double inf = Double.POSITIVE_INFINITY;
    return List.of(
        new Family(
            "logistic",
            new LogisticLikelihood(),
            new double[] {1, -1, 1},
            inf,
            (eta, y) -> -Math.log(1 + Math.exp(-y * eta))),
        new Family(
            "robust",
            new RobustFamily.RobustLikelihood(4, 1.5),
            new double[] {0.8, -2, 2.5},
            inf,
            (eta, y) -> -2.5 * Math.log(1 + Math.pow((y - eta) / 1.5, 2) / 4)),
        new Family(
            "poisson",
            new PoissonFamily.PoissonLikelihood(),
            new double[] {1, 0, 2},
            1.7,
            (eta, y) -> y * eta - Math.exp(eta)));
  }

  static List<RowDecision> tests() {
    return List.of(
        new RowDecision.Scalable(true),
        new RowDecision.Scalable(false),
        new RowDecision.Factorised());
  }

  static List<BalanceCase> all(Fault fault) {
    List<BalanceCase> cases = new ArrayList<>();
    for (Family family : families()) {
      for (RowDecision test : tests()) {
        for (int order : new int[] {1, 2}) {
          for (boolean several : new boolean[] {false, true}) {
            cases.add(new BalanceCase(family, order, test, false, fault, several));
            cases.add(new BalanceCase(family, order, test, true, fault, several));
          }
        }
      }
    }
    return cases;
  }

  TaylorProxy proxy(int orderOfProxy) {
    return new TaylorProxy(
        new LinearModel(family.likelihood(), 2),
        orderOfProxy,
        new LaplaceApproximation(CENTER, COVARIANCE),
        family.radius());
  }

  /** Returns the proxies about further points. */
  private List<Remainders> others() {
    List<Remainders> others = new ArrayList<>();
    for (double[] at : several ? ELSEWHERE : new double[0][]) {
      TaylorProxy proxy =
          new TaylorProxy(
              proxy(order).model(),
              order,
              new LaplaceApproximation(at, COVARIANCE),
              family.radius());
      CollapsedQuadratic sum = proxy.emptySum();
      proxy.collapse(family.data(), sum);
      others.add(
          new Remainders(
              proxy.model(), proxy, fault == Fault.SUM_OF_THE_CENTRE ? collapsed() : sum));
    }
    return others;
  }

  private CollapsedQuadratic collapsed() {
    TaylorProxy proxy = proxy(fault == Fault.OTHER_ORDER ? 3 - order : order);
    CollapsedQuadratic sum = proxy.emptySum();
    if (fault != Fault.NO_PROXIES) {
      proxy.collapse(family.data(), sum);
    }
    return sum;
  }

  ExactAcceptance acceptance(ProxyBlock block) {
    ProductPrior prior =
        fault == Fault.PRIOR_TWICE
            ? ProductPrior.parse(List.of("normal(0.5, 1.06)", "laplace(0, 0.5)"))
            : PRIOR;
    return new ExactAcceptance(proxy(order), prior, collapsed(), others(), block, test);
  }

  /** Returns by how much detailed balance fails between any two points, relative to the flow. */
  double imbalance() {
    ExactAcceptance acceptance = acceptance(ProxyBlock.of(proxy(order), family.data()));
    double worst = 0;
    for (int i = 0; i < GRID.length; i++) {
      for (int j = 0; j < i; j++) {
        double there = flow(acceptance, GRID[i], GRID[j]);
        double back = flow(acceptance, GRID[j], GRID[i]);
        worst = Math.max(worst, Math.abs(there - back) / Math.max(there, back));
      }
    }
    return worst;
  }

  private double flow(ExactAcceptance acceptance, double[] from, double[] to) {
    ProposalKernel proposal = proposal();
    double correction =
        fault == Fault.CORRECTION_TURNED
            ? proposal.correction(to, from)
            : proposal.correction(from, to);
    double alpha = acceptance.of(from, to, correction);
    assertTrue(alpha > 0, "never accepted");
    return Math.exp(logPosterior(from) + logProposal(from, to)) * alpha;
  }

  private ProposalKernel proposal() {
    Preconditioner factor = Factors.choleskyOf(COVARIANCE, 2);
    return crankNicolson ? new CrankNicolson(CENTER, factor, BETA) : new RandomWalk(factor, BETA);
  }

  /** log q(θ′ | θ) up to a constant, as a textbook has it. */
  private double logProposal(double[] theta, double[] to) {
    double kept = crankNicolson ? Math.sqrt(1 - BETA * BETA) : 1;
    double pull = crankNicolson ? 1 - kept : 0;
    double a = to[0] - pull * CENTER[0] - kept * theta[0];
    double b = to[1] - pull * CENTER[1] - kept * theta[1];
    double determinant = COVARIANCE[0] * COVARIANCE[3] - COVARIANCE[1] * COVARIANCE[2];
    double squares =
        (COVARIANCE[3] * a * a - 2 * COVARIANCE[1] * a * b + COVARIANCE[0] * b * b) / determinant;
    return -0.5 * squares / (BETA * BETA);
  }

  private double logPosterior(double[] theta) {
    double sum = -0.5 * Math.pow((theta[0] - 0.5) / 1.5, 2) - Math.abs(theta[1]);
    for (int row = 0; row < family.response().length; row++) {
      double eta = X[2 * row] * theta[0] + X[2 * row + 1] * theta[1];
      sum += family.log().applyAsDouble(eta, family.response()[row]);
    }
    return sum;
  }

  @Override
  public String toString() {
    return family
        + ", order "
        + order
        + ", "
        + test
        + (crankNicolson ? ", pcn" : ", walk")
        + (several ? ", several points" : "");
  }
}
