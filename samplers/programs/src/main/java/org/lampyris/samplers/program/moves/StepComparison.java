package org.lampyris.samplers.program.moves;

import java.util.ArrayList;
import java.util.List;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.minibatch.BatchMoments;
import org.lampyris.samplers.minibatch.BatchNormality;
import org.lampyris.samplers.minibatch.StudentDecision;
import org.lampyris.samplers.program.Node;

/**
 * Comparison of a step by the sequential test with the exact step, and a test whether means of its
 * batches are normal. One chain makes exact steps, another the sequential ones. At evenly spread
 * steps of the exact chain, the sequential test decides on the same proposal by the same uniform
 * number; its decision is counted and dropped.
 *
 * <p>Cost: {@code warmup + steps} steps of either kind, and {@value #DECISIONS} more tests. {@link
 * BatchNormality} reads 400 batches for each of 4 proposals, in one job each.
 *
 * <p>Source: Chen, Mansinghka and Ghahramani (2014), section 3.3.
 *
 * @param node the name of the node that is moved
 * @param test the sequential test
 * @param leastP the least p-value of the tests of normality; NaN if a batch has more than half of
 *     the sections
 * @param decisions how many proposals both tests decided on
 * @param wrong on how many of these they differ
 * @param exact the chain by all sections
 * @param sequential the chain by the sequential test
 */
public record StepComparison(
    String node,
    StudentDecision test,
    double leastP,
    int decisions,
    int wrong,
    Chain exact,
    Chain sequential) {
  private static final int DECISIONS = 200;
  private static final StudentDecision ALL = new StudentDecision(1, 0);

  /**
   * A chain's kept steps.
   *
   * @param accepted the share of accepted proposals
   * @param sections evaluated sections of a test, on average
   * @param seconds wall-clock seconds of all kept steps, other moves included
   * @param draws of the node, by element; none for a node with a value for each cluster
   */
  public record Chain(double accepted, double sections, double seconds, double[][] draws) {
    /** Returns effective draws a second, of the element that has fewest; NaN without draws. */
    public double efficiency() {
      double least = Double.NaN;
      for (double[] element : draws) {
        double ess = Diagnostics.essMean(new double[][] {element}) / seconds;
        least = Double.isNaN(least) ? ess : Math.min(least, ess);
      }
      return least;
    }
  }

  /**
   * Runs both chains.
   *
   * @param first the start of the exact chain
   * @param second the start of the other chain
   * @param others what is done between two tests; it may do nothing
   * @param warmup how many steps are not kept
   * @param steps how many are, at least 4
   * @throws UserException (usage) if the starts belong to the same chain
   */
  public static StepComparison of(
      ProgramRows rows,
      ProgramState first,
      ProgramState second,
      Move others,
      SubsampledMh move,
      int warmup,
      int steps) {
    if (first.chain() == second.chain() || steps < BatchNormality.PAIRS) {
      throw UserException.usage(
          "a comparison of %d steps of chains %d and %d is not possible. Give it two chains and at least %d steps."
              .formatted(steps, first.chain(), second.chain(), BatchNormality.PAIRS));
    }
    SubsampledMh all = move.by(ALL);
    Trials trials = new Trials(rows, move);
    int spacing = Math.max(1, steps / DECISIONS);
    Run exact = new Run(rows, move, Move.cycle(others, all).times(warmup).apply(first, rows));
    for (int i = 0; i < steps; i++) {
      exact.others(others);
      if (i % spacing == 0) {
        exact.state = trials.of(exact.state);
      }
      exact.step(all);
    }
    Run sequential =
        new Run(rows, move, Move.cycle(others, move).times(warmup).apply(second, rows));
    for (int i = 0; i < steps; i++) {
      sequential.others(others);
      sequential.step(move);
    }
    return new StepComparison(
        move.scaffold().target().name(),
        move.test(),
        trials.leastP,
        trials.decisions,
        trials.wrong,
        exact.chain(),
        sequential.chain());
  }

  /** A running chain. */
  private static final class Run {
    private final ProgramRows rows;
    private final Node node;
    private final ProgramState.Counts before;
    private final List<double[]> values = new ArrayList<>();
    private ProgramState state;
    private long nanos;

    Run(ProgramRows rows, SubsampledMh move, ProgramState state) {
      this.rows = rows;
      this.node = move.scaffold().target();
      this.state = state;
      this.before = state.counts();
    }

    void others(Move move) {
      long begun = System.nanoTime();
      state = move.apply(state, rows);
      nanos += System.nanoTime() - begun;
    }

    void step(Move move) {
      others(move);
      if (node.kind() != Node.Kind.PER_CLUSTER) {
        values.add(state.globals().value(node, 0));
      }
    }

    Chain chain() {
      double[][] draws = new double[values.isEmpty() ? 0 : node.dimension()][values.size()];
      for (int j = 0; j < draws.length; j++) {
        for (int i = 0; i < values.size(); i++) {
          draws[j][i] = values.get(i)[j];
        }
      }
      ProgramState.Counts counts = state.counts();
      double tests = Math.max(1, counts.tests() - before.tests());
      return new Chain(
          (counts.accepted() - before.accepted()) / tests,
          (counts.sections() - before.sections()) / tests,
          1e-9 * nanos,
          draws);
    }
  }

  /** Both tests on the same proposals. */
  private static final class Trials {
    private final ProgramRows rows;
    private final SubsampledMh move;
    private double leastP = Double.NaN;
    private int checked;
    private int decisions;
    private int wrong;

    Trials(ProgramRows rows, SubsampledMh move) {
      this.rows = rows;
      this.move = move;
    }

    /** Returns the state before the proposal, after it has been tested. */
    ProgramState of(ProgramState from) {
      SubsampledMh.Proposed proposed = move.propose(from, rows);
      if (proposed == null) {
        return from;
      }
      SubsampledMh.Looks whole = move.new Looks(from, rows, proposed);
      boolean right = whole.decide(ALL);
      SubsampledMh.Looks few = move.new Looks(whole.state(), rows, proposed);
      boolean decided = few.decide(move.test());
      decisions++;
      wrong += decided == right ? 0 : 1;
      BatchMoments moments = whole.seen();
      long m = move.test().batch();
      if (checked == BatchNormality.PAIRS
          || 2 * m > whole.count()
          || !(moments.variance(false) > 0)) {
        return few.state();
      }
      checked++;
      List<BatchMoments> batches = few.batches(BatchNormality.BATCHES, m);
      double p = BatchNormality.pValue(batches, moments.mean(), whole.count());
      leastP = Double.isNaN(leastP) ? p : Math.min(leastP, p);
      return few.state();
    }
  }

  /** Returns whether means of batches are normal as far as the test shows; true if untested. */
  public boolean isNormal() {
    return Double.isNaN(leastP) || !BatchNormality.isAlarm(leastP);
  }

  /**
   * Returns the largest difference of the chains' means of an element, in standard errors of both;
   * NaN without draws.
   */
  public double difference() {
    double largest = Double.NaN;
    for (int j = 0; j < exact.draws.length; j++) {
      double[][] one = {exact.draws[j]};
      double[][] two = {sequential.draws[j]};
      double error = Math.hypot(Diagnostics.mcseMean(one), Diagnostics.mcseMean(two));
      double off = Math.abs(mean(one[0]) - mean(two[0])) / error;
      largest = Double.isNaN(largest) ? off : Math.max(largest, off);
    }
    return largest;
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  /** Returns the comparison as a table, with a sentence for each finding. */
  public String text() {
    StringBuilder text =
        new StringBuilder(
            Text.of(
                """
                | step of %s | accepted | sections of a test | seconds | effective draws a second |
                |---|--:|--:|--:|--:|
                """,
                node));
    text.append(line("all sections", exact));
    text.append(line(Text.of("ε = %s, m = %,d", test.epsilon(), test.batch()), sequential));
    text.append(
        Text.of(
            "\n%d of %d decisions differ from the exact ones.%s\n",
            wrong,
            decisions,
            exact.draws.length == 0
                ? ""
                : Text.of(
                    " The means of the two chains differ by %.1f standard errors at most.",
                    difference())));
    if (Double.isNaN(leastP)) {
      text.append(
          "Normality was not tested, because a batch has more than half of the sections.\n");
    } else if (isNormal()) {
      text.append(
          Text.of("Means of batches of %,d look normal (p = %.2g).\n", test.batch(), leastP));
    } else {
      text.append(
          Text.of(
              "Means of batches of %,d are not normal (p = %.1g), so decisions are wrong more often"
                  + " than ε. Raise the batch, or evaluate all sections.\n",
              test.batch(), leastP));
    }
    return text.toString();
  }

  private static String line(String name, Chain chain) {
    return Text.of(
        "| %s | %.2f | %,.0f | %.2f | %s |\n",
        name,
        chain.accepted,
        chain.sections,
        chain.seconds,
        chain.draws.length == 0 ? "–" : Text.of("%.1f", chain.efficiency()));
  }
}
