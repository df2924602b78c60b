package org.lampyris.experiments.reproduce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.minibatch.StudentDecision;
import org.lampyris.samplers.random.Streams;

/** Gibbs sampling of a field of six variables, whose 64 states can be added up. */
class FieldGibbsTest {
  @TempDir Path folder;

  private static final int VARIABLES = 6;
  private static final MarkovField FIELD = MarkovField.random(VARIABLES, 0.25, 3);

  private static double[] state(int number) {
    return IntStream.range(0, VARIABLES).mapToDouble(v -> number >> v & 1).toArray();
  }

  /** Returns p(x) of every state. */
  private static double[] enumerated() {
    return enumerated(FIELD);
  }

  private static double[] enumerated(MarkovField field) {
    double[] p =
        IntStream.range(0, 1 << VARIABLES)
            .mapToDouble(s -> Math.exp(field.logDensity(state(s))))
            .toArray();
    double total = Arrays.stream(p).sum();
    return Arrays.stream(p).map(x -> x / total).toArray();
  }

  private static double[] marginals() {
    return marginals(enumerated());
  }

  private static double[] marginals(double[] p) {
    return IntStream.range(0, VARIABLES)
        .mapToDouble(v -> IntStream.range(0, p.length).mapToDouble(s -> p[s] * state(s)[v]).sum())
        .toArray();
  }

  private static FieldGibbs gibbs(double epsilon, long batch) {
    return new FieldGibbs(FIELD, new StudentDecision(batch, epsilon), new Streams(8), 1);
  }

  @Test
  void aVariableIsInTenOfTwentyFactors() {
    assertEquals(10, FIELD.factors(2));
    double[] marginals = marginals();
    assertTrue(Arrays.stream(marginals).anyMatch(m -> Math.abs(m - 0.5) > 0.1), "fair coins");
    assertTrue(Arrays.stream(marginals).allMatch(m -> m > 0.05 && m < 0.95), "frozen");
  }

  /** Six marginals within 4 Monte-Carlo errors: a false alarm in 2600 seeds. */
  @Test
  void exactUpdatesHaveTheMarginalsOfTheEnumeration() {
    FieldGibbs.Chain chain = gibbs(0, 5).run(100, 20_000);
    double[] expected = marginals();
    for (int v = 0; v < VARIABLES; v++) {
      double[][] draws = {chain.draws()[v]};
      double mean = Arrays.stream(draws[0]).average().orElseThrow();
      assertEquals(expected[v], mean, 4 * Diagnostics.mcseMean(draws), "variable " + v);
    }
    assertEquals(10, chain.factors());
    assertEquals(0, chain.wrong());
  }

  /** A chain of six variables: one to three factors contain each. */
  @Test
  void aFieldMayBeATableOfFactors() throws IOException {
    StringBuilder text = new StringBuilder("i,j,k,f000,f001,f010,f011,f100,f101,f110,f111\n");
    for (int v = 0; v < 4; v++) {
      text.append("%d,%d,%d,0,0.5,-0.3,0,%s,1,0,-0.4\n".formatted(v, v + 1, v + 2, 0.2 * v));
    }
    MarkovField field = MarkovField.read(file(text.toString()), 3);
    assertEquals(1, field.factors(0));
    assertEquals(3, field.factors(2));
    // f(1, 0, 1) + f(0, 1, 1) + f(1, 1, 0) + f(1, 0, 0) of the factors 0 to 3.
    assertEquals(1 + 0 + 0 + 0.6, field.logDensity(new double[] {1, 0, 1, 1, 0, 0}), 1e-12);
    FieldGibbs.Chain chain =
        new FieldGibbs(field, new StudentDecision(2, 0), new Streams(8), 1).run(100, 20_000);
    double[] expected = marginals(enumerated(field));
    for (int v = 0; v < VARIABLES; v++) {
      double[][] draws = {chain.draws()[v]};
      double mean = Arrays.stream(draws[0]).average().orElseThrow();
      assertEquals(expected[v], mean, 4 * Diagnostics.mcseMean(draws), "variable " + v);
    }
    assertEquals(2, chain.factors());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0,1,1,0,0,0,0,0,0,0,0", // a variable twice
        "0,1,2,0,0,0,0,0,0,0", // seven values
        "0,1,2.5,0,0,0,0,0,0,0,0",
        "-1,1,2,0,0,0,0,0,0,0,0",
        "0,1,3,0,0,0,0,0,0,0,0", // no factor has 2
        "0,1,2,0,0,0,0,0,0,0,NaN"
      })
  void whatIsNoFactorIsRefused(String line) throws IOException {
    String file = file("header\n" + line + "\n");
    UserException refused = assertThrows(UserException.class, () -> MarkovField.read(file, 1));
    assertTrue(String.valueOf(refused.getMessage()).startsWith(file), refused.getMessage());
  }

  private String file(String text) throws IOException {
    return Files.writeString(folder.resolve("factors.csv"), text).toString();
  }

  /** The update written down anew: the conditional probability, from the enumerated states. */
  @Test
  void withoutToleranceEveryDecisionIsThatOfTheConditional() {
    double[] p = enumerated();
    FieldGibbs gibbs = gibbs(0, 5);
    MarkovField.Seen seen = FIELD.new Seen(1);
    int ones = 0;
    for (int i = 1; i <= 2000; i++) {
      int state = i * 37 % p.length;
      int v = i % VARIABLES;
      double one = p[state | 1 << v];
      double zero = p[state & ~(1 << v)];
      double u = new Streams(8).iteration(1, i).nextDouble();
      boolean expected = u < one / (one + zero);
      assertEquals(
          expected, gibbs.isOne(new StudentDecision(5, 0), seen, state(state), v, i), "" + i);
      ones += expected ? 1 : 0;
    }
    assertTrue(ones > 600 && ones < 1400, ones + " ones");
  }

  /** A test with ε = 0.1 and batches of four of ten factors: decisions are wrong, but not often. */
  @Test
  void theBiasOfASmallFieldIsSmall() {
    FieldGibbs.Chain chain = gibbs(0.1, 4).run(100, 20_000);
    double[] expected = marginals();
    assertTrue(chain.factors() < 9 && chain.factors() >= 4, "" + chain.factors());
    assertTrue(chain.wrong() > 0 && chain.wrong() < 0.1, "" + chain.wrong());
    for (int v = 0; v < VARIABLES; v++) {
      double mean = Arrays.stream(chain.draws()[v]).average().orElseThrow();
      assertEquals(expected[v], mean, 0.05, "variable " + v);
    }
  }

  @Test
  void oneSeedGivesTheSameTables() throws IOException {
    FieldExperiment quick = FieldExperiment.read(true);
    FieldExperiment.Tables tables = quick.tables(null);
    assertEquals(tables, quick.tables(null));
    List<String> csv = tables.csv().lines().toList();
    assertEquals(1 + quick.epsilons().size(), csv.size());
    assertArrayEquals(
        new String[] {"0.0", "171.0", "1.0", "0.0", "0.0", "0.0", "0.0", "0.0"},
        csv.get(1).split(",", -1));
    double share = Double.parseDouble(csv.get(5).split(",", -1)[2]);
    assertTrue(share < 0.9, csv::toString);
    assertEquals(
        "A random field of 100 variables and 161,700 triples", FieldExperiment.read(false).title());
  }
}
