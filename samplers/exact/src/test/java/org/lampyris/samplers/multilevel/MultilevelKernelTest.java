package org.lampyris.samplers.multilevel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.run.ChainSettings;

/** What a chain believes that its rows answer, against what they do answer there. */
class MultilevelKernelTest {
  private static final int WARMUP = 20;
  private static final int DRAWS = 200;

  /** Of so many rows an iteration is one sweep, so that a refusal is seen at its end. */
  private static final long ROWS_OF_ONE_SWEEP = 4_000;

  private final Streams streams = new Streams(9);
  private final UniformRandomProvider rng = streams.stream(Streams.Purpose.INITIAL, 1, 0, 0);
  private final GroupedTable table = new GroupedTable(4, 5, 3, true, false);
  private final List<DataBlock> rows =
      table.rows(
          new double[] {-0.3, 0.6},
          new double[][] {{-0.2, 0.3, 0.4}, {-0.5}},
          GroupedTable.Response.LOGISTIC,
          rng);
  private final List<TableEffects> groupings = table.effects();
  private final RowPass pass = new RowPass(new LinearModel(new LogisticLikelihood(), 2), groupings);
  private final EffectsEvolution evolution = new EffectsEvolution(pass, streams, DRAWS, 0);
  private final Place<GroupedBlock> place =
      Place.whole(
          rows.stream()
              .map(
                  row ->
                      GroupedBlock.of(row, groupings, new long[][] {{0, 7, 14, 21}, {-2, -1, 0}}))
              .toList());
  private final Structure structure =
      new Structure(
          ProductPrior.shared(new UnivariatePrior.Normal(0, 1), 2), pass, 0, evolution, List.of());

  private double[] answer(EffectsQuestion question) {
    EffectsShare share = evolution.add(place, evolution.initial(place), question).share();
    return evolution.merge(question, Collections.singletonList(share));
  }

  /**
   * An answer that a chain keeps is the one at its θ and effects, whichever proposals were refused
   * on the way: a step from another place's answer is not one of the posterior.
   */
  @Test
  void anAnswerThatIsKnownIsTheOneWhereTheChainIs() {
    MultilevelKernel.Plan plan =
        new MultilevelKernel.Plan(
            new MultilevelAlgorithm.Settings(1, 1, 0),
            new ChainSettings(1, WARMUP, DRAWS, 9, 1, StartingPoint.Init.LAPLACE),
            streams,
            ROWS_OF_ONE_SWEEP);
    MultilevelKernel kernel =
        new MultilevelKernel(1, structure, plan, (before, question) -> answer(question));
    EffectsState state = kernel.init(new double[] {-0.3, 0.6}).state();
    CrankNicolsonLangevin theta =
        new CrankNicolsonLangevin(Preconditioner.identity(structure.parameters()), 0.9);
    int known = 0;
    int stayed = 0;
    for (int i = 1; i <= WARMUP + DRAWS; i++) {
      double before = state.theta()[1];
      state = kernel.step(state, i, theta, rng).state();
      stayed += state.theta()[1] == before ? 1 : 0;
      if (state.known() != null) {
        known++;
        double[][] effects = {
          Objects.requireNonNull(state.shared().effects()[0]).values(),
          Objects.requireNonNull(state.shared().effects()[1]).values()
        };
        EffectsQuestion question =
            new EffectsQuestion(1, state.theta(), effects, null, new EffectsQuestion.Evaluate());
        assertArrayEquals(answer(question), state.known(), 1e-9, "iteration " + i);
      }
    }
    assertTrue(known > DRAWS / 2 && stayed > 3, known + " known, " + stayed + " stayed");
  }
}
