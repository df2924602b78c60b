package org.lampyris.samplers.program.mixture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.program.Given;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.moves.LocalState;
import org.lampyris.samplers.program.moves.ProgramRows;
import org.lampyris.samplers.program.moves.RowTask;
import org.lampyris.samplers.program.moves.Selected;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowStates;
import org.lampyris.samplers.run.PlainBlock;

/**
 * Initial means and covariances of clusters of normal rows: a sample of rows is partitioned by the
 * nearest of K seed rows that are far apart. The first seed is any row. Each other one is drawn
 * with a probability that grows with the squared distance D² from the nearest so far; of {@value
 * #CANDIDATES} such draws, the one with the smallest resulting sum of D² is taken. Distances are
 * Mahalanobis distances, with the most likely covariance given all rows of the sample.
 *
 * <p>From labels at random, all clusters begin as the same one, and hundreds of draws of every
 * label are spent on telling them apart. A beginning is no part of what a chain converges to.
 *
 * <p>Source: Arthur and Vassilvitskii (2007), k-means++, section 2.2, and its greedy form.
 */
final class FirstClusters {
  /** Rows in the sample for each cluster. */
  private static final int ROWS = 100;

  private static final int CANDIDATES = 4;

  private final double[][] rows;
  private final double[][] white;
  private final UniformRandomProvider rng;

  private FirstClusters(double[][] rows, double[] lower, UniformRandomProvider rng) {
    this.rows = rows;
    this.rng = rng;
    this.white = new double[rows.length][];
    for (int i = 0; i < rows.length; i++) {
      white[i] = rows[i].clone();
      Cholesky.solveLower(lower, white[i]);
    }
  }

  /** Draws a mean and a covariance for each of the clusters, by {@value #ROWS} rows for each. */
  static double[][] draw(
      ProgramRows all, MixtureShape shape, Globals globals, int chain, UniformRandomProvider rng) {
    NormalInverseWishart base = shape.base(all.trace());
    if (base == null) {
      throw new IllegalStateException("the rows are not normal");
    }
    int clusters = globals.clusterCount();
    Selected sample = new Selected(0, 0, Math.min(all.size().rows(), (long) ROWS * clusters), 1);
    double[][] rows =
        all.collect(new Observations(all.setting(chain), sample, shape.observed(), globals));
    double[] lower = Cholesky.lower(base.given(sums(base, rows)).scale(), base.columns());
    double[][] drawn = new double[clusters][base.dimension()];
    List<double[][]> parts = new FirstClusters(rows, lower, rng).parts(clusters);
    Given given = Given.of(globals, 0);
    for (int k = 0; k < clusters; k++) {
      base.given(sums(base, parts.get(k))).sample(given, rng, drawn[k], 0);
    }
    return drawn;
  }

  private static double[] sums(NormalInverseWishart base, double[][] rows) {
    double[] sums = new double[base.statistics()];
    for (double[] row : rows) {
      base.add(row, 1, sums, 0);
    }
    return sums;
  }

  /** Returns the rows nearest to each of the seed rows. */
  private List<double[][]> parts(int clusters) {
    double[] nearest = new double[rows.length];
    int[] of = new int[rows.length];
    Arrays.fill(nearest, Double.POSITIVE_INFINITY);
    for (int k = 0; k < clusters; k++) {
      double[] distances = k == 0 ? from(rng.nextInt(rows.length)) : best(nearest);
      for (int i = 0; i < rows.length; i++) {
        if (distances[i] < nearest[i]) {
          nearest[i] = distances[i];
          of[i] = k;
        }
      }
    }
    List<List<double[]>> parts = new ArrayList<>();
    for (int k = 0; k < clusters; k++) {
      parts.add(new ArrayList<>());
    }
    for (int i = 0; i < rows.length; i++) {
      parts.get(of[i]).add(rows[i]);
    }
    return parts.stream().map(part -> part.toArray(new double[0][])).toList();
  }

  /** Returns the distances from the candidate that leaves the least. */
  private double[] best(double[] nearest) {
    double[] best = {};
    double least = Double.POSITIVE_INFINITY;
    for (int c = 0; c < CANDIDATES; c++) {
      double[] distances = from(pick(nearest));
      double left = 0;
      for (int i = 0; i < nearest.length; i++) {
        left += Math.min(nearest[i], distances[i]);
      }
      if (left < least || c == 0) {
        least = left;
        best = distances;
      }
    }
    return best;
  }

  private double[] from(int centre) {
    double[] distances = new double[white.length];
    for (int i = 0; i < distances.length; i++) {
      for (int j = 0; j < white[i].length; j++) {
        double off = white[i][j] - white[centre][j];
        distances[i] += off * off;
      }
    }
    return distances;
  }

  private int pick(double[] weights) {
    double rest = rng.nextDouble() * Arrays.stream(weights).sum();
    int i = 0;
    while (i < weights.length - 1 && rest >= weights[i]) {
      rest -= weights[i++];
    }
    return i;
  }

  /** Observed values of some rows, in their order. */
  private record Observations(
      RowTask.Setting setting, Selected selected, int observed, Globals globals)
      implements RowStates.Collector<PlainBlock, LocalState, double[][]> {
    @Override
    public double[][] add(Place<PlainBlock> place, LocalState state) {
      Trace trace = setting.trace();
      Given given = Given.of(globals, trace.lets());
      int width = trace.entries().get(observed).node().dimension();
      List<double[]> rows = new ArrayList<>();
      selected.visit(
          place,
          setting,
          (block, row, part) -> {
            DataBlock data = place.blocks().get(block).data();
            given.see(data, row, state.latents(block), row * trace.latents());
            double[] out = new double[width];
            trace.observation(observed, given, out);
            rows.add(out);
          });
      return rows.toArray(new double[0][]);
    }

    @Override
    public double[][] merge(List<double[][]> places) {
      return places.stream().flatMap(Arrays::stream).toArray(double[][]::new);
    }
  }
}
