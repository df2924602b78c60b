package org.lampyris.samplers.effects.rows;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.PredictorModel;

/**
 * The log-likelihood of a block's rows with the effects of their groups, η_n = x_nᵀβ + o_n + Σ
 * z_nᵀb: its derivatives in θ, and sums over groups.
 *
 * @param groupings the groupings, in the order of {@link GroupedBlock}
 */
public record RowPass(PredictorModel model, List<TableEffects> groupings) implements Serializable {
  /** The effects that a block's groups have, by grouping: groups × q. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Effects(double[][] byGrouping) {}

  /**
   * What is known of each row.
   *
   * @param slope w_n·log L′
   * @param curvature −w_n·log L″, or where that is negative half of w_n·(log L′² − log L″), which
   *     has the same mean
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Rows(double[] slope, double[] curvature) {}

  /** Returns x_nᵀβ + o_n of every row. */
  double[] fixed(GroupedBlock block, double[] theta) {
    DataBlock data = block.data();
    double[] eta = new double[data.rows()];
    data.pass(
        new double[][] {theta},
        new int[1],
        (from, to, tile) -> System.arraycopy(tile[0], 0, eta, from, to - from),
        null);
    if (data.hasOffset()) {
      for (int row = 0; row < eta.length; row++) {
        eta[row] += data.offset(row);
      }
    }
    return eta;
  }

  /** Adds the effects of a grouping to some rows' predictors. */
  void addEffects(GroupedBlock block, int grouping, double[] b, double[] eta) {
    TableEffects of = groupings.get(grouping);
    int[] level = block.levels(grouping);
    int q = of.size();
    for (int e = 0; e < q; e++) {
      if (of.column()[e] < 0) {
        for (int row = 0; row < eta.length; row++) {
          eta[row] += b[level[row] * q + e];
        }
      } else {
        for (int row = 0; row < eta.length; row++) {
          eta[row] += b[level[row] * q + e] * of.z(block.data(), row, e);
        }
      }
    }
  }

  /** Returns the predictors of all rows. */
  double[] predictors(GroupedBlock block, double[] theta, Effects effects) {
    double[] eta = fixed(block, theta);
    for (int g = 0; g < groupings.size(); g++) {
      addEffects(block, g, effects.byGrouping[g], eta);
    }
    return eta;
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
    double[] eta = predictors(block, theta, effects);
    double[] curvature = new double[eta.length];
    double[] slope = eta.clone();
    likelihood.derivatives(data, 0, eta.length, slope, value, curvature);
    for (int row = 0; row < eta.length; row++) {
      curvature[row] = positive(-curvature[row], slope[row], data.weight(row));
    }
    if (gradient != null) {
      double[] ofTheta = new double[model.dimension()];
      addTransposed(data, slope, ofTheta);
      model.addShared(data, 0, eta.length, theta, eta, ofTheta);
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

  /** Adds Σ_n s_n·x_n. */
  private static void addTransposed(DataBlock data, double[] s, double[] out) {
    data.addScaled(IntStream.range(0, s.length).toArray(), 0, s.length, s, out, 0);
  }

  /** Adds the sums of every group of a grouping: value, then gradient. */
  void addSums(GroupedBlock block, int grouping, double[] value, Rows rows, double[] out) {
    TableEffects of = groupings.get(grouping);
    int q = of.size();
    int step = GroupStep.sums(q);
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
   * @param out the group's sums are written where they lie among those of all groups. Modified.
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
    int step = GroupStep.sums(q);
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
