package org.lampyris.bounds;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.SparseBlock;
import org.lampyris.bounds.rows.Values;

/** Small random blocks, the same for the same seed, and the same rows packed in other ways. */
public final class RandomBlocks {

  private RandomBlocks() {}

  /** Returns a generator keyed by the seed. */
  public static RandomGenerator random(long seed) {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  }

  /** Returns n standard normal numbers times {@code scale}. */
  public static double[] normal(RandomGenerator random, int n, double scale) {
    double[] values = new double[n];
    Arrays.setAll(values, i -> scale * random.nextGaussian());
    return values;
  }

  /** Returns the same rows dense and sparse, unweighted and weighted: responses are ±1. */
  public static List<DataBlock> inEveryLayout(long seed, int rows, int columns) {
    return inEveryLayout(seed, rows, columns, random -> random.nextBoolean() ? 1 : -1);
  }

  /**
   * Returns the same rows dense and sparse, unweighted, weighted, and, last, weighted with offsets.
   */
  public static List<DataBlock> withOffset(
      long seed, int rows, int columns, ToDoubleFunction<RandomGenerator> draw) {
    List<DataBlock> blocks = new ArrayList<>(inEveryLayout(seed, rows, columns, draw));
    DataBlock weighted = blocks.get(2);
    double[] features = new double[rows * columns];
    double[] response = new double[rows];
    double[] weight = new double[rows];
    for (int row = 0; row < rows; row++) {
      for (int j = 0; j < columns; j++) {
        features[row * columns + j] = weighted.feature(row, j);
      }
      response[row] = weighted.response(row);
      weight[row] = weighted.weight(row);
    }
    double[] offset = normal(random(seed + 1), rows, 2);
    blocks.add(new DenseBlock(0, columns, Values.of(features), response, weight, offset));
    return List.copyOf(blocks);
  }

  /**
   * Returns the same rows dense and sparse, unweighted and weighted, then dense floats without
   * weights and sparse floats with them.
   */
  public static List<DataBlock> inEveryLayout(
      long seed, int rows, int columns, ToDoubleFunction<RandomGenerator> draw) {
    RandomGenerator random = random(seed);
    double[] features = normal(random, rows * columns, 1);
    // Numbers that a float holds: the rows are the same in every layout.
    Arrays.setAll(features, i -> (float) features[i]);
    double[] response = new double[rows];
    double[] weight = new double[rows];
    for (int row = 0; row < rows; row++) {
      features[row * columns] = 1;
      response[row] = draw.applyAsDouble(random);
      weight[row] = 0.25 + random.nextInt(8);
      for (int j = 1; j < columns; j++) {
        if (random.nextInt(3) == 0) {
          features[row * columns + j] = 0;
        }
      }
    }
    return List.of(
        new DenseBlock(0, columns, features, response, null),
        sparse(columns, features, response, null),
        new DenseBlock(0, columns, features, response, weight),
        sparse(columns, features, response, weight),
        new DenseBlock(0, columns, Values.of(floats(features)), response, null, null),
        sparseFloat(columns, features, response, weight));
  }

  private static DataBlock sparse(
      int columns, double[] features, double[] response, double @Nullable [] weight) {
    int[] start = starts(columns, features);
    double[] value = Arrays.stream(features).filter(x -> x != 0).toArray();
    return new SparseBlock(
        0, columns, start, columnsOf(columns, features), value, response, weight);
  }

  private static DataBlock sparseFloat(
      int columns, double[] features, double[] response, double[] weight) {
    float[] value = floats(Arrays.stream(features).filter(x -> x != 0).toArray());
    return new SparseBlock(
        0,
        columns,
        starts(columns, features),
        columnsOf(columns, features),
        Values.of(value),
        response,
        weight,
        null);
  }

  private static int[] starts(int columns, double[] features) {
    int[] start = new int[features.length / columns + 1];
    for (int i = 0; i < features.length; i++) {
      start[i / columns + 1] += features[i] == 0 ? 0 : 1;
    }
    Arrays.parallelPrefix(start, Integer::sum);
    return start;
  }

  private static int[] columnsOf(int columns, double[] features) {
    return IntStream.range(0, features.length)
        .filter(i -> features[i] != 0)
        .map(i -> i % columns)
        .toArray();
  }

  private static float[] floats(double[] values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      floats[i] = (float) values[i];
    }
    return floats;
  }

  /** Returns the block's rows one by one, as blocks of one row. */
  public static DataBlock single(DataBlock block, int row) {
    double[] x = new double[block.columns()];
    Arrays.setAll(x, j -> block.feature(row, j));
    return new DenseBlock(
        0,
        block.columns(),
        Values.of(x),
        new double[] {block.response(row)},
        new double[] {block.weight(row)},
        block.hasOffset() ? new double[] {block.offset(row)} : null);
  }
}
