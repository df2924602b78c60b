package org.lampyris.driver.config;

import org.lampyris.bounds.config.Section;

/**
 * The section {@code sampler.slice}: slice sampling along lines, Neal (2003).
 *
 * @param directions the lines
 * @param updates along how many lines an iteration moves; not used by {@code directions:
 *     coordinate}, which moves along each coordinate once
 * @param bracketLimit how many widths a bracket may grow to: with 1 it is not stepped out
 */
public record SliceConfig(Directions directions, int updates, int bracketLimit) {

  /** The lines that an iteration moves along. */
  public enum Directions {
    /** Each coordinate in its turn. */
    COORDINATE,
    /** Coordinates chosen at random. */
    RANDOM_COORDINATE,
    /** Random directions. */
    RANDOM
  }

  static SliceConfig read(Section sampler) {
    Section section = sampler.section("slice", "directions", "updates", "bracket_limit");
    return new SliceConfig(
        section.choice("directions", Directions.COORDINATE),
        section.whole("updates", 1, 1, 1_000_000),
        section.whole("bracket_limit", 1, 1, 1_000_000));
  }
}
