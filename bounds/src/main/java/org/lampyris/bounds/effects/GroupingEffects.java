package org.lampyris.bounds.effects;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.lampyris.bounds.prior.UnivariatePrior;

/**
 * Effects of a grouping factor: coefficients b_j ~ N(0, Σ) for each group, Σ = DRD, with
 * independent standard deviations in D, for the columns on the input's scale less their origins. R
 * is block-diagonal: effects of one block have correlations ~ LKJ(η), p(R) ∝ |R|^(η−1), and those
 * of different blocks have none, as in {@code (1 + x | g) + (0 + z | g)}.
 *
 * <p>Effects are drawn for these columns, c_j ~ N(0, Σ), and reported for the columns as they are:
 * of an intercept b_j = c_j − Σ_e m_e·c_je, with the origins m of its block. So neither the prior
 * nor the draws depend on where a column has its 0.
 *
 * <p>Names follow brms, where the intercept is spelled {@code Intercept}.
 *
 * @param group the input's column whose equal values make a group
 * @param effects the coefficients that vary by group, named as coefficients are
 * @param sds the prior of each effect's standard deviation
 * @param blocks which effects have correlations with each other, in the order of the effects
 * @param origins m_e of each effect's column; 0 for an intercept, and in blocks without one
 */
public record GroupingEffects(
    String group,
    List<String> effects,
    List<UnivariatePrior> sds,
    List<Block> blocks,
    List<Double> origins)
    implements Serializable {
  private static final String INTERCEPT = "(Intercept)";

  /**
   * Effects next to each other that have correlations.
   *
   * @param size how many effects
   * @param shape η of their correlations, above 0
   */
  public record Block(int size, double shape) implements Serializable {}

  /**
   * Two effects that have a correlation.
   *
   * @param first the index of the earlier one
   * @param second the index of the later one
   * @param block the index of their block
   */
  public record Pair(int first, int second, int block) {}

  /** Copies the lists, which have an element for every effect. */
  public GroupingEffects {
    effects = List.copyOf(effects);
    sds = List.copyOf(sds);
    blocks = List.copyOf(blocks);
    origins = List.copyOf(origins);
    if (sds.size() != effects.size() || origins.size() != effects.size()) {
      throw new IllegalArgumentException(
          "%d priors of standard deviations and %d origins for %d effects"
              .formatted(sds.size(), origins.size(), effects.size()));
    }
    int inBlocks = blocks.stream().mapToInt(Block::size).sum();
    if (inBlocks != effects.size()) {
      throw new IllegalArgumentException(inBlocks + " of " + effects.size() + " effects in blocks");
    }
  }

  /** Creates effects of columns as they are. */
  public GroupingEffects(
      String group, List<String> effects, List<UnivariatePrior> sds, List<Block> blocks) {
    this(group, effects, sds, blocks, Collections.nCopies(effects.size(), 0.0));
  }

  /** Creates effects that all have correlations. */
  public GroupingEffects(
      String group, List<String> effects, List<UnivariatePrior> sds, double correlation) {
    this(group, effects, sds, List.of(new Block(effects.size(), correlation)));
  }

  /** Creates correlated effects whose standard deviations all have the same prior. */
  public GroupingEffects(
      String group, List<String> effects, UnivariatePrior sd, double correlation) {
    this(group, effects, Collections.nCopies(effects.size(), sd), correlation);
  }

  /** Returns q, how many effects a group has. */
  public int size() {
    return effects.size();
  }

  /** Returns these effects and others of the same group, without correlations between the two. */
  public GroupingEffects and(GroupingEffects others) {
    return new GroupingEffects(
        group,
        joined(effects, others.effects),
        joined(sds, others.sds),
        joined(blocks, others.blocks),
        joined(origins, others.origins));
  }

  /**
   * Returns the same effects with a prior about other points: the origins of blocks with an
   * intercept, where any origin has a covariance for every other.
   *
   * @param points of the column of each effect; of an intercept not looked at
   */
  public GroupingEffects about(double[] points) {
    List<Double> about = new ArrayList<>();
    int from = 0;
    for (Block block : blocks) {
      int to = from + block.size;
      int intercept = effects.subList(from, to).indexOf(INTERCEPT);
      for (int e = from; e < to; e++) {
        about.add(intercept < 0 || e == from + intercept ? 0 : points[e]);
      }
      from = to;
    }
    return new GroupingEffects(group, effects, sds, blocks, about);
  }

  /** Returns whether the effects are of columns less their origins. */
  public boolean isElsewhere() {
    return origins.stream().anyMatch(m -> m != 0);
  }

  /**
   * Returns effects b of the columns as they are.
   *
   * @param c effects of columns less their origins, level by level. Not modified.
   */
  public double[] toInput(double[] c) {
    if (!isElsewhere()) {
      return c;
    }
    double[] b = c.clone();
    for (int first = 0; first < b.length; first += size()) {
      toInput(b, first, 1);
    }
    return b;
  }

  /**
   * Replaces a matrix or vector of effects c of columns less their origins by b, that of the
   * columns as they are.
   *
   * @param c {@code width} numbers of each effect, effect by effect. Modified.
   * @param first where those of the first effect begin
   */
  void toInput(double[] c, int first, int width) {
    int from = 0;
    for (Block block : blocks) {
      int to = from + block.size;
      int intercept = from + effects.subList(from, to).indexOf(INTERCEPT);
      for (int e = from; e < to; e++) {
        double m = origins.get(e);
        for (int k = 0; k < width && m != 0; k++) {
          c[first + intercept * width + k] -= m * c[first + e * width + k];
        }
      }
      from = to;
    }
  }

  private static <T> List<T> joined(List<T> some, List<T> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  /** Returns the pairs of effects that have a correlation, row by row of R's lower triangle. */
  public List<Pair> pairs() {
    List<Pair> pairs = new ArrayList<>();
    int from = 0;
    for (int b = 0; b < blocks.size(); b++) {
      int to = from + blocks.get(b).size();
      for (int e = from; e < to; e++) {
        for (int f = from; f < e; f++) {
          pairs.add(new Pair(f, e, b));
        }
      }
      from = to;
    }
    return pairs;
  }

  /** Returns the number of standard deviations and correlations: q + q(q − 1)/2 for one block. */
  public int parameters() {
    return size() + blocks.stream().mapToInt(of -> of.size() * (of.size() - 1) / 2).sum();
  }

  /** Returns how an effect is spelled in names. */
  public String spelled(int effect) {
    return effects.get(effect).equals(INTERCEPT) ? "Intercept" : effects.get(effect);
  }

  /** Returns the names of the standard deviations, then of the correlations, row by row. */
  public List<String> names() {
    List<String> names = new ArrayList<>();
    for (int e = 0; e < size(); e++) {
      names.add("sd_" + group + "__" + spelled(e));
    }
    for (Pair of : pairs()) {
      names.add("cor_" + group + "__" + spelled(of.first()) + "__" + spelled(of.second()));
    }
    return names;
  }

  /** Returns the priors of {@link #names}, as text. */
  public List<String> priors() {
    List<String> priors = new ArrayList<>();
    sds.forEach(sd -> priors.add(sd.toString()));
    for (Pair of : pairs()) {
      priors.add("lkj(" + blocks.get(of.block()).shape() + ")");
    }
    return priors;
  }

  /** Returns the name of an effect of a group. */
  public String name(String level, int effect) {
    return "r_" + group + "[" + level + "," + spelled(effect) + "]";
  }
}
