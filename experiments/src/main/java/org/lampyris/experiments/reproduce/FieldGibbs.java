package org.lampyris.experiments.reproduce;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.minibatch.StudentDecision;
import org.lampyris.samplers.minibatch.Trial;
import org.lampyris.samplers.random.Streams;

/**
 * Gibbs sampling whose updates are decided by a few factors. Let x¹ and x⁰ be the state with x_i =
 * 1 and 0, and let N factors contain x_i. The log-odds of x_i given the rest are Σ_f log f(x¹) −
 * log f(x⁰), so with a uniform u x_i becomes 1 exactly if
 *
 * <pre>1/N·Σ_f [log f(x¹) − log f(x⁰)] &gt; 1/N·log(u/(1 − u)),</pre>
 *
 * <p>which is the question of the sequential test. ε = 0 is Gibbs sampling itself.
 *
 * <p>Source: Korattikara, Chen and Welling (2014), supplement.
 *
 * @param test decides
 * @param chain the chain's number, from 1
 */
record FieldGibbs(MarkovField field, StudentDecision test, Streams streams, int chain) {
  /** Number of sweeps between two in which decisions are compared with exact ones. */
  private static final int AUDIT = 20;

  private static final StudentDecision EXACT = new StudentDecision(1, 0);

  /**
   * Result of a chain, without warm-up.
   *
   * @param draws x by variable and sweep
   * @param factors how many factors were looked at, for one update
   * @param wrong the share of decisions that differ from those by all factors, with the same u
   */
  record Chain(double[][] draws, double factors, double wrong) {}

  /** Runs sweeps over all variables in turn, from a state of fair coins. */
  Chain run(int warmup, int sweeps) {
    int d = field.variables();
    UniformRandomProvider coins = streams.stream(Streams.Purpose.INITIAL, chain, 0, 0);
    double[] x = new double[d];
    Arrays.setAll(x, v -> coins.nextInt(2));
    double[][] draws = new double[d][sweeps];
    MarkovField.Seen seen = field.new Seen(chain);
    MarkovField.Seen audited = field.new Seen(chain);
    long before = 0;
    long wrong = 0;
    for (int sweep = 0; sweep < warmup + sweeps; sweep++) {
      before = sweep == warmup ? seen.count() : before;
      for (int v = 0; v < d; v++) {
        long iteration = 1 + (long) sweep * d + v;
        boolean one = isOne(test, seen, x, v, iteration);
        if (sweep >= warmup && sweep % AUDIT == 0) {
          wrong += one != isOne(EXACT, audited, x, v, iteration) ? 1 : 0;
        }
        x[v] = one ? 1 : 0;
        if (sweep >= warmup) {
          draws[v][sweep - warmup] = x[v];
        }
      }
    }
    double updates = (double) sweeps * d;
    double decisions = Math.max(1, audited.count() / field.factors());
    return new Chain(draws, (seen.count() - before) / updates, wrong / decisions);
  }

  /** Returns the new value of a variable. x is not modified. */
  boolean isOne(
      StudentDecision by, MarkovField.Seen seen, double[] x, int variable, long iteration) {
    double u = streams.iteration(chain, iteration).nextDouble();
    double[] zero = x.clone();
    zero[variable] = 0;
    double[] one = x.clone();
    one[variable] = 1;
    Remainders factors = Remainders.whole(field.model());
    Trial trial = new Trial(seen.of(variable), iteration, 0, factors, zero, one, 0);
    return by.isAbove(trial, (Math.log(u) - Math.log1p(-u)) / field.factors(variable));
  }
}
