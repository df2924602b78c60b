package org.lampyris.samplers.mhss;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.samplers.mhss.BalanceCase.Fault;

/**
 * Detailed balance, π(θ)q(θ′ | θ)α(θ, θ′) = π(θ′)q(θ | θ′)α(θ′, θ), between all pairs of a few
 * points, with the posterior and the proposal's density as a textbook has them and the acceptance
 * probability α that of the very code that samples: see {@link ExactAcceptance}.
 */
class ExactBalanceTest {
  private static final double TOLERANCE = 1e-12;
  private static final double FOUND = 1e-4;

  static Stream<BalanceCase> cases() {
    return BalanceCase.all(Fault.NONE).stream();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void detailedBalanceHolds(BalanceCase c) {
    assertEquals(0, c.imbalance(), TOLERANCE);
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"CORRECTION_TURNED", "NO_PROXIES", "OTHER_ORDER", "PRIOR_TWICE"})
  void aFaultIsFoundOut(Fault fault) {
    for (BalanceCase c : BalanceCase.all(fault)) {
      if (fault != Fault.CORRECTION_TURNED || c.crankNicolson()) {
        double imbalance = c.imbalance();
        assertTrue(imbalance > FOUND, c + ": " + imbalance);
      }
    }
  }

  @Test
  void anotherPointWithTheSumOfTheCentreIsFoundOut() {
    for (BalanceCase c : BalanceCase.all(Fault.SUM_OF_THE_CENTRE)) {
      assertEquals(c.several(), c.imbalance() > FOUND, c + ": " + c.imbalance());
    }
  }

  static Stream<Arguments> faultyTests() {
    Stream.Builder<Arguments> builder = Stream.builder();
    for (RowDecision test : BalanceCase.tests()) {
      builder.add(Arguments.of("remainder's sign turned, " + test, new Faulty(test, -1, 1)));
      builder.add(Arguments.of("remainder halved, " + test, new Faulty(test, 0.5, 1)));
      builder.add(Arguments.of("no thinning, " + test, new Faulty(test, 1, 0)));
      builder.add(Arguments.of("heights halved, " + test, new Faulty(test, 1, 0.5)));
    }
    return builder.build();
  }

  @ParameterizedTest
  @MethodSource("faultyTests")
  void aFaultyTestOfTheRowsIsFoundOut(String name, RowDecision faulty) {
    for (int order : new int[] {1, 2}) {
      BalanceCase c =
          new BalanceCase(BalanceCase.families().get(2), order, faulty, false, Fault.NONE);
      double imbalance = c.imbalance();
      assertTrue(imbalance > FOUND, name + ", order " + order + ": " + imbalance);
    }
  }

  /** A bound that does not hold is an error that names the row, not a wrong answer. */
  @Test
  void aBoundThatIsTooLowIsAnError() {
    BalanceCase c =
        new BalanceCase(
            BalanceCase.families().get(0), 1, new RowDecision.Scalable(true), false, Fault.NONE);
    ProxyBlock block = ProxyBlock.of(c.proxy(1), c.family().data());
    double[] cumulative = new double[3];
    for (int row = 0; row < 3; row++) {
      double low = (row == 1 ? 0.1 : 1) * block.constant(row);
      cumulative[row] = low + (row == 0 ? 0 : cumulative[row - 1]);
    }
    ExactAcceptance acceptance = c.acceptance(new ProxyBlock(c.family().data(), cumulative));
    IllegalStateException e =
        assertThrows(
            IllegalStateException.class,
            () -> acceptance.of(new double[] {0.9, 0.4}, new double[] {-0.4, 0.25}, 0));
    assertTrue(String.valueOf(e.getMessage()).contains("row 1 of block 0"), e.getMessage());
  }

  /** Π min(1, e^δ) of the factorised test; the same points let the other accept more often. */
  @Test
  void theFactorisedTestAcceptsWithTheProductOfItsFactors() {
    double[] from = {0.1, -0.8};
    double[] to = {0.9, 0.4};
    double[] alpha = new double[3];
    List<RowDecision> tests = BalanceCase.tests();
    BalanceCase c =
        new BalanceCase(BalanceCase.families().get(1), 2, tests.get(2), false, Fault.NONE);
    double expected = 1;
    for (int row = 0; row < 3; row++) {
      double delta =
          c.proxy(2).remainder(c.family().data(), row, to)
              - c.proxy(2).remainder(c.family().data(), row, from);
      expected *= Math.min(1, Math.exp(delta));
    }
    for (int i = 0; i < alpha.length; i++) {
      BalanceCase one =
          new BalanceCase(BalanceCase.families().get(1), 2, tests.get(i), false, Fault.NONE);
      ProxyBlock block = ProxyBlock.of(one.proxy(2), one.family().data());
      // A correction that lets the proxies' test pass leaves the rows' alone to decide.
      alpha[i] = one.acceptance(block).of(from, to, 20);
    }
    assertEquals(expected, alpha[2], 1e-14);
    assertTrue(alpha[0] > alpha[2], "subsampling accepts more often than the factorised test");
    assertEquals(1, alpha[1], 1e-6, "a joint ratio of e^20");
  }

  /**
   * A test that is told something wrong.
   *
   * @param scale what the remainder's change is multiplied with
   * @param thinning what the height is multiplied with
   */
  private record Faulty(RowDecision test, double scale, double thinning) implements RowDecision {
    @Override
    public boolean proxiesFirst() {
      return test.proxiesFirst();
    }

    @Override
    public Factor begin() {
      Factor factor = test.begin();
      return new Factor() {
        @Override
        public boolean point(double relative, double u) {
          return factor.point(scale * relative, thinning * u);
        }

        @Override
        public double log() {
          return factor.log();
        }
      };
    }
  }
}
