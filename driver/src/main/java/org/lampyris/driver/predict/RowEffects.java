package org.lampyris.driver.predict;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.unsafe.Platform;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.samplers.random.Streams;

/**
 * Contributions of group effects to a row's linear predictor, draw by draw: Σ_e z_e b_e. Those of a
 * group that the model has not seen are drawn by a stream of its level, so that all rows of it have
 * the same, wherever they are.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RowEffects(
    List<TableEffects> effects,
    int[] picked,
    double[][][] factors,
    Streams streams,
    NewLevels newLevels)
    implements Serializable {
  private static final long SEED = 0x1e7e15L;

  /** Number of levels whose draws a task caches. */
  private static final int CACHED = 64;

  /** Returns the effects of a run's groups, by the draws that are picked. */
  static RowEffects of(
      RunOutput.Fitted fitted, LevelDraws picked, Draws draws, NewLevels newLevels) {
    return new RowEffects(
        fitted.model().random(),
        picked.picked(),
        picked.factors(draws),
        new Streams(fitted.job().sampler().run().seed()),
        newLevels);
  }

  /** Returns room for the rows of a task. */
  Room room() {
    return new Room();
  }

  /** Buffers for predicting rows. */
  final class Room {
    private final double[] shift = new double[picked.length];
    private final Map<String, double[][]> drawn = new LinkedHashMap<>();

    /**
     * Returns the contribution to η of a row, valid until the next call; null if unknown.
     *
     * @param at where the first level is in the row, followed by what is known of its effects, and
     *     the other groupings
     * @param x the row's columns. Not modified.
     */
    double @Nullable [] shift(Row row, int at, double[] x) {
      Arrays.fill(shift, 0);
      for (int k = 0; k < effects.size(); k++) {
        TableEffects of = effects.get(k);
        String level = row.getString(at + 2 * k);
        List<Row> known = row.isNullAt(at + 2 * k + 1) ? List.of() : row.getList(at + 2 * k + 1);
        if (level == null || (known.isEmpty() && newLevels == NewLevels.REFUSE)) {
          return null;
        }
        for (Row one : known) {
          add(of, one, x, picked, shift);
        }
        if (known.isEmpty() && newLevels == NewLevels.GAUSSIAN) {
          double[][] b = drawn(k, level);
          for (int e = 0; e < of.size(); e++) {
            double z = of.z(x, e);
            for (int s = 0; s < shift.length; s++) {
              shift[s] += z * b[s][e];
            }
          }
        }
      }
      return shift;
    }

    private double[][] drawn(int k, String level) {
      String name = k + " " + level;
      double[][] b = drawn.get(name);
      if (b == null) {
        if (drawn.size() == CACHED) {
          drawn.remove(drawn.keySet().iterator().next());
        }
        b = unseen(k, level);
        drawn.put(name, b);
      }
      return b;
    }
  }

  /** Draws the effects of a group that the model has not seen, by draws and effects. */
  double[][] unseen(int k, String level) {
    byte[] text = level.getBytes(StandardCharsets.UTF_8);
    long key = XXH64.hashUnsafeBytes(text, Platform.BYTE_ARRAY_OFFSET, text.length, SEED);
    UniformRandomProvider rng = streams.stream(Streams.Purpose.NEW_LEVELS, k, 0, key);
    return colored(factors[k], effects.get(k).size(), rng);
  }

  /**
   * Draws b = Lu of one group, by draws and effects.
   *
   * @param factors L by draws, row by row. Not modified.
   * @param q how many effects
   */
  static double[][] colored(double[][] factors, int q, UniformRandomProvider rng) {
    ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
    double[][] b = new double[factors.length][q];
    double[] u = new double[q];
    for (int s = 0; s < b.length; s++) {
      Arrays.setAll(u, e -> normal.sample());
      for (int e = 0; e < q; e++) {
        for (int f = 0; f <= e; f++) {
          b[s][e] += factors[s][e * q + f] * u[f];
        }
      }
    }
    return b;
  }

  private static void add(TableEffects of, Row effect, double[] x, int[] picked, double[] shift) {
    double z = of.z(x, effect(of, effect.getString(0)));
    List<Float> draws = effect.getList(1);
    for (int s = 0; s < shift.length; s++) {
      shift[s] += z * draws.get(picked[s]);
    }
  }

  /** Returns the number of an effect. */
  static int effect(TableEffects of, String spelled) {
    for (int e = 0; e < of.size(); e++) {
      if (of.effects().spelled(e).equals(spelled)) {
        return e;
      }
    }
    throw new IllegalStateException("no effect " + spelled);
  }
}
