package org.lampyris.bounds.family;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.lampyris.bounds.effects.EffectColumns;
import org.lampyris.bounds.effects.HorseshoeScales;
import org.lampyris.bounds.effects.LevelScales;
import org.lampyris.bounds.effects.ScaleGroup;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.bounds.effects.SharedScale;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.prior.SharedHorseshoe;
import org.lampyris.bounds.prior.UnivariatePrior;

/**
 * A model whose random effects and penalised smooths are coefficients with sampled scales.
 *
 * @param base the model of the table's own columns
 * @param columns the effects' columns
 * @param groups the coefficients that share scales: a group for each grouping factor, in its order,
 *     then one for each penalised part of a smooth, and one for each shared horseshoe
 * @param start the scales' coordinates φ where a search for them begins
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record EffectModel(
    ModelOfTable base, EffectColumns columns, List<ScaleGroup> groups, double[] start) {
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
   * @param priors what is configured of the scales' priors
   */
  public static EffectModel of(
      ModelOfTable base,
      EffectColumns columns,
      List<SharedScale> shared,
      List<String> names,
      PriorConfig priors) {
    List<ScaleGroup> groups = new ArrayList<>();
    List<Double> start = new ArrayList<>();
    for (int g = 0; g < columns.groupings().size(); g++) {
      TableEffects of = columns.groupings().get(g);
      groups.add(new LevelScales(of.effects(), columns.first(g), columns.keys(g).length));
      for (int k = 0; k < of.effects().parameters(); k++) {
        start.add(k < of.size() ? Math.log(BEGIN * base.effectScale(of, k)) : 0);
      }
    }
    for (SharedScale one : shared) {
      groups.add(
          new LevelScales(
              one.sd(),
              priors.ofSd(one.sd(), base.effectPrior(-1)),
              one.columns().stream().mapToInt(names::indexOf).sorted().toArray()));
      start.add(Math.log(BEGIN * base.effectScale(-1)));
    }
    for (SharedHorseshoe prior : base.horseshoes()) {
      HorseshoeScales group = horseshoe(base, prior);
      groups.add(group);
      Arrays.stream(group.start()).forEach(start::add);
    }
    return new EffectModel(base, columns, groups, start.stream().mapToDouble(phi -> phi).toArray());
  }

  /** Makes the group of the coefficients with a horseshoe, all of the table's own columns. */
  private static HorseshoeScales horseshoe(ModelOfTable base, SharedHorseshoe prior) {
    List<UnivariatePrior> priors = base.priors();
    int[] those =
        IntStream.range(0, priors.size()).filter(j -> priors.get(j).equals(prior)).toArray();
    double whole = base.effectScale(-1);
    return new HorseshoeScales(
        prior,
        those,
        Arrays.stream(those)
            .mapToDouble(j -> base.effectScale(j % base.columns()) / whole)
            .toArray());
  }

  /** Returns the model with another place where a search for the scales begins. */
  public EffectModel near(double[] phi) {
    return new EffectModel(base, columns, groups, phi);
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
