package org.lampyris.samplers.multilevel;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.lampyris.bounds.effects.EffectCovariance;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.model.PredictorModel;
import org.lampyris.bounds.prior.Prior;

/**
 * A model with random effects.
 *
 * @param intercept the index of the coefficient of the column of ones; −1 if there is none
 * @param layout says where the numbers of an answer are
 * @param nestings which groupings whose effects are on the driver are nested
 */
record Structure(
    Prior prior,
    RowPass pass,
    int intercept,
    EffectsEvolution layout,
    List<NestedMoves.Nesting> nestings)
    implements Serializable {
  PredictorModel model() {
    return pass.model();
  }

  List<TableEffects> groupings() {
    return pass.groupings();
  }

  int count() {
    return groupings().size();
  }

  int size(int grouping) {
    return groupings().get(grouping).size();
  }

  EffectCovariance covariance(int grouping) {
    return new EffectCovariance(groupings().get(grouping).effects());
  }

  /** Returns P = Σ⁻¹ of a grouping. */
  double[] precision(int grouping, double[] phi) {
    return SmallFactor.precision(covariance(grouping).factor(phi), size(grouping));
  }

  /** Returns P at φ_k + ε and φ_k − ε for each k. */
  double[][] around(int grouping, double[] phi) {
    double[][] around = new double[2 * phi.length][];
    Arrays.setAll(around, k -> precision(grouping, near(phi, k)));
    return around;
  }

  private static double[] near(double[] phi, int k) {
    double[] near = phi.clone();
    near[k / 2] +=
        k % 2 == 0 ? LevelEffects.Displacement.EPSILON : -LevelEffects.Displacement.EPSILON;
    return near;
  }

  /** Returns ∂Σ/∂φ_k for each k. */
  double[][] derivatives(int grouping, double[] phi) {
    int q = size(grouping);
    double[][] all = new double[phi.length][q * q];
    for (int k = 0; k < 2 * phi.length; k++) {
      double[] l = covariance(grouping).factor(near(phi, k));
      for (int e = 0; e < q; e++) {
        for (int f = 0; f < q; f++) {
          for (int h = 0; h < q; h++) {
            all[k / 2][e * q + f] +=
                (k % 2 == 0 ? 1 : -1)
                    * l[e * q + h]
                    * l[f * q + h]
                    / (2 * LevelEffects.Displacement.EPSILON);
          }
        }
      }
    }
    return all;
  }

  /** Returns the grouping whose groups lie together; −1 if there is none. */
  int local() {
    return EffectsEvolution.local(groupings());
  }

  /** Returns how many elements (θ, φ) have. */
  int parameters() {
    return model().dimension()
        + groupings().stream().mapToInt(of -> of.effects().parameters()).sum();
  }
}
