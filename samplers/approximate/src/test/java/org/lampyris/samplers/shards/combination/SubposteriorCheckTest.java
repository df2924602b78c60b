package org.lampyris.samplers.shards.combination;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.shards.combination.Combination.Subposterior;

class SubposteriorCheckTest {
  private static final List<String> NAMES = List.of("intercept", "age", "price");
  private static final long SEED = 27;
  private static final int SHARDS = 6;

  /** A shard's subposterior, whose mean is off by a draw of its own covariance. */
  private static Gaussian shard(long seed, int shard, Subposterior kind) {
    double[] wide = {1 + 0.2 * shard, 0.5, 0, 0.5, 2, -0.3, 0, -0.3, 1.5};
    double narrowed = kind == Subposterior.RAISED ? SHARDS : 1;
    Gaussian spread = Gaussian.of(new double[] {5, -3, 0}, wide);
    double[] mean = spread.unwhitened(Noise.of(Shards.rng(seed, 100 + shard)).normals(3));
    return Gaussian.of(mean, Arrays.stream(wide).map(v -> v / narrowed).toArray());
  }

  private static double figure(SubposteriorCheck check, String name) {
    return Objects.requireNonNull(check.figures().get(name), name);
  }

  private static SubposteriorCheck check(
      int perChain, Subposterior kind, long seed, IntFunction<Gaussian> shard) {
    return SubposteriorCheck.of(
        Shards.draws(SHARDS, 4, perChain, s -> Shards.normal(shard.apply(s), Shards.rng(seed, s))),
        kind,
        NAMES);
  }

  /** With 1e-6 for each comparison, 200 cases are silent but for about one of a thousand seeds. */
  @ParameterizedTest
  @EnumSource(Subposterior.class)
  void isSilentWhereRowsAreDealtAtRandom(Subposterior kind) {
    double sum = 0;
    for (int run = 0; run < 200; run++) {
      long seed = SEED + run;
      // As few as 40 draws a shard, every other time.
      SubposteriorCheck check =
          check(run % 2 == 0 ? 10 : 100, kind, seed, s -> shard(seed, s, kind));
      assertEquals(List.of(), check.warnings(), "seed " + seed);
      sum += figure(check, "cochran_q") / 200;
    }
    // χ² of 15 degrees of freedom: a standard error of √30/√200.
    assertEquals(15, sum, 2.5);
  }

  /** Of 100 draws of ten coefficients, inverse covariances are an eighth too large. */
  @Test
  void cochransQIsRightForFewDraws() {
    List<String> names = IntStream.range(0, 10).mapToObj(j -> "x" + j).toList();
    double sum = 0;
    for (int run = 0; run < 200; run++) {
      Noise noise = Noise.of(Shards.rng(SEED + run, 50));
      Subposteriors draws =
          Shards.draws(
              4,
              4,
              25,
              s -> {
                double[] mean = noise.normals(10);
                return () -> Arrays.stream(mean).map(m -> m + noise.normal()).toArray();
              });
      sum += figure(SubposteriorCheck.of(draws, Subposterior.TEMPERED, names), "cochran_q") / 200;
    }
    // χ² of 30 degrees of freedom, a standard error of √60/√200; and the product's own noise.
    assertEquals(30, sum, 2.2);
  }

  @ParameterizedTest
  @EnumSource(Subposterior.class)
  void saysWhichShardDisagrees(Subposterior kind) {
    SubposteriorCheck check =
        check(
            250,
            kind,
            SEED,
            s -> {
              Gaussian own = shard(SEED, s, kind);
              double[] mean = own.mean().clone();
              mean[1] += s == 3 ? 12 : 0;
              return Gaussian.of(mean, own.covariance());
            });
    String warning = check.warnings().get(0);
    assertTrue(warning.startsWith("the shards disagree"), warning);
    assertTrue(warning.contains("Shard 4 is farthest off: its age is"), warning);
    assertTrue(figure(check, "cochran_q_p_value") < 1e-6);
  }

  @Test
  void saysWhichShardsDoNotOverlap() {
    SubposteriorCheck check =
        check(
            250,
            Subposterior.TEMPERED,
            SEED,
            s -> {
              Gaussian own = shard(SEED, s, Subposterior.TEMPERED);
              double[] mean = own.mean().clone();
              mean[2] += s == 1 ? 20 : 0;
              return Gaussian.of(mean, own.covariance());
            });
    String warning = check.warnings().get(1);
    assertTrue(warning.contains("shards 2 and ") || warning.contains("and 2 hardly"), warning);
    assertTrue(warning.contains("hardly overlap in price"), warning);
    assertTrue(figure(check, "least_overlap") < 1e-6);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 1, 3})
  void overlapIsTheIntegralOfTheLesserDensity(double wide) {
    for (double apart : new double[] {0, 0.3, 2, 6}) {
      double sum = 0;
      double step = 1e-3;
      for (double x = -30; x < 30; x += step) {
        double one = Math.exp(-x * x / 2);
        double other = Math.exp(-Math.pow((x - apart) / wide, 2) / 2) / wide;
        sum += step * Math.min(one, other) / Math.sqrt(2 * Math.PI);
      }
      assertEquals(sum, SubposteriorCheck.overlap(apart, 1, wide), 1e-5);
      assertEquals(sum, SubposteriorCheck.overlap(apart, wide, 1), 1e-5);
    }
  }

  @Test
  void saysWhatIsSkewed() {
    UniformRandomProvider rng = Shards.rng(SEED, 1);
    Subposteriors draws =
        Shards.draws(
            SHARDS,
            4,
            250,
            s -> {
              Noise noise = Noise.of(rng);
              return () -> {
                double[] theta = noise.normals(3);
                theta[0] = s == 2 ? noise.exponential() - 1 : theta[0];
                return theta;
              };
            });
    SubposteriorCheck check = SubposteriorCheck.of(draws, Subposterior.TEMPERED, NAMES);
    assertEquals(1, check.warnings().size(), () -> check.warnings().toString());
    String warning = check.warnings().get(0);
    assertTrue(warning.contains("shard 3 is far from normal in intercept"), warning);
    assertEquals(2, figure(check, "skewness"), 0.6);
    assertEquals(List.of(), SubposteriorCheck.of(draws, Subposterior.RAISED, NAMES).warnings());
  }

  /** What the test of scipy 1.17 gives for the kurtosis of so many numbers. */
  @ParameterizedTest
  @CsvSource({
    "100, 12.368132547545017, 5.3733111427346225",
    "50, 1.9478654356710043, -2.5594537706045424",
    "1000, 3.9340057943793725, 4.374116104196845"
  })
  void kurtosisIsInStandardErrors(int n, double kurtosis, double expected) {
    assertEquals(expected, SubposteriorCheck.Shape.anscombe(kurtosis, n), 1e-9);
  }

  /** What the test of scipy 1.17 gives for the skewness of so many numbers. */
  @ParameterizedTest
  @CsvSource({
    "100, 1.4439188263135967, 4.9053832355131375",
    "30, -0.9912580569247927, -2.3391666717102035",
    "1000, 0.42379877015585776, 5.294389087373797"
  })
  void skewnessIsInStandardErrors(int n, double skewness, double expected) {
    assertEquals(expected, SubposteriorCheck.Shape.dAgostino(skewness, n), 1e-9);
  }
}
