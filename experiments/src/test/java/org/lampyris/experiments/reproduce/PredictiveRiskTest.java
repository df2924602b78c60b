package org.lampyris.experiments.reproduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.output.Modelled;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.driver.report.Curve;
import org.lampyris.samplers.algorithm.LogPosteriors;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.run.RunResult;

class PredictiveRiskTest {
  @TempDir Path folder;

  private static SampledRun run(double[]... draws) {
    ChainTrace chain = new ChainTrace(1);
    for (double[] theta : draws) {
      chain.add(theta, 0, new ChainTrace.Iteration(new StepInfo(1, 7, false), 0));
    }
    return new SampledRun(
        new SampledRun.Variables(
            List.of("(Intercept)", "b"), List.of("flat", "flat"), UnaryOperator.identity()),
        List.of(),
        new RunResult(
            List.of(chain),
            new RunResult.Cost(1, 0, 1, 0),
            new LinkedHashMap<>(),
            List.of(),
            null,
            null),
        new LogPosteriors(null, null),
        "print",
        new Modelled(
            "logistic", "y", List.of(), null, new Modelled.Rows(9, null, 0), Map.of(), List.of()),
        null);
  }

  private static double sigmoid(double eta) {
    return 1 / (1 + Math.exp(-eta));
  }

  @Test
  void itIsTheSquaredErrorOfTheMeanSoFar() throws IOException {
    String test = Files.writeString(folder.resolve("t.csv"), "y,a,b\n0,9,2\n1,9,-1\n").toString();
    String truth = Files.writeString(folder.resolve("p.csv"), "row,p\n0,0.5\n1,0.25\n").toString();
    PredictiveRisk risk = PredictiveRisk.read(test, truth, "p");
    Curve curve = risk.curve("r", run(new double[] {0.3, 1}, new double[] {-0.1, 0.5}));
    assertEquals(2, curve.x().length);
    assertEquals(7, curve.x()[0]);
    assertEquals(14, curve.x()[1]);
    double one = sigmoid(2.3) - 0.5;
    double two = sigmoid(-0.7) - 0.25;
    assertEquals(0.5 * (one * one + two * two), curve.y()[0], 1e-12);
    double first = 0.5 * (sigmoid(2.3) + sigmoid(0.9)) - 0.5;
    double second = 0.5 * (sigmoid(-0.7) + sigmoid(-0.6)) - 0.25;
    assertEquals(0.5 * (first * first + second * second), curve.y()[1], 1e-12);
    assertTrue(PredictiveRisk.csv(List.of(curve)).startsWith("row,evaluations,risk\n\"r\",7.0,"));
  }

  @Test
  void theTruthMayBeARun() throws IOException {
    String test = Files.writeString(folder.resolve("t.csv"), "y,a,b\n0,9,2\n1,9,-1\n").toString();
    SampledRun run = run(new double[] {0.3, 1}, new double[] {-0.1, 0.5});
    PredictiveRisk risk = PredictiveRisk.of(test).takenFrom(run);
    assertEquals(0.5 * (sigmoid(2.3) + sigmoid(0.9)), risk.truth()[0], 1e-15);
    assertEquals(0.5 * (sigmoid(-0.7) + sigmoid(-0.6)), risk.truth()[1], 1e-15);
    assertEquals(0, risk.curve("r", run).y()[1], 1e-30);
  }

  @Test
  void whatDoesNotBelongTogetherIsRefused() throws IOException {
    String test = Files.writeString(folder.resolve("t.csv"), "y,a\n0,9\n1,9\n").toString();
    String truth = Files.writeString(folder.resolve("p.csv"), "row,p\n0,0.5\n").toString();
    assertThrows(UserException.class, () -> PredictiveRisk.read(test, truth, "p"));
    assertThrows(UserException.class, () -> PredictiveRisk.read(test, test, "p"));
    UserException missing =
        assertThrows(UserException.class, () -> PredictiveRisk.read(test + ".gz", truth, "p"));
    assertTrue(String.valueOf(missing.getMessage()).contains("there is no file"));
    PredictiveRisk without = PredictiveRisk.read(test, test, "a");
    assertThrows(UserException.class, () -> without.curve("r", run(new double[] {0, 1})));
  }
}
