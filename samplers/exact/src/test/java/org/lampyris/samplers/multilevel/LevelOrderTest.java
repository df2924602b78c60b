package org.lampyris.samplers.multilevel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.TreeFold;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.rows.Place;

/** Sums of the levels that have rows have the bits of those of all levels along the tree. */
class LevelOrderTest {
  private static final int BLOCKS = 77;

  private final SplittableRandom random = new SplittableRandom(8);

  /** A block, the sums of its levels, and the same with zeros for all other levels. */
  private record Block(GroupedBlock block, double[] sums, double[] all) {}

  private Block block(long id, int rows, int levels, int step) {
    GroupingEffects effects =
        new GroupingEffects("g", List.of("(Intercept)"), PriorParser.parse("half_normal(0, 1)"), 1);
    TableEffects of = new TableEffects(effects, 0, new int[] {-1}, new double[1], levels, false);
    // Some levels are of early blocks only, and of few blocks.
    long most = 1 + levels * (1 + id) / BLOCKS;
    long[] keys =
        LongStream.range(0, rows)
            .map(row -> 10 * random.nextLong(Math.min(levels, most)))
            .toArray();
    GroupedBlock block =
        GroupedBlock.of(
            new DenseBlock(id, 1, new double[rows], new double[rows], null)
                .grouped(new long[][] {keys}),
            List.of(of),
            new long[][] {LongStream.range(0, levels).map(level -> 10 * level).toArray()});
    int[] places = block.places(0);
    double[] sums = random.doubles(places.length * (long) step, -1e3, 1).toArray();
    double[] all = new double[levels * step];
    for (int k = 0; k < places.length; k++) {
      System.arraycopy(sums, k * step, all, places[k] * step, step);
    }
    return new Block(block, sums, all);
  }

  @ParameterizedTest
  @CsvSource({"3,40,2", "1,40,1", "20,7,5", "60,40,3", "5,1,2", "9,5000,2"})
  void sumsHaveTheBitsOfThoseOfAllLevels(int rows, int levels, int step)
      throws IOException, ClassNotFoundException {
    List<Block> blocks =
        IntStream.range(0, BLOCKS).mapToObj(b -> block(b, rows, levels, step)).toList();
    TreeSum all = new TreeSum(0, BLOCKS);
    for (int b = 0; b < BLOCKS; b++) {
      all.add(b, blocks.get(b).all.clone());
    }
    double[] expected = TreeSum.total(all.nodes(), levels * step);
    for (int places : new int[] {0, 1, 2, 3, 8, BLOCKS}) {
      List<TreeFold.Node<LevelOrder.Sums>> nodes = new ArrayList<>();
      for (int p = 0; p < Math.max(1, places); p++) {
        int from = places == 0 ? 0 : p * BLOCKS / places;
        int to = places == 0 ? BLOCKS : (p + 1) * BLOCKS / places;
        List<GroupedBlock> here =
            blocks.subList(from, to).stream().map(block -> block.block).toList();
        Place<GroupedBlock> place = places == 0 ? Place.whole(here) : new Place<>(from, to, here);
        LevelOrder.Adding sum = new LevelOrder(place, 0, levels).new Adding(step);
        for (int b = from; b < to; b++) {
          sum.add(b - from, blocks.get(b).sums);
        }
        nodes.addAll(sent(sum.nodes()));
      }
      double[][] twice = new double[2][3 + levels * step];
      for (double[] out : twice) {
        TreeFold.total(nodes, LevelOrder.Sums::plus).ifPresent(sum -> sum.writeTo(out, 3));
        // What was sent may be somebody's cached result: it is not added to.
        assertArrayEquals(
            bits(expected),
            bits(IntStream.range(3, out.length).mapToDouble(i -> out[i]).toArray()),
            places + " places");
      }
      assertEquals(0, twice[0][0]);
    }
  }

  /** Takes them through serialisation, as a task's result goes. */
  @SuppressWarnings("unchecked") // as it was written
  private static List<TreeFold.Node<LevelOrder.Sums>> sent(
      List<TreeFold.Node<LevelOrder.Sums>> nodes) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new ArrayList<>(nodes));
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (List<TreeFold.Node<LevelOrder.Sums>>) in.readObject();
    }
  }

  private static long[] bits(double[] values) {
    return IntStream.range(0, values.length)
        .mapToLong(i -> Double.doubleToRawLongBits(values[i]))
        .toArray();
  }
}
