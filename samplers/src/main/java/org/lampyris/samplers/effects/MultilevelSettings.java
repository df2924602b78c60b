package org.lampyris.samplers.effects;

import java.io.Serializable;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.OwnSection;

/**
 * The section {@code sampler.multilevel}.
 *
 * @param steps how many steps the effects of a group make in an iteration, where its rows lie
 *     together
 * @param refresh the share of those groups that make them, drawn anew in every iteration
 * @param keepDraws how many draws of every effect are kept of each chain, evenly spaced
 */
public record MultilevelSettings(int steps, double refresh, int keepDraws) implements Serializable {
  static final OwnSection<MultilevelSettings> SECTION =
      new OwnSection<>(
          "multilevel",
          MultilevelSettings.class,
          (section, defaults) ->
              new MultilevelSettings(
                  section.whole("steps", 1, 1, 1000),
                  section.number("refresh", 1, Interval.PROBABILITY),
                  section.whole("keep_draws", 0, 0, Integer.MAX_VALUE)));
}
