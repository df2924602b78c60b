package org.lampyris.driver.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.run.Shell;

/**
 * Every family with nothing set but its name (and few draws), and by Firefly where it has a lower
 * bound: an exact run that finds the slope, within five posterior standard deviations, and says
 * what it does.
 */
class FamilyDefaultsIT {
  private static final int ROWS = 400;
  private static final double SLOPE = 0.8;

  @TempDir Path folder;
  private final Shell shell = new Shell("local[2]");

  /** The label of a row with the linear predictor eta. */
  @FunctionalInterface
  private interface Label {
    String of(double eta, Random random);
  }

  /**
   * A family.
   *
   * @param slope the coefficient that is {@link #SLOPE}; empty for none
   * @param others what else it is sampled by; empty for nothing
   */
  private record Case(String model, Label label, String slope, String others) {}

  private static int count(double mean, Random random) {
    int count = 0;
    for (double t = -Math.log(random.nextDouble()); t < mean; count++) {
      t -= Math.log(random.nextDouble());
    }
    return count;
  }

  /** Beta with mean σ(η) and precision 2, by Jöhnk's rejection. */
  private static String share(double eta, Random random) {
    double a = 2 / (1 + Math.exp(-eta));
    while (true) {
      double x = Math.pow(random.nextDouble(), 1 / a);
      double y = Math.pow(random.nextDouble(), 1 / (2 - a));
      double share = x / (x + y);
      if (x + y <= 1 && share > 0 && share < 1) {
        return Double.toString(share);
      }
    }
  }

  /** Exponential with mean e^η, until another one: as the cells time and event. */
  private static String time(double eta, Random random) {
    double time = -Math.exp(eta) * Math.log(1 - random.nextDouble());
    double seen = -4 * Math.log(1 - random.nextDouble());
    return Math.min(time, seen) + (time <= seen ? ",1" : ",0");
  }

  /** Lognormal with scale 0.5, of which some halves or doubles of e^η are known: with a second. */
  private static String interval(double eta, Random random) {
    double time = Math.exp(eta + 0.5 * random.nextGaussian());
    double early = 0.5 + random.nextDouble();
    double late = early * (1 + random.nextDouble());
    return random.nextInt(3) == 0
        ? time + ",1,"
        : time < early ? early + ",2," : time < late ? early + ",3," + late : late + ",0,";
  }

  private static List<Case> cases() {
    Label real = (eta, random) -> Double.toString(eta + 0.5 * random.nextGaussian());
    Label positive =
        (eta, random) ->
            Double.toString(
                -0.5
                    * Math.exp(eta)
                    * (Math.log(random.nextDouble()) + Math.log(random.nextDouble())));
    return List.of(
        new Case(
            "logistic",
            (eta, random) -> random.nextDouble() * (1 + Math.exp(-eta)) < 1 ? "yes" : "no",
            "x",
            "firefly"),
        new Case(
            "softmax",
            (eta, random) ->
                random.nextInt(3) > 0
                    ? random.nextDouble() * (1 + Math.exp(-eta)) < 1 ? "b" : "a"
                    : "c",
            "",
            ""),
        new Case("gaussian", real, "x", "firefly"),
        new Case("gaussian, sigma: 0.5", real, "x", "firefly"),
        new Case("robust", real, "x", ""),
        new Case("robust, scale: 0.5", real, "x", "firefly"),
        new Case(
            "asymmetric_laplace, quantile: 0.7",
            (eta, random) ->
                Double.toString(
                    eta
                        - Math.log(random.nextDouble()) / 0.7
                        + Math.log(random.nextDouble()) / 0.3),
            "x",
            "firefly"),
        new Case("gamma", positive, "x", ""),
        new Case("gamma, shape: 2", positive, "x", ""),
        new Case(
            "poisson", (eta, random) -> Integer.toString(count(Math.exp(eta), random)), "x", ""),
        new Case("probit", (eta, random) -> random.nextGaussian() < eta ? "yes" : "no", "x", ""),
        new Case(
            "cloglog",
            (eta, random) -> random.nextDouble() < Math.exp(-Math.exp(eta)) ? "no" : "yes",
            "x",
            "firefly"),
        new Case(
            "cauchit",
            (eta, random) -> Math.tan(Math.PI * (random.nextDouble() - 0.5)) < eta ? "yes" : "no",
            "",
            ""),
        new Case(
            "zero_inflated_poisson",
            (eta, random) ->
                Integer.toString(random.nextDouble() < 0.3 ? 0 : count(Math.exp(eta), random)),
            "x",
            "firefly"),
        new Case(
            "hurdle_negative_binomial",
            (eta, random) -> {
              int above = 0;
              while (above == 0) {
                above = count(-Math.exp(eta) * Math.log(random.nextDouble()), random);
              }
              return Integer.toString(random.nextDouble() < 0.3 ? 0 : above);
            },
            "x",
            "firefly"),
        new Case("robust, df: auto", real, "x", "firefly"),
        new Case("weibull, event: event", FamilyDefaultsIT::time, "x", "firefly"),
        new Case(
            "lognormal, event: event, time2: until", FamilyDefaultsIT::interval, "x", "firefly"),
        new Case("exponential, event: event", FamilyDefaultsIT::time, "x", ""),
        new Case("lognormal", (eta, random) -> time(eta, random).replaceFirst(",.*", ""), "", ""),
        new Case(
            "binomial, trials: n",
            (eta, random) -> {
              int trials = 1 + random.nextInt(5);
              int successes = 0;
              for (int i = 0; i < trials; i++) {
                successes += random.nextDouble() * (1 + Math.exp(-eta)) < 1 ? 1 : 0;
              }
              return successes + "," + trials;
            },
            "x",
            "firefly"),
        new Case(
            "ordinal, order: [low, mid, high]",
            (eta, random) -> {
              double u = random.nextDouble();
              double latent = eta + Math.log(u / (1 - u));
              return latent < -0.5 ? "low" : latent < 1.5 ? "mid" : "high";
            },
            "x",
            ""),
        new Case(
            "negative_binomial",
            (eta, random) ->
                Integer.toString(count(-Math.exp(eta) * Math.log(random.nextDouble()), random)),
            "x",
            ""),
        new Case(
            "negative_binomial, shape: 1",
            (eta, random) ->
                Integer.toString(count(-Math.exp(eta) * Math.log(random.nextDouble()), random)),
            "x",
            "firefly"),
        new Case("beta", FamilyDefaultsIT::share, "x", ""),
        new Case("beta, phi: 2", FamilyDefaultsIT::share, "x", ""),
        new Case(
            "mixture, sigma: 1",
            (eta, random) ->
                Double.toString((random.nextBoolean() ? 0 : 3) + random.nextGaussian()),
            "",
            "firefly"));
  }

  @TestFactory
  Stream<DynamicTest> everyFamilyIsSampledWithItsNameAlone() {
    return cases().stream()
        .flatMap(
            what ->
                Stream.of("", what.others())
                    .distinct()
                    .map(
                        algorithm ->
                            DynamicTest.dynamicTest(
                                what.model() + " " + algorithm, () -> check(what, algorithm))));
  }

  private void check(Case what, String algorithm) throws IOException {
    Random random = new Random(11);
    String second =
        what.model().contains("trials")
            ? "n,"
            : what.model().contains("until")
                ? "event,until,"
                : what.model().contains("event") ? "event," : "";
    List<String> lines = new ArrayList<>(List.of("y," + second + "x,u"));
    for (int n = 0; n < ROWS; n++) {
      double x = random.nextGaussian();
      lines.add(what.label().of(0.5 + SLOPE * x, random) + "," + x + "," + random.nextDouble());
    }
    Path table = Files.write(folder.resolve("table.csv"), lines);
    Path output = folder.resolve("out");
    Path job =
        Files.writeString(
            folder.resolve("job.yaml"),
            """
            data: {input: "%s", label: y}
            model: {family: %s}
            sampler: {chains: 2, warmup: 100, draws: 100%s}
            output: "%s"
            """
                .formatted(
                    table,
                    what.model(),
                    algorithm.isEmpty() ? "" : ", algorithm: " + algorithm,
                    output));
    shell.samples("run", "--config", job.toString(), "--overwrite");
    JsonNode manifest = new ObjectMapper().readTree(output.resolve("manifest.json").toFile());
    String set = manifest.at("/configuration/sampler/algorithm").asText();
    assertEquals(algorithm.isEmpty() ? "auto" : algorithm, set);
    assertEquals(set.equals("auto"), manifest.toString().contains("\"algorithm: "), set);
    Files.readAllLines(output.resolve("summary.csv")).stream()
        .map(line -> line.replace("\"", "").split(",", -1))
        .filter(cells -> cells[0].equals(what.slope()))
        .forEach(
            cells -> {
              double sd = Double.parseDouble(cells[3]);
              assertEquals(SLOPE, Double.parseDouble(cells[1]), 5 * sd, Arrays.toString(cells));
              assertTrue(sd < 0.2, Arrays.toString(cells));
            });
  }
}
