package org.lampyris.samplers.multilevel;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.effects.TableEffects;

/**
 * The section {@code sampler.multilevel}.
 *
 * @param steps how many steps the effects of a group make in an iteration, where its rows lie
 *     together
 * @param refresh the share of those groups that make them, drawn anew in every iteration
 * @param keepDraws how many draws of every effect are kept of each chain, evenly spaced; null for
 *     {@value #FEW} where the effects are few
 */
public record MultilevelSettings(int steps, double refresh, @Nullable Integer keepDraws)
    implements Serializable {
  private static final int FEW = 100;

  /** What is kept unasked takes no more than 64 MiB. */
  private static final long MOST_UNASKED = (64L << 20) / Float.BYTES;

  static final OwnSection<MultilevelSettings> SECTION =
      new OwnSection<>(
          "multilevel",
          MultilevelSettings.class,
          (section, defaults) ->
              new MultilevelSettings(
                  section.whole("steps", 1, 1, 1000),
                  section.number("refresh", 1, Interval.PROBABILITY),
                  keepDraws(section)));

  private static @Nullable Integer keepDraws(Section section) {
    Long asked = section.whole("keep_draws", 0, Integer.MAX_VALUE);
    return asked == null ? null : asked.intValue();
  }

  /** Returns how many draws of every effect are kept of each of some chains. */
  int kept(List<TableEffects> groupings, int chains) {
    if (keepDraws != null) {
      return keepDraws;
    }
    long effects = groupings.stream().mapToLong(of -> of.levels() * of.size()).sum();
    return effects * chains <= MOST_UNASKED / FEW ? FEW : 0;
  }
}
