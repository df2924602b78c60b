package org.lampyris.samplers.benchmark;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.MemoryRun;

/**
 * The rates of {@code docs/perfect.md}: effective draws a second of one core in a steady state, in
 * memory, by perfect draws and by Firefly, on a logistic table of 10 normal columns. A benchmark,
 * run with {@code -Dlampyris.benchmark=perfect-rate}; {@code -Dlampyris.rows=10000,…} says how many
 * rows. A steady state is the difference of a long run and a short one, once both are compiled.
 * Seconds are processor time of the thread; those of the process, with compiler and collector, are
 * printed beside them.
 */
class PerfectRateTest {
  private static final int COLUMNS = 10;
  private static final int BLOCK = 4096;
  private static final int SHORT = 20_000;
  private static final int LONG = 220_000;
  private static final int TIMES = 4;

  private static List<DataBlock> table(int rows) {
    UniformRandomProvider rng = new Streams(1).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
    List<DataBlock> blocks = new ArrayList<>();
    for (int from = 0; from < rows; from += BLOCK) {
      int size = Math.min(BLOCK, rows - from);
      double[] x = new double[size * COLUMNS];
      double[] y = new double[size];
      for (int row = 0; row < size; row++) {
        double eta = 0;
        for (int j = 0; j < COLUMNS; j++) {
          double value = normal.sample();
          x[row * COLUMNS + j] = value;
          eta += (j % 2 == 0 ? 1 : -1) * value / Math.sqrt(COLUMNS);
        }
        y[row] = rng.nextDouble() < StableMath.sigmoid(eta) ? 1 : -1;
      }
      blocks.add(new DenseBlock(blocks.size(), COLUMNS, x, y, null));
    }
    return blocks;
  }

  /**
   * A run.
   *
   * @param thread processor seconds of this thread
   * @param process processor seconds of the process
   * @param ess the least of a coefficient's mean
   * @param evaluations of the likelihood
   */
  private record Timed(double thread, double process, double ess, double evaluations) {
    static Timed of(MemoryRun table, Map<String, Object> keys) {
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      var system =
          (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
      long process = system.getProcessCpuTime();
      long thread = threads.getCurrentThreadCpuTime();
      RunResult result = table.run(keys);
      thread = threads.getCurrentThreadCpuTime() - thread;
      process = system.getProcessCpuTime() - process;
      double evaluations = 0;
      for (ChainTrace chain : result.chains()) {
        for (ChainTrace.Iteration one : chain.iterationsFrom(false, 0)) {
          evaluations += one.info().likelihoodEvaluations();
        }
      }
      double ess = Double.POSITIVE_INFINITY;
      for (int j = 0; j < COLUMNS; j++) {
        int element = j;
        double[] draws =
            result.chains().get(0).draws().stream().mapToDouble(theta -> theta[element]).toArray();
        ess = Math.min(ess, Diagnostics.essMean(new double[][] {draws}));
      }
      return new Timed(1e-9 * thread, 1e-9 * process, ess, evaluations);
    }
  }

  @Test
  void ratesOfOneCore() {
    assumeTrue(
        "perfect-rate".equals(System.getProperty("lampyris.benchmark")),
        "a benchmark: run with -Dlampyris.benchmark=perfect-rate");
    List<String> columns = IntStream.rangeClosed(1, COLUMNS).mapToObj(j -> "x" + j).toList();
    for (String rows : System.getProperty("lampyris.rows", "100000").split(",", -1)) {
      MemoryRun table =
          new MemoryRun(table(Integer.parseInt(rows)), columns, Map.of()).inBallByDefault();
      for (String algorithm : List.of("perfect", "firefly")) {
        for (int i = 1; i <= TIMES; i++) {
          Timed few = Timed.of(table, keys(algorithm, SHORT, i));
          Timed many = Timed.of(table, keys(algorithm, LONG, i));
          double draws = LONG - SHORT;
          double ess = many.ess * draws / LONG;
          System.out.printf(
              Locale.ROOT,
              "%s rows, %s: %,.0f effective draws a second of the thread, %,.0f of the process,"
                  + " %.3g evaluations and %.3g µs a draw, ESS %.2f a draw%n",
              rows,
              algorithm,
              ess / (many.thread - few.thread),
              ess / (many.process - few.process),
              (many.evaluations - few.evaluations) / draws,
              1e6 * (many.thread - few.thread) / draws,
              many.ess / LONG);
          assertTrue(many.ess > 0.05 * LONG, algorithm + ": ESS " + many.ess);
        }
      }
    }
  }

  private static Map<String, Object> keys(String algorithm, int draws, int seed) {
    Map<String, Object> keys = new HashMap<>();
    keys.put("algorithm", algorithm);
    keys.put("chains", 1);
    keys.put("draws", draws);
    keys.put("seed", seed);
    if (algorithm.equals("firefly")) {
      keys.put("warmup", 1000);
    }
    return keys;
  }
}
