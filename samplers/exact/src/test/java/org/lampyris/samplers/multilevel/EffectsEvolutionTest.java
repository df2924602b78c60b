package org.lampyris.samplers.multilevel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.Place;

/** What is recorded of effects that lie beside their rows. */
class EffectsEvolutionTest {
  private static final List<TableEffects> GROUPINGS =
      List.of(
          new TableEffects(
              new GroupingEffects(
                  "g", List.of("(Intercept)"), PriorParser.parse("half_normal(0, 1)"), 1),
              0,
              new int[] {-1},
              new double[1],
              1,
              true));

  private static LevelEffects.Displacement by(double shift) {
    double[] here = {0};
    double[] precision = {1};
    return new LevelEffects.Displacement(
        here, here, precision, precision, new double[] {shift}, null);
  }

  /**
   * A displacement that is pending belongs to the state that the chain has reported: it comes
   * before the effects are recorded, and the steps of the next iteration after that.
   */
  @Test
  void effectsAreRecordedAfterTheirDisplacement() {
    DataBlock rows =
        new DenseBlock(0, 1, new double[] {1, 1}, new double[] {1, -1}, null)
            .grouped(new long[][] {{5, 5}});
    Place<GroupedBlock> place =
        Place.whole(List.of(GroupedBlock.of(rows, GROUPINGS, new long[1][])));
    EffectsEvolution evolution =
        new EffectsEvolution(
            new RowPass(new LinearModel(new LogisticLikelihood(), 1), GROUPINGS),
            new Streams(1),
            3,
            3);
    PlaceEffects state = evolution.initial(place);
    EffectsQuestion.Task update =
        new EffectsQuestion.Update(1, 1, 1, false, EffectRecorder.Phase.KEPT);
    EffectsQuestion.Task keep = new EffectsQuestion.Keep();
    state = evolved(evolution, place, state, by(-0.75), keep);
    state = evolved(evolution, place, state, by(0.5), update);
    double stepped = state.effects()[0].values()[0];
    state = evolved(evolution, place, state, by(2), keep);
    assertArrayEquals(
        new float[] {0.75f, 0.25f, (float) (stepped - 2)},
        EffectRecorder.values(List.of(state.recorders()[0]), 0));
  }

  private static PlaceEffects evolved(
      EffectsEvolution evolution,
      Place<GroupedBlock> place,
      PlaceEffects before,
      LevelEffects.Displacement first,
      EffectsQuestion.Task task) {
    EffectsQuestion question =
        new EffectsQuestion(
            1, new double[] {0.1}, new double[1][], new EffectsQuestion.Local(first, by(0)), task);
    return evolution.add(place, before, question).state();
  }
}
