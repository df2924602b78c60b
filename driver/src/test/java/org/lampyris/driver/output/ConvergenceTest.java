package org.lampyris.driver.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.diagnostics.VariableSummary;

class ConvergenceTest {
  private static final Movement FREE = new Movement(List.of(), 4, 0, 4000, 0.7);

  private static Optional<String> complaint(List<VariableSummary> summary, int drawsPerChain) {
    return Convergence.complaint(summary, drawsPerChain, FREE);
  }

  /** What a run finds wrong with independent draws is a complaint, like chains that disagree. */
  @Test
  void faultsThatARunFoundAreComplaints() {
    List<Decision> found =
        List.of(
            Decision.of(Decision.INDEPENDENT, "4,000 draws"),
            Decision.of(Decision.UNRELIABLE, "The weights are too heavy. Sample anew."));
    assertEquals(
        List.of("The weights are too heavy. Sample anew."),
        Convergence.complaints(List.of(Rows.row("a", Double.NaN, 1, 1)), 1000, FREE.given(found)));
    assertEquals(
        List.of(), Convergence.complaints(List.of(), 1000, FREE.given(found.subList(0, 1))));
  }

  @Test
  void theLimitsThemselvesPass() {
    assertEquals(Optional.empty(), complaint(List.of(Rows.row("a", 1.01, 400, 400)), 1000));
  }

  @Test
  void eachMeasureCounts() {
    assertTrue(complaint(List.of(Rows.row("a", 1.0101, 2000, 400)), 9).isPresent());
    assertTrue(complaint(List.of(Rows.row("a", 1, 399.9, 400)), 9).isPresent());
    assertTrue(complaint(List.of(Rows.row("a", 1, 400, 399.9)), 9).isPresent());
    assertTrue(complaint(List.of(Rows.row("a", Double.NaN, 400, 400)), 9).isPresent());
  }

  /** What is surely out is known; what is in now and then, and nobody knows how often, is not. */
  @Test
  void whatIsHardlyEverInNeedsNoEffectiveDraws() {
    assertEquals(Optional.empty(), complaint(List.of(Rows.chosen("a", 0)), 1000));
    String often = complaint(List.of(Rows.chosen("a", 0), Rows.chosen("b", 0.5)), 9).orElseThrow();
    assertTrue(
        often.startsWith(
            "R-hat > 1.01 or ESS < 400 for 1 of 2 coefficients: b (R-hat 1.000, ESS bulk 500, tail"
                + " 300)"),
        often);
    assertTrue(complaint(List.of(Rows.chosen("a", 0.04)), 1000).isPresent());
  }

  /** 1.012 of 301 coefficients is chance, of one it is not; 1.03 is neither. */
  @Test
  void theLimitKnowsHowManyWereLookedAt() {
    List<VariableSummary> many =
        new ArrayList<>(
            IntStream.range(0, 300).mapToObj(j -> Rows.row("v" + j, 1.002, 1500, 1500)).toList());
    many.add(Rows.row("worst", 1.012, 1500, 1500));
    assertEquals(Optional.empty(), complaint(many, 1000));
    assertTrue(complaint(List.of(many.get(300)), 1000).isPresent());
    many.set(300, Rows.row("worst", 1.03, 1500, 1500));
    assertTrue(complaint(many, 1000).isPresent());
  }

  /**
   * Chains that have converged, with autocorrelation times of 1 and 4: of 3,000 variables together
   * none is condemned by a limit for as many, with a probability of 1 in 1,000; by the limit for
   * one, 3 are expected at most, and more than 9 have a probability of 1 in 1,000.
   */
  @Test
  void chainsThatHaveConvergedAreHardlyEverCondemned() {
    for (double correlation : new double[] {0, 0.6}) {
      List<VariableSummary> rows =
          IntStream.range(0, 3000)
              .parallel()
              .mapToObj(j -> VariableSummary.of("v" + j, chains(j, correlation, 0)))
              .toList();
      assertEquals(0, condemned(rows, 3000), "of 3,000, " + correlation);
      assertEquals(0, condemned(rows, 300), "of 300, " + correlation);
      assertTrue(condemned(rows, 1) <= 9, "alone: " + condemned(rows, 1) + ", " + correlation);
    }
  }

  /** One chain of four is off by 0.7 sd: condemned alone and among 3,000. */
  @Test
  void chainsThatHaveNotConvergedAre() {
    for (double correlation : new double[] {0, 0.6}) {
      List<VariableSummary> rows =
          IntStream.range(0, 100)
              .mapToObj(j -> VariableSummary.of("v" + j, chains(j, correlation, 0.7)))
              .toList();
      assertEquals(100, condemned(rows, 1));
      assertEquals(100, condemned(rows, 3000));
    }
  }

  private static long condemned(List<VariableSummary> rows, int variables) {
    Convergence convergence = new Convergence(variables, 4);
    return rows.stream().filter(convergence::fallsShort).count();
  }

  /** Four autoregressive chains of 1,000 draws and sd 1, of which the first is off. */
  private static double[][] chains(int seed, double correlation, double off) {
    SplittableRandom random = new SplittableRandom(43_000 + seed);
    double[][] all = new double[4][1000];
    for (int c = 0; c < 4; c++) {
      double z = random.nextGaussian();
      for (int i = 0; i < 1000; i++) {
        z = correlation * z + Math.sqrt(1 - correlation * correlation) * random.nextGaussian();
        all[c][i] = z + (c == 0 ? off : 0);
      }
    }
    return all;
  }

  @Test
  void theWorstIsNamedFirstWithWhatWouldDo() {
    assertEquals(
        Optional.of(
            "R-hat > 1.01 or ESS < 400 for 2 of 3 coefficients: c (R-hat 1.003, ESS bulk 200, tail"
                + " 500), b (R-hat 1.021, ESS bulk 300, tail 350). Raise sampler.draws from 1000 to"
                + " about 2600, or raise sampler.thin."),
        complaint(
            List.of(
                Rows.row("a", 1, 500, 500),
                Rows.row("b", 1.021, 300, 350),
                Rows.row("c", 1.003, 200, 500)),
            1000));
  }

  /**
   * An R-hat that chance explains asks for no more draws than its ESS does. The limit shrinks with
   * more draws as fast as R-hat does: one that chance does not explain has to come down to 1.01.
   */
  @Test
  void advisedDrawsKnowWhatChanceMakesOfRHat() {
    assertTrue(advice(Rows.row("a", 1.03, 380, 390)).contains("to about 1400,"));
    assertTrue(advice(Rows.row("a", 1.03, 1500, 1500)).contains("to about 4000,"));
    assertTrue(advice(Rows.row("a", 1.07, 380, 390)).contains("to about 9400,"));
  }

  private static String advice(VariableSummary row) {
    List<VariableSummary> all =
        new ArrayList<>(
            IntStream.range(0, 300).mapToObj(j -> Rows.row("v" + j, 1.002, 1500, 1500)).toList());
    all.add(row);
    return complaint(all, 1000).orElseThrow();
  }

  @Test
  void remediesFitTheFault() {
    assertTrue(
        complaint(List.of(Rows.row("a", 1.2, 300, 300)), 1000)
            .orElseThrow()
            .endsWith(
                "Either the posterior has several modes, or the chains have not converged. Look at"
                    + " the traces in report.html, and raise sampler.warmup."));
    assertTrue(
        complaint(
                List.of(
                    Rows.row("x", 1.001, 900, 900),
                    Rows.row("sigma", 1.976, 5, 20),
                    Rows.row("sd_id", 1.976, 5, 30)),
                400)
            .orElseThrow()
            .endsWith(
                "Only sigma, sd_id disagree, so the rows may not distinguish them. Remove one of"
                    + " them, or give one a narrower prior."));
    VariableSummary few = Rows.row("a", 1.5, 9, Double.NaN);
    assertTrue(
        complaint(List.of(few), 20)
            .orElseThrow()
            .contains(
                "a (R-hat 1.500, ESS bulk 9, tail none). There are too few different draws. Raise"
                    + " sampler.draws."));
    VariableSummary still =
        new VariableSummary(
            "b",
            1,
            0,
            new VariableSummary.Quantiles(1, 0, 1, 1),
            new VariableSummary.Mixing(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN));
    assertTrue(
        complaint(List.of(still), 1000)
            .orElseThrow()
            .contains("b (R-hat none, ESS bulk none, tail none). Some draws never moved"));
  }

  @Test
  void manyAreCounted() {
    String complaint =
        complaint(
                IntStream.range(0, 50).mapToObj(j -> Rows.row("v" + j, 1, 100 + j, 500)).toList(),
                1000)
            .orElseThrow();
    assertTrue(complaint.contains("for 50 of 50 coefficients: v0 "), complaint);
    assertTrue(complaint.contains("v4 (") && !complaint.contains("v5 ("), complaint);
  }

  private static ChainTrace trace(int chain, int draws, int moves, int divergent) {
    ChainTrace trace = new ChainTrace(chain);
    for (int i = 0; i < draws; i++) {
      boolean diverges = i < divergent;
      trace.add(
          new double[] {1, Math.min(i, moves)},
          0,
          new ChainTrace.Iteration(new StepInfo(diverges ? 0 : 0.5, 1, diverges), 0));
    }
    return trace;
  }

  @Test
  void aChainThatHardlyMovesIsStuckAndNeedsNoMoreDraws() {
    Movement movement =
        Movement.of(List.of(trace(1, 1000, 900, 0), trace(2, 1000, 0, 0), trace(3, 1000, 5, 0)));
    assertEquals(List.of(2, 3), movement.stuck());
    List<String> complaints =
        Convergence.complaints(List.of(Rows.row("a", 1.5, 3, 10)), 1000, movement);
    assertEquals(2, complaints.size());
    for (String part :
        List.of(
            "Chains 2, 3 of 3 are stuck",
            "raise sampler.warmup",
            "lower sampler.step_size",
            "set sampler.init: laplace")) {
      assertTrue(complaints.get(0).contains(part), complaints.get(0));
    }
    assertTrue(complaints.get(1).endsWith("a (R-hat 1.500, ESS bulk 3, tail 10)."));
    assertEquals(List.of(), Movement.of(List.of(trace(1, 1000, 6, 0))).stuck());
    assertEquals(List.of(), Movement.of(List.of(trace(1, 9, 0, 0))).stuck());
  }

  @Test
  void theDrawsAloneTellOfStuckChains() {
    double[] still = new double[100];
    double[] moving = IntStream.range(0, 100).asDoubleStream().toArray();
    Draws draws = new Draws(List.of("a", "b"), new double[][][] {{still, still}, {moving, still}});
    assertEquals(List.of(2), Movement.of(draws).stuck());
    assertTrue(
        Convergence.complaints(List.of(), 100, Movement.of(draws))
            .get(0)
            .startsWith("Chain 2 of 2 is stuck"));
  }

  @Test
  void divergentIterationsAreCountedWithWhatToSet() {
    Movement movement = Movement.of(List.of(trace(1, 1000, 900, 12), trace(2, 1000, 900, 0)));
    assertEquals(0.497, movement.acceptance(), 1e-12);
    String text = movement.divergences().orElseThrow();
    assertTrue(text.startsWith("12 of 2000 iterations (0.60 %) were divergent"), text);
    assertTrue(text.contains("Raise sampler.target_acceptance"), text);
    assertEquals(Optional.empty(), FREE.divergences());
    assertEquals(
        Optional.empty(), Movement.of(List.of(trace(1, 2000, 900, 10))).divergences(), "a few");
    assertEquals(
        List.of(), Convergence.complaints(List.of(Rows.row("a", 1, 500, 500)), 1000, movement));
  }

  @Test
  void stepsThatAreTooLongAreTheCauseBeforeDraws() {
    Movement movement = new Movement(List.of(), 4, 0, 4000, 0.012);
    assertTrue(
        Convergence.complaint(List.of(Rows.row("a", 1.02, 40, 50)), 1000, movement)
            .orElseThrow()
            .endsWith(
                "1.2 % of the proposals were accepted, so the steps are too long. Raise"
                    + " sampler.warmup, or lower sampler.step_size."));
  }
}
