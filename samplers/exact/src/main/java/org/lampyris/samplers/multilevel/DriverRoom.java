package org.lampyris.samplers.multilevel;

import java.util.List;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.TableEffects;

/**
 * What the driver holds of the effects whose rows do not lie together. Of each effect and chain it
 * is the recorder, twice while it is told of a draw; the ridge and shape; and some numbers of 8
 * bytes: where the effects are, are proposed to be and come to, with the rows' answers there, as
 * they come and joined.
 *
 * @param columns how many coefficients there are
 * @param draws how many draws each chain makes
 * @param kept how many draws of each effect and chain are kept
 */
record DriverRoom(List<TableEffects> groupings, int chains, int columns, int draws, int kept) {
  /** How many numbers of 8 bytes there are at a time of each effect besides the sums' shares. */
  private static final int NUMBERS = 16;

  /** How many shares of a level's sums there are at a time. */
  private static final int SHARES = 4;

  /** Which part of the driver's memory they may take. */
  private static final double SHARE = 0.6;

  /** Returns how many bytes the effects of a grouping take; 0 for one whose rows lie together. */
  long bytes(TableEffects of) {
    if (of.together()) {
      return 0;
    }
    long size = of.size();
    long shape = LevelEffects.shapeSums(of.size(), columns);
    long level =
        size * (EffectRecorder.bytes(draws, kept) * 5 / 4 + 8 * NUMBERS) + (4 + 8 * SHARES) * shape;
    return of.levels() * level * chains;
  }

  /**
   * Sees that there is room.
   *
   * @param memory how many bytes the driver has
   * @throws UserException (usage) if there is not
   */
  void require(long memory) {
    long all = groupings.stream().mapToLong(this::bytes).sum();
    TableEffects most = null;
    for (TableEffects of : groupings) {
      most = most == null || bytes(of) > bytes(most) ? of : most;
    }
    if (most == null) {
      return;
    }
    long numbers = most.levels() * LevelEffects.shapeSums(most.size(), columns);
    if (numbers > Integer.MAX_VALUE && !most.together()) {
      throw UserException.usage(
          Text.of(
              "'%s' has %,d levels, more than the driver can number; name it in data.group_by, or"
                  + " make fewer levels of it in data.query",
              most.effects().group(), most.levels()));
    }
    if (all > SHARE * memory) {
      throw UserException.usage(
          Text.of(
              "the effects of '%s' (%,d levels), whose rows do not lie together, are held by the"
                  + " driver: with %d chains that takes some %,d MB, and it has %,d MB in all; give"
                  + " it %,d MB (--driver-memory), draw fewer chains, or name it in data.group_by",
              most.effects().group(),
              most.levels(),
              chains,
              all >> 20,
              memory >> 20,
              (long) Math.ceil(all / SHARE) >> 20));
    }
  }
}
