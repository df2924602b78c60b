package org.lampyris.samplers.benchmark;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.block.DenseBlock;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.MemoryRun;

/**
 * What an iteration of Firefly with local bounds costs where hardly a row is looked at: processor
 * time of one chain in memory, by default settings but for those that {@code
 * -Dlampyris.sampler=leapfrog_steps=…,…} names, warm-up and compilation left out. A benchmark, run
 * with {@code -Dlampyris.benchmark=iteration}; {@code -Dlampyris.rows=…} and {@code
 * -Dlampyris.features=…} say of which tables. It prints Markdown, and fails where a chain has not
 * mixed.
 */
class IterationCostTest {
  private static final int BLOCK = 4096;
  private static final int DRAWS = 300_000;

  @Test
  void ofOneChain() {
    assumeTrue(
        "iteration".equals(System.getProperty("lampyris.benchmark")),
        "a benchmark: run with -Dlampyris.benchmark=iteration");
    System.out.println(
        "| rows | coefficients | evaluations an iteration | µs of processor time an iteration | ESS"
            + " of a draw | effective draws a second |");
    System.out.println("|--:|--:|--:|--:|--:|--:|");
    for (String rows : System.getProperty("lampyris.rows", "10000,100000").split(",", -1)) {
      for (String features : System.getProperty("lampyris.features", "9,49").split(",", -1)) {
        line(Integer.parseInt(rows), Integer.parseInt(features));
      }
    }
  }

  private static void line(int rows, int features) {
    List<String> columns = new ArrayList<>(List.of("(Intercept)"));
    for (int j = 1; j <= features; j++) {
      columns.add("x" + j);
    }
    MemoryRun memory =
        new MemoryRun(FamilySpec.of("logistic"), table(rows, features + 1), columns, Map.of())
            .inBallByDefault();
    run(memory, DRAWS); // compiles
    double few = seconds(() -> run(memory, DRAWS / 4));
    RunResult[] made = new RunResult[1];
    double all = seconds(() -> made[0] = run(memory, DRAWS));
    double each = (all - few) / (DRAWS - DRAWS / 4);
    double evaluations =
        made[0].chains().get(0).sampling().stream()
            .mapToLong(step -> step.info().likelihoodEvaluations())
            .average()
            .orElseThrow();
    List<double[]> draws = made[0].chains().get(0).draws();
    double ess = Double.POSITIVE_INFINITY;
    for (int j = 0; j <= features; j++) {
      int element = j;
      double[][] of = {draws.stream().mapToDouble(theta -> theta[element]).toArray()};
      ess = Math.min(ess, Diagnostics.essBulk(of));
      assertTrue(Diagnostics.rhat(of) < 1.02, "the chain has not mixed");
    }
    System.out.println(
        String.format(
            Locale.ROOT,
            "| %,d | %d | %.2f | %.2f | %.2f | %,.0f |",
            rows,
            features + 1,
            evaluations,
            1e6 * each,
            ess / DRAWS,
            ess / DRAWS / each));
  }

  private static RunResult run(MemoryRun memory, int draws) {
    Map<String, String> settings = new HashMap<>();
    settings.put("draws", Integer.toString(draws));
    settings.put("chains", "1");
    settings.put("algorithm", "firefly");
    for (String setting : System.getProperty("lampyris.sampler", "").split(",", -1)) {
      if (!setting.isEmpty()) {
        settings.put(
            setting.substring(0, setting.indexOf('=')),
            setting.substring(setting.indexOf('=') + 1));
      }
    }
    return memory.run(settings);
  }

  private static double seconds(Runnable work) {
    var process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long begun = process.getProcessCpuTime();
    work.run();
    return 1e-9 * (process.getProcessCpuTime() - begun);
  }

  private static List<DataBlock> table(int rows, int columns) {
    var rng = new Streams(1).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    var normal = ZigguratSampler.NormalizedGaussian.of(rng);
    double[] theta = new double[columns];
    for (int j = 0; j < columns; j++) {
      theta[j] = normal.sample() / Math.sqrt(columns);
    }
    List<DataBlock> blocks = new ArrayList<>();
    for (int from = 0; from < rows; from += BLOCK) {
      int size = Math.min(BLOCK, rows - from);
      double[] x = new double[size * columns];
      double[] y = new double[size];
      for (int row = 0; row < size; row++) {
        double eta = 0;
        for (int j = 0; j < columns; j++) {
          x[row * columns + j] = j == 0 ? 1 : normal.sample();
          eta += x[row * columns + j] * theta[j];
        }
        y[row] = rng.nextDouble() < StableMath.sigmoid(eta) ? 1 : -1;
      }
      blocks.add(new DenseBlock(blocks.size(), columns, x, y, null));
    }
    return blocks;
  }
}
