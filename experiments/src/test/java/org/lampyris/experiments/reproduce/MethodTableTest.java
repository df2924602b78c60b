package org.lampyris.experiments.reproduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.lampyris.driver.output.Modelled;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.experiments.study.Efficiency;
import org.lampyris.samplers.algorithm.LogPosteriors;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.lampyris.samplers.run.RunResult;

class MethodTableTest {
  private static final int DRAWS = 500;
  private static final int CHAINS = 3;

  private static VariableSummary row(String name, double mean, double sd) {
    return new VariableSummary(
        name,
        mean,
        sd,
        new VariableSummary.Quantiles(mean, sd, 0, 0),
        new VariableSummary.Mixing(1, 100, 100, 0.3, 0.04 * sd));
  }

  private static RowResult result(
      String name, double evaluations, double ess, VariableSummary... summary) {
    String versus = name.equals("c") ? "b" : null;
    // 4,000 iterations: four times what is effective of 1,000.
    Efficiency run = new Efficiency(4000, evaluations, 1, 2 * ess, 4 * ess, 4 * ess);
    return new RowResult(
        new Experiment.Row(name, List.of(), versus, null),
        run,
        0.03,
        List.of(summary),
        RowResult.Off.UNKNOWN);
  }

  @Test
  void speedUpAndDifferencesAreThoseOfTheFormulas() {
    RowResult first = result("a", 1000, 4, row("x", 1, 2), row("y", 0, 1));
    RowResult second = result("b", 50, 3, row("x", 1.6, 2), row("y", 0.3, Math.exp(0.1)));
    assertEquals(3.0 / 50 / (4.0 / 1000), second.speedUp(first), 1e-12);
    assertEquals(0.6 / Math.hypot(0.3, 0.3), second.meansApart(first).largest(), 1e-12);
    assertEquals(0.1 / Math.hypot(0.04, 0.04), second.deviationsApart(first).largest(), 1e-12);
    // Means are 1.41 and 0.71 standard errors apart, log sds 0 and 1.77.
    assertEquals(Math.sqrt(1.25), second.meansApart(first).rootMeanSquare(), 1e-12);
    assertEquals(1.25, second.deviationsApart(first).rootMeanSquare(), 1e-12);
    assertEquals(0.3, second.meansOff(first), 1e-12);
    assertEquals(Math.exp(0.1), second.varianceRatio(first), 1e-12);
    RowResult third = result("c", 5, 3, row("x", -0.2, 2), row("y", 0, 1));
    MethodTable table = new MethodTable("T", List.of(first, second, third));
    String markdown = table.markdown();
    assertTrue(markdown.startsWith("# T\n\n| algorithm |"), markdown);
    String[] lines = markdown.split("\n", -1);
    assertEquals(
        "| a | 4,000 | 1,000 | 2.00 / 4.00 / 4.00 | 16 | (1) |  |  |  |  |  |  |", lines[4]);
    // The error of a quotient of two with errors of 3 %: 4 %.
    assertEquals(
        "| b | 4,000 | 50 | 1.50 / 3.00 / 3.00 | 12 | 15.0 ± 4 % | 1.4 (1.1) | 1.8 (1.3) | 0.300 |"
            + " 1.105 |  |  |",
        lines[5]);
    assertEquals(
        "| c | 4,000 | 5 | 1.50 / 3.00 / 3.00 | 12 | 150.0 ± 4 %; 10.0 ± 4 % times b | 2.8 (2.0) |"
            + " 0.0 (0.0) | 0.424 | 1.000 |  |  |",
        lines[6]);
    // The median of the larger of two: 2·Φ(x) − 1 = √½.
    assertTrue(markdown.contains("over 2 coefficients"), markdown);
    assertTrue(markdown.contains("1.1 (1.0) is expected"), markdown);
    // Means of b and c are 1.8/√0.18 apart; of six |N(0, 1)|, the median of the largest is 1.6.
    String two =
        "Between any two rows, means differ by at most 4.2 and sds by at most 1.8; about 1.6 is"
            + " expected.";
    assertTrue(markdown.contains(two), markdown);
    String[] csv = table.csv().split("\n", -1);
    assertEquals(5, csv.length, "header, three rows, and the end");
    assertEquals(csv[0].split(",", -1).length, csv[2].split(",", -1).length);
    assertTrue(csv[2].startsWith("\"b\",4000,50.0,1.5,3.0,3.0,0.03,15.0,,,1.0,"), csv[2]);
    assertTrue(csv[3].startsWith("\"c\",4000,5.0,1.5,3.0,3.0,0.03,150.0,\"b\",10.0,1.0,"), csv[3]);
    MethodTable without = new MethodTable("T", List.of(first, third));
    assertTrue(without.markdown().contains("| 150.0 ± 4 % |"), without::markdown);
    assertFalse(without.markdown().contains("Between any two"), without::markdown);
  }

  @Test
  void aRowCountsWhatChainsReport() {
    Random random = new Random(4);
    List<ChainTrace> chains = new ArrayList<>();
    for (int c = 1; c <= CHAINS; c++) {
      ChainTrace chain = new ChainTrace(c);
      for (int i = 0; i < DRAWS; i++) {
        StepInfo info = new StepInfo(1, i % 2 == 0 ? 10 : 30, false);
        chain.add(new double[] {random.nextGaussian()}, 0, new ChainTrace.Iteration(info, 0.25));
      }
      chains.add(chain);
    }
    SampledRun run =
        new SampledRun(
            new SampledRun.Variables(List.of("x"), List.of("flat"), UnaryOperator.identity()),
            List.of(),
            new RunResult(
                chains,
                new RunResult.Cost(1, 0, 1, 0),
                new LinkedHashMap<>(),
                List.of(),
                null,
                null),
            new LogPosteriors(null, null),
            "print",
            new Modelled(
                "logistic",
                "y",
                List.of(),
                null,
                new Modelled.Rows(9, null, 0),
                Map.of(),
                List.of()),
            null);
    RowResult result =
        RowResult.of(
            new Experiment.Row("r", List.of(), null, null), run, List.of(row("x", 0, 1)), null);
    assertEquals(CHAINS * DRAWS, result.run().iterations());
    assertEquals(20, result.run().evaluations());
    assertEquals(0.25, result.run().seconds(), 1e-12);
    double ess = Diagnostics.essMean(run.draws()[0]);
    assertEquals(ess, result.run().median(), 1e-9);
    assertEquals(result.run().median(), result.run().least());
    assertEquals(ess / (CHAINS * DRAWS) * 1000, result.perThousand(ess), 1e-9);
    // Of three chains: √(⅔ Σ (m − m̄)²) over the logarithms without each.
    double[][] draws = run.draws()[0];
    double a = Math.log(Diagnostics.essMean(new double[][] {draws[1], draws[2]}));
    double b = Math.log(Diagnostics.essMean(new double[][] {draws[0], draws[2]}));
    double c = Math.log(Diagnostics.essMean(new double[][] {draws[0], draws[1]}));
    double squares = a * a + b * b + c * c - (a + b + c) * (a + b + c) / 3;
    assertEquals(Math.sqrt(2 * squares / 3), result.error(), 1e-12);
    assertTrue(result.error() > 0);
  }

  @Test
  void theExperimentsOfTheLibraryCanBeRead() {
    for (String name : Experiment.NAMES) {
      Experiment experiment = Experiment.read(name, false);
      assertTrue(experiment.rows().size() >= 3, name);
      if (name.matches("mnist|cifar3|flights")) {
        Experiment.Row first = experiment.rows().get(0);
        assertEquals("Regular MCMC", first.name());
        assertEquals("regular-mcmc", first.folder());
        assertTrue(experiment.rows().stream().anyMatch(row -> row.versus() != null), name);
      }
    }
  }
}
