package org.lampyris.samplers.effects;

import java.io.Serializable;
import java.util.List;
import org.lampyris.bounds.effects.EffectCovariance;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.model.PredictorModel;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.effects.rows.EffectsEvolution;
import org.lampyris.samplers.effects.rows.RowPass;

/**
 * A model with random effects.
 *
 * @param intercept the index of the coefficient of the column of ones; −1 if there is none
 * @param layout says where the numbers of an answer are
 */
record Structure(Prior prior, RowPass pass, int intercept, EffectsEvolution layout)
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
