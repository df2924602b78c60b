package org.lampyris.driver.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.run.Shell;

/**
 * {@code loo} of families with derived likelihoods, by the command line, against exact
 * leave-one-out: p(y_i | the others) = 1/E[1/p(y_i | θ)], the expectation over the posterior of all
 * rows, by the trapezoidal rule on a grid of three parameters. Likelihoods and priors are written
 * here once more.
 */
class ExactLooIT {
  private static final int ROWS = 50;
  private static final int POINTS = 61;

  @TempDir private Path folder;
  private final Shell shell = new Shell("local[2]");

  /** log p(y_i | a + b·x_i, c), and the log prior of c in the coordinate of the grid. */
  private interface Model {
    double logLikelihood(int row, double eta, double c);

    double logPrior(double c);
  }

  /** By the trapezoidal rule, with normal(0, 2) priors of a and b. */
  private static double[] exact(Model model, double[] x, double[] low, double[] high) {
    double[] inverse = new double[ROWS];
    double total = 0;
    double edge = 0;
    double[] at = new double[3];
    double[] logs = new double[ROWS];
    double top = Double.NEGATIVE_INFINITY;
    for (int pass = 0; pass < 2; pass++) {
      for (int n = 0; n < POINTS * POINTS * POINTS; n++) {
        int rest = n;
        boolean isEdge = false;
        for (int j = 0; j < 3; j++) {
          int place = rest % POINTS;
          at[j] = low[j] + (high[j] - low[j]) * place / (POINTS - 1);
          isEdge |= place == 0 || place == POINTS - 1;
          rest /= POINTS;
        }
        double log = -(at[0] * at[0] + at[1] * at[1]) / 8 + model.logPrior(at[2]);
        for (int i = 0; i < ROWS; i++) {
          logs[i] = model.logLikelihood(i, at[0] + at[1] * x[i], at[2]);
          log += logs[i];
        }
        if (pass == 0) {
          top = Math.max(top, log);
          continue;
        }
        double density = Math.exp(log - top);
        total += density;
        edge += isEdge ? density : 0;
        for (int i = 0; i < ROWS; i++) {
          inverse[i] += Math.exp(log - top - logs[i]);
        }
      }
    }
    assertTrue(edge / total < 1e-5, "the grid holds the posterior, but for " + edge / total);
    double sum = total;
    return Arrays.stream(inverse).map(one -> Math.log(sum / one)).toArray();
  }

  private void run(List<String> lines, String... settings) throws IOException {
    Files.write(folder.resolve("table.csv"), lines);
    List<String> command = new ArrayList<>(List.of("run"));
    List<String> all =
        new ArrayList<>(
            List.of(
                "data.input=" + folder.resolve("table.csv"),
                "data.label=y",
                "model.prior=normal(0, 2)",
                "model.intercept_at=zero",
                "sampler.draws=2000",
                "output=" + folder.resolve("run")));
    all.addAll(List.of(settings));
    all.forEach(setting -> command.addAll(List.of("--set", setting)));
    shell.succeeds(command.toArray(String[]::new));
    shell.succeeds(
        "loo", folder.resolve("run").toString(), "--output", folder.resolve("loo").toString());
  }

  /** The sum within 4 of its Monte-Carlo errors, and each row within what PSIS allows it. */
  private void isNear(double[] exact) throws IOException {
    JsonNode of =
        new ObjectMapper().readTree(folder.resolve("loo/loo.json").toFile()).get("runs").get(0);
    double sum = Arrays.stream(exact).sum();
    double error = of.get("elpd_loo").get("monte_carlo_error").asDouble();
    assertTrue(error > 0 && error < 0.1, "error " + error);
    assertEquals(sum, of.get("elpd_loo").get("estimate").asDouble(), 4 * error, of.toString());
    List<String> lines = Files.readAllLines(folder.resolve("loo/loo.csv"));
    List<String> header = List.of(lines.get(0).split(",", -1));
    double[] found =
        lines.stream()
            .skip(1)
            .map(line -> line.split(",", -1))
            .sorted(Comparator.comparingLong(line -> Long.parseLong(line[header.indexOf("row")])))
            .mapToDouble(line -> Double.parseDouble(line[header.indexOf("elpd_loo")]))
            .toArray();
    assertEquals(ROWS, found.length);
    double[] sorted = exact.clone();
    Arrays.sort(sorted);
    Arrays.sort(found);
    for (int i = 0; i < ROWS; i++) {
      assertEquals(sorted[i], found[i], 0.01 + 0.01 * Math.abs(sorted[i]), "rank " + i);
    }
  }

  /** Times with events before, at, after and between. */
  @Test
  void weibullWithEveryKindOfCensoring() throws IOException {
    Random random = new Random(4);
    double[] x = new double[ROWS];
    double[] y = new double[ROWS];
    double[] end = new double[ROWS];
    int[] event = new int[ROWS];
    List<String> lines = new ArrayList<>(List.of("x,y,event,end"));
    for (int i = 0; i < ROWS; i++) {
      x[i] = random.nextGaussian();
      y[i] = Math.exp(0.5 + 0.6 * x[i]) * Math.pow(-Math.log1p(-random.nextDouble()), 0.7);
      event[i] = i % 10 == 9 ? 3 : i % 5 < 3 ? i % 5 : 1;
      end[i] = event[i] == 3 ? y[i] * 1.5 : 0;
      lines.add(x[i] + "," + y[i] + "," + event[i] + "," + (event[i] == 3 ? end[i] : ""));
    }
    run(
        lines,
        "model.family=weibull",
        "model.event=event",
        "model.time2=end",
        "model.scale=exponential(1)");
    Model model =
        new Model() {
          @Override
          public double logLikelihood(int row, double eta, double logScale) {
            double scale = Math.exp(logScale);
            double z = (Math.log(y[row]) - eta) / scale;
            return switch (event[row]) {
              case 0 -> -Math.exp(z);
              case 1 -> z - Math.exp(z) - logScale - Math.log(y[row]);
              case 2 -> Math.log(-Math.expm1(-Math.exp(z)));
              default -> {
                double later = (Math.log(end[row]) - eta) / scale;
                yield -Math.exp(z) + Math.log(-Math.expm1(Math.exp(z) - Math.exp(later)));
              }
            };
          }

          @Override
          public double logPrior(double logScale) {
            return logScale - Math.exp(logScale);
          }
        };
    isNear(exact(model, x, new double[] {-0.9, -0.9, -1.4}, new double[] {1.9, 2.1, 0.8}));
  }

  @Test
  void countsWithAHurdle() throws IOException {
    Random random = new Random(6);
    double[] x = new double[ROWS];
    int[] y = new int[ROWS];
    List<String> lines = new ArrayList<>(List.of("x,y"));
    for (int i = 0; i < ROWS; i++) {
      x[i] = random.nextGaussian();
      double mean = Math.exp(0.9 + 0.4 * x[i]);
      y[i] = 0;
      if (random.nextDouble() > 0.3) {
        while (y[i] == 0) {
          double product = random.nextDouble();
          for (; product > Math.exp(-mean); y[i]++) {
            product *= random.nextDouble();
          }
        }
      }
      lines.add(x[i] + "," + y[i]);
    }
    run(lines, "model.family=hurdle_poisson", "model.hu=uniform(0, 1)");
    Model model =
        new Model() {
          @Override
          public double logLikelihood(int row, double eta, double logit) {
            if (y[row] == 0) {
              return -Math.log1p(Math.exp(-logit));
            }
            double mean = Math.exp(eta);
            double log = -Math.log1p(Math.exp(logit)) + y[row] * eta - mean;
            for (int k = 2; k <= y[row]; k++) {
              log -= Math.log(k);
            }
            return log - Math.log(-Math.expm1(-mean));
          }

          @Override
          public double logPrior(double logit) {
            return -Math.log1p(Math.exp(logit)) - Math.log1p(Math.exp(-logit));
          }
        };
    isNear(exact(model, x, new double[] {-0.3, -0.6, -3.2}, new double[] {2, 1.4, 1.3}));
  }
}
