package org.lampyris.samplers.program.mixture;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.BetaDistribution;
import org.lampyris.samplers.program.Given;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.random.Streams;

/**
 * The clusters of a step: those that rows have, and as many of the infinitely many others as
 * anybody looks at. Each of these is drawn by a stream of its own number, so that all places draw
 * the same ones, without a word between them: v ~ Beta(1, α) of what is left is its weight, and its
 * values come from the prior.
 *
 * <p>Source: Sethuraman (1994) for the weights; Ge, Chen, Wan and Ghahramani (2015), section 3, for
 * the rest of the measure given a partition.
 */
final class NewClusters {
  private final Trace trace;
  private final Streams streams;
  private final int chain;
  private final LabelSweep sweep;
  private final Given given;
  private double[] weights;
  private double left;
  private Globals globals;
  private int[] stored = {};

  NewClusters(Trace trace, Streams streams, int chain, LabelSweep sweep) {
    this.trace = trace;
    this.streams = streams;
    this.chain = chain;
    this.sweep = sweep;
    this.globals = sweep.globals();
    this.given = Given.of(globals, 0);
    this.left = sweep.left();
    this.weights = sweep.weights();
    store();
  }

  /** Returns how many clusters there are by now. */
  int count() {
    return weights.length;
  }

  double weight(int cluster) {
    return weights[cluster];
  }

  /** Returns the values of all clusters that there are by now. */
  Globals globals() {
    return globals;
  }

  /** Returns the number by which rows store that they are of a cluster. */
  int stored(int cluster) {
    return stored[cluster];
  }

  /** Draws clusters until all others together weigh less than u, or nothing. */
  void drawUntil(double u) {
    while (left >= u && left > 0) {
      draw();
    }
  }

  /** Draws clusters until there are so many. */
  void drawTo(int count) {
    while (count() < count) {
      draw();
    }
  }

  private void draw() {
    int k = count();
    UniformRandomProvider rng = streams.stream(Streams.Purpose.CLUSTERS, chain, sweep.step(), k);
    double v =
        BetaDistribution.of(1, globals.values()[sweep.shape().alpha().slot()])
            .createSampler(rng)
            .sample();
    weights = Arrays.copyOf(weights, k + 1);
    weights[k] = left * v;
    left *= 1 - v;
    double[][][] all = new double[globals.clusters().length][][];
    for (Trace.Entry e : trace.entries()) {
      Node node = e.node();
      if (node.kind() == Node.Kind.PER_CLUSTER) {
        double[] value = new double[node.dimension()];
        e.drawn().sample(given, rng, value, 0);
        all[node.slot()] = Arrays.copyOf(globals.clusters()[node.slot()], k + 1);
        all[node.slot()][k] = value;
      }
    }
    double[][] sums = Arrays.copyOf(globals.sums(), k + 1);
    sums[k] = new double[0];
    globals = globals.withClusters(all, sums, globals.places());
    store();
  }

  /** Numbers clusters by the stored labels that there are, and new ones by those that are free. */
  private void store() {
    int[] places = sweep.globals().places();
    int old = sweep.weights().length;
    int[] numbers = new int[count()];
    int next = old;
    for (int s = 0; s < places.length || next < numbers.length; s++) {
      int place = s < places.length ? places[s] : -1;
      if (place >= 0) {
        numbers[place] = s;
      } else if (next < numbers.length) {
        numbers[next++] = s;
      }
    }
    stored = numbers;
  }
}
