package org.lampyris.driver.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.lampyris.driver.output.Efficiency;

/** Figures made up. */
final class Figures {
  /** 1 GB of 1,000 rows; 200 jobs/s; 8 GB/s; a pass in 0.2 s; precompute in 40 s. */
  static final Baselines BASELINES =
      new Baselines(1000, 21, 1_000_000_000, 200, 8e9, 0.2, 3, 40, 7, 2);

  private Figures() {}

  /** Four chains of 1,000 draws. */
  static Measurement measured(double evaluations, double seconds, double ess) {
    return measured(evaluations, seconds, ess, ess);
  }

  static Measurement measured(double evaluations, double seconds, double ess, double median) {
    Efficiency efficiency = new Efficiency(4000, evaluations, 0.01, ess, median, median);
    return new Measurement(
        4, 500, 1000, efficiency, 1, 5, seconds, 10, 218_400, 1.005, List.of("plan: a, \"b\""));
  }

  static Row row(String name, Measurement measurement) {
    Entry entry = new Entry(name, List.of(), 500, 500, new Goal(Goal.Measure.SECONDS, 10));
    return new Row(entry, Optional.of(measurement), "");
  }

  static SubjectResult result(Subject subject, Row... rows) {
    return new SubjectResult(subject, BASELINES, Arrays.asList(rows));
  }
}
