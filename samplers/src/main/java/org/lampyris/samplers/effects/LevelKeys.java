package org.lampyris.samplers.effects;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.samplers.pass.PlainBlock;
import org.lampyris.samplers.pool.Place;
import org.lampyris.samplers.run.RowQuestions;

/**
 * The sorted keys of the groups of every grouping whose groups do not lie together; none of the
 * other.
 */
record LevelKeys(List<TableEffects> groupings)
    implements RowQuestions<PlainBlock, Boolean, long[][], long[][]> {
  @Override
  public List<long[][]> share(Place<PlainBlock> place, List<Boolean> questions) {
    long[][] keys =
        groupings.stream()
            .map(
                of ->
                    of.together()
                        ? new long[0]
                        : place.blocks().stream()
                            .flatMapToLong(
                                block ->
                                    IntStream.range(0, block.data().rows())
                                        .mapToLong(row -> block.data().group(of.grouping(), row))
                                        .distinct())
                            .distinct()
                            .sorted()
                            .toArray())
            .toArray(long[][]::new);
    return questions.stream().map(question -> keys).toList();
  }

  @Override
  public long[][] join(Boolean question, List<long[][]> shares) {
    long[][] all = new long[groupings.size()][];
    Arrays.setAll(
        all,
        g ->
            shares.stream()
                .map(share -> share[g])
                .flatMapToLong(LongStream::of)
                .distinct()
                .sorted()
                .toArray());
    return all;
  }
}
