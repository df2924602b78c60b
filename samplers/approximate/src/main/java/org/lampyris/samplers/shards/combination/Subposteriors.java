package org.lampyris.samplers.shards.combination;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.samplers.shards.combination.Combination.Combined;
import org.lampyris.samplers.shards.combination.Combination.Randomness;

/**
 * Draws of every shard's subposterior, all equally many.
 *
 * @param draws shards × chains × draws × d; not copied
 */
public record Subposteriors(double[][][][] draws) {
  /** Returns S. */
  public int shards() {
    return draws.length;
  }

  /** Returns how many chains every shard has. */
  public int chains() {
    return draws[0].length;
  }

  /** Returns how many draws a chain has. */
  public int perChain() {
    return draws[0][0].length;
  }

  /** Returns d. */
  public int dimension() {
    return draws[0][0][0].length;
  }

  /**
   * Returns the draws of a shard, from 0, chain after chain: draws × d; the draws are not copied.
   */
  public double[][] pooled(int shard) {
    return Arrays.stream(draws[shard]).flatMap(Arrays::stream).toArray(double[][]::new);
  }

  /** Returns m ≤ {@code most} draws of each shard, evenly spaced, m × d: not copied. */
  List<double[][]> thinned(int most) {
    int all = chains() * perChain();
    int size = Math.min(most, all);
    int[] kept = IntStream.range(0, size).map(i -> (int) ((long) i * all / size)).toArray();
    return IntStream.range(0, shards())
        .mapToObj(this::pooled)
        .map(rows -> Arrays.stream(kept).mapToObj(i -> rows[i]).toArray(double[][]::new))
        .toList();
  }

  /** Returns the draws of one coefficient, from 0, of a shard: chains × draws. */
  double[][] marginal(int shard, int coefficient) {
    return Arrays.stream(draws[shard])
        .map(chain -> Arrays.stream(chain).mapToDouble(theta -> theta[coefficient]).toArray())
        .toArray(double[][]::new);
  }

  /** Returns as many draws as a shard has, each chain's one after the other from its stream. */
  double[][][] drawn(
      Randomness randomness, Function<UniformRandomProvider, Supplier<double[]>> chain) {
    return IntStream.rangeClosed(1, chains())
        .mapToObj(c -> chain.apply(randomness.chain(c)))
        .map(next -> Stream.generate(next).limit(perChain()).toArray(double[][]::new))
        .toArray(double[][][]::new);
  }

  /** Returns pooled draws as chains. */
  double[][][] asChains(double[][] rows) {
    return IntStream.range(0, chains())
        .mapToObj(c -> Arrays.copyOfRange(rows, c * perChain(), (c + 1) * perChain()))
        .toArray(double[][][]::new);
  }

  /** Returns the result of a combination without proposals. */
  Combined combined(double[][][] out, String... notes) {
    double[] acceptance = new double[chains()];
    Arrays.fill(acceptance, Double.NaN);
    return new Combined(out, acceptance, List.of(notes));
  }
}
