package org.lampyris.driver.job;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.family.CauchitFamily;
import org.lampyris.bounds.family.CloglogFamily;
import org.lampyris.bounds.family.GammaFamily;
import org.lampyris.bounds.family.GaussianFamily;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.family.NegativeBinomialFamily;
import org.lampyris.bounds.family.PoissonFamily;
import org.lampyris.bounds.family.ProbitFamily;
import org.lampyris.bounds.family.RobustFamily;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.Values;
import org.lampyris.driver.run.Shell;
import org.lampyris.samplers.diagnostics.Diagnostics;

/**
 * Posteriors that are far from normal, through the command line with its defaults, against
 * quadrature over the plane: separated and rare classes, a handful of rows, heavy tails, edges,
 * weights, offsets.
 *
 * <p>For each coefficient the probabilities that the draws give to the five intervals below the 1
 * %, 10 %, 50 %, 90 % and 99 % quantiles of the posterior, which heavy tails do not make infinite;
 * and means and standard deviations where they are finite. Each within {@value #SIGMAS} Monte-Carlo
 * standard errors, some 300 of them.
 */
class OddPosteriorsIT {
  private static final double SIGMAS = 5;
  private static final double FEWEST = 5;
  private static final double[] LEVELS = {0.01, 0.1, 0.5, 0.9, 0.99};

  @TempDir Path folder;
  private final Shell shell = new Shell("local[2]");

  /**
   * A table and its model: an intercept and one feature, whose mean is 0.
   *
   * @param rows (x, y, weight), each standing for as many rows as the weight says if not weighted;
   *     (x, y, offset) where the model has an offset
   */
  private record Case(
      String name, String model, Model likelihood, String[] priors, double[][] rows, Form form) {
    boolean hasOffset() {
      return model.contains("offset");
    }
  }

  /**
   * How the plane is covered.
   *
   * @param weighted whether the table has a column of weights
   * @param pivot the axes are η at x = pivot, and the slope
   * @param eta where η is about 0 in units of its scale
   * @param etaScale the smallest length of η that matters
   * @param slope the same for the slope
   * @param slopeScale likewise
   * @param finite whether means and standard deviations exist
   */
  private record Form(
      boolean weighted,
      double pivot,
      double eta,
      double etaScale,
      double slope,
      double slopeScale,
      boolean finite) {
    static Form about(double eta, double etaScale, double slope, double slopeScale) {
      return new Form(false, 0, eta, etaScale, slope, slopeScale, true);
    }

    Form heavy(double at) {
      return new Form(weighted, at, eta, etaScale, slope, slopeScale, false);
    }

    Form withWeights() {
      return new Form(true, pivot, eta, etaScale, slope, slopeScale, finite);
    }
  }

  private static Case logistic(String name, String prior, Form form, double[]... rows) {
    String[] priors = prior.split(";", -1);
    return new Case(
        name,
        "family: logistic",
        new LinearModel(new LogisticLikelihood(), 2),
        priors.length == 1 ? new String[] {prior, prior} : priors,
        rows,
        form);
  }

  private static double[] row(double x, double y, double count) {
    return new double[] {x, y, count};
  }

  /** Returns a count at each of the features −10, …, 10 over 10, of a class. */
  private static Stream<double[]> spread(double y, IntToDoubleFunction count) {
    return IntStream.rangeClosed(-10, 10)
        .filter(k -> count.applyAsDouble(k) > 0)
        .mapToObj(k -> row(k / 10.0, y, count.applyAsDouble(k)));
  }

  private static double[][] both(IntToDoubleFunction negative, IntToDoubleFunction positive) {
    return Stream.concat(spread(-1, negative), spread(1, positive)).toArray(double[][]::new);
  }

  private static List<Case> cases() {
    double[][] quasi =
        both(k -> k <= 0 ? (k == 0 ? 4 : 10) : 0, k -> k >= 0 ? (k == 0 ? 4 : 10) : 0);
    double[][] separated = both(k -> k < 0 ? 1 : 0, k -> k > 0 ? 1 : 0);
    double[][] rare = both(k -> Math.abs(k) == 10 ? 1900 : 850, k -> k == 3 || k == -3 ? 7 : 0);
    double[][] rareAtTheEdge = both(k -> 950, k -> Math.abs(k) == 10 ? 2 : 0);
    double[][] two = {row(-1, -1, 1), row(1, 1, 1)};
    double[][] four = {row(-1, -1, 1), row(-1, 1, 1), row(1, 1, 1), row(1, 1, 1)};
    double[][] eight = both(k -> k % 5 == 0 && k < 5 ? 1 : 0, k -> k % 5 == 0 && k > -5 ? 1 : 0);
    Form wide = Form.about(0, 0.5, 0, 0.5);
    List<Case> all =
        new ArrayList<>(
            List.of(
                logistic("quasi-separated, Cauchy", "cauchy(0, 2.5)", wide.heavy(0), quasi),
                logistic("quasi-separated, normal", "normal(0, 2.5)", wide, quasi),
                logistic("quasi-separated, t", "student_t(7, 0, 2.5)", wide, quasi),
                logistic("quasi-separated, Laplace", "laplace(0, 2.5)", wide, quasi),
                logistic("separated, Cauchy", "cauchy(0, 2.5)", wide.heavy(0), separated),
                logistic("separated, normal", "normal(0, 2.5)", wide, separated),
                logistic("separated, wide normal", "normal(0, 20)", wide, separated),
                logistic(
                    "rare events, normal", "normal(0, 2.5)", Form.about(-7, 0.2, 0, 0.3), rare),
                logistic(
                    "rare events, Cauchy",
                    "cauchy(0, 2.5)",
                    Form.about(-7, 0.2, 0, 0.3).heavy(0),
                    rare),
                logistic(
                    "rare events at the edge",
                    "normal(0, 5)",
                    Form.about(-8, 0.3, 0, 0.4),
                    rareAtTheEdge),
                logistic("two rows, normal", "normal(0, 1.5)", wide, two),
                logistic("two rows, Cauchy", "cauchy(0, 1)", wide.heavy(0), two),
                logistic("two rows, Laplace", "laplace(1, 2)", wide, two),
                logistic("four rows, a class missing", "normal(0, 2.5)", wide, four),
                logistic("four rows, t", "student_t(3, 0, 2)", wide.heavy(0), four),
                logistic("six rows, prior elsewhere", "normal(3, 1);normal(-2, 1)", wide, eight),
                logistic(
                    "weights below 1", "normal(0, 2.5)", wide.withWeights(), scaled(quasi, 0.07)),
                logistic(
                    "weights of thousands",
                    "normal(0, 2.5)",
                    Form.about(0, 0.02, 0, 0.02).withWeights(),
                    scaled(eight, 4000))));
    double[][] tilted =
        both(k -> k % 5 == 0 ? (k < 0 ? 3 : 1) : 0, k -> k % 5 == 0 ? (k > 0 ? 3 : 1) : 0);
    // No point of the grid is at the pole.
    Form pole = Form.about(0, 0.5, 0.02 * Math.sinh(0.5 * REACH / POINTS), 0.02);
    all.add(logistic("horseshoe of a slope", "normal(0, 2.5);horseshoe(0.3)", pole, tilted));
    all.add(
        new Case(
            "gaussian, three rows, two horseshoes",
            "family: gaussian, sigma: 2",
            new LinearModel(new GaussianFamily.GaussianLikelihood(2), 2),
            new String[] {"horseshoe(2)", "horseshoe(1)"},
            new double[][] {row(-1, 1, 1), row(0, 4, 1), row(1, 9, 1)},
            Form.about(pole.slope(), 0.02, pole.slope(), 0.02)));
    double[][] against =
        both(k -> k % 5 == 0 ? (k > 0 ? 3 : 1) : 0, k -> k % 5 == 0 ? (k < 0 ? 3 : 1) : 0);
    all.add(logistic("mode at an edge", "normal(0, 2.5);uniform(0, 10)", pole, against));
    all.add(
        new Case(
            "poisson, exposures over five orders",
            "family: poisson, offset: w",
            new LinearModel(new PoissonFamily.PoissonLikelihood(), 2),
            new String[] {"cauchy(0, 2.5)", "cauchy(0, 2.5)"},
            new double[][] {
              row(-1, 0, -3), row(-0.5, 1, 2), row(0, 0, 1), row(0.5, 90, 7), row(1, 2, -4)
            },
            Form.about(-2.5, 0.05, 0, 0.1).heavy(0.4)));
    all.add(
        new Case(
            "robust, two modes",
            "family: robust, df: 2, scale: 0.5",
            new LinearModel(new RobustFamily.RobustLikelihood(2, 0.5), 2),
            new String[] {"normal(0, 5)", "normal(0, 2)"},
            new double[][] {
              row(-1, -3, 1), row(-1, 2.9, 1), row(1, 3.2, 1), row(1, -2.7, 1), row(0, 0.4, 1)
            },
            Form.about(0, 0.3, 0, 0.3)));
    all.add(
        new Case(
            "robust, Cauchy errors",
            "family: robust, df: 1, scale: 1",
            new LinearModel(new RobustFamily.RobustLikelihood(1, 1), 2),
            new String[] {"cauchy(0, 10)", "cauchy(0, 10)"},
            new double[][] {
              row(-1, -30, 1), row(-0.5, 1, 1), row(0, 2, 1), row(0.5, 2, 1), row(1, 3, 1)
            },
            Form.about(1, 0.3, 1, 0.3).heavy(0)));
    all.add(
        new Case(
            "gaussian, three rows, t prior",
            "family: gaussian, sigma: 2",
            new LinearModel(new GaussianFamily.GaussianLikelihood(2), 2),
            new String[] {"student_t(4, 0, 0.1)", "cauchy(0, 0.1)"},
            new double[][] {row(-1, 1, 1), row(0, 4, 1), row(1, 9, 1)},
            Form.about(0, 0.05, 0, 0.05)));
    double[][] classes = {
      row(-1, -1, 2), row(-0.5, 1, 1), row(0, -1, -3), row(0.5, 1, 0), row(1, 1, 2), row(0, 1, -1)
    };
    double[][] numbers = {
      row(-1, 1.5, 2), row(-0.5, 3, 1), row(0, 0.5, -3), row(0.5, 4, 0), row(1, 2, 2)
    };
    double[][] counts = {
      row(-1, 1, 2), row(-0.5, 3, 1), row(0, 0, -3), row(0.5, 4, 0), row(1, 2, 2)
    };
    all.add(withOffset("logistic", new LogisticLikelihood(), classes));
    all.add(withOffset("probit", new ProbitFamily.ProbitLikelihood(), classes));
    all.add(withOffset("cloglog", new CloglogFamily.CloglogLikelihood(), classes));
    all.add(withOffset("cauchit", new CauchitFamily.CauchitLikelihood(), classes));
    all.add(withOffset("gaussian, sigma: 2", new GaussianFamily.GaussianLikelihood(2), numbers));
    all.add(
        withOffset("robust, df: 3, scale: 1", new RobustFamily.RobustLikelihood(3, 1), numbers));
    all.add(withOffset("gamma, shape: 2", new GammaFamily.GammaLikelihood(2), numbers));
    all.add(
        withOffset(
            "negative_binomial, shape: 2", new NegativeBinomialFamily.GivenLikelihood(2), counts));
    return all;
  }

  private static Case withOffset(String family, Likelihood likelihood, double[][] rows) {
    return new Case(
        family + ", offsets",
        "family: " + family + ", offset: w",
        new LinearModel(likelihood, 2),
        new String[] {"normal(0, 2.5)", "normal(0, 1.5)"},
        rows,
        Form.about(0, 0.3, 0, 0.3));
  }

  private static double[][] scaled(double[][] rows, double factor) {
    return Arrays.stream(rows)
        .map(row -> row(row[0], row[1], row[2] * factor))
        .toArray(double[][]::new);
  }

  @TestFactory
  List<DynamicTest> drawsAreThoseOfThePosterior() {
    return cases().stream()
        .map(what -> DynamicTest.dynamicTest(what.name(), () -> check(what)))
        .toList();
  }

  private void check(Case what) throws IOException {
    Truth truth = truth(what);
    List<List<double[]>> chains = draws(what);
    for (int j = 0; j < 2; j++) {
      int element = j;
      String name = what.name() + ", " + (j == 0 ? "(Intercept)" : "x");
      double[][] own = series(chains, theta -> theta[element]);
      for (int k = 0; k < LEVELS.length; k++) {
        double level = LEVELS[k];
        double quantile = truth.quantiles()[j][k];
        agree(
            name + ", below the quantile " + level,
            level,
            level * (1 - level),
            series(chains, theta -> theta[element] <= quantile ? 1 : 0),
            own);
      }
      if (what.form().finite()) {
        double mean = truth.moments()[j][0];
        double variance = truth.moments()[j][1];
        agree(name + ", mean", mean, variance, own, own);
        double[][] squares = series(chains, theta -> Math.pow(theta[element] - mean, 2));
        agree(name + ", variance", variance, 2 * variance * variance, squares, own);
      }
    }
  }

  /** A function of a draw. */
  @FunctionalInterface
  private interface Function {
    double of(double[] theta);
  }

  private static double[][] series(List<List<double[]>> chains, Function function) {
    return chains.stream()
        .map(chain -> chain.stream().mapToDouble(function::of).toArray())
        .toArray(double[][]::new);
  }

  /**
   * Compares a mean over the draws with its expectation.
   *
   * @param variance the function's variance under the posterior, or what the draws make of it if
   *     that is larger
   * @param coefficient the coefficient's draws: a tail that was hardly visited tells too little of
   *     how well it was visited, and the coefficient's own effective sample sizes tell more
   */
  private static void agree(
      String what, double expected, double variance, double[][] series, double[][] coefficient) {
    double[] all = Arrays.stream(series).flatMapToDouble(Arrays::stream).toArray();
    double mean = Arrays.stream(all).average().orElseThrow();
    double own = Arrays.stream(all).map(v -> (v - mean) * (v - mean)).average().orElseThrow();
    double ess =
        DoubleStream.of(
                Diagnostics.essMean(series),
                Diagnostics.essBulk(coefficient),
                Diagnostics.essTail(coefficient))
            .filter(value -> !Double.isNaN(value))
            .min()
            .orElse(FEWEST);
    double error = Math.sqrt(Math.max(own, variance) / Math.max(FEWEST, ess));
    String shown =
        String.format(
            Locale.ROOT, "%s: %.5g for %.5g, standard error %.2g", what, mean, expected, error);
    assertTrue(Math.abs(mean - expected) <= SIGMAS * error, shown);
  }

  private List<List<double[]>> draws(Case what) throws IOException {
    List<String> lines = new ArrayList<>(List.of("y,x,w"));
    boolean labels = what.model().matches("family: (logistic|probit|cloglog|cauchit)\\b.*");
    for (double[] row : what.rows()) {
      String y = labels ? (row[1] > 0 ? "yes" : "no") : Double.toString(row[1]);
      int copies = what.form().weighted() || what.hasOffset() ? 1 : (int) row[2];
      for (int i = 0; i < copies; i++) {
        lines.add(y + "," + row[0] + "," + row[2]);
      }
    }
    Path table = Files.write(folder.resolve("table.csv"), lines);
    Path output = folder.resolve("out");
    String config =
        """
        data: {input: "%s", label: y, features: [x]%s}
        model: {%s, prior: "%s", priors: {"(Intercept)": "%s"}}
        output: "%s"
        """
            .formatted(
                table,
                what.form().weighted() ? ", weight: w" : "",
                what.model(),
                what.priors()[1],
                what.priors()[0],
                output);
    Path file = Files.writeString(folder.resolve("job.yaml"), config);
    shell.samples("run", "--config", file.toString(), "--overwrite");
    List<List<double[]>> chains = new ArrayList<>();
    List<String> written = Files.readAllLines(output.resolve("draws.csv"));
    List<String> header = List.of(written.get(0).replace("\"", "").split(",", -1));
    for (String line : written.subList(1, written.size())) {
      String[] cells = line.split(",", -1);
      int chain = Integer.parseInt(cells[header.indexOf(".chain")]);
      while (chains.size() < chain) {
        chains.add(new ArrayList<>());
      }
      chains
          .get(chain - 1)
          .add(
              new double[] {
                Double.parseDouble(cells[header.indexOf("(Intercept)")]),
                Double.parseDouble(cells[header.indexOf("x")])
              });
    }
    return chains;
  }

  /** Quantiles, and mean and variance, of both coefficients. */
  private record Truth(double[][] quantiles, double[][] moments) {}

  /** Half the number of points along an axis, and how far they reach: scale · sinh of it. */
  private static final int POINTS = 260;

  private static final double REACH = 11;

  /**
   * By the trapezoidal rule in s and t, where η at the pivot is a + b·sinh(s) and the slope c +
   * d·sinh(t): fine near the middle, and out to 30,000 times the scale.
   */
  private static Truth truth(Case what) {
    Form form = what.form();
    int n = what.rows().length;
    double[] x = new double[2 * n];
    double[] y = new double[n];
    double[] third = new double[n];
    for (int i = 0; i < n; i++) {
      x[2 * i] = 1;
      x[2 * i + 1] = what.rows()[i][0];
      y[i] = what.rows()[i][1];
      third[i] = what.rows()[i][2];
    }
    boolean offset = what.hasOffset();
    DenseBlock rows =
        new DenseBlock(0, 2, Values.of(x), y, offset ? null : third, offset ? third : null);
    ProductPrior prior = ProductPrior.parse(List.of(what.priors()));
    int side = 2 * POINTS + 1;
    double[][] thetas = new double[side * side][];
    double[] log = new double[side * side];
    double largest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < side; i++) {
      double s = REACH * (i - POINTS) / POINTS;
      double[][] line = new double[side][];
      for (int k = 0; k < side; k++) {
        double t = REACH * (k - POINTS) / POINTS;
        double slope = form.slope() + form.slopeScale() * Math.sinh(t);
        double eta = form.eta() + form.etaScale() * Math.sinh(s);
        line[k] = new double[] {eta - form.pivot() * slope, slope};
      }
      double[] sums = new double[side];
      what.likelihood().addLogLikelihoods(rows, line, sums);
      for (int k = 0; k < side; k++) {
        double t = REACH * (k - POINTS) / POINTS;
        double jacobian = Math.log(Math.cosh(s)) + Math.log(Math.cosh(t));
        log[i * side + k] = sums[k] + prior.logDensity(line[k]) + jacobian;
        thetas[i * side + k] = line[k];
        largest = Math.max(largest, log[i * side + k]);
      }
    }
    double top = largest;
    double[] mass = Arrays.stream(log).map(value -> Math.exp(value - top)).toArray();
    double total = Arrays.stream(mass).sum();
    double[][] quantiles = new double[2][];
    double[][] moments = new double[2][2];
    for (int j = 0; j < 2; j++) {
      int element = j;
      for (int g = 0; g < mass.length; g++) {
        moments[j][0] += mass[g] / total * thetas[g][j];
      }
      for (int g = 0; g < mass.length; g++) {
        moments[j][1] += mass[g] / total * Math.pow(thetas[g][j] - moments[j][0], 2);
      }
      int[] order =
          IntStream.range(0, mass.length)
              .filter(g -> mass[g] > 1e-18)
              .boxed()
              .sorted((a, b) -> Double.compare(thetas[a][element], thetas[b][element]))
              .mapToInt(Integer::intValue)
              .toArray();
      quantiles[j] = quantiles(order, mass, total, thetas, j);
    }
    return new Truth(quantiles, moments);
  }

  /** Interpolates the distribution function between its values half way through each point. */
  private static double[] quantiles(
      int[] order, double[] mass, double total, double[][] thetas, int j) {
    List<double[]> steps = new ArrayList<>();
    double below = 0;
    for (int at = 0; at < order.length; ) {
      double here = thetas[order[at]][j];
      double own = 0;
      while (at < order.length && thetas[order[at]][j] == here) {
        own += mass[order[at++]];
      }
      steps.add(new double[] {here, (below + 0.5 * own) / total});
      below += own;
    }
    double[] out = new double[LEVELS.length];
    int at = 0;
    for (int k = 0; k < LEVELS.length; k++) {
      while (steps.get(at + 1)[1] < LEVELS[k]) {
        at++;
      }
      double[] from = steps.get(at);
      double[] to = steps.get(at + 1);
      out[k] = from[0] + (to[0] - from[0]) * (LEVELS[k] - from[1]) / (to[1] - from[1]);
    }
    return out;
  }
}
