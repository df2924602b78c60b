package org.lampyris.bounds.rows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.RandomBlocks;

/** Products by vector instructions have the bits of those by plain loops, on any processor. */
class DenseProductsTest {
  private static final double[] SPECIAL = {
    0, -0.0, Double.MIN_VALUE, 1e-310, 1e300, -1e300, Double.POSITIVE_INFINITY, Double.NaN
  };

  /** One of {@link #SPECIAL} once in a hundred times. */
  private static double number(RandomGenerator random) {
    return random.nextInt(100) == 0
        ? SPECIAL[random.nextInt(SPECIAL.length)]
        : random.nextGaussian();
  }

  private static double[] numbers(RandomGenerator random, int size) {
    double[] numbers = new double[size];
    Arrays.setAll(numbers, i -> number(random));
    return numbers;
  }

  /** Returns what each product of random rows is, one after the other. */
  private static double[][] productsOfRows(DenseProducts products, int seed) {
    RandomGenerator random = RandomBlocks.random(seed);
    int d = random.nextInt(71);
    int rows = random.nextInt(13);
    int base = random.nextInt(9);
    int at = random.nextInt(5);
    double[] x = numbers(random, base + rows * d + random.nextInt(3));
    float[] floats = new float[x.length];
    for (int i = 0; i < x.length; i++) {
      floats[i] = (float) x[i];
    }
    double[] v = numbers(random, at + d + random.nextInt(2));
    double[] w = numbers(random, rows);
    double[][] out = {new double[rows + 1], new double[rows + 1], v.clone(), v.clone(), {}, {}};
    products.dots(x, base, rows, d, v, at, out[0]);
    products.dots(floats, base, rows, d, v, at, out[1]);
    products.addScaled(x, base, rows, d, w, out[2], at);
    products.addScaled(floats, base, rows, d, w, out[3], at);
    out[4] = numbers(random, d * d);
    if (d > 0) {
      int from = random.nextInt(rows + 1);
      products.addOuters(x, base + from * d, from, rows, d, w, out[4]);
    }
    out[5] = numbers(random, DenseLengths.TILE);
    int stride = d + random.nextInt(3);
    double[] columns = numbers(random, d * DenseLengths.TILE);
    products.addSquares(columns, d, numbers(random, d * stride), stride, out[5]);
    return out;
  }

  @Test
  void bitsAreThoseOfPlainLoops() {
    DenseProducts plain = new DenseProducts();
    for (int seed = 0; seed < 3000; seed++) {
      double[][] expected = productsOfRows(plain, seed);
      double[][] actual = productsOfRows(DenseProducts.best(), seed);
      for (int k = 0; k < expected.length; k++) {
        assertArrayEquals(expected[k], actual[k], "product " + k + ", seed " + seed);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 8, 21, 51})
  void floatsHaveTheBitsOfWhatTheyAreWidened(int d) {
    RandomGenerator random = RandomBlocks.random(d);
    float[] x = new float[50 * d];
    for (int i = 0; i < x.length; i++) {
      x[i] = (float) random.nextGaussian();
    }
    double[] wide = DenseProducts.widen(x, 0, x.length);
    double[] v = numbers(random, d);
    double[] w = numbers(random, 50);
    for (DenseProducts products : List.of(new DenseProducts(), DenseProducts.best())) {
      double[][] out = {new double[50], new double[50], v.clone(), v.clone()};
      products.dots(x, 0, 50, d, v, 0, out[0]);
      products.dots(wide, 0, 50, d, v, 0, out[1]);
      products.addScaled(x, 0, 50, d, w, out[2], 0);
      products.addScaled(wide, 0, 50, d, w, out[3], 0);
      assertArrayEquals(out[1], out[0]);
      assertArrayEquals(out[3], out[2]);
    }
  }

  /**
   * JVMs with the module, with shorter vectors, without it and with the switch off: the same bits,
   * and plain loops in the last two.
   */
  @Test
  void everyJvmHasTheSameBits() throws IOException, InterruptedException {
    String module = "--add-modules=jdk.incubator.vector";
    List<String> with = said(module);
    List<String> shorter = said(module, "-XX:+IgnoreUnrecognizedVMOptions", "-XX:UseAVX=2");
    List<String> off = said(module, "-Dlampyris.vector=off");
    List<String> without = said();
    assertEquals("DenseProducts", without.get(0));
    assertEquals("DenseProducts", off.get(0));
    assertEquals(DenseProducts.best().getClass().getSimpleName(), with.get(0));
    assertEquals(with.get(0), shorter.get(0));
    assertNotEquals("0", without.get(1));
    assertEquals(List.of("DenseProducts", "DenseProducts"), with.subList(2, 4), "at first");
    assertEquals(with.get(0), with.get(4), "after two thousand million multiplications");
    for (List<String> other : List.of(with, shorter, off)) {
      assertEquals(without.get(1), other.get(1));
    }
  }

  /**
   * Prints which products are best here, a hash of the bits of what they are, and which are taken
   * as work is done.
   */
  public static void main(String[] arguments) {
    DenseProducts best = DenseProducts.best();
    int hash = 0;
    for (int seed = 0; seed < 300; seed++) {
      hash = 31 * hash + Arrays.deepHashCode(productsOfRows(best, seed));
    }
    System.out.println(best.getClass().getSimpleName());
    System.out.println(hash);
    for (long work : new long[] {1_999_999_999, 1, 1}) {
      System.out.println(DenseProducts.forWork(work).getClass().getSimpleName());
    }
  }

  private static List<String> said(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(DenseProductsTest.class.getName());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    List<String> lines = said.lines().toList();
    assertEquals(5, lines.size(), said);
    return lines;
  }
}
