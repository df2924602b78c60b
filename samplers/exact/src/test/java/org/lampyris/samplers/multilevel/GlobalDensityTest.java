package org.lampyris.samplers.multilevel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.Place;

/** The gradient is that of the value, and the value that of the joint density and the Jacobian. */
class GlobalDensityTest {
  private static final double STEP = 1e-5;
  private static final int P = 2 + 3 + 1;

  private final UniformRandomProvider rng = new Streams(9).stream(Streams.Purpose.INITIAL, 1, 0, 0);
  private final GroupedTable table = new GroupedTable(4, 5, 3, true, false);
  private final double[] theta = {-0.3, 0.6};
  private final double[][] phi = {{-0.2, 0.3, 0.4}, {-0.5}};
  private final List<DataBlock> rows = table.rows(theta, phi, GroupedTable.Response.LOGISTIC, rng);
  private final List<TableEffects> groupings = table.effects();
  private final long[][] keys = {{0, 7, 14, 21}, {-2, -1, 0}};
  private final EffectsEvolution evolution =
      new EffectsEvolution(
          new RowPass(new LinearModel(new LogisticLikelihood(), 2), groupings),
          new Streams(1),
          10,
          0);
  private final Place<GroupedBlock> place =
      Place.whole(rows.stream().map(row -> GroupedBlock.of(row, groupings, keys)).toList());
  private final Structure structure =
      new Structure(
          ProductPrior.of(
              List.of(new UnivariatePrior.Normal(0, 1), new UnivariatePrior.Normal(0, 2))),
          new RowPass(new LinearModel(new LogisticLikelihood(), 2), groupings),
          0,
          evolution,
          List.of());

  private double[] ask(EffectsQuestion.Task task, double[] there, double[][] effects) {
    EffectsQuestion question = new EffectsQuestion(1, there, effects, null, task);
    PlaceEffects state = evolution.initial(place);
    EffectsShare share = evolution.add(place, state, question).share();
    return evolution.merge(question, Collections.singletonList(share));
  }

  private GlobalDensity density(boolean shaped) {
    return density(shaped, null);
  }

  private GlobalDensity density(boolean shaped, double @Nullable [] held) {
    LevelEffects[] effects = new LevelEffects[2];
    for (int g = 0; g < 2; g++) {
      int q = structure.size(g);
      double[] b = new double[(int) groupings.get(g).levels() * q];
      Arrays.setAll(b, i -> 0.5 * Math.sin(i + 1.0 + q));
      effects[g] = LevelEffects.zero(b.length / q, q, 2).with(b);
    }
    double[][] values = {effects[0].values(), effects[1].values()};
    for (int g = 0; shaped && g < 2; g++) {
      effects[g] =
          effects[g].shaped(
              ask(new EffectsQuestion.Shape(g, null), theta, values),
              effects[g],
              structure.precision(g, phi[g]));
    }
    double[] frame = new double[P * P];
    for (int i = 0; i < P; i++) {
      for (int j = 0; j <= i; j++) {
        frame[i * P + j] = i == j ? 0.5 + 0.1 * i : 0.05 * (i - j);
      }
    }
    return new GlobalDensity(
        structure,
        theta,
        phi,
        new EffectsState.Shared(effects, new EffectRecorder[2]),
        new EffectsState.Frame(frame, new double[] {-0.1, 0.4}, null),
        held,
        ask(new EffectsQuestion.Evaluate(), theta, values),
        (there, moved, local) -> ask(new EffectsQuestion.Evaluate(), there, moved));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theGradientIsThatOfTheValue(boolean shaped) {
    GlobalDensity density = density(shaped);
    double[] w = {0.3, -0.2, 0.1, 0.4, -0.3, 0.25};
    double[] gradient = new double[P];
    density.valueAndGradient(w, gradient);
    for (int k = 0; k < P; k++) {
      double[] up = w.clone();
      double[] down = w.clone();
      up[k] += STEP;
      down[k] -= STEP;
      assertEquals((density.value(up) - density.value(down)) / (2 * STEP), gradient[k], 2e-5);
    }
  }

  /** Moves of θ alone leave effects and φ as they are: the joint density, and its gradient in θ. */
  @Test
  void withEffectsHeldTheValueIsTheJointDensity() {
    double[] held = new double[P * P];
    for (int i = 0; i < theta.length; i++) {
      for (int j = 0; j <= i; j++) {
        held[i * P + j] = i == j ? 0.6 : 0.2;
      }
    }
    GlobalDensity density = density(true, held);
    double[] w = {0.3, -0.2, 0.1, 0.4, -0.3, 0.25};
    double[] gradient = new double[P];
    density.valueAndGradient(w, gradient);
    GlobalDensity.Evaluated there = density.at(w);
    GlobalDensity.Evaluated here = density.at(new double[P]);
    assertTrue(Math.abs(there.theta()[0] - here.theta()[0]) > 0.1);
    for (int g = 0; g < 2; g++) {
      assertArrayEquals(here.phi()[g], there.phi()[g], 0);
      assertArrayEquals(here.effects()[g].values(), there.effects()[g].values(), 1e-12);
    }
    assertEquals(joint(there) - joint(here), there.value() - here.value(), 1e-9);
    for (int k = 0; k < P; k++) {
      double[] up = w.clone();
      double[] down = w.clone();
      up[k] += STEP;
      down[k] -= STEP;
      assertEquals((density.value(up) - density.value(down)) / (2 * STEP), gradient[k], 2e-5);
    }
  }

  /** The value is log p(θ, φ, b, y) + log |∂b/∂y|, the latter from differences of b. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theValueIsTheJointDensityAndTheJacobian(boolean shaped) {
    GlobalDensity density = density(shaped);
    double[] w = {0.3, -0.2, 0.1, 0.4, -0.3, 0.25};
    double difference = density.value(w) - density.value(new double[P]);
    GlobalDensity.Evaluated there = density.at(w);
    GlobalDensity.Evaluated here = density.at(new double[P]);
    double joint = joint(there) - joint(here);
    assertEquals(joint + logJacobian(shaped, w), difference, 1e-6);
  }

  private double joint(GlobalDensity.Evaluated at) {
    double sum = structure.prior().logDensity(at.theta()) + at.answer()[0];
    for (int g = 0; g < 2; g++) {
      sum += new CentredMoves(structure, g, at.tallies()[g]).logDensity(at.phi()[g]);
    }
    return sum;
  }

  /** Returns log |∂b'/∂b| of the map that carries effects along. */
  private double logJacobian(boolean shaped, double[] w) {
    double sum = 0;
    GlobalDensity density = density(shaped);
    density.value(w);
    GlobalDensity.Evaluated there = density.at(w);
    for (int g = 0; g < 2; g++) {
      LevelEffects before = density.at(new double[P]).effects()[g];
      int q = before.size();
      for (int j = 0; j < before.groups(); j++) {
        DMatrixRMaj map = new DMatrixRMaj(q, q);
        for (int f = 0; f < q; f++) {
          double[] up = before.values().clone();
          up[j * q + f] += 1;
          double[] moved = before.with(up).displaced(there.by()[g]).values();
          double[] base = before.displaced(there.by()[g]).values();
          for (int e = 0; e < q; e++) {
            map.set(e, f, moved[j * q + e] - base[j * q + e]);
          }
        }
        sum += Math.log(Math.abs(CommonOps_DDRM.det(map)));
      }
    }
    return sum;
  }
}
