package org.lampyris.driver.predict;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.EffectColumns;
import org.lampyris.bounds.effects.ScaleGroup;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.family.EffectModel;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.scales.MonotonicEffects;

/**
 * Independent draws from the prior of a run's model: parameters with the scales of effects and
 * smooths, and the effects of groups. Without effects they are the draws of the first chain of
 * {@code sampler.prior_only} with the same seed. The effects of a group have a stream of their own:
 * they do not depend on which rows are asked for.
 */
public final class PriorSample {
  private final List<TableEffects> effects;
  private final Streams streams;
  private final Draws draws;

  /** L of the covariance LLᵀ of a group's effects, by groupings and draws. */
  private final double[][][] factors;

  private final List<Map<Long, double[][]>> drawn = new ArrayList<>();

  private PriorSample(List<TableEffects> effects, Streams streams, Draws draws) {
    this.effects = effects;
    this.streams = streams;
    this.draws = draws;
    factors = new double[effects.size()][][];
    for (int k = 0; k < factors.length; k++) {
      int[] at = draws.placesOf(effects.get(k).effects().names());
      factors[k] = new double[draws.perChain()][];
      for (int s = 0; s < factors[k].length; s++) {
        int of = s;
        double[] scales = Arrays.stream(at).mapToDouble(j -> draws.values()[j][0][of]).toArray();
        factors[k][s] = LevelDraws.factor(scales, effects.get(k).effects());
      }
      drawn.add(new ConcurrentHashMap<>());
    }
  }

  /**
   * Draws.
   *
   * @throws UserException (usage) if a prior is improper, or is that of sets of variables
   */
  public static PriorSample of(RunOutput.Fitted fitted, int count) {
    if (fitted.run().manifest().has("included")) {
      throw UserException.usage(
          "%s chose variables, and export does not draw from a prior of sets of variables. Leave prior and prior_predictive out of --groups."
              .formatted(fitted.run().folder()));
    }
    ModelOfTable own = fitted.model();
    TableSchema schema = fitted.schema();
    EffectModel model = withoutLevels(fitted);
    double[] start = model.start();
    double[] ones = new double[start.length];
    Arrays.fill(ones, 1);
    ProductPrior prior = (start.length == 0 ? own : model.sampling(start, ones)).drawn().prior();
    List<String> names = new ArrayList<>(own.coefficients());
    model.groups().forEach(group -> names.addAll(group.names()));
    int others = names.size();
    own.monotonic().forEach(one -> names.addAll(one.names()));
    Streams streams = new Streams(fitted.job().sampler().run().seed());
    double[][][] values = new double[names.size()][1][count];
    for (int s = 0; s < count; s++) {
      double[] theta = drawn(prior, streams, s + 1);
      double[] known = Arrays.copyOf(theta, own.coefficients().size());
      double[] reported = Arrays.copyOf(own.toInput(known, schema.centers()), others);
      if (prior.term() instanceof ScaledPrior scaled) {
        report(scaled, theta, reported, known.length);
      }
      reported = MonotonicEffects.with(reported, own.monotonic());
      for (int j = 0; j < reported.length; j++) {
        values[j][0][s] = reported[j];
      }
    }
    return new PriorSample(own.random(), streams, new Draws(names, values));
  }

  /** Returns the model with sampled scales, of groups that have no levels. */
  private static EffectModel withoutLevels(RunOutput.Fitted fitted) {
    TableSchema schema = fitted.schema();
    List<TableEffects> random = fitted.model().random();
    EffectColumns none =
        new EffectColumns(
            schema.columns().size(),
            random,
            new long[random.size()][0],
            Collections.nCopies(random.size(), List.of()));
    return EffectModel.of(
        fitted.model(),
        none,
        schema.sharedScales(),
        schema.columnNames(),
        fitted.job().model().priors());
  }

  private static double[] drawn(ProductPrior prior, Streams streams, int draw) {
    try {
      return StartingPoint.fromPrior(prior, streams.stream(Streams.Purpose.INITIAL, 1, draw, 0));
    } catch (IllegalArgumentException e) {
      throw UserException.usage(
          "The groups prior and prior_predictive need proper priors, but %s. Leave them out of --groups."
              .formatted(e.getMessage()),
          e);
    }
  }

  private static void report(ScaledPrior scaled, double[] theta, double[] reported, int from) {
    int at = from;
    List<ScaleGroup> groups = scaled.groups();
    for (int g = 0; g < groups.size(); g++) {
      double[] scales = groups.get(g).reported(scaled.phi(g, theta));
      System.arraycopy(scales, 0, reported, at, scales.length);
      at += scales.length;
    }
  }

  /** Returns the draws of the reported parameters, as one chain. */
  public Draws draws() {
    return draws;
  }

  /** Returns the draws by the names of the parameters, in order. */
  Map<String, double[]> parameters() {
    Map<String, double[]> parameters = new LinkedHashMap<>();
    for (int j = 0; j < draws.variables().size(); j++) {
      parameters.put(draws.variables().get(j), draws.values()[j][0]);
    }
    return parameters;
  }

  /** Returns the contribution of effects of groups to η of a row, by draws. */
  double[] shift(DataBlock block, int row) {
    double[] shift = new double[draws.perChain()];
    for (int k = 0; k < effects.size(); k++) {
      int grouping = k;
      TableEffects of = effects.get(k);
      double[][] b =
          drawn
              .get(k)
              .computeIfAbsent(block.group(of.grouping(), row), level -> ofLevel(grouping, level));
      for (int e = 0; e < of.size(); e++) {
        double z = of.z(block, row, e);
        for (int s = 0; s < shift.length; s++) {
          shift[s] += z * b[s][e];
        }
      }
    }
    return shift;
  }

  private double[][] ofLevel(int grouping, long level) {
    return RowEffects.colored(
        factors[grouping],
        effects.get(grouping).size(),
        streams.stream(Streams.Purpose.NEW_LEVELS, grouping, 1, level));
  }
}
