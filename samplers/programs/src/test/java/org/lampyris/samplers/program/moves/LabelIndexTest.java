package org.lampyris.samplers.program.moves;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.random.Streams;

/** The index against a walk over all labels. Seeds are fixed. */
class LabelIndexTest {
  @Test
  void rowsOfALabelAreFoundInTheirOrder() {
    UniformRandomProvider rng = new Streams(3).iteration(1, 1);
    int width = 3;
    int slot = 1;
    double[][] latents = {new double[width * 50], new double[width], new double[width * 20]};
    for (double[] block : latents) {
      for (int i = 0; i < block.length; i++) {
        block[i] = i % width == slot ? 2 * rng.nextInt(4) : 99;
      }
    }
    LabelIndex index = LabelIndex.of(latents, width, slot);
    int found = 0;
    for (int label = 0; label < 9; label++) {
      List<String> expected = new ArrayList<>();
      for (int b = 0; b < latents.length; b++) {
        for (int row = 0; row < latents[b].length / width; row++) {
          if (latents[b][row * width + slot] == label) {
            expected.add(b + " " + row + " 0");
            expected.add(b + " " + row + " 1");
          }
        }
      }
      List<String> actual = new ArrayList<>();
      index.visit(label, 2, (block, row, part) -> actual.add(block + " " + row + " " + part));
      assertEquals(expected, actual, "label " + label);
      assertEquals(expected.size(), 2 * index.count(label));
      long[] some = LongStream.range(0, expected.size()).filter(i -> rng.nextBoolean()).toArray();
      List<String> chosen = new ArrayList<>();
      index.visit(label, 2, some, (b, row, part) -> chosen.add(b + " " + row + " " + part));
      assertEquals(Arrays.stream(some).mapToObj(i -> expected.get((int) i)).toList(), chosen);
      found += actual.size();
    }
    assertEquals(2 * 71, found);
    assertEquals(71, Arrays.stream(index.counts()).sum());
  }
}
