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
 * Clusters of a step: those with rows, and as many of the infinitely many others as are needed.
 * Each new one is drawn from the stream of its number, so all places draw the same ones without
 * communication: v ~ Beta(1, α) of the remaining weight is its weight, and its values come from the
 * prior.
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

  /** Returns the current number of clusters. */
  int count() {
    return weights.length;
  }

  double weight(int cluster) {
    return weights[cluster];
  }

  /** Returns the values of all current clusters. */
  Globals globals() {
    return globals;
  }

  /** Returns the label that rows of a cluster store. */
  int stored(int cluster) {
    return stored[cluster];
  }

  /** Draws clusters until all others together weigh less than u, or nothing. */
  void drawUntil(double u) {
    while (left >= u && left > 0) {
      draw();
    }
  }

  /** Draws clusters up to a number. */
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

  /** Assigns existing labels to clusters with rows, and free ones to new clusters. */
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
