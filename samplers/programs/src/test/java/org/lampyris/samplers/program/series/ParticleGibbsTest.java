package org.lampyris.samplers.program.series;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lampyris.samplers.program.Distributions.gamma;
import static org.lampyris.samplers.program.Distributions.normal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.inference.ChiSquareTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.program.Density;
import org.lampyris.samplers.program.Given;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Program;
import org.lampyris.samplers.program.Term;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.mixture.NormalInverseWishart;
import org.lampyris.samplers.program.mixture.PaperPrograms;
import org.lampyris.samplers.program.moves.ProgramRows;
import org.lampyris.samplers.program.moves.ProgramState;
import org.lampyris.samplers.program.moves.ProgramTable;
import org.lampyris.samplers.random.Streams;

/**
 * Series on a grid of three values, whose paths can be enumerated: rows that all observe the same
 * are as many independent draws of a path. Where the weights of ancestors are left out, the chi
 * square statistic is hundreds.
 */
class ParticleGibbsTest {
  private static final int VALUES = 3;
  private static final double[] OBSERVED = {0.9, -0.6, 1.4};

  /** Values 0, 1 and 2, drawn in proportion to exp(−|x − 0.8·before|·1.3)·(1 + 0.4·x). */
  private record Step(Term before) implements Density {
    private static double weight(double x, double before) {
      return Math.exp(-1.3 * Math.abs(x - 0.8 * before)) * (1 + 0.4 * x);
    }

    @Override
    public List<Term> parameters() {
      return List.of(before);
    }

    @Override
    public double logDensity(Given given, double[] x, int at) {
      double b = before.at(given);
      return Math.log(weight(x[at], b) / (weight(0, b) + weight(1, b) + weight(2, b)));
    }

    @Override
    public void sample(Given given, UniformRandomProvider rng, double[] out, int at) {
      double b = before.at(given);
      double u = rng.nextDouble() * (weight(0, b) + weight(1, b) + weight(2, b));
      out[at] = u < weight(0, b) ? 0 : u < weight(0, b) + weight(1, b) ? 1 : 2;
    }
  }

  /** A Markov chain, or one whose steps and observations depend on the sum of all before. */
  private static Trace grid(int length, boolean markov) {
    Program program = new Program();
    program.perGroup(
        length,
        series -> {
          Term last = v -> 1;
          for (int t = 0; t < length; t++) {
            int at = t;
            Term before = last;
            Node mean = series.let("mean", before);
            Node h = series.latent("h", new Step(mean));
            Node level = markov ? h : series.let("level", v -> v.of(mean) + v.of(h));
            series.observe("x", normal(level, v -> 0.8), v -> v.feature(at));
            last = level;
          }
        });
    return program.trace();
  }

  private static double[] exact(int length, boolean markov) {
    double[] p = new double[(int) Math.pow(VALUES, length)];
    for (int path = 0; path < p.length; path++) {
      double before = 1;
      double weight = 1;
      int rest = path;
      for (int t = 0; t < length; t++) {
        double x = rest % VALUES;
        rest /= VALUES;
        double sum = Step.weight(0, before) + Step.weight(1, before) + Step.weight(2, before);
        double level = markov ? x : before + x;
        double z = (OBSERVED[t] - level) / 0.8;
        weight *= Step.weight(x, before) / sum * Math.exp(-0.5 * z * z);
        before = level;
      }
      p[path] = weight;
    }
    double sum = Arrays.stream(p).sum();
    return Arrays.stream(p).map(w -> w / sum).toArray();
  }

  private static List<DataBlock> same(int blocks, int rows, int length) {
    List<DataBlock> all = new ArrayList<>();
    for (int b = 0; b < blocks; b++) {
      double[] x = new double[rows * length];
      Arrays.setAll(x, i -> OBSERVED[i % length]);
      all.add(new DenseBlock(b, length, x, new double[rows], null));
    }
    return all;
  }

  private static long[] counts(double[][] latents, int length) {
    long[] counts = new long[(int) Math.pow(VALUES, length)];
    for (double[] block : latents) {
      for (int row = 0; row < block.length / length; row++) {
        int path = 0;
        for (int t = length - 1; t >= 0; t--) {
          path = VALUES * path + (int) block[row * length + t];
        }
        counts[path]++;
      }
    }
    return counts;
  }

  /** Wrongly alarmed with probability 10⁻⁴ each. */
  @ParameterizedTest
  @CsvSource({
    "2, 2, 50000, true",
    "2, 4, 50000, true",
    "3, 2, 50000, true",
    "3, 2, 20000, true",
    "3, 5, 50000, true",
    "2, 2, 50000, false",
    "3, 2, 50000, false",
    "3, 5, 50000, false"
  })
  void pathsHaveTheirProbabilities(int length, int particles, int drawn, boolean markov) {
    Trace trace = grid(length, markov);
    int rows = 25_000;
    try (ProgramRows all =
        new ProgramRows(trace, ProgramTable.inMemory(same(2, rows, length)), new Streams(77), 1)) {
      ProgramState state = all.begin(1);
      ParticleGibbs move = new ParticleGibbs(trace, particles, drawn);
      int sweeps = 40 * 50_000 / drawn;
      for (int i = 0; i < sweeps; i++) {
        state = move.apply(state, all);
      }
      assertEquals((long) sweeps * drawn, state.counts().updates());
      long[] counts = counts(all.latents().get(0), length);
      double p = ChiSquareTest.withDefaults().test(exact(length, markov), counts).getPValue();
      assertTrue(p > 1e-4, () -> "p = " + p + " " + Arrays.toString(counts));
    }
  }

  @Test
  void whatHasNoDensityIsRefused() {
    NormalInverseWishart base = new NormalInverseWishart(new double[1], 0.1, 3, new double[] {1});
    assertRefused(PaperPrograms.jointDpm(base, 1), "density of z is not available");
    assertRefused(PaperPrograms.bayesLr(2, 1), "the rows have none");
  }

  private static void assertRefused(Trace trace, String word) {
    String message =
        String.valueOf(
            assertThrows(UserException.class, () -> new ParticleGibbs(trace, 5)).getMessage());
    assertTrue(message.contains(word), message);
  }

  /** What is not of the path is no matter: an observation of globals alone. */
  @Test
  void thePathIsDerived() {
    Program program = new Program();
    Node g = program.global("g", gamma(1, 1));
    program.perGroup(
        2,
        row -> {
          Node a = row.latent("a", normal(g, v -> 1));
          Node scaled = row.let("scaled", v -> v.of(a) * v.of(g));
          Node b = row.latent("b", normal(scaled, v -> 1));
          row.observe("x", normal(scaled, v -> 1), v -> v.feature(0));
          row.observe("u", normal(b, v -> 1), v -> v.feature(1));
          row.observe("v", normal(g, v -> 1), v -> v.response());
        });
    Trace trace = program.trace();
    LatentPath path = LatentPath.of(trace);
    assertEquals(2, path.times().size());
    LatentPath.Time first = path.times().get(0);
    LatentPath.Time second = path.times().get(1);
    assertEquals(0, first.transition().length);
    assertEquals(1, second.transition().length);
    assertArrayEquals(new int[] {trace.node("x[1]").id()}, first.emissions());
    assertEquals(1, first.emitting().length);
    assertArrayEquals(new int[] {trace.node("u[1]").id()}, second.emissions());
    assertArrayEquals(new int[] {second.latent().id()}, second.ahead());
    assertEquals(0, second.reach());
  }

  /** The third value follows from both before it, and so does what is observed with the second. */
  @Test
  void whatDependsOnManyIsAheadOfAllButTheFirst() {
    Program program = new Program();
    program.perRow(
        row -> {
          Node a = row.latent("a", normal(0, v -> 1));
          Node b = row.latent("b", normal(0, v -> 1));
          row.observe("sum", normal(v -> v.of(a) + v.of(b), v -> 1), v -> v.response());
          row.latent("c", normal(v -> v.of(a) - v.of(b), v -> 1));
        });
    Trace trace = program.trace();
    LatentPath path = LatentPath.of(trace);
    int[] both = {trace.node("sum").id(), trace.node("c").id()};
    assertArrayEquals(both, path.times().get(1).ahead());
    assertArrayEquals(new int[] {both[1]}, path.times().get(2).ahead());
    assertEquals(0, path.times().get(2).reach());
  }
}
