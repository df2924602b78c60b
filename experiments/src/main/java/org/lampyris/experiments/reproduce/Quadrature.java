package org.lampyris.experiments.reproduce;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.samplers.chain.ChainTrace;

/**
 * A posterior of two coefficients on a grid of {@value #CELLS}² cells, by the midpoint rule on
 * {@value #PARTS}² points in each.
 *
 * @param low where the grid begins
 * @param width of a cell
 * @param probability of each cell, row-major; the grid holds all but a negligible part
 */
record Quadrature(double[] low, double[] width, double[] probability) {
  private static final int CELLS = 24;
  private static final int PARTS = 4;

  /** By how much of its range the grid is wider than the draws that it is laid about. */
  private static final double MARGIN = 0.3;

  /** Lays a grid about draws, and reads the table for each of its points. */
  static Quadrature about(List<ChainTrace> chains, SparkSession spark, JobConfig job) {
    double[] low = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
    double[] high = {Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY};
    for (ChainTrace chain : chains) {
      for (double[] theta : chain.draws()) {
        for (int j = 0; j < 2; j++) {
          low[j] = Math.min(low[j], theta[j]);
          high[j] = Math.max(high[j], theta[j]);
        }
      }
    }
    double[] width = new double[2];
    for (int j = 0; j < 2; j++) {
      double margin = MARGIN * (high[j] - low[j]);
      low[j] -= margin;
      width[j] = (high[j] + margin - low[j]) / CELLS;
    }
    try (BlockTable table = BlockTable.load(spark, job.preparedFolder(), 1)) {
      ModelOfTable model = job.modelOf(table.schema());
      if (model.model().dimension() != 2) {
        throw UserException.usage(
            "measure.total_variation is for models with two coefficients, but this model has %d. Remove it."
                .formatted(model.model().dimension()));
      }
      return new Quadrature(low, width, probabilities(low, width, model, table.blocks().collect()));
    }
  }

  /** Returns log p(θ) + Σ_n log L_n(θ) at points in the sampler's coordinates. */
  static double[] logPosterior(double[][] thetas, SparkSession spark, JobConfig job) {
    try (BlockTable table = BlockTable.load(spark, job.preparedFolder(), 1)) {
      return logPosterior(thetas, job.modelOf(table.schema()), table.blocks().collect());
    }
  }

  private static double[] logPosterior(
      double[][] thetas, ModelOfTable model, List<DataBlock> blocks) {
    double[] log = new double[thetas.length];
    blocks.forEach(block -> model.model().addLogLikelihoods(block, thetas, log));
    Arrays.setAll(log, i -> log[i] + model.prior().logDensity(thetas[i]));
    return log;
  }

  private static double[] probabilities(
      double[] low, double[] width, ModelOfTable model, List<DataBlock> blocks) {
    int side = CELLS * PARTS;
    double[][] thetas = new double[side * side][];
    Arrays.setAll(
        thetas,
        i -> {
          int row = i / side;
          int column = i % side;
          return new double[] {
            low[0] + (row + 0.5) * width[0] / PARTS, low[1] + (column + 0.5) * width[1] / PARTS
          };
        });
    double[] log = logPosterior(thetas, model, blocks);
    double largest = Arrays.stream(log).max().orElseThrow();
    double[] cells = new double[CELLS * CELLS];
    double total = 0;
    for (int i = 0; i < log.length; i++) {
      double mass = Math.exp(log[i] - largest);
      cells[i / side / PARTS * CELLS + i % side / PARTS] += mass;
      total += mass;
    }
    double all = total;
    Arrays.setAll(cells, c -> cells[c] / all);
    return cells;
  }

  /**
   * Returns ½ Σ |p − f| over the cells, f the share of the draws, plus half of the share outside.
   */
  double totalVariation(List<ChainTrace> chains) {
    double[] count = new double[probability.length];
    double draws = 0;
    double outside = 0;
    for (ChainTrace chain : chains) {
      for (double[] theta : chain.draws()) {
        int row = cell(theta, 0);
        int column = cell(theta, 1);
        draws++;
        if (row < 0 || row >= CELLS || column < 0 || column >= CELLS) {
          outside++;
        } else {
          count[row * CELLS + column]++;
        }
      }
    }
    double sum = outside / draws;
    for (int c = 0; c < count.length; c++) {
      sum += Math.abs(probability[c] - count[c] / draws);
    }
    return 0.5 * sum;
  }

  private int cell(double[] theta, int j) {
    return (int) Math.floor((theta[j] - low[j]) / width[j]);
  }

  /** Returns its approximate value for independent exact draws: ½ Σ √(2p(1 − p)/(πn)). */
  double ofExactDraws(double independent) {
    return Arrays.stream(probability)
        .map(p -> 0.5 * Math.sqrt(2 * p * (1 - p) / (Math.PI * independent)))
        .sum();
  }
}
