package org.lampyris.samplers.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lampyris.samplers.program.Distributions.bernoulli;
import static org.lampyris.samplers.program.Distributions.coin;
import static org.lampyris.samplers.program.Distributions.gamma;
import static org.lampyris.samplers.program.Distributions.inverseGamma;
import static org.lampyris.samplers.program.Distributions.normal;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.program.mixture.NormalInverseWishart;
import org.lampyris.samplers.program.mixture.PaperPrograms;

/** The scaffolds of programs, node by node, and what cannot be moved by subsampling. */
class ScaffoldTest {
  private static String names(List<Node> nodes) {
    return nodes.stream().map(Node::name).collect(Collectors.joining(" "));
  }

  private static String sections(Scaffold scaffold) {
    return scaffold.sections().stream()
        .map(section -> names(section.nodes()))
        .collect(Collectors.joining(" | "));
  }

  private static Scaffold of(Trace trace, String target) {
    return trace.scaffold(trace.node(target));
  }

  private static void assertRefused(Scaffold scaffold, String... words) {
    String refused =
        String.valueOf(assertThrows(UserException.class, scaffold::border).getMessage());
    for (String word : words) {
      assertTrue(refused.contains(word), refused);
    }
  }

  @Test
  void bayesLr() {
    Scaffold w = of(PaperPrograms.bayesLr(3, 1), "w");
    assertEquals("w eta", names(w.deterministic()));
    assertEquals("y", names(w.absorbing()));
    assertEquals("", names(w.unstable()));
    assertEquals("w", w.border().name());
    assertEquals("w", names(w.global()));
    assertEquals("eta y", sections(w));
  }

  @Test
  void jointDpm() {
    Trace trace =
        PaperPrograms.jointDpm(
            new NormalInverseWishart(new double[2], 1, 4, new double[] {1, 0, 0, 1}), 1);
    Scaffold w = of(trace, "w");
    assertEquals("w eta", names(w.deterministic()));
    assertEquals("y", names(w.absorbing()));
    assertEquals("w", w.border().name());
    assertEquals("eta y", sections(w));
    assertEquals(trace.node("z"), w.label());

    Scaffold z = of(trace, "z");
    assertEquals("z eta", names(z.deterministic()));
    assertEquals("w c", names(z.unstable()));
    assertEquals("x y", names(z.absorbing()));
    assertRefused(z, "z ", "no border");

    Scaffold alpha = of(trace, "alpha");
    assertEquals("alpha crp", names(alpha.deterministic()));
    assertEquals("z", names(alpha.absorbing()));
    assertEquals("crp", names(alpha.borders()));
    assertEquals("z", sections(alpha));
    assertRefused(alpha, "z is coupled across the rows by crp");

    Scaffold c = of(trace, "c");
    assertEquals("c", names(c.deterministic()));
    assertEquals("x", sections(c));
    assertRefused(c, "the density of c");
  }

  @Test
  void volatility() {
    Trace trace = PaperPrograms.volatility(3);
    Scaffold phi = of(trace, "phi");
    assertEquals("phi mean[1] mean[2] mean[3]", names(phi.deterministic()));
    assertEquals("h[1] h[2] h[3]", names(phi.absorbing()));
    assertEquals("phi", phi.border().name());
    assertEquals("mean[1] h[1] | mean[2] h[2] | mean[3] h[3]", sections(phi));

    Scaffold variance = of(trace, "sigma2");
    assertEquals("sigma2 sigma", names(variance.deterministic()));
    assertEquals("h[1] h[2] h[3]", names(variance.absorbing()));
    assertEquals("sigma", variance.border().name());
    assertEquals("sigma2 sigma", names(variance.global()));
    assertEquals("h[1] | h[2] | h[3]", sections(variance));
    // The mean of h_t is needed, but not changed.
    assertEquals(1, variance.sections().get(1).needed().length);
    assertEquals(false, variance.sections().get(1).changes()[0]);

    Scaffold h = of(trace, "h[2]");
    assertEquals("h[2] mean[3]", names(h.deterministic()));
    assertEquals("x[2] h[3]", names(h.absorbing()));
    assertRefused(h, "h[2]", "no border");
  }

  /** Figure 1 of the paper, with rows to observe; either branch may be the one that is chosen. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aTransientPartIsRefused(long seed) {
    Program program = new Program(seed);
    Node b = program.global("b", coin(0.5));
    Node mu = program.when("mu", b, () -> v -> 1, () -> program.global("g", gamma(1, 1)));
    program.perRow(row -> row.observe("y", normal(mu, v -> 0.1), v -> v.response()));
    Trace trace = program.trace();
    double[] values = trace.globals().values();
    assertEquals(values[0] == 1, Double.isNaN(values[trace.node("g").slot()]));
    assertEquals(values[0] == 1, values[mu.slot()] == 1);
    Scaffold scaffold = of(trace, "b");
    assertEquals("b mu", names(scaffold.deterministic()));
    assertEquals("g", names(scaffold.unstable()));
    assertEquals("y", names(scaffold.absorbing()));
    assertRefused(scaffold, "b cannot", "g exists because of b");
    assertTrue(scaffold.drawing(trace).contains("g  (transient, if not b)"));
    // The choice's draw can itself be moved: it changes nothing that exists.
    assertEquals("mu", of(trace, "g").border().name());
  }

  @Test
  void bothWaysOfAChoiceAreSeen() {
    long drawn =
        java.util.stream.LongStream.rangeClosed(1, 8)
            .filter(
                seed -> {
                  Program program = new Program(seed);
                  program.global("b", coin(0.5));
                  program.perRow(row -> {});
                  return program.trace().globals().values()[0] == 0;
                })
            .count();
    assertTrue(drawn > 0 && drawn < 8, drawn + " of 8");
  }

  @Test
  void twoBordersAreRefused() {
    Program program = new Program();
    Node v = program.global("v", normal(0, x -> 1));
    Node left = program.let("left", x -> x.of(v) + 1);
    Node right = program.let("right", x -> Math.exp(x.of(v)));
    program.perRow(row -> row.observe("y", normal(left, right), x -> x.response()));
    assertRefused(of(program.trace(), "v"), "v cannot", "left and right", "more than one border");
  }

  @Test
  void aPathMayBeLongAndSiblingsOutsideAreGlobal() {
    Program program = new Program();
    Node a = program.global("a", inverseGamma(3, 1));
    Node b = program.let("b", x -> Math.sqrt(x.of(a)));
    Node c = program.let("c", x -> 2 * x.of(b));
    Node s = program.global("s", normal(b, x -> 1));
    program.perRow(
        row -> {
          Node m = row.let("m", x -> x.of(s));
          row.observe("y", normal(m, c), x -> x.response());
        });
    Scaffold scaffold = of(program.trace(), "a");
    assertEquals("c", scaffold.border().name());
    assertEquals("a b c s", names(scaffold.global()));
    assertEquals("s", names(scaffold.globalAbsorbing()));
    assertEquals("y", sections(scaffold));
  }

  @Test
  void childrenThatMeetAreOneSection() {
    Program program = new Program();
    Node w = program.global("w", normal(2, 0, 1));
    program.perRow(
        row -> {
          Node m = row.let("m", x -> x.of(w, 0) * x.feature(0));
          Node s = row.let("s", x -> Math.exp(x.of(w, 1)));
          row.observe("y", normal(m, s), x -> x.response());
          row.observe("u", bernoulli(x -> x.of(w, 0)), x -> 1);
        });
    Scaffold scaffold = of(program.trace(), "w");
    assertEquals("w", scaffold.border().name());
    assertEquals("m s y | u", sections(scaffold));
  }

  @Test
  void whatNoRowDependsOnIsRefused() {
    Program program = new Program();
    program.global("idle", normal(0, x -> 1));
    program.perRow(row -> row.observe("y", bernoulli(x -> 0), x -> x.response()));
    assertRefused(of(program.trace(), "idle"), "no row depends on idle");
  }

  @Test
  void aDrawingTellsEveryNode() {
    Trace trace = PaperPrograms.volatility(2);
    assertEquals(
        """
        scaffold of sigma2
          global
            sigma2  (target, random)
            sigma <- sigma2  (border, deterministic)
          local 1 of 2 in every group
            h[1] <- sigma, mean[1]  (absorbing, random)
          local 2 of 2 in every group
            h[2] <- sigma, mean[2]  (absorbing, random)
        """,
        of(trace, "sigma2").drawing(trace));
  }

  @Test
  void aProgramThatIsNoneIsRefused() {
    assertThrows(UserException.class, () -> new Program().trace());
    Program twice = new Program();
    twice.global("a", normal(0, x -> 1));
    assertThrows(UserException.class, () -> twice.global("a", normal(0, x -> 1)));
    Program inside = new Program();
    assertThrows(
        UserException.class, () -> inside.perRow(row -> inside.global("b", normal(0, x -> 1))));
    Program after = new Program();
    after.perRow(row -> {});
    assertThrows(UserException.class, () -> after.global("b", normal(0, x -> 1)));
    assertThrows(UserException.class, () -> after.perRow(row -> {}));
  }

  /** A change of b would change what is observed, and no section would show it. */
  @Test
  void whatIsObservedComesFromTheRowAlone() {
    Program program = new Program();
    Node b = program.global("b", normal(0, x -> 1));
    String refused =
        String.valueOf(
            assertThrows(
                    UserException.class,
                    () ->
                        program.perRow(
                            row ->
                                row.observe("y", normal(0, x -> 1), v -> v.response() - v.of(b))))
                .getMessage());
    assertTrue(refused.contains("y reads b"), refused);
  }
}
