package org.lampyris.samplers.program.moves;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lampyris.samplers.program.Distributions.bernoulli;
import static org.lampyris.samplers.program.Distributions.coin;
import static org.lampyris.samplers.program.Distributions.gamma;
import static org.lampyris.samplers.program.Distributions.normal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.program.Clusters;
import org.lampyris.samplers.program.Density;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Program;
import org.lampyris.samplers.program.Regeneration;
import org.lampyris.samplers.program.Scaffold;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.random.Streams;

/**
 * Moves that change which nodes exist, against enumeration and quadrature. Seeds are fixed. Each
 * comparison allows for five standard errors, a false alarm in 2 of a million.
 */
class ScaffoldMhTest {
  private static final double[] Y = {1.9, 0.4, 1.2, 2.4, 0.9};
  private static final List<DataBlock> BLOCKS =
      List.of(
          new DenseBlock(0, 1, new double[] {1, 1, 1}, new double[] {Y[0], Y[1], Y[2]}, null),
          new DenseBlock(1, 1, new double[] {1, 1}, new double[] {Y[3], Y[4]}, null));

  private static List<double[]> draws(Trace trace, Move move, int steps) {
    List<double[]> draws = new ArrayList<>();
    try (ProgramRows rows =
        new ProgramRows(trace, ProgramTable.inMemory(BLOCKS), new Streams(1), 1)) {
      ProgramState state = rows.begin(1);
      for (int i = 0; i < steps; i++) {
        state = move.apply(state, rows);
        draws.add(state.globals().values());
      }
      assertTrue(state.counts().accepted() > 0);
    }
    return draws;
  }

  private static void assertMean(
      double expected, List<double[]> draws, ToDoubleFunction<double[]> of) {
    double[][] chain = {draws.stream().mapToDouble(of).toArray()};
    double mean = java.util.Arrays.stream(chain[0]).average().orElseThrow();
    assertEquals(expected, mean, 5 * Diagnostics.mcseMean(chain));
  }

  private static double logRows(double mean, double sd) {
    double log = 0;
    for (double y : Y) {
      log -= 0.5 * (y - mean) * (y - mean) / (sd * sd) + Math.log(sd);
    }
    return log;
  }

  private static double at(Trace trace, String node, double[] values) {
    return values[trace.node(node).slot()];
  }

  /** Figure 1 of the paper. */
  private static Trace figureOne() {
    Program program = new Program();
    Node b = program.global("b", coin(0.3));
    Node mu = program.when("mu", b, () -> v -> 1, () -> program.global("g", gamma(2, 1)));
    program.perRow(row -> row.observe("y", normal(mu, v -> 0.9), v -> v.response()));
    return program.trace();
  }

  /** The branch, and the value that only one branch has; by quadrature of that value. */
  @ParameterizedTest
  @ValueSource(strings = {"flip", "prior", "rare", "proposed"})
  void aBranchHasItsPosterior(String how) {
    Trace trace = figureOne();
    Node b = trace.node("b");
    Node g = trace.node("g");
    ScaffoldMh move =
        switch (how) {
          case "prior" -> ScaffoldMh.prior(trace, b);
          case "rare" -> ScaffoldMh.of(trace, b, coin(0.8));
          case "proposed" -> ScaffoldMh.flip(trace, b).with(g, gamma(9, 7));
          default -> ScaffoldMh.flip(trace, b);
        };
    List<double[]> draws =
        draws(trace, Move.cycle(move, SubsampledMh.exact(trace, g, 0.5)), 40_000);

    double one = 0.3 * Math.exp(logRows(1, 0.9));
    double[] other = new double[3];
    double width = 1e-3;
    for (double x = width / 2; x < 15; x += width) {
      double p = 0.7 * x * Math.exp(-x + logRows(x, 0.9)) * width;
      for (int k = 0; k < 3; k++) {
        other[k] += p * Math.pow(x, k);
      }
    }
    double total = one + other[0];
    assertTrue(one / total > 0.2 && one / total < 0.8);
    assertMean(one / total, draws, v -> at(trace, "b", v));
    for (int k = 1; k < 3; k++) {
      int power = k;
      assertMean(
          other[k] / total,
          draws,
          v -> at(trace, "b", v) == 1 ? 0 : Math.pow(at(trace, "g", v), power));
    }
    draws.forEach(v -> assertEquals(at(trace, "b", v) == 1, Double.isNaN(at(trace, "g", v))));
    try (ProgramRows rows =
        new ProgramRows(trace, ProgramTable.inMemory(BLOCKS), new Streams(1), 1)) {
      // A node that does not exist is not moved, and no rows are read for it.
      ProgramState state = rows.begin(1);
      while (at(trace, "b", state.globals().values()) == 0) {
        state = move.apply(state, rows);
      }
      long read = state.counts().sections();
      state = SubsampledMh.exact(trace, g, 0.5).apply(state, rows);
      state = ScaffoldMh.of(trace, g, gamma(9, 7)).apply(state, rows);
      assertEquals(read, state.counts().sections());
    }
  }

  /**
   * Nested choices, a computed condition, a node that may be kept although it exists because of the
   * target, a child that no branch has, and rows that depend on several nodes.
   */
  private static Trace nested() {
    Program program = new Program();
    Node a = program.global("a", coin(0.4));
    Node c = program.global("c", coin(0.5));
    Node k = program.let("k", v -> v.of(a) + v.of(c));
    Node m =
        program.when(
            "m",
            k,
            () -> {
              Node e = program.global("e", coin(v -> 0.2 + 0.5 * v.of(a)));
              return program.when(
                  "inner",
                  e,
                  () -> {
                    Node f = program.global("f", coin(v -> 0.3 + 0.4 * v.of(c)));
                    Node twice = program.let("twice", v -> 2 * v.of(f));
                    return v -> 1 + v.of(twice);
                  },
                  () -> v -> 0.5);
            },
            () -> {
              Node h = program.global("h", coin(0.6));
              return v -> -v.of(h);
            });
    Node t = program.global("t", coin(v -> 0.3 + 0.2 * v.of(k)));
    program.perRow(
        row ->
            row.observe(
                "y",
                normal(v -> v.of(m) + 0.5 * v.of(t), v -> 2 + 0.3 * v.of(a)),
                v -> v.response()));
    return program.trace();
  }

  private static double toss(double x, double probability) {
    return x == 1 ? probability : 1 - probability;
  }

  /** All traces of the program by their values; written without the engine. */
  private static Map<String, Double> enumerated() {
    Map<String, Double> all = new TreeMap<>();
    for (int i = 0; i < 64; i++) {
      int a = i & 1;
      int c = i >> 1 & 1;
      int t = i >> 2 & 1;
      int e = i >> 3 & 1;
      int f = i >> 4 & 1;
      int h = i >> 5 & 1;
      int k = a + c;
      double p = toss(a, 0.4) * toss(c, 0.5) * toss(t, 0.3 + 0.2 * k);
      boolean deep = k > 0 && e == 1;
      double m = k == 0 ? -h : deep ? 1 + 2 * f : 0.5;
      p *= k > 0 ? toss(e, 0.2 + 0.5 * a) : toss(h, 0.6);
      p *= deep ? toss(f, 0.3 + 0.4 * c) : 1;
      String name =
          "a%d c%d t%d e%s f%s h%s"
              .formatted(a, c, t, k > 0 ? e : "-", deep ? f : "-", k == 0 ? h : "-");
      all.put(name, p * Math.exp(logRows(m + 0.5 * t, 2 + 0.3 * a)));
    }
    double total = all.values().stream().mapToDouble(p -> p).sum();
    all.replaceAll((name, p) -> p / total);
    return all;
  }

  private static String name(Trace trace, double[] values) {
    StringBuilder text = new StringBuilder();
    for (String node : List.of("a", "c", "t", "e", "f", "h")) {
      double x = at(trace, node, values);
      text.append(text.length() == 0 ? "" : " ")
          .append(node)
          .append(Double.isNaN(x) ? "-" : "" + (int) x);
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyTraceHasItsProbability(boolean proposed) {
    Trace trace = nested();
    Density even = coin(0.5);
    Density byOthers = coin(v -> 0.9 - 0.2 * v.of(trace.node("c")) - 0.6 * v.of(trace.node("a")));
    List<Move> moves = new ArrayList<>();
    for (String name : List.of("a", "c", "t", "e", "f", "h")) {
      ScaffoldMh move = ScaffoldMh.flip(trace, trace.node(name));
      if (proposed) {
        for (Node node : move.scaffold().unstable()) {
          if (node.kind() == Node.Kind.GLOBAL) {
            move = move.with(node, node.name().equals("e") ? byOthers : even);
          }
        }
      }
      moves.add(move);
    }
    List<double[]> draws = draws(trace, Move.cycle(moves.toArray(Move[]::new)), 40_000);
    Map<String, Double> expected = enumerated();
    assertEquals(2 * 2 + 3 * 2 * 3, expected.size());
    draws.forEach(v -> assertTrue(expected.containsKey(name(trace, v)), name(trace, v)));
    expected.forEach((name, p) -> assertMean(p, draws, v -> name(trace, v).equals(name) ? 1 : 0));
  }

  /** No row reads the mean of the mean; the posterior of both is normal. */
  @Test
  void aNodeThatNoRowReadsIsMoved() {
    Program program = new Program();
    Node top = program.global("top", normal(0, v -> 1));
    Node mean = program.global("mean", normal(top, v -> 0.5));
    program.perRow(row -> row.observe("y", normal(mean, v -> 1), v -> v.response()));
    Trace trace = program.trace();
    Move move =
        Move.cycle(
            ScaffoldMh.of(trace, top, normal(v -> v.of(top), v -> 1)),
            SubsampledMh.exact(trace, mean, 0.6));
    List<double[]> draws = draws(trace, move, 40_000);
    double sum = java.util.Arrays.stream(Y).sum();
    // ȳ given top is N(top, 1/4 + 1/n), and top is N(0, 1).
    double precision = 1 + 1 / (0.25 + 1.0 / Y.length);
    double expected = (sum / Y.length) / (0.25 + 1.0 / Y.length) / precision;
    assertMean(expected, draws, v -> v[0]);
    assertMean(1 / precision + expected * expected, draws, v -> v[0] * v[0]);
  }

  /** A choice without draws is a function of its condition, which subsampling can move. */
  @Test
  void aChoiceWithoutDrawsFollowsItsCondition() {
    Program program = new Program();
    Node x = program.global("x", normal(0, v -> 1));
    Node sign = program.let("sign", v -> v.of(x) > 0 ? 1 : 0);
    Node mu = program.when("mu", sign, () -> v -> 1, () -> v -> 0.4);
    program.perRow(row -> row.observe("y", normal(mu, v -> 1), v -> v.response()));
    Trace trace = program.trace();
    List<double[]> draws = draws(trace, SubsampledMh.exact(trace, x, 1.5), 20_000);
    double p = 1 / (1 + Math.exp(logRows(0.4, 1) - logRows(1, 1)));
    assertMean(p, draws, v -> v[0] > 0 ? 1 : 0);
  }

  /** Each cluster's value has a density that the target changes. */
  @Test
  void everyClusterAbsorbs() {
    Program program = new Program();
    Node tau = program.global("tau", gamma(2, 1));
    Clusters crp = program.clusters("crp", program.global("alpha", gamma(1, 1)));
    Node w = program.perCluster("w", normal(0, tau));
    program.perRow(
        row -> {
          Node z = row.latent("z", crp.label());
          row.observe("y", normal(v -> v.of(w.of(z))[0], v -> 1), v -> v.response());
        });
    Trace trace = program.trace();
    UniformRandomProvider rng = new Streams(1).iteration(1, 1);
    Globals now = trace.draw(rng, 3);
    Density prior = trace.entry(tau).density();
    Regeneration made = Regeneration.of(trace, trace.scaffold(tau), now, prior, Map.of(), rng);
    double was = now.value(tau, 0)[0];
    double is = made.globals().value(tau, 0)[0];
    double expected = 0;
    for (int k = 0; k < 3; k++) {
      double square = Math.pow(now.value(w, k)[0], 2);
      expected += 0.5 * square * (1 / (was * was) - 1 / (is * is)) + Math.log(was / is);
    }
    assertEquals(expected, made.logRatio(), 1e-10);
    double priors = Math.log(is / was) - is + was;
    Scaffold scaffold = trace.scaffold(tau);
    assertEquals(expected + priors, scaffold.logGlobal(trace, now, made.globals(), 0), 1e-10);
  }

  private static void assertRefused(Executable code, String words) {
    String said = String.valueOf(assertThrows(UserException.class, code).getMessage());
    assertTrue(said.contains(words), said);
  }

  @Test
  void reasonsAreNamed() {
    Trace trace = figureOne();
    Node b = trace.node("b");
    Node g = trace.node("g");
    assertRefused(() -> SubsampledMh.exact(trace, b, 1), "g exists because of b");
    assertRefused(() -> ScaffoldMh.flip(trace, trace.node("mu")), "mu is not drawn once");
    assertRefused(() -> ScaffoldMh.prior(trace, g).with(b, coin(0.5)), "b does not exist because");
    assertRefused(
        () -> ScaffoldMh.of(trace, b, coin(v -> v.of(g))), "reads g, which may not exist yet");
    assertRefused(
        () -> ScaffoldMh.flip(trace, b).with(g, normal(g, v -> 1)), "reads g, which may not");
    assertRefused(() -> ScaffoldMh.of(trace, g, normal(2, 0, 1)), "1 elements and its proposal 2");
  }

  private static Node deeper(Program program, int depth) {
    Node b = program.global("b" + depth, coin(0.5));
    return program.when("m" + depth, b, () -> v -> depth, () -> deeper(program, depth + 1));
  }

  @Test
  void branchesThatCannotBeTracedAreRefused() {
    Program program = new Program();
    Node b = program.global("b", coin(0.5));
    Node[] held = new Node[1];
    program.when("mu", b, () -> held[0] = program.global("g", gamma(1, 1)), () -> v -> 1);
    assertRefused(
        () -> program.let("late", v -> v.of(held[0])),
        "late reads g, which exists only in a branch");
    assertRefused(
        () -> program.perRow(row -> row.observe("y", bernoulli(held[0]), v -> 1)), "y reads g");
    Program other = new Program();
    Node a = other.global("a", coin(0.5));
    assertRefused(
        () -> other.when("m", a, () -> other.perCluster("w", normal(1, 0, 1)), () -> v -> 1),
        "w is drawn for each cluster, but is in a branch");
  }
}
