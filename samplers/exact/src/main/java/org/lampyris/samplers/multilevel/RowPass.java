package org.lampyris.samplers.multilevel;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.PredictorModel;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Log-likelihood of a block's rows with the effects of their groups, η_n = x_nᵀβ + o_n + Σ z_nᵀb:
 * its derivatives in θ, and sums over groups.
 *
 * @param groupings the groupings, in the order of {@link GroupedBlock}
 */
public record RowPass(PredictorModel model, List<TableEffects> groupings) implements Serializable {
  /** The effects that a block's groups have, by grouping: groups × q. */
  record Effects(double[][] byGrouping) {}

  /**
   * Derivatives of each row.
   *
   * @param slope w_n·log L′
   * @param curvature −w_n·log L″, or where that is negative half of w_n·(log L′² − log L″), which
   *     has the same mean
   */
  record Rows(double[] slope, double[] curvature) {}

  /** Returns x_nᵀβ + o_n of every row, and the effects of all groupings but one. */
  double[] without(GroupedBlock block, int except, double[] theta, double[][] effects) {
    DataBlock data = block.data();
    double[] eta = new double[data.rows()];
    data.pass(
        new double[][] {theta},
        new int[1],
        (from, to, tile) -> {
          add(block, except, effects, from, to, tile[0]);
          System.arraycopy(tile[0], 0, eta, from, to - from);
        },
        null);
    return eta;
  }

  /** Adds offsets and effects to the predictors of the rows of a tile. */
  private void add(
      GroupedBlock block, int except, double[][] effects, int from, int to, double[] eta) {
    DataBlock data = block.data();
    if (data.hasOffset()) {
      for (int row = from; row < to; row++) {
        eta[row - from] += data.offset(row);
      }
    }
    for (int g = 0; g < effects.length; g++) {
      if (g != except) {
        addEffects(block, g, effects[g], from, to, eta);
      }
    }
  }

  private void addEffects(
      GroupedBlock block, int grouping, double[] b, int from, int to, double[] eta) {
    TableEffects of = groupings.get(grouping);
    int[] level = block.levels(grouping);
    int q = of.size();
    for (int e = 0; e < q; e++) {
      if (of.column()[e] < 0) {
        for (int row = from; row < to; row++) {
          eta[row - from] += b[level[row] * q + e];
        }
      } else {
        for (int row = from; row < to; row++) {
          eta[row - from] += b[level[row] * q + e] * of.z(block.data(), row, e);
        }
      }
    }
  }

  /**
   * Evaluates all rows.
   *
   * @param gradient ∂Σ log L/∂θ is added to it, from {@code at} on; null if it is not wanted
   * @return the rows; their log-likelihoods are in {@code value}
   */
  Rows evaluate(
      GroupedBlock block,
      double[] theta,
      Effects effects,
      double[] value,
      double @Nullable [] gradient,
      int at) {
    DataBlock data = block.data();
    Likelihood likelihood = model.given(theta);
    double[] slope = new double[data.rows()];
    double[] curvature = new double[data.rows()];
    double[] ofTheta = new double[model.dimension()];
    double[][] scratch = new double[2][data.rows()];
    data.pass(
        new double[][] {theta},
        new int[1],
        (from, to, tile) -> {
          double[] eta = tile[0];
          add(block, -1, effects.byGrouping, from, to, eta);
          if (gradient != null) {
            model.addShared(data, from, to, theta, eta, ofTheta);
          }
          likelihood.derivatives(data, from, to, eta, scratch[0], scratch[1]);
          System.arraycopy(eta, 0, slope, from, to - from);
          System.arraycopy(scratch[0], 0, value, from, to - from);
          for (int row = from; row < to; row++) {
            curvature[row] = positive(-scratch[1][row - from], slope[row], data.weight(row));
          }
        },
        gradient == null ? null : new double[][] {ofTheta});
    if (gradient != null) {
      for (int k = 0; k < ofTheta.length; k++) {
        gradient[at + k] += ofTheta[k];
      }
    }
    return new Rows(slope, curvature);
  }

  private static double positive(double curvature, double slope, double weight) {
    return curvature > 0 || weight == 0
        ? curvature
        : Math.max(0, 0.5 * (curvature + slope * slope / weight));
  }

  /** Adds the sums of every group of a grouping: value, then gradient. */
  void addSums(GroupedBlock block, int grouping, double[] value, Rows rows, double[] out) {
    TableEffects of = groupings.get(grouping);
    int q = of.size();
    int step = LevelStep.sums(q);
    int[] level = block.levels(grouping);
    if (q == 1 && of.column()[0] < 0) {
      for (int row = 0; row < level.length; row++) {
        int to = level[row] * step;
        out[to] += value[row];
        out[to + 1] += rows.slope[row];
      }
      return;
    }
    double[] z = new double[q];
    for (int row = 0; row < level.length; row++) {
      int to = level[row] * step;
      z(of, block.data(), row, z);
      out[to++] += value[row];
      for (int e = 0; e < q; e++) {
        out[to++] += rows.slope[row] * z[e];
      }
    }
  }

  static void z(TableEffects of, DataBlock data, int row, double[] z) {
    for (int e = 0; e < z.length; e++) {
      z[e] = of.z(data, row, e);
    }
  }

  /**
   * Writes the sums of one group whose rows lie together, at effects b.
   *
   * @param others the predictors of the block's rows without these effects
   * @param b the effects, at {@code b[at …]}
   * @param out the group's sums are written to their place among all groups'. Modified.
   * @param eta is written over; as long as the block
   */
  void groupSums(
      GroupedBlock block,
      int grouping,
      int group,
      double[] others,
      Likelihood likelihood,
      double[] b,
      double[] out,
      double[] eta) {
    TableEffects of = groupings.get(grouping);
    DataBlock data = block.data();
    int q = of.size();
    int from = block.start(group);
    int to = block.start(group + 1);
    for (int row = from; row < to; row++) {
      double sum = others[row];
      for (int e = 0; e < q; e++) {
        sum += of.z(data, row, e) * b[group * q + e];
      }
      eta[row - from] = sum;
    }
    int step = LevelStep.sums(q);
    int at = group * step;
    Arrays.fill(out, at, at + step, 0);
    out[at] = likelihood.slopes(data, from, to, eta);
    for (int row = from; row < to; row++) {
      for (int e = 0; e < q; e++) {
        out[at + 1 + e] += eta[row - from] * of.z(data, row, e);
      }
    }
  }
}
