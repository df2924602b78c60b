package org.lampyris.driver.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.diagnostics.VariableSummary;

class ConvergenceTest {

  @Test
  void theLimitsThemselvesPass() {
    assertEquals(
        Optional.empty(), Convergence.complaint(List.of(Rows.row("a", 1.01, 400, 400)), 1000));
  }

  @Test
  void eachMeasureCounts() {
    assertTrue(Convergence.complaint(List.of(Rows.row("a", 1.0101, 400, 400)), 9).isPresent());
    assertTrue(Convergence.complaint(List.of(Rows.row("a", 1, 399.9, 400)), 9).isPresent());
    assertTrue(Convergence.complaint(List.of(Rows.row("a", 1, 400, 399.9)), 9).isPresent());
    assertTrue(Convergence.complaint(List.of(Rows.row("a", Double.NaN, 400, 400)), 9).isPresent());
  }

  @Test
  void theWorstIsNamedFirstWithWhatWouldDo() {
    assertEquals(
        Optional.of(
            "R-hat > 1.01 or ESS < 400 for 2 of 3 coefficients: b (R-hat 1.021, ESS bulk 300, tail"
                + " 350), c (R-hat 1.003, ESS bulk 200, tail 500). Raise sampler.draws from 1000 to"
                + " about 2800, or sampler.thin instead."),
        Convergence.complaint(
            List.of(
                Rows.row("a", 1, 500, 500),
                Rows.row("b", 1.021, 300, 350),
                Rows.row("c", 1.003, 200, 500)),
            1000));
  }

  @Test
  void remediesFitTheFault() {
    assertTrue(
        Convergence.complaint(List.of(Rows.row("a", 1.2, 300, 300)), 1000)
            .orElseThrow()
            .endsWith(
                "from 1000 to about 28500, or sampler.thin instead, and sampler.warmup with it."));
    VariableSummary few = Rows.row("a", 1.5, 9, Double.NaN);
    assertTrue(
        Convergence.complaint(List.of(few), 20)
            .orElseThrow()
            .contains(
                "a (R-hat 1.500, ESS bulk 9, tail none). There are too few different draws to"
                    + " tell: raise sampler.draws."));
    VariableSummary still =
        new VariableSummary(
            "b",
            1,
            0,
            new VariableSummary.Quantiles(1, 0, 1, 1),
            new VariableSummary.Mixing(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN));
    assertTrue(
        Convergence.complaint(List.of(still), 1000)
            .orElseThrow()
            .contains("b (R-hat none, ESS bulk none, tail none). Some draws never moved"));
  }

  @Test
  void manyAreCounted() {
    String complaint =
        Convergence.complaint(
                IntStream.range(0, 50).mapToObj(j -> Rows.row("v" + j, 1, 100 + j, 500)).toList(),
                1000)
            .orElseThrow();
    assertTrue(complaint.contains("for 50 of 50 coefficients: v0 "), complaint);
    assertTrue(complaint.contains("v4 (") && !complaint.contains("v5 ("), complaint);
  }
}
