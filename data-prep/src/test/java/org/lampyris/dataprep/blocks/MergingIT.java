package org.lampyris.dataprep.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException.Kind;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.dataprep.blocks.Packing.Aggregate;
import org.lampyris.dataprep.blocks.Packing.Layout;
import org.lampyris.executors.table.TableSchema;

/** Equal rows become one with a weight, and nothing is lost. */
class MergingIT extends PrepareContract {
  private static final int ROWS = 12_000;

  /** A label, two categories and a whole number: at most 2 · 3 · 4 · 5 different rows. */
  private static List<String> lines(String more) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(5);
    List<String> lines = new ArrayList<>(List.of("y,a,b,x" + (more.isEmpty() ? "" : ",m")));
    for (int n = 0; n < ROWS; n++) {
      int a = random.nextInt(3);
      // Some of them seldom, and some only a time.
      int x = (int) Math.min(4, -2 * Math.log(random.nextDouble()));
      String row =
          random.nextInt(a + 2) / (a + 1) + "," + "pqr".charAt(a) + "," + random.nextInt(4) + "l,";
      lines.add(row + x + (more.isEmpty() ? "" : "," + more.replace("n", "" + n)));
    }
    return lines;
  }

  private Wish wish(Aggregate aggregate, String more) throws IOException {
    Wish wish = wish(file("t.csv", lines(more).toArray(new String[0])));
    wish.labelKind = LabelKind.BINARY;
    wish.aggregate = aggregate;
    return wish;
  }

  /** Returns how often each row is there: by its weight, or by coming again. */
  private static Map<String, Double> counts(Wish wish, TableSchema schema) {
    Map<String, Double> counts = new TreeMap<>();
    long rows = 0;
    for (DataBlock block : wish.blocks()) {
      rows += block.rows();
      for (int n = 0; n < block.rows(); n++) {
        StringBuilder row = new StringBuilder().append(block.response(n));
        for (int j = 0; j < block.columns(); j++) {
          row.append(' ').append(wish.input(block, n, j));
        }
        counts.merge(row.toString(), block.weight(n), Double::sum);
      }
    }
    assertEquals(schema.rows(), rows);
    return counts;
  }

  @Test
  void rowsWithWeightsAreTheRowsThatThereAre() throws IOException {
    for (Layout layout : List.of(Layout.DENSE, Layout.SPARSE)) {
      Wish never = wish(Aggregate.NEVER, "");
      never.layout = layout;
      TableSchema plain = never.prepareAgain();
      Map<String, Double> expected = counts(never, plain);
      assertEquals(ROWS, plain.rows());
      assertNull(plain.source().merged());
      assertFalse(never.blocks().get(0).isWeighted());
      Wish auto = wish(Aggregate.AUTO, "");
      auto.layout = layout;
      auto.blockRows = 32;
      TableSchema merged = auto.prepareAgain();
      assertEquals(expected, counts(auto, merged));
      assertEquals(expected.size(), merged.rows());
      assertEquals(ROWS, merged.inputRows());
      assertEquals((merged.rows() + 31) / 32, merged.blocks());
      // What standardisation and priors follow from counts every row of the input.
      for (int j = 0; j < plain.columns().size(); j++) {
        TableSchema.Column of = plain.columns().get(j);
        TableSchema.Column weighted = merged.columns().get(j);
        assertEquals(of.name(), weighted.name());
        assertEquals(of.moments().mean(), weighted.moments().mean(), 1e-12, of.name());
        assertEquals(of.scale(), weighted.scale(), 1e-12, of.name());
        assertEquals(of.moments().sd(), weighted.moments().sd(), 1e-12, of.name());
      }
      String line =
          auto.progress.stream().filter(l -> l.startsWith("equal rows")).findFirst().orElseThrow();
      assertTrue(line.contains("12,000 rows become " + expected.size() + " weighted rows"), line);
      assertEquals(merged.fingerprint(), auto.prepareAgain().fingerprint());
    }
  }

  @Test
  void whatDoesNotRepeatIsLeftAlone() throws IOException {
    // A number of its own for every row; numbers that are not whole; and a small table.
    assertEquals(ROWS, wish(Aggregate.AUTO, "n").prepareAgain().rows());
    Wish fractions = wish(Aggregate.AUTO, "0.n");
    assertEquals(ROWS, fractions.prepareAgain().rows());
    assertFalse(fractions.progress.contains("counting different rows"));
    Wish few = wish(file("f.csv", "y,x", "1,2", "1,2", "0,3", "0,2"));
    few.labelKind = LabelKind.BINARY;
    assertEquals(4, few.prepareAgain().rows());
    few.aggregate = Aggregate.ALWAYS;
    assertEquals(3, few.prepareAgain().rows());
  }

  @Test
  void aCountLabelHasTheMomentsOfAllRows() throws IOException {
    Wish wish = wish(file("c.csv", "y,x", "1,2", "1,2", "0,3", "7,2", "1,2"));
    wish.labelKind = LabelKind.COUNT;
    TableSchema plain = wish.prepareAgain();
    wish.aggregate = Aggregate.ALWAYS;
    TableSchema merged = wish.prepareAgain();
    assertEquals(3, merged.rows());
    Moments expected = Objects.requireNonNull(plain.tableScale().label());
    Moments found = Objects.requireNonNull(merged.tableScale().label());
    assertEquals(expected.mean(), found.mean(), 1e-14);
    assertEquals(expected.sd(), found.sd(), 1e-14);
  }

  @Test
  void weightsAndGroupsAreNotMerged() throws IOException {
    Wish weighted = wish(Aggregate.AUTO, "2");
    weighted.weight = "m";
    assertEquals(ROWS, weighted.prepareAgain().rows());
  }

  @Test
  void whatCannotBeMergedIsRefusedWhereThatIsWishedFor() throws IOException {
    Wish always =
        new Wish(file("w.csv", lines("2").toArray(new String[0])), folder.resolve("refused"));
    always.labelKind = LabelKind.BINARY;
    always.aggregate = Aggregate.ALWAYS;
    always.weight = "m";
    assertSays(refused(always, Kind.USAGE), "data.aggregate: always", "weights");
    always.weight = null;
    always.features = List.of("b", "x");
    always.groupBy = "a";
    assertSays(refused(always, Kind.USAGE), "data.aggregate: always", "kept together");
  }
}
