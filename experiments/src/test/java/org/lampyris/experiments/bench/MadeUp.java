package org.lampyris.experiments.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.lampyris.experiments.study.Efficiency;

/** Figures made up. */
final class MadeUp {
  /** 1 GB of 1,000 rows; 200 jobs/s; 8 GB/s; a pass in 0.2 s; precompute in 40 s. */
  static final Figures BASELINES = baselines(1000, 0.2);

  private MadeUp() {}

  static Figures baselines(long rows, double passSeconds) {
    Map<String, Number> figures = new LinkedHashMap<>();
    figures.put("rows", rows);
    figures.put("coefficients", 21);
    figures.put("bytes", 1_000_000_000L);
    figures.put("empty_jobs_per_second", 200.0);
    figures.put("threads", 2);
    figures.put("stream_bytes_per_second", 8e9);
    figures.put("pass_seconds", passSeconds);
    figures.put("pass_bytes_per_second", 1e9 / passSeconds);
    figures.put("load_seconds", 3.0);
    figures.put("precompute_seconds", 40.0);
    figures.put("precompute_passes", 7);
    return new Figures(figures);
  }

  /** Four chains of 1,000 draws. */
  static Measurement measured(double evaluations, double seconds, double ess) {
    return measured(evaluations, seconds, ess, ess);
  }

  static Measurement measured(double evaluations, double seconds, double ess, double median) {
    Map<String, Number> figures = new LinkedHashMap<>();
    figures.put("chains", 4);
    figures.put("warmup", 500);
    figures.put("draws", 1000);
    figures.put("rhat_max", 1.005);
    figures.put("jobs", 10L);
    figures.put("resident_bytes", 218_400L);
    figures.put("load_seconds", 1.0);
    figures.put("warmup_seconds", 5.0);
    figures.put("sample_seconds", seconds);
    Efficiency efficiency = new Efficiency(4000, evaluations, 0.01, ess, median, median);
    return Measurement.of(new Figures(figures), efficiency, List.of("plan: a, \"b\""));
  }

  static Row row(String name, Measurement measurement) {
    BenchEntry entry =
        new BenchEntry(name, List.of(), 500, 500, new Goal(Goal.Measure.SECONDS, 10));
    return new Row(entry, Optional.of(measurement), "");
  }

  static SubjectResult result(Subject subject, Row... rows) {
    return new SubjectResult(subject, BASELINES, Arrays.asList(rows));
  }
}
