package org.lampyris.driver.predict;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.lampyris.bounds.family.Response;
import org.lampyris.samplers.random.Streams;

/**
 * Shares of rows at or below their fitted quantile, the posterior mean of q(x), in groups of rows:
 * about the quantile q in each of them if η is right, whatever the distribution of the response.
 *
 * <p>The intervals contain 95 % of the shares of independent rows: q ± 1.96·√(q(1 − q)Σw²)/Σw.
 */
public final class QuantileCoverage {
  private static final long SEED = 0x9e1f;

  /** Normal quantile of 97.5 %. */
  private static final double WIDE = 1.96;

  private QuantileCoverage() {}

  /**
   * Returns the shares by tenths of the fitted quantile, and of the columns that move it most; none
   * if the family's η is no quantile.
   */
  public static List<Panel> of(PredictiveCheck.Fitted fitted, RowSample sample) {
    CheckedRows rows = new CheckedRows(fitted, sample, new Streams(SEED));
    PosteriorPredictor.Row room =
        new PosteriorPredictor(
                fitted.expectation(), fitted.draws(), fitted.predictors(), fitted.outputs(), 0.9)
            .row();
    double[] location = new double[rows.size()];
    double q = Double.NaN;
    for (int i = 0; i < location.length; i++) {
      double[] mean = rows.expected(room, i)[0];
      for (int s = 0; s < mean.length; s++) {
        Response found =
            Replicates.response(fitted.expectation(), mean[s], room.ofRow()[s]).orElse(null);
        if (!(found instanceof Response.AsymmetricLaplace laplace)) {
          return List.of();
        }
        q = laplace.quantile();
        location[i] += laplace.location() / mean.length;
      }
    }
    List<Grouping> groupings =
        new ArrayList<>(Grouping.all(rows, fitted, new double[][] {location}));
    String what = "the fitted quantile of " + fitted.schema().label().column();
    groupings.set(0, Grouping.tenths(what, Panel.Kind.FITTED, 0, location));
    double level = q;
    return groupings.stream()
        .filter(one -> one.kind() != Panel.Kind.LEVELS)
        .map(one -> panel(one, rows, location, level))
        .toList();
  }

  private static Panel panel(Grouping grouping, CheckedRows rows, double[] location, double q) {
    List<Panel.Group> groups = new ArrayList<>();
    for (int g = 0; g < grouping.groups(); g++) {
      int group = g;
      int[] in =
          IntStream.range(0, location.length).filter(i -> grouping.of()[i] == group).toArray();
      double all = Arrays.stream(in).mapToDouble(i -> weight(rows, i)).sum();
      if (all > 0) {
        double below =
            Arrays.stream(in)
                .filter(i -> rows.response(i) <= location[i])
                .mapToDouble(i -> weight(rows, i))
                .sum();
        double squares = Arrays.stream(in).mapToDouble(i -> rows.weight(i) * weight(rows, i)).sum();
        double sd = Math.sqrt(q * (1 - q) * squares) / all;
        Panel.Replicated interval =
            new Panel.Replicated(Math.max(0, q - WIDE * sd), Math.min(1, q + WIDE * sd));
        double at = Arrays.stream(in).mapToDouble(i -> grouping.value()[i]).average().orElse(0);
        groups.add(
            new Panel.Group("", at, in.length, below / all, q, sd, interval, null, null, false));
      }
    }
    return new Panel(grouping.what(), grouping.kind(), groups);
  }

  /** Returns the weight of all copies of a row. */
  private static double weight(CheckedRows rows, int i) {
    return rows.weight(i) * rows.copies(i);
  }
}
