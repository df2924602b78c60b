package org.lampyris.experiments.pictures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.driver.report.Chart;
import org.lampyris.driver.report.Curve;
import org.lampyris.experiments.study.NumberFile;
import org.lampyris.samplers.austerity.TestProperties;
import org.lampyris.samplers.minibatch.BatchMoments;
import org.lampyris.samplers.minibatch.StudentDecision;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;

/**
 * Error E and data use π̄ of a whole sequential test by the standardised mean μ_std: simulated with
 * the library's own test, by dynamic programming, and the bound E(0).
 *
 * <p>Source: Korattikara, Chen and Welling (2014), Figure 1.
 *
 * @param values v_n, changes of the rows' log-likelihoods for one proposal
 * @param tests simulated for each μ_std
 */
record TestErrors(double[] values, int tests) implements Illustration {
  private static final int BATCH = 500;
  private static final double EPSILON = 0.05;
  private static final double EDGE = 20;
  private static final int PLACES = 21;
  private static final int CURVE = 81;
  private static final double DRIFT = 0.01;
  private static final int ROWS = 12_214;

  /** Takes a proposal from the mode on MNIST 7 against 9, or on as many generated rows. */
  static TestErrors of(@Nullable String data, int tests) throws IOException {
    return new TestErrors(data == null ? generated() : mnist(data), tests);
  }

  private static double[] mnist(String folder) throws IOException {
    double[] mode =
        Files.readAllLines(Path.of(folder, "mnist79_reference.csv")).stream()
            .skip(1)
            .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(',') + 1)))
            .toArray();
    Noise noise = Noise.of(new Streams(1).stream(Streams.Purpose.THETA, 0, 0, 0));
    double[] move = noise.normals(mode.length);
    int last = mode.length - 1;
    return Arrays.stream(NumberFile.read(folder + "/mnist79_train.csv.gz").rows())
        .mapToDouble(
            row -> {
              double from = mode[last];
              double by = move[last];
              for (int j = 0; j < last; j++) {
                from += mode[j] * row[j + 1];
                by += move[j] * row[j + 1];
              }
              return change(row[0] > 0.5 ? 1 : -1, from, DRIFT * by);
            })
        .toArray();
  }

  /** Returns the changes for a logistic regression on one normal feature. */
  private static double[] generated() {
    Noise noise = Noise.of(new Streams(1).stream(Streams.Purpose.INITIAL, 0, 0, 0));
    double[] values = new double[ROWS];
    Arrays.setAll(
        values,
        i -> {
          double x = noise.normal();
          return change(noise.flip(StableMath.sigmoid(x)) ? 1 : -1, x, DRIFT * x);
        });
    return values;
  }

  private static double change(double y, double eta, double by) {
    return StableMath.logSigmoid(y * (eta + by)) - StableMath.logSigmoid(y * eta);
  }

  @Override
  public Map<String, String> files() {
    BatchMoments all = moments(values, values.length);
    double sd = Math.sqrt(all.variance(false));
    StudentDecision test = new StudentDecision(BATCH, EPSILON);
    double[] at = grid(PLACES);
    double[] wrong = new double[PLACES];
    double[] read = new double[PLACES];
    double[] order = values.clone();
    UniformRandomProvider rng = new Streams(1).stream(Streams.Purpose.SELECTION, 0, 0, 0);
    for (int k = 0; k < PLACES; k++) {
      double threshold = all.mean() - at[k] * sd / Math.sqrt(values.length - 1.0);
      for (int i = 0; i < tests; i++) {
        shuffle(order, rng);
        long[] seen = {0};
        boolean above =
            test.isAbove(
                order.length,
                count -> {
                  seen[0] = count;
                  return moments(order, (int) count);
                },
                threshold);
        // At μ = μ_0 either decision is as wrong as the other.
        wrong[k] += (at[k] == 0 ? 0.5 * early(seen[0]) : above == at[k] > 0 ? 0 : 1) / tests;
        read[k] += (double) seen[0] / order.length / tests;
      }
    }
    double[] fine = grid(CURVE);
    TestProperties[] computed =
        Arrays.stream(fine)
            .mapToObj(m -> TestProperties.of(m, values.length, BATCH, EPSILON))
            .toArray(TestProperties[]::new);
    double[] error = Arrays.stream(computed).mapToDouble(TestProperties::error).toArray();
    double[] use = Arrays.stream(computed).mapToDouble(TestProperties::dataUse).toArray();
    double[] low = new double[PLACES];
    double[] high = new double[PLACES];
    for (int k = 0; k < PLACES; k++) {
      double deviation = Math.sqrt(wrong[k] * (1 - wrong[k]) / tests);
      low[k] = wrong[k] - deviation;
      high[k] = wrong[k] + deviation;
    }
    double worst = TestProperties.of(0, values.length, BATCH, EPSILON).error();
    Chart errors =
        Chart.of("Error of the sequential test")
            .axes("standardised mean", "error")
            .bars(new Curve("simulated, one sd", at, low), high)
            .points(new Curve("simulated", at, wrong))
            .line("dynamic programming", fine, error)
            .dashed(
                new Curve("upper bound", new double[] {-EDGE, EDGE}, new double[] {worst, worst}));
    Chart uses =
        Chart.of("Share of the rows that are read")
            .axes("standardised mean", "share")
            .points(new Curve("simulated", at, read))
            .line("dynamic programming", fine, use);
    return Map.of(
        TABLE,
        table(at, wrong, read),
        "figure1.svg",
        errors.file(),
        "figure1-use.svg",
        uses.file());
  }

  private double early(long seen) {
    return seen < values.length ? 1 : 0;
  }

  private static double[] grid(int points) {
    double[] at = new double[points];
    Arrays.setAll(at, k -> EDGE * (2.0 * k / (points - 1) - 1));
    return at;
  }

  private static void shuffle(double[] values, UniformRandomProvider rng) {
    for (int i = values.length - 1; i > 0; i--) {
      int j = rng.nextInt(i + 1);
      double value = values[i];
      values[i] = values[j];
      values[j] = value;
    }
  }

  private static BatchMoments moments(double[] values, int count) {
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < count; i++) {
      sum += values[i];
      squares += values[i] * values[i];
    }
    return new BatchMoments(count, sum, squares);
  }

  private String table(double[] at, double[] wrong, double[] read) {
    StringBuilder text =
        new StringBuilder(
            Text.of(
                "# The sequential test of %,d rows, m = %d, ε = %s\n\n"
                    + "| standardised mean | error, simulated | computed | rows read, simulated |"
                    + " computed |\n|--:|--:|--:|--:|--:|\n",
                values.length, BATCH, EPSILON));
    IntStream.range(0, PLACES)
        .forEach(
            k -> {
              TestProperties of = TestProperties.of(at[k], values.length, BATCH, EPSILON);
              text.append(
                  Text.of(
                      "| %.0f | %.4f | %.4f | %.3f | %.3f |\n",
                      at[k], wrong[k], of.error(), read[k], of.dataUse()));
            });
    return text.toString();
  }
}
