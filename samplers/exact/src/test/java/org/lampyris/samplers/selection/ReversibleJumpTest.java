package org.lampyris.samplers.selection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.kernel.CrankNicolson;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.selection.ReversibleJump.Move;

/**
 * Chains by the proposals and a decision that is Metropolis's and Hastings's, on a model of which
 * the probability of every subset is known: 8 of them, and 4 means. A difference of 4.5 standard
 * errors is a false alarm of 8·10⁻⁵ for all 12. Variants that are wrong are found out.
 */
class ReversibleJumpTest {
  private static final NormalModels MODELS = NormalModels.of(40, 3);
  private static final double RATE = 1.6;
  private static final UnivariatePrior NORMAL = new UnivariatePrior.Normal(0, 1);
  private static final int CHAINS = 4;
  private static final int DRAWS = 25_000;
  private static final double LIMIT = 4.5;

  /** An approximation that is off, so that nothing comes right by itself. */
  private static LaplaceApproximation off() {
    return off(0.6);
  }

  private static LaplaceApproximation off(double width) {
    LaplaceApproximation exact = MODELS.posterior();
    double[] mode = exact.mode().clone();
    Arrays.setAll(mode, j -> mode[j] + 0.7 * exact.sd(j) * (j % 2 == 0 ? 1 : -1));
    double[] covariance = Arrays.stream(exact.covariance()).map(c -> width * c).toArray();
    for (int j = 0; j < mode.length; j++) {
      covariance[j * (mode.length + 1)] *= 1.2;
    }
    return new LaplaceApproximation(mode, covariance);
  }

  private static ReversibleJump jump(LaplaceApproximation laplace, int most, boolean walk) {
    Preconditioner factor = Preconditioner.of(laplace);
    ProposalKernel within =
        walk ? new RandomWalk(factor, 1.1) : new CrankNicolson(laplace.mode(), factor, 0.7);
    return new ReversibleJump(CandidateFeatures.of(prior(most), laplace), most, within);
  }

  private static InclusionPrior prior(int most) {
    return new InclusionPrior(MODELS.slab(), MODELS.features(), RATE, most, null);
  }

  /** A proposal with the logarithm of the quotient that its decision adds to the densities'. */
  private record Case(
      ReversibleJump jump, int most, ToDoubleBiFunction<double[], double[]> correction) {
    static Case of(ReversibleJump jump) {
      return new Case(jump, jump.most(), jump::correction);
    }

    double[][] chain(int number) {
      InclusionPrior prior = prior(most);
      Noise noise = Noise.of(new Streams(11).iteration(number, 1));
      double[][] draws = new double[DRAWS][];
      double[] theta = new double[MODELS.dimension()];
      double log = prior.logDensity(theta) + MODELS.logLikelihood(theta);
      for (int i = -500; i < DRAWS; i++) {
        double[] proposal = jump.propose(theta, noise);
        double there = prior.logDensity(proposal) + MODELS.logLikelihood(proposal);
        double ratio = there - log + correction.applyAsDouble(theta, proposal);
        if (Math.log(noise.uniform(0, 1)) < ratio) {
          theta = proposal;
          log = there;
        }
        draws[Math.max(0, i)] = theta;
      }
      return draws;
    }

    /** Returns by how many standard errors probabilities and means are off, at most. */
    double apart() {
      double[][][] chains =
          IntStream.range(0, CHAINS).parallel().mapToObj(this::chain).toArray(double[][][]::new);
      double[] expected = MODELS.probabilities(RATE, most);
      List<boolean[]> models = MODELS.models();
      double largest = 0;
      double[] means = new double[MODELS.dimension()];
      for (int m = 0; m < expected.length; m++) {
        boolean[] in = models.get(m);
        int[] present = MODELS.present(in);
        double[] mean = MODELS.mean(present);
        for (int i = 0; i < present.length; i++) {
          means[present[i]] += expected[m] * mean[i];
        }
        double[][] here = of(chains, theta -> Arrays.equals(jump.features().in(theta), in) ? 1 : 0);
        if (expected[m] == 0) {
          assertEquals(0, mean(here));
        } else {
          largest = Math.max(largest, Math.abs(mean(here) - expected[m]) / error(here));
        }
      }
      for (int j = 0; j < means.length; j++) {
        int element = j;
        double[][] values = of(chains, theta -> theta[element]);
        largest = Math.max(largest, Math.abs(mean(values) - means[j]) / error(values));
      }
      return largest;
    }

    private static double[][] of(double[][][] chains, ToDoubleFunction<double[]> f) {
      return Arrays.stream(chains)
          .map(chain -> Arrays.stream(chain).mapToDouble(f).toArray())
          .toArray(double[][]::new);
    }

    private static double error(double[][] values) {
      return Diagnostics.mcseMean(values);
    }

    private static double mean(double[][] values) {
      return Arrays.stream(values).flatMapToDouble(Arrays::stream).average().orElseThrow();
    }
  }

  @ParameterizedTest
  @CsvSource({"3, true", "2, true", "1, false", "3, false"})
  void subsetsHaveTheirProbabilities(int most, boolean walk) {
    double[] expected = MODELS.probabilities(RATE, 3);
    assertTrue(
        Arrays.stream(expected).filter(p -> p > 0.02).count() > 4, Arrays.toString(expected));
    // Crank–Nicolson about an approximation narrower than the posterior does not mix.
    double apart = Case.of(jump(off(walk ? 0.6 : 1.3), most, walk)).apart();
    assertTrue(apart < LIMIT, apart + " standard errors");
  }

  /** What a chain does whose decision leaves a factor of the proposals' densities out. */
  private static double apartWithout(int most, ToDoubleBiFunction<double[], double[]> factor) {
    ReversibleJump jump = jump(off(), most, true);
    ToDoubleBiFunction<double[], double[]> correction =
        (from, to) ->
            jump.correction(from, to)
                - factor.applyAsDouble(to, from)
                + factor.applyAsDouble(from, to);
    return new Case(jump, most, correction).apart();
  }

  private static final CandidateFeatures CANDIDATES = CandidateFeatures.of(prior(3), off());

  /** Returns the feature that is in at one point and not at another one, −1 if there is none. */
  private static int only(double[] in, double[] out) {
    return IntStream.range(1, in.length)
        .filter(j -> in[j] != 0 && out[j] == 0)
        .map(j -> j - 1)
        .findFirst()
        .orElse(-1);
  }

  @Test
  void withoutTheDensityOfWhatEntersItIsWrong() {
    double apart =
        apartWithout(
            3,
            (from, to) -> {
              int entering = only(to, from);
              boolean[] others = CANDIDATES.features().in(from);
              int leaving = only(from, to);
              if (leaving >= 0) {
                others[leaving] = false;
              }
              return entering < 0
                  ? 0
                  : CANDIDATES.model(others).entry(new int[] {entering + 1}).logDensity(to);
            });
    assertTrue(apart > 3 * LIMIT, apart + " standard errors");
  }

  @Test
  void withoutTheProbabilitiesOfFeaturesItIsWrong() {
    double apart =
        apartWithout(
            3,
            (from, to) -> {
              boolean[] in = CANDIDATES.features().in(from);
              int entering = only(to, from);
              int leaving = only(from, to);
              return (entering < 0) == (leaving < 0)
                  ? 0
                  : Math.log(
                      CANDIDATES.probabilities(in, entering < 0, -1)[Math.max(entering, leaving)]);
            });
    assertTrue(apart > 3 * LIMIT, apart + " standard errors");
  }

  @Test
  void withoutTheProbabilitiesOfMovesItIsWrong() {
    for (int most : new int[] {2, 3}) {
      ReversibleJump jump = jump(off(), most, true);
      double apart =
          apartWithout(
              most,
              (from, to) -> {
                int k = Features.size(jump.features().in(from));
                int there = Features.size(jump.features().in(to));
                return there == k
                    ? 0
                    : Math.log(jump.probability(there > k ? Move.BIRTH : Move.DEATH, k));
              });
      assertTrue(apart > 2 * LIMIT, apart + " standard errors");
    }
  }

  /** Where the approximation is the posterior, odds are those of the models' probabilities. */
  @Test
  void candidatesGoByThePosteriorOdds() {
    CandidateFeatures exact = CandidateFeatures.of(prior(3), MODELS.posterior());
    double[] models = MODELS.probabilities(RATE, 3);
    for (int m = 0; m < models.length; m++) {
      boolean[] in = MODELS.models().get(m);
      for (boolean leaving : new boolean[] {true, false}) {
        double[] weights = new double[3];
        for (int f = 0; f < 3; f++) {
          if (in[f] == leaving) {
            weights[f] = 0.1 / 3 + models[m ^ 1 << f] / (models[m] + models[m ^ 1 << f]);
          }
        }
        double sum = Arrays.stream(weights).sum();
        double[] expected = Arrays.stream(weights).map(w -> sum == 0 ? 0 : w / sum).toArray();
        assertArrayEquals(expected, exact.probabilities(in, leaving, -1), 1e-9);
      }
    }
    double[] without = exact.probabilities(new boolean[3], false, 1);
    assertEquals(0, without[1]);
    assertEquals(1, without[0] + without[2], 1e-15);
  }

  @Test
  void withoutTheNumberOfModelsOfASizeItIsWrong() {
    ReversibleJump jump = jump(off(), 3, true);
    double[] ways = {0, Math.log(3), Math.log(3), 0};
    double apart =
        new Case(
                jump,
                3,
                (from, to) ->
                    jump.correction(from, to)
                        + ways[Features.size(jump.features().in(to))]
                        - ways[Features.size(jump.features().in(from))])
            .apart();
    assertTrue(apart > 3 * LIMIT, apart + " standard errors");
  }

  /** Where the approximation is the posterior, a jump's acceptance differs by q's tails alone. */
  @Test
  void jumpsDoNotDependOnWhereTheOthersAre() {
    ReversibleJump jump = jump(MODELS.posterior(), 3, true);
    Noise noise = Noise.of(new Streams(4).iteration(1, 1));
    Entry entry = jump.candidates().submodels().of(new int[] {0, 2}).entry(new int[] {1});
    double[] ratios = new double[5];
    for (int i = 0; i < ratios.length; i++) {
      double[] from = {noise.normal(), 0, noise.normal(), 0};
      double[] to = from.clone();
      entry.enter(to, noise);
      double distance = entry.marginal().distance(new double[] {to[1]});
      ratios[i] =
          MODELS.logLikelihood(to)
              + MODELS.slab().logDensityOf(to, new int[] {0, 1, 2})
              - MODELS.logLikelihood(from)
              - MODELS.slab().logDensityOf(from, new int[] {0, 2})
              + 0.5 * distance * distance;
      double[] back = to.clone();
      entry.leave(back);
      assertArrayEquals(from, back, 1e-12);
      assertEquals(0, back[1]);
    }
    Arrays.stream(ratios).forEach(ratio -> assertEquals(ratios[0], ratio, 1e-9));
    double expected =
        MODELS.logMarginal(new int[] {0, 1, 2}) - MODELS.logMarginal(new int[] {0, 2});
    double normal = -0.5 * Math.log(2 * Math.PI) - Math.log(entry.marginal().sd(0));
    assertEquals(expected + normal, ratios[0], 1e-9);
  }

  @Test
  void movesThatAreImpossibleAreNotMade() {
    ReversibleJump jump = jump(off(), 2, true);
    assertEquals(2.0 / 3, jump.probability(Move.UPDATE, 0), 1e-15);
    assertEquals(0, jump.probability(Move.DEATH, 0));
    assertEquals(0, jump.probability(Move.SWAP, 0));
    assertEquals(0.2, jump.probability(Move.BIRTH, 1), 1e-15);
    assertEquals(0, jump.probability(Move.BIRTH, 2));
    assertEquals(0.25, jump.probability(Move.SWAP, 2), 1e-15);
    assertEquals(0, jump(off(), 3, true).probability(Move.SWAP, 3));
    // Without an intercept, nothing can be updated where nothing is in.
    Features alone = new Features(List.of(new int[] {0}, new int[] {1}), 2);
    LaplaceApproximation two =
        new LaplaceApproximation(new double[] {1, 2}, new double[] {1, 0.3, 0.3, 2});
    InclusionPrior prior = new InclusionPrior(ProductPrior.shared(NORMAL, 2), alone, 1, 2, null);
    ReversibleJump empty =
        new ReversibleJump(
            CandidateFeatures.of(prior, two), 2, new RandomWalk(Preconditioner.identity(2), 1));
    assertEquals(1, empty.probability(Move.BIRTH, 0));
    double[] to = empty.propose(new double[2], Noise.of(new Streams(1).iteration(1, 1)));
    assertEquals(1, Features.size(alone.in(to)));
    assertTrue(Double.isFinite(empty.correction(new double[2], to)));
  }

  @Test
  void jumpsTellNothingOfTheStepSize() {
    ReversibleJump jump = jump(off(), 3, true);
    double[] one = {1, 2, 0, 0};
    assertEquals(0.4, jump.tuning(one, new double[] {1, 3, 0, 0}, 0.4));
    assertTrue(Double.isNaN(jump.tuning(one, new double[] {1, 3, 1, 0}, 0.4)));
    assertEquals(0.5, jump.withStepSize(0.5).stepSize());
  }
}
