package org.lampyris.samplers.minibatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.chain.ChainTeam;
import org.lampyris.samplers.run.Bias;
import org.lampyris.samplers.run.InMemoryContext;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentAlgorithm;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RowClient;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.LogisticTable;
import org.lampyris.samplers.testdata.MemoryRun;

/** Decisions that are known to be right, or wrong, always or by halves. */
class DecisionErrorsTest {
  private static final Map<String, ?> KEYS =
      Map.of("algorithm", "austerity", "warmup", 10, "draws", 60);
  private final MemoryRun table =
      new MemoryRun(LogisticTable.blocks(), List.of("(Intercept)", "a", "b"), Map.of());
  private final InMemoryContext context = table.context(KEYS);
  private final RunResult run = table.run(KEYS);

  private Bias measured(BatchDecision decision) {
    ResidentRows<PlainBlock> rows = context.resident(PlainBlock::new);
    BatchQuestions questions = new BatchQuestions(1, LogisticTable.ROWS, LogisticTable.BLOCK_ROWS);
    return new DecisionErrors(context, "a knob")
        .of(
            run.chains(),
            new ResidentAlgorithm.Questions<>(
                new ChainTeam(4),
                chain ->
                    new TrialKernel(
                        BatchRows.asked(questions, chain, RowClient.alone(rows)),
                        Remainders.whole(context.model().model()),
                        decision,
                        BatchGradient.plain(context, LogisticTable.ROWS),
                        Remainders.Renewal.never(context.laplace()))));
  }

  @Test
  void whatIsRightIsFoundRight() {
    Bias bias = measured(new TrialKernel.AllRows());
    assertEquals(
        Map.of("decisions", 200.0, "wrong_decisions", 0.0, "decision_error_rate", 0.0),
        without(bias));
    assertEquals(1 - Math.pow(0.05, 1 / 200.0), figure(bias, "decision_error_rate_at_most"), 1e-9);
    assertTrue(bias.sentence().contains("0 of 200") && bias.sentence().contains("a knob"));
  }

  @Test
  void whatIsWrongIsFoundWrong() {
    BatchDecision right = new TrialKernel.AllRows();
    Bias bias = measured((trial, rng) -> !right.accepts(trial, rng));
    assertEquals(1, figure(bias, "decision_error_rate"));
    assertEquals(1, figure(bias, "decision_error_rate_at_most"));
    Bias never = measured((trial, rng) -> false);
    double rate = figure(never, "decision_error_rate");
    // A random walk is accepted about as often as it aims at, 0.234.
    assertTrue(rate > 0.08 && rate < 0.5, "" + rate);
  }

  private static double figure(Bias bias, String name) {
    return Objects.requireNonNull(bias.figures().get(name));
  }

  private static Map<String, Double> without(Bias bias) {
    return Map.of(
        "decisions", figure(bias, "decisions"),
        "wrong_decisions", figure(bias, "wrong_decisions"),
        "decision_error_rate", figure(bias, "decision_error_rate"));
  }
}
