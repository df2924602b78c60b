package org.lampyris.samplers.program.moves;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.mixture.NormalInverseWishart;
import org.lampyris.samplers.program.mixture.PaperPrograms;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.run.PlainBlock;

/** Looks at a cluster's rows, in one place and in three. Seeds are fixed. */
class ClusterRowsTest {
  private static final int[] ROWS = {40, 40, 40, 40, 13};
  private static final int CLUSTERS = 4;
  private static final Streams STREAMS = new Streams(7);
  private static final Trace TRACE =
      PaperPrograms.jointDpm(new NormalInverseWishart(new double[1], 1, 3, new double[] {1}), 1);
  private static final Node LABEL = TRACE.node("z");

  private final double[][] labels = new double[ROWS.length][];
  private final List<Place<PlainBlock>> places = new ArrayList<>();
  private final List<LocalState> states = new ArrayList<>();
  private ClusterRows.Counts counts = new ClusterRows.Counts(new long[0], new long[0][]);

  /** Spreads the blocks; the last label is in the last block alone. */
  private void spread(int... froms) {
    UniformRandomProvider rng = STREAMS.iteration(1, 1);
    for (int b = 0; b < ROWS.length; b++) {
      labels[b] = new double[ROWS[b]];
      Arrays.setAll(labels[b], i -> rng.nextInt(CLUSTERS - 1));
    }
    labels[ROWS.length - 1][3] = CLUSTERS - 1;
    ClusterRows.Counts.Counting how = new ClusterRows.Counts.Counting(1, LABEL.slot());
    List<ClusterRows.Counts> each = new ArrayList<>();
    for (int p = 0; p < froms.length; p++) {
      int to = p + 1 < froms.length ? froms[p + 1] : ROWS.length;
      List<PlainBlock> blocks =
          IntStream.range(froms[p], to)
              .mapToObj(
                  b ->
                      new PlainBlock(
                          new DenseBlock(b, 2, new double[2 * ROWS[b]], new double[ROWS[b]], null)))
              .toList();
      places.add(new Place<>(froms[p], to, blocks));
      states.add(new LocalState(Arrays.copyOfRange(labels, froms[p], to)));
      each.add(how.add(places.get(p), states.get(p)));
    }
    counts = how.merge(each);
  }

  private List<String> look(int label, long low, long high, int parts) {
    int rows = Arrays.stream(ROWS).sum();
    RowTask.Setting setting =
        new RowTask.Setting(TRACE, STREAMS, 1, new ProgramTable.Size(rows, ROWS[0]));
    List<String> found = new ArrayList<>();
    for (int p = 0; p < places.size(); p++) {
      Place<PlainBlock> place = places.get(p);
      counts
          .of(LABEL, label)
          .visit(
              new Selected(5, low, high, parts),
              place,
              setting,
              states.get(p),
              (block, row, part) -> {
                assertEquals(label, labels[(int) place.from() + block][row]);
                found.add(place.from() + block + " " + row + " " + part);
              });
    }
    return found;
  }

  @Test
  void looksAreTheSameInOnePlaceAndInThree() {
    ClusterRowsTest one = new ClusterRowsTest();
    one.spread(0);
    spread(0, 2, 3);
    for (int label = 0; label < CLUSTERS; label++) {
      for (int parts = 1; parts <= 2; parts++) {
        int all = one.look(label, 0, Long.MAX_VALUE, parts).size();
        assertEquals(all, counts.of(LABEL, label).rows() * parts);
        List<String> looked = new ArrayList<>();
        for (int low = 0; low < all; low += 10) {
          List<String> look = look(label, low, Math.min(all, low + 10), parts);
          assertEquals(one.look(label, low, Math.min(all, low + 10), parts), look);
          assertEquals(Math.min(10, all - low), look.size());
          looked.addAll(look);
        }
        List<String> sorted = new ArrayList<>(looked);
        sorted.sort(null);
        List<String> whole = look(label, 0, Long.MAX_VALUE, parts);
        if (all > 20) {
          assertNotEquals(whole, looked);
        }
        whole.sort(null);
        assertEquals(whole, sorted);
      }
    }
  }
}
