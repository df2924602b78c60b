package org.lampyris.bounds.rows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.RandomBlocks;

class DataBlockTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 13, 51})
  void denseAndSparseDoTheSame(int columns) {
    int rows = 300;
    List<DataBlock> blocks = RandomBlocks.inEveryLayout(columns, rows, columns);
    RandomGenerator random = RandomBlocks.random(5);
    double[] v = RandomBlocks.normal(random, columns + 2, 1);
    double[] scale = RandomBlocks.normal(random, rows, 1);
    for (DataBlock block : blocks) {
      double[] outer = new double[columns * columns];
      double[] expectedOuter = new double[columns * columns];
      for (int row = 0; row < rows; row++) {
        double dot = 0;
        double[] expected = v.clone();
        for (int j = 0; j < columns; j++) {
          double x = block.feature(row, j);
          dot += x * v[j + 2];
          expected[j + 2] += scale[row] * x;
          for (int i = j; i < columns; i++) {
            expectedOuter[i * columns + j] += scale[row] * x * block.feature(row, i);
          }
        }
        assertEquals(dot, block.dot(row, v, 2), 1e-12);
        double[] actual = v.clone();
        block.addScaled(row, scale[row], actual, 2);
        assertArrayEquals(expected, actual, 1e-15);
        block.addOuter(row, scale[row], outer);
      }
      assertArrayEquals(expectedOuter, outer, 1e-11);
      double[] atOnce = new double[columns * columns];
      block.addOuters(scale, atOnce);
      assertArrayEquals(expectedOuter, atOnce, 1e-11, "and nothing above the diagonal");
      block.addOuters(scale, atOnce);
      assertEquals(2 * outer[0], atOnce[0], 1e-11, "adds to what is there");
    }
  }

  /** |Lᵀx| of every row in every layout, of a factor with more elements a row than are used. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 13, 51})
  void lengthsAreThoseOfAPlainLoop(int columns) {
    int stride = columns + 2;
    double[] lower = RandomBlocks.normal(RandomBlocks.random(8), stride * stride, 1);
    for (int i = 0; i < stride; i++) {
      Arrays.fill(lower, i * stride + i + 1, (i + 1) * stride, 0);
    }
    for (DataBlock block : RandomBlocks.inEveryLayout(columns, 150, columns)) {
      double[] lengths = block.lengths(lower, stride);
      assertEquals(150, lengths.length);
      for (int row = 0; row < lengths.length; row++) {
        double squared = 0;
        for (int k = 0; k < columns; k++) {
          double z = 0;
          for (int i = k; i < columns; i++) {
            z += lower[i * stride + k] * block.feature(row, i);
          }
          squared += z * z;
        }
        assertEquals(Math.sqrt(squared), lengths[row], 1e-12 * (1 + lengths[row]));
      }
    }
  }

  /** xᵀSx of every row in every layout, of a matrix with more elements a row than are used. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 51})
  void formsAreThoseOfAPlainLoop(int columns) {
    int stride = columns + 2;
    double[] matrix = RandomBlocks.normal(RandomBlocks.random(9), stride * stride, 1);
    for (DataBlock block : RandomBlocks.inEveryLayout(columns, 20, columns)) {
      for (int row = 0; row < 20; row++) {
        double form = 0;
        for (int i = 0; i < columns; i++) {
          for (int j = 0; j < columns; j++) {
            form += block.feature(row, i) * matrix[i * stride + j] * block.feature(row, j);
          }
        }
        assertEquals(form, block.form(row, matrix, stride), 1e-11 * columns * columns);
      }
    }
  }

  @Test
  void weightsAndResponsesAreKept() {
    List<DataBlock> blocks = RandomBlocks.inEveryLayout(1, 10, 3);
    assertEquals(1, blocks.get(0).weight(4));
    assertEquals(blocks.get(2).weight(4), blocks.get(3).weight(4));
    assertEquals(blocks.get(0).response(4), blocks.get(3).response(4));
    assertEquals(8L * 10 * (1 + 3), blocks.get(0).packedBytes());
    assertEquals(8L * 10 * (2 + 3), blocks.get(2).packedBytes());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8, 21, 50, 300})
  void aPassMultipliesAndMultipliesBack(int columns) {
    int rows = 700;
    RandomGenerator random = RandomBlocks.random(6);
    double[] first = RandomBlocks.normal(random, columns, 1);
    double[] second = RandomBlocks.normal(random, columns + 2, 1);
    int[] starts = {0, 2, 1};
    double[][] vectors = {first, second, second};
    for (DataBlock block : RandomBlocks.inEveryLayout(columns, rows, columns)) {
      double[] seen = new double[rows];
      double[][] sums = {new double[columns], new double[columns + 2], new double[columns + 2]};
      block.pass(
          vectors,
          starts,
          (from, to, predictors) -> {
            for (int row = from; row < to; row++) {
              for (int k = 0; k < 3; k++) {
                // The same bits as the row alone: bounds are exactly tight at their anchors.
                assertEquals(block.dot(row, vectors[k], starts[k]), predictors[k][row - from]);
                predictors[k][row - from] = k + Math.sin(row);
              }
              seen[row]++;
            }
          },
          sums);
      assertEquals(rows, Arrays.stream(seen).filter(times -> times == 1).count());
      double[][] expected = {new double[columns], new double[columns + 2], new double[columns + 2]};
      for (int row = 0; row < rows; row++) {
        for (int k = 0; k < 3; k++) {
          block.addScaled(row, k + Math.sin(row), expected[k], starts[k]);
        }
      }
      for (int k = 0; k < 3; k++) {
        assertArrayEquals(expected[k], sums[k], 1e-10);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8, 21, 51})
  void productsWithSomeRowsAreThoseOfTheRows(int columns) {
    RandomGenerator random = RandomBlocks.random(8);
    double[] v = RandomBlocks.normal(random, columns, 1);
    double[] scale = RandomBlocks.normal(random, 9, 1);
    int[] rows = {5, 17, 2, 2, 29, 0, 11, 12, 13, 1};
    for (DataBlock block : RandomBlocks.inEveryLayout(columns, 30, columns)) {
      for (int from = 0; from < 3; from++) {
        for (int to = from; to <= rows.length - 1; to++) {
          double[] dots = new double[10];
          block.dots(rows, from, to, v, dots);
          double[] expected = RandomBlocks.normal(random, columns + 3, 1);
          double[] actual = expected.clone();
          for (int i = from; i < to; i++) {
            assertEquals(block.dot(rows[i], v, 0), dots[i - from], "to the bit");
            block.addScaled(rows[i], scale[i - from], expected, 2);
          }
          assertEquals(0, dots[to - from], "and nothing after them");
          block.addScaled(rows, from, to, scale, actual, 2);
          assertArrayEquals(expected, actual, 1e-13);
        }
      }
    }
  }

  @Test
  void aVectorsResultDoesNotDependOnTheOthers() {
    int columns = 13;
    RandomGenerator random = RandomBlocks.random(7);
    double[][] vectors = new double[7][];
    Arrays.setAll(vectors, k -> RandomBlocks.normal(random, columns, 1));
    for (DataBlock block : RandomBlocks.inEveryLayout(9, 3000, columns)) {
      double[][] together = new double[7][columns];
      block.pass(vectors, new int[7], (from, to, predictors) -> {}, together);
      for (int k = 0; k < 7; k++) {
        double[][] alone = new double[1][columns];
        double[][] vector = {vectors[k]};
        block.pass(vector, new int[1], (from, to, predictors) -> {}, alone);
        assertArrayEquals(alone[0], together[k]);
      }
    }
  }

  @Test
  void floatsTakeHalfTheMemory() {
    List<DataBlock> blocks = RandomBlocks.inEveryLayout(1, 10, 3);
    assertEquals(8L * 10 + 4L * 10 * 3, blocks.get(4).packedBytes());
  }

  @Test
  void selectedRowsAreTheRows() {
    int columns = 5;
    int[] rows = {7, 0, 7, 29, 12};
    for (DataBlock block : RandomBlocks.withOffset(8, 30, columns, RandomGenerator::nextGaussian)) {
      DataBlock selected = block.select(rows);
      assertEquals(block.getClass(), selected.getClass());
      assertEquals(block.id(), selected.id());
      assertEquals(rows.length, selected.rows());
      assertEquals(block.isWeighted(), selected.isWeighted());
      assertEquals(block.hasOffset(), selected.hasOffset());
      for (int k = 0; k < rows.length; k++) {
        assertEquals(block.response(rows[k]), selected.response(k));
        assertEquals(block.weight(rows[k]), selected.weight(k));
        assertEquals(block.offset(rows[k]), selected.offset(k));
        for (int j = 0; j < columns; j++) {
          assertEquals(block.feature(rows[k], j), selected.feature(k, j));
        }
      }
      assertEquals(0, block.select(new int[0]).rows());
      assertThrows(IndexOutOfBoundsException.class, () -> block.select(new int[] {30}));
      assertThrows(IndexOutOfBoundsException.class, () -> block.select(new int[] {-1}));
    }
  }

  @Test
  void aBlockOfAnotherNumberHasTheSameRowsToAPower() {
    for (DataBlock block : RandomBlocks.withOffset(4, 5, 3, random -> 1)) {
      DataBlock raised = block.with(7, 8);
      DataBlock renumbered = block.with(9, 1);
      assertEquals(7, raised.id());
      assertEquals(9, renumbered.id());
      assertEquals(block.isWeighted(), renumbered.isWeighted());
      for (int row = 0; row < 5; row++) {
        assertEquals(8 * block.weight(row), raised.weight(row));
        assertEquals(block.weight(row), renumbered.weight(row));
        assertEquals(block.offset(row), raised.offset(row));
        assertEquals(block.response(row), raised.response(row));
        assertEquals(block.feature(row, 2), raised.feature(row, 2));
      }
    }
  }

  @Test
  void appendedRowsAreTheRowsOfBoth() {
    int columns = 5;
    DataBlock last = null;
    for (DataBlock block : RandomBlocks.withOffset(8, 30, columns, RandomGenerator::nextGaussian)) {
      int[] first = {3, 29};
      int[] second = {0, 11, 12};
      DataBlock both = block.select(first).append(block.select(second));
      DataBlock expected = block.select(new int[] {3, 29, 0, 11, 12});
      assertEquals(block.getClass(), both.getClass());
      assertEquals(block.id(), both.id());
      assertEquals(5, both.rows());
      for (int k = 0; k < 5; k++) {
        assertEquals(expected.response(k), both.response(k));
        assertEquals(expected.weight(k), both.weight(k));
        assertEquals(expected.offset(k), both.offset(k));
        for (int j = 0; j < columns; j++) {
          assertEquals(expected.feature(k, j), both.feature(k, j));
        }
      }
      if (last != null && last.getClass() != block.getClass()) {
        DataBlock other = last;
        assertThrows(IllegalArgumentException.class, () -> block.append(other));
      }
      last = block;
    }
  }

  @Test
  void arraysThatDoNotFitAreRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new DenseBlock(0, 2, new double[3], new double[2], null));
    assertThrows(
        IllegalArgumentException.class,
        () -> new DenseBlock(0, 2, new double[4], new double[2], new double[1]));
    assertThrows(
        IllegalArgumentException.class,
        () -> new DenseBlock(-1, 2, new double[4], new double[2], null));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new SparseBlock(
                0, 2, new int[] {0, 1}, new int[1], new double[2], new double[1], null));
  }

  @Test
  void rowsKeepTheirGroups() {
    DataBlock plain = new DenseBlock(3, 1, new double[] {1, 2, 3}, new double[3], null);
    assertEquals(0, plain.groupings());
    DataBlock block = plain.grouped(new long[][] {{7, 8, 9}, {-1, -1, -2}});
    assertEquals(2, block.groupings());
    DataBlock picked = block.select(new int[] {2, 0});
    assertEquals(9, picked.group(0, 0));
    assertEquals(-1, picked.group(1, 1));
    DataBlock all = block.with(5, 0.5).append(picked.with(6, 0.5));
    assertEquals(8, all.group(0, 1));
    assertEquals(-2, all.group(1, 3));
    assertEquals(plain.packedBytes() + 2 * 3 * 8, block.packedBytes());
    assertThrows(IllegalArgumentException.class, () -> block.append(plain));
    assertThrows(IllegalArgumentException.class, () -> plain.grouped(new long[][] {{1, 2}}));
  }
}
