package org.lampyris.driver.predict;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.run.Shell;

/**
 * ArviZ reads what {@code export} writes, and computes from it what the run reports. Skipped unless
 * {@code python3 -c "import arviz"} succeeds, with a version 0.x. Run with 0.23.4.
 */
class ArvizIT {
  private static final String PYTHON =
      """
      import json, os, sys, warnings
      warnings.simplefilter("ignore")
      os.environ["MPLBACKEND"] = "Agg"
      import arviz as az
      if not az.__version__.startswith("0."):
          sys.exit("ArviZ is " + az.__version__ + ", and 0.x is needed")
      if len(sys.argv) > 1:
          os.chdir(sys.argv[1])
          data = az.from_json("inference.json")
          for name, draw in {
              "trace": lambda: az.plot_trace(data)[0, 0],
              "ppc": lambda: az.plot_ppc(data, num_pp_samples=10),
              "prior": lambda: az.plot_ppc(data, group="prior", num_pp_samples=10),
              "loo-pit": lambda: az.plot_loo_pit(data, y="y")}.items():
              draw().figure.savefig(name + ".png")
          loo = az.loo(data, pointwise=True)
          print(json.dumps({
              "summary": az.summary(data, round_to="none").to_dict("index"),
              "loo": {"elpd_loo": float(loo.elpd_loo), "p_loo": float(loo.p_loo),
                      "se": float(loo.se), "pareto_k": float(loo.pareto_k.max())},
              "groups": {group: {name: list(values.shape) for name, values in data[group].items()}
                         for group in data.groups()}}))
      """;

  @TempDir private static Path folder;

  /** Returns what Python prints, or why it does not. */
  private static String python(boolean[] succeeds, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("python3", "-c", PYTHON));
    command.addAll(List.of(arguments));
    Path errors = folder.resolve("errors.log");
    try {
      Process python = new ProcessBuilder(command).redirectError(errors.toFile()).start();
      String out = new String(python.getInputStream().readAllBytes(), UTF_8);
      succeeds[0] = python.waitFor() == 0;
      return succeeds[0] ? out : Files.readString(errors);
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static String read(String... arguments) throws IOException {
    boolean[] succeeds = new boolean[1];
    String out = python(succeeds, arguments);
    assertTrue(succeeds[0], out);
    return out;
  }

  @Test
  void readsWhatIsExported() throws IOException {
    boolean[] there = new boolean[1];
    String why = python(there);
    assumeTrue(there[0], () -> "no ArviZ 0.x for python3: " + why.strip());
    Random random = new Random(7);
    List<String> lines = new ArrayList<>(List.of("x,g,y"));
    for (int i = 0; i < 120; i++) {
      double x = random.nextGaussian();
      lines.add(x + ",g" + i % 6 + "," + (1 + x + (i % 6 - 2.5) / 2 + random.nextGaussian()));
    }
    Files.write(folder.resolve("t.csv"), lines);
    Shell shell = new Shell("local[2]");
    String run = folder.resolve("run").toString();
    shell.samples(
        "run",
        "--set=data.input=" + folder.resolve("t.csv"),
        "--set=output=" + run,
        "--set=model.formula=y ~ x + (1 | g)",
        "--set=model.family=gaussian",
        "--set=model.sigma=half_normal(0, 1)",
        "--set=sampler.draws=250",
        "--set=sampler.multilevel.keep_draws=250");
    String groups =
        "log_likelihood,posterior_predictive,prior,prior_predictive,observed_data,constant_data";
    shell.succeeds("export", run, "--as", "arviz", "--groups", groups);
    shell.succeeds("loo", run, "--output", folder.resolve("loo").toString());

    ObjectMapper json = new ObjectMapper();
    JsonNode found = json.readTree(read(run));
    isSummary(found.path("summary"));
    JsonNode loo = json.readTree(folder.resolve("loo/loo.json").toFile());
    JsonNode ours = loo.path("runs").path(0);
    // ArviZ takes one efficiency for all rows, and loo each row's own: the tails differ by a draw
    // or two.
    for (String figure : List.of("elpd_loo", "p_loo")) {
      double expected = ours.path(figure).path("estimate").asDouble();
      assertEquals(expected, found.path("loo").path(figure).asDouble(), 0.01, figure);
    }
    assertEquals(
        ours.at("/elpd_loo/standard_error").asDouble(), found.at("/loo/se").asDouble(), 1e-3);
    assertEquals(
        ours.at("/pareto_k/largest").asDouble(), found.at("/loo/pareto_k").asDouble(), 0.02);
    for (String picture : List.of("trace", "ppc", "prior", "loo-pit")) {
      assertTrue(Files.size(folder.resolve("run/" + picture + ".png")) > 5_000, picture);
    }
    assertEquals("[120]", found.at("/groups/observed_data/y").toString());
    assertEquals("[4,250,120]", found.at("/groups/log_likelihood/y").toString());
    assertEquals("[4,250,120]", found.at("/groups/posterior_predictive/y").toString());
    assertEquals("[1,1000,120]", found.at("/groups/prior_predictive/y").toString());
    assertEquals("[1,1000]", found.at("/groups/prior/sigma").toString());
    assertEquals("[120]", found.at("/groups/constant_data/x").toString());
  }

  /** Holds ArviZ's summary against summary.csv. */
  private static void isSummary(JsonNode arviz) throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve("run/summary.csv"));
    List<String> header = List.of(lines.get(0).split(","));
    Map<String, String> columns =
        Map.of(
            "mean",
            "mean",
            "sd",
            "sd",
            "rhat",
            "r_hat",
            "ess_bulk",
            "ess_bulk",
            "ess_tail",
            "ess_tail",
            "mcse_mean",
            "mcse_mean",
            "mcse_sd",
            "mcse_sd");
    assertEquals(lines.size() - 1, arviz.size());
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      columns.forEach(
          (ours, theirs) -> {
            double expected = Double.parseDouble(cells[header.indexOf(ours)]);
            double value = arviz.path(cells[0]).path(theirs).asDouble();
            assertEquals(expected, value, 1e-9 * Math.abs(expected), cells[0] + " " + ours);
          });
    }
  }
}
