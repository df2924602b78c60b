package org.lampyris.bounds.numeric;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Which elements of a symmetric d × d matrix M give it the form of an arrow: the set E, of which
 * hardly any two meet, and the rest F,
 *
 * <pre>
 *     | D  Cᵀ |   D block diagonal, blocks of at most {@value #LARGEST_BLOCK}
 * M = | C  B  |   C and B dense
 * </pre>
 *
 * <p>The levels of one grouping factor do not meet in XᵀWX, since a row has one of them. So E holds
 * the levels of the largest factor, and products and decompositions cost what F costs. The zeros of
 * M say what E is. Without enough of them E is empty.
 *
 * @param apart E, block by block; not to be modified
 * @param ends for each place in E, where its block ends in E; not to be modified
 * @param rest F, ascending; not to be modified
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Arrow(int[] apart, int[] ends, int[] rest) implements Serializable {
  /** So many elements of E may meet one another. */
  private static final int LARGEST_BLOCK = 8;

  /** Smaller matrices have no arrow: they fit into the processor's cache. */
  private static final int SMALLEST = 64;

  /** E is used if it has this share of the elements. */
  private static final double SMALLEST_SHARE = 0.25;

  /**
   * Finds the arrow. Those elements with the fewest neighbours come first to E, unless they would
   * join blocks to too large a one. Cost O(d²).
   *
   * @param matrix M, row-major d × d, symmetric. Not modified.
   */
  public static Arrow of(double[] matrix, int d) {
    int[] block = new int[d];
    Arrays.fill(block, -1);
    if (d < SMALLEST) {
      return of(block);
    }
    int[] neighbours = new int[d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        neighbours[i] += matrix[i * d + j] == 0 ? 0 : 1;
      }
    }
    int[] size = new int[d];
    int taken = 0;
    for (int i : sorted(IntStream.range(0, d), neighbours)) {
      int[] met =
          IntStream.range(0, d)
              .filter(j -> block[j] >= 0 && matrix[i * d + j] != 0)
              .map(j -> block[j])
              .distinct()
              .toArray();
      int together = 1 + Arrays.stream(met).map(b -> size[b]).sum();
      if (together > LARGEST_BLOCK) {
        continue;
      }
      int name = met.length == 0 ? i : met[0];
      for (int b = 1; b < met.length; b++) {
        int old = met[b];
        Arrays.setAll(block, j -> block[j] == old ? name : block[j]);
      }
      block[i] = name;
      size[name] = together;
      taken++;
    }
    if (taken < SMALLEST_SHARE * d) {
      Arrays.fill(block, -1);
    }
    return of(block);
  }

  private static Arrow of(int[] block) {
    IntStream all = IntStream.range(0, block.length);
    int[] apart = sorted(all.filter(i -> block[i] >= 0), block);
    int[] ends = new int[apart.length];
    for (int k = apart.length - 1; k >= 0; k--) {
      boolean last = k == apart.length - 1 || block[apart[k + 1]] != block[apart[k]];
      ends[k] = last ? k + 1 : ends[k + 1];
    }
    return new Arrow(
        apart, ends, IntStream.range(0, block.length).filter(i -> block[i] < 0).toArray());
  }

  private static int[] sorted(IntStream indices, int[] by) {
    return indices.boxed().sorted(Comparator.comparingInt(i -> by[i])).mapToInt(i -> i).toArray();
  }

  /** Returns the elements of v that a set has, in its order. */
  public static double[] pick(int[] set, double[] v) {
    double[] out = new double[set.length];
    for (int i = 0; i < set.length; i++) {
      out[i] = v[set[i]];
    }
    return out;
  }

  /** Returns the vector whose elements in E and in F are given, in their orders. */
  public double[] joined(double[] ofApart, double[] ofRest) {
    double[] out = new double[apart.length + rest.length];
    for (int i = 0; i < apart.length; i++) {
      out[apart[i]] = ofApart[i];
    }
    for (int i = 0; i < rest.length; i++) {
      out[rest[i]] = ofRest[i];
    }
    return out;
  }

  /** Returns the rows of one set and the columns of another of a row-major d × d matrix. */
  public static double[][] part(double[] matrix, int d, int[] rows, int[] columns) {
    double[][] part = new double[rows.length][columns.length];
    for (int i = 0; i < rows.length; i++) {
      for (int j = 0; j < columns.length; j++) {
        part[i][j] = matrix[rows[i] * d + columns[j]];
      }
    }
    return part;
  }

  /** Returns the rows of D, each with the elements of its block. */
  public double[][] blocks(double[] matrix, int d) {
    double[][] rows = new double[apart.length][];
    int from = 0;
    for (int k = 0; k < apart.length; k++) {
      if (k > 0 && ends[k] != ends[k - 1]) {
        from = k;
      }
      int row = apart[k] * d;
      rows[k] = Arrays.stream(apart, from, ends[k]).mapToDouble(j -> matrix[row + j]).toArray();
    }
    return rows;
  }
}
