package org.lampyris.bounds.family;

import java.util.ArrayList;
import java.util.List;
import org.lampyris.bounds.effects.EffectColumns;
import org.lampyris.bounds.effects.LevelScales;
import org.lampyris.bounds.effects.ScaleGroup;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.bounds.effects.SharedScale;
import org.lampyris.bounds.effects.TableEffects;

/**
 * A model whose random effects and penalised smooths are coefficients with sampled scales.
 *
 * @param base the model of the table's own columns
 * @param columns the effects' columns
 * @param groups the coefficients that share scales: a group for each grouping factor, in its order,
 *     then one for each penalised part of a smooth
 */
public record EffectModel(ModelOfTable base, EffectColumns columns, List<ScaleGroup> groups) {
  /** Where the search for standard deviations begins, in units of their default prior's scale. */
  private static final double BEGIN = 0.4;

  /** Copies the list. */
  public EffectModel {
    groups = List.copyOf(groups);
  }

  /**
   * Makes the groups of a model's random effects and of the table's columns that share scales.
   *
   * @param names the names of the table's columns
   */
  public static EffectModel of(
      ModelOfTable base, EffectColumns columns, List<SharedScale> shared, List<String> names) {
    List<ScaleGroup> groups = new ArrayList<>();
    for (int g = 0; g < columns.groupings().size(); g++) {
      TableEffects of = columns.groupings().get(g);
      groups.add(new LevelScales(of.effects(), columns.first(g), columns.keys(g).length));
    }
    for (SharedScale one : shared) {
      groups.add(
          new LevelScales(
              one.sd(),
              base.effectPrior(-1),
              one.columns().stream().mapToInt(names::indexOf).sorted().toArray()));
    }
    return new EffectModel(base, columns, groups);
  }

  /** Returns the scales' coordinates φ where a search for them begins. */
  public double[] start() {
    List<Double> phi = new ArrayList<>();
    for (TableEffects of : columns.groupings()) {
      for (int k = 0; k < of.effects().parameters(); k++) {
        phi.add(k < of.size() ? Math.log(BEGIN * base.effectScale(of.column()[k])) : 0);
      }
    }
    for (int g = columns.groupings().size(); g < groups.size(); g++) {
      phi.add(Math.log(BEGIN * base.effectScale(-1)));
    }
    return phi.stream().mapToDouble(x -> x).toArray();
  }

  /** Returns the model given scales φ. */
  public ModelOfTable given(double[] phi) {
    return base.given(columns.names(), groups, phi);
  }

  /**
   * Returns the model with sampled scales.
   *
   * @param centre where φ lies a posteriori, about
   * @param spread the posterior standard deviations of φ, about
   */
  public ModelOfTable sampling(double[] centre, double[] spread) {
    ModelOfTable given = given(centre);
    return given.sampling(new ScaledPrior(given.coefficients().size(), groups, centre, spread));
  }

  /** Returns how many coefficients there are, those of effects among them. */
  public int coefficients() {
    return base.coefficients().size() + columns.names().size();
  }
}
