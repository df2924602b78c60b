package org.lampyris.samplers.multilevel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.multilevel.NestedMoves.Nesting;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowQuestions;
import org.lampyris.samplers.run.PlainBlock;

/**
 * The sorted keys of the groups of every grouping whose groups do not lie together, none of the
 * other, and which of these groupings are nested.
 */
record LevelKeys(List<TableEffects> groupings)
    implements RowQuestions<PlainBlock, Boolean, long[][], LevelKeys.Found> {
  /**
   * What there is.
   *
   * @param keys the sorted keys, by grouping
   * @param nestings the nested groupings that have an effect of the same column
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Found(long[][] keys, List<Nesting> nestings) {}

  /** Returns the pairs of groupings, inner and outer, that may be nested. */
  private List<int[]> pairs() {
    List<int[]> pairs = new ArrayList<>();
    for (int g = 0; g < groupings.size(); g++) {
      for (int h = 0; h < groupings.size(); h++) {
        TableEffects inner = groupings.get(g);
        TableEffects outer = groupings.get(h);
        if (!inner.together()
            && !outer.together()
            && (inner.levels() > outer.levels() || (inner.levels() == outer.levels() && g < h))
            && NestedMoves.common(inner, outer).length > 0) {
          pairs.add(new int[] {g, h});
        }
      }
    }
    return pairs;
  }

  /**
   * {@inheritDoc} After the keys it has, for each pair, the outer key of each inner key; nothing if
   * an inner key has several.
   */
  @Override
  public List<long[][]> add(Place<PlainBlock> place, List<Boolean> questions) {
    List<long[]> keys = new ArrayList<>();
    for (TableEffects of : groupings) {
      keys.add(
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
                  .toArray());
    }
    List<long[]> share = new ArrayList<>(keys);
    pairs().forEach(pair -> share.add(outer(place, pair, keys.get(pair[0]))));
    long[][] all = share.toArray(long[][]::new);
    return questions.stream().map(question -> all).toList();
  }

  private long[] outer(Place<PlainBlock> place, int[] pair, long[] inner) {
    long[] outer = new long[inner.length];
    boolean[] known = new boolean[inner.length];
    for (PlainBlock block : place.blocks()) {
      DataBlock data = block.data();
      for (int row = 0; row < data.rows(); row++) {
        int j = Arrays.binarySearch(inner, data.group(groupings.get(pair[0]).grouping(), row));
        long key = data.group(groupings.get(pair[1]).grouping(), row);
        if (known[j] && outer[j] != key) {
          return new long[0];
        }
        known[j] = true;
        outer[j] = key;
      }
    }
    return outer;
  }

  @Override
  public Found merge(Boolean question, List<long[][]> shares) {
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
    List<Nesting> nestings = new ArrayList<>();
    List<int[]> pairs = pairs();
    for (int k = 0; k < pairs.size(); k++) {
      int[] levels = levels(all, pairs.get(k), k, shares);
      if (levels.length > 0) {
        nestings.add(new Nesting(pairs.get(k)[0], pairs.get(k)[1], levels));
      }
    }
    return new Found(all, nestings);
  }

  /** Returns the outer level of each inner level of a pair; none if they are not nested. */
  private int[] levels(long[][] keys, int[] pair, int number, List<long[][]> shares) {
    int[] levels = new int[keys[pair[0]].length];
    Arrays.fill(levels, -1);
    for (long[][] share : shares) {
      long[] inner = share[pair[0]];
      long[] outer = share[groupings.size() + number];
      if (outer.length < inner.length) {
        return new int[0];
      }
      for (int i = 0; i < inner.length; i++) {
        int j = Arrays.binarySearch(keys[pair[0]], inner[i]);
        int l = Arrays.binarySearch(keys[pair[1]], outer[i]);
        if (levels[j] >= 0 && levels[j] != l) {
          return new int[0];
        }
        levels[j] = l;
      }
    }
    return levels;
  }
}
