package org.lampyris.driver.bench;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Holds figures against targets. Tables are known by their names, rows by theirs. */
final class Verdicts {
  /** The effective draws that every coefficient is to have. */
  static final double ENOUGH = 1000;

  /** The authors' own program, on MNIST. */
  private static final double PYTHON_ITERATIONS_PER_SECOND = 5100;

  private final Map<String, SubjectResult> results;

  Verdicts(List<SubjectResult> results) {
    this.results =
        results.stream()
            .collect(Collectors.toMap(result -> result.subject().name(), Function.identity()));
  }

  /**
   * Returns how evaluations an iteration change from table to table.
   *
   * @param tables tables of ever more rows
   */
  List<Verdict> evaluations(List<String> tables) {
    return List.of(
        evaluations(
            tables,
            Targets.TIGHT_AT_MODE,
            "largest at most 1.5 times the smallest",
            e -> most(e) <= 1.5 * least(e)),
        evaluations(tables, Targets.FIREFLY, "falling with n", Verdicts::falls),
        evaluations(tables, Targets.MHSS, "falling with n", Verdicts::falls));
  }

  private Verdict evaluations(
      List<String> tables, String entry, String wanted, Predicate<double[]> test) {
    String what = "evaluations an iteration, " + entry + ", " + String.join("; ", tables);
    double[] evaluations =
        tables.stream()
            .map(table -> measured(table, entry))
            .flatMap(Optional::stream)
            .mapToDouble(m -> m.efficiency().evaluations())
            .toArray();
    if (evaluations.length < tables.size()) {
      return missing(1, what, wanted);
    }
    String figure =
        Arrays.stream(evaluations)
            .mapToObj(e -> format("%,.1f", e))
            .collect(Collectors.joining("; "));
    return new Verdict(1, what, figure, wanted, Optional.of(test.test(evaluations)));
  }

  private static double most(double[] values) {
    return Arrays.stream(values).max().orElseThrow();
  }

  private static double least(double[] values) {
    return Arrays.stream(values).min().orElseThrow();
  }

  private static boolean falls(double[] values) {
    boolean falls = true;
    for (int i = 1; i < values.length; i++) {
      falls &= values[i] < values[i - 1];
    }
    return falls;
  }

  /** Returns iterations a second beside empty jobs. */
  Verdict iterationsBesideJobs(String table) {
    String what = "iterations a second, 4 chains, random walk, beside empty jobs, " + table;
    String wanted = "at least 50 times (goal 100)";
    return measured(table, Targets.FIREFLY)
        .map(
            m -> {
              double jobs = baselines(table).emptyJobsPerSecond();
              double times = m.iterationsPerSecond() / jobs;
              String figure =
                  format("%,.1f times (%,.0f; %,.0f)", times, m.iterationsPerSecond(), jobs);
              return new Verdict(2, what, figure, wanted, Optional.of(times >= 50));
            })
        .orElseGet(() -> missing(2, what, wanted));
  }

  /** Returns the time of sampling beside that of {@code precompute}. */
  Verdict besidePrecompute(String table) {
    String what = "auto, sampling to ESS 1,000 beside precompute, " + table;
    String wanted = "at most 0.5 times";
    return measured(table, Targets.AUTO)
        .map(
            m -> {
              double precompute = baselines(table).precomputeSeconds();
              double ess = m.efficiency().least();
              String figure =
                  format(
                      "%.2f times (%.1f s, with warm-up %.1f s; precompute %.1f s; ESS %,.0f)",
                      m.samplingSeconds() / precompute,
                      m.samplingSeconds(),
                      m.warmupSeconds() + m.samplingSeconds(),
                      precompute,
                      ess);
              boolean met = ess >= ENOUGH && m.samplingSeconds() <= 0.5 * precompute;
              return new Verdict(3, what, figure, wanted, Optional.of(met));
            })
        .orElseGet(() -> missing(3, what, wanted));
  }

  /** Returns iterations a second beside those of the authors' Python. */
  Verdict besidePython(String table) {
    String what =
        "iterations a second, 4 chains, random walk, q = 0.01, beside the authors' Python (5,100), "
            + table;
    String wanted = "at least 8 times";
    return measured(table, Targets.PAPER)
        .map(
            m -> {
              double times = m.iterationsPerSecond() / PYTHON_ITERATIONS_PER_SECOND;
              String figure = format("%,.1f times (%,.0f)", times, m.iterationsPerSecond());
              return new Verdict(4, what, figure, wanted, Optional.of(times >= 8));
            })
        .orElseGet(() -> missing(4, what, wanted));
  }

  /** Returns effective draws a second of the best Firefly beside Hamiltonian Monte Carlo. */
  Verdict besideFullData(String table, double atLeast) {
    String what =
        "ESS a second of the worst coefficient, best firefly beside full-data hmc, " + table;
    String wanted = format("at least %.0f times", atLeast);
    Optional<Measurement> full = measured(table, Targets.FULL_HMC);
    Optional<Row> best =
        Optional.ofNullable(results.get(table)).stream()
            .flatMap(result -> result.rows().stream())
            .filter(row -> row.measurement().isPresent())
            .filter(row -> row.entry().name().startsWith("firefly"))
            .max(Comparator.comparingDouble(Verdicts::essPerSecond));
    if (full.isEmpty() || best.isEmpty()) {
      return missing(4, what, wanted);
    }
    double times = essPerSecond(best.get()) / full.get().leastEssPerSecond();
    String figure = format("%,.1f times (%s)", times, best.get().entry().name());
    return new Verdict(4, what, figure, wanted, Optional.of(times >= atLeast));
  }

  private static double essPerSecond(Row row) {
    return row.measurement().orElseThrow().leastEssPerSecond();
  }

  /** Returns the bandwidth of a pass beside that of a plain loop. */
  Verdict besideStream(String table) {
    String what = "value and gradient at one θ, bytes a second beside a plain loop, " + table;
    String wanted = "at least 0.5 times";
    if (!results.containsKey(table)) {
      return missing(5, what, wanted);
    }
    Baselines b = baselines(table);
    double times = b.passBytesPerSecond() / b.streamBytesPerSecond();
    String figure =
        format(
            "%.2f times (%.1f GB/s; %.1f GB/s)",
            times, 1e-9 * b.passBytesPerSecond(), 1e-9 * b.streamBytesPerSecond());
    return new Verdict(5, what, figure, wanted, Optional.of(times >= 0.5));
  }

  /** Returns what the rows take, brightness and hazards included, beside their numbers alone. */
  Verdict resident(String table) {
    String what = "resident bytes, firefly, beside 8 n (d + 1), " + table;
    String wanted = "at most 1.3 times";
    return measured(table, Targets.FIREFLY)
        .map(
            m -> {
              Baselines b = baselines(table);
              double times = m.residentBytes() / (8.0 * b.rows() * b.coefficients());
              String figure = format("%.2f times (%.2f GB)", times, 1e-9 * m.residentBytes());
              return new Verdict(6, what, figure, wanted, Optional.of(times <= 1.3));
            })
        .orElseGet(() -> missing(6, what, wanted));
  }

  private Baselines baselines(String table) {
    SubjectResult result = results.get(table);
    if (result == null) {
      throw new IllegalArgumentException("no table " + table);
    }
    return result.baselines();
  }

  private Optional<Measurement> measured(String table, String entry) {
    return Optional.ofNullable(results.get(table)).flatMap(result -> result.measurement(entry));
  }

  private static Verdict missing(int target, String what, String wanted) {
    return new Verdict(target, what, "not measured", wanted, Optional.empty());
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
