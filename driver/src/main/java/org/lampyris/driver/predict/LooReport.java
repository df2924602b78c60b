package org.lampyris.driver.predict;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.output.OutputFolder;
import org.lampyris.samplers.diagnostics.DifferenceEstimate;
import org.lampyris.samplers.diagnostics.ParetoSmoothing;

/**
 * Report of cross-validation: the estimates of each run and, for several, each one's difference
 * from the best. Rendered as lines, and written as {@code loo.json} and, a line for each row that
 * was drawn, {@code loo.csv}.
 */
public final class LooReport {
  private static final String ESTIMATES = "loo.json";
  private static final String ROWS = "loo.csv";

  /** The files. */
  public static final List<String> ITEMS = List.of(ESTIMATES, ROWS);

  private static final List<String> COLUMNS =
      List.of("run", "folder", "row", "weight", "elpd_loo", "p_loo", "pareto_k");

  private final List<Loo> runs;
  private final Loo best;
  private final List<Against> others = new ArrayList<>();

  /** A run compared with the best one. */
  private record Against(Loo loo, LooDifference of) {}

  /**
   * Takes the estimates of runs.
   *
   * @throws UserException (data) if they are not of the same rows
   */
  LooReport(List<Loo> runs) {
    this.runs = List.copyOf(runs);
    List<Loo> sorted =
        runs.stream()
            .sorted(Comparator.comparingDouble((Loo loo) -> loo.elpd().total()).reversed())
            .toList();
    best = sorted.get(0);
    for (Loo loo : sorted.subList(1, sorted.size())) {
      if (loo.all().weights() != best.all().weights()) {
        throw UserException.data(
            Text.of(
                "%s and %s are from tables of %,.0f and %,.0f rows, and loo compares only models of"
                    + " the same rows. Name such runs.",
                best.folder(), loo.folder(), best.all().weights(), loo.all().weights()));
      }
      others.add(new Against(loo, LooDifference.of(loo, best)));
    }
  }

  /** Returns the estimates, in lines. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Loo loo : runs) {
      lines.add(
          Text.of(
              "%s: %,d of %,d rows, %,d draws",
              loo.folder(), loo.rows(), loo.all().rows(), loo.draws()));
      lines.add(line("elpd_loo", loo.elpd(), loo.elpdError()));
      lines.add(line("p_loo", loo.parameters(), loo.parametersError()));
      lines.add(
          Text.of(
              "  Pareto k at most %.2f; above %.2f at %,d rows",
              largest(loo), ParetoSmoothing.threshold(loo.draws()), loo.unreliable()));
    }
    if (runs.size() > 1) {
      lines.add("Best: " + best.folder());
    }
    for (Against other : others) {
      LooDifference of = other.of;
      String what = other.loo.folder() + ": elpd_diff";
      lines.add(line(what, of.estimate(), of.monteCarloError()));
    }
    return lines;
  }

  /**
   * Returns the folders of runs whose difference from the best is at most twice its standard error,
   * with the error from drawing rows.
   */
  public List<String> undecided() {
    return others.stream()
        .filter(
            other ->
                !(Math.abs(other.of.difference())
                    > 2 * Math.hypot(other.of.standardError(), other.of.subsamplingError())))
        .map(other -> other.loo.folder())
        .toList();
  }

  private static String line(String what, DifferenceEstimate of, double monteCarloError) {
    return Text.of(
        "  %s %,.1f, standard error %,.1f; from drawing rows %,.2f; Monte Carlo %s",
        what,
        of.total(),
        of.standardError(),
        of.subsamplingError(),
        Double.isNaN(monteCarloError) ? "not known" : Text.of("%,.2f", monteCarloError));
  }

  private static double largest(Loo loo) {
    double largest = Double.NEGATIVE_INFINITY;
    for (double k : loo.shapes()) {
      largest = Math.max(largest, k);
    }
    return largest;
  }

  /** Returns doubts about the estimates, as sentences. */
  public List<String> doubts() {
    List<String> doubts = new ArrayList<>();
    runs.forEach(loo -> unreliable(loo).ifPresent(doubts::add));
    for (Against other : others) {
      if (!other.of.paired()) {
        doubts.add(
            Text.of(
                "%s and %s are from separately prepared tables, whose rows are in different orders."
                    + " The error of their difference is therefore computed as for independent"
                    + " sums, and is too large.",
                best.folder(), other.loo.folder()));
      }
    }
    return doubts;
  }

  /** Returns the doubt about rows with unreliable estimates; empty if there are none. */
  static Optional<String> unreliable(Loo loo) {
    return loo.unreliable() == 0
        ? Optional.empty()
        : Optional.of(
            Text.of(
                "%s: at %,d of %,d rows Pareto k is above %.2f, so their estimates are unreliable:"
                    + " leaving such rows out changes the posterior too much. The Monte-Carlo error"
                    + " is then not known. More draws help a little. A model that fits such rows"
                    + " better helps more.",
                loo.folder(),
                loo.unreliable(),
                loo.rows(),
                ParetoSmoothing.threshold(loo.draws())));
  }

  /** Writes the files and moves them to their places. */
  public void write(OutputFolder folder) throws IOException {
    folder.json(ESTIMATES, json(JsonNodeFactory.instance.objectNode()));
    folder.csv(
        ROWS,
        COLUMNS,
        csv -> {
          for (int r = 0; r < runs.size(); r++) {
            Loo loo = runs.get(r);
            for (int i = 0; i < loo.rows(); i++) {
              csv.writeRow(
                  r + 1,
                  loo.folder(),
                  i + 1,
                  loo.sample().weights()[i],
                  loo.sample().values()[i],
                  loo.gains()[i],
                  loo.shapes()[i]);
            }
          }
        });
    folder.publish();
  }

  private ObjectNode json(ObjectNode json) {
    for (Loo loo : runs) {
      ObjectNode run =
          json.withArray("runs")
              .addObject()
              .put("folder", loo.folder())
              .put("fingerprint", loo.table())
              .put("rows", loo.all().rows())
              .put("rows_drawn", loo.rows())
              .put("draws", loo.draws());
      put(run.putObject("elpd_loo"), loo.elpd(), loo.elpdError());
      put(run.putObject("p_loo"), loo.parameters(), loo.parametersError());
      run.putObject("pareto_k")
          .put("largest", known(largest(loo)))
          .put("threshold", ParetoSmoothing.threshold(loo.draws()))
          .put("rows_above", loo.unreliable());
    }
    json.put("best", best.folder());
    json.withArray("differences");
    for (Against other : others) {
      LooDifference of = other.of;
      ObjectNode to = json.withArray("differences").addObject().put("folder", other.loo.folder());
      put(to.putObject("elpd_diff"), of.estimate(), of.monteCarloError());
      to.put("paired", of.paired());
    }
    doubts().forEach(json.withArray("doubts")::add);
    return json;
  }

  private static void put(ObjectNode to, DifferenceEstimate of, double monteCarloError) {
    to.put("estimate", known(of.total()))
        .put("standard_error", known(of.standardError()))
        .put("subsampling_error", known(of.subsamplingError()))
        .put("monte_carlo_error", known(monteCarloError));
  }

  /** Returns a number; null for NaN, which JSON lacks. */
  private static @Nullable Double known(double number) {
    return Double.isFinite(number) ? Double.valueOf(number) : null;
  }
}
