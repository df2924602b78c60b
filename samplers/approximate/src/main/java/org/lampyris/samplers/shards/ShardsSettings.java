package org.lampyris.samplers.shards;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.Registry;
import org.lampyris.bounds.config.Section;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.shards.combination.Combination;

/**
 * The section {@code sampler.shards}.
 *
 * @param count S, how many shards
 * @param from how rows are dealt to them
 * @param algorithm of the chains on a shard
 * @param combine what is made of their draws: the name of a {@link Combination}
 * @param bandwidth h of the combinations that smooth, in standard deviations of the subposteriors;
 *     null for their own
 * @param rounds of the combinations that go back to the rows
 * @param damping of expectation propagation: the share of an update that is made
 */
public record ShardsSettings(
    int count,
    From from,
    String algorithm,
    String combine,
    @Nullable Double bandwidth,
    int rounds,
    double damping)
    implements Serializable {
  static final OwnSection<ShardsSettings> SECTION =
      new OwnSection<>("shards", ShardsSettings.class, (section, defaults) -> read(section));

  private static final String OF_ALL_FAMILIES = "metropolis";
  private static final String CONSENSUS = "consensus";

  /** How rows are dealt to shards. */
  public enum From {
    /** At random, equally many of each block to each shard. */
    RANDOM,
    /** In their order: each shard is a run of the prepared rows. */
    INPUT
  }

  private static ShardsSettings read(Section section) {
    String algorithm =
        section.choice(
            "algorithm",
            SamplingAlgorithm.registry()
                .names(
                    one ->
                        one.has(Trait.EXACT)
                            && !one.has(Trait.DRAWS_EFFECTS)
                            && !one.has(Trait.INDEPENDENT)
                            && !one.needs().contains(Need.PROPOSAL)
                            && !one.needs().contains(Need.PROGRAM)
                            && !one.name().equals(ShardsAlgorithm.NAME)));
    String combine = section.choice("combine", Registry.of(Combination.class).names());
    return new ShardsSettings(
        section.whole("count", 8, 1, 100_000),
        section.choice("from", From.RANDOM),
        algorithm == null ? OF_ALL_FAMILIES : algorithm,
        combine == null ? CONSENSUS : combine,
        section.number("bandwidth", Interval.POSITIVE),
        section.whole("rounds", 10, 1, 10_000),
        section.number("damping", 0.5, Interval.PROBABILITY));
  }

  Combination combination() {
    return Registry.of(Combination.class).named(combine);
  }
}
