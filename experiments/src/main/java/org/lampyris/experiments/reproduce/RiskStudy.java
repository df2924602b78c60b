package org.lampyris.experiments.reproduce;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.driver.report.Chart;
import org.lampyris.driver.report.Curve;
import org.lampyris.experiments.study.Study;

/** Curves of {@link PredictiveRisk}, as CSV and as a picture. */
public final class RiskStudy implements Study {
  private PredictiveRisk risk;
  private final String title;
  private final List<Curve> curves = new ArrayList<>();

  /** Takes the test rows; without a truth, that of the first row of the table. */
  public RiskStudy(PredictiveRisk risk, String title) {
    this.risk = risk;
    this.title = title;
  }

  @Override
  public void add(String row, SampledRun run) {
    if (risk.truth().length == 0) {
      risk = risk.takenFrom(run);
    } else {
      curves.add(risk.curve(row, run));
    }
  }

  @Override
  public Map<String, String> files() {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("risk.csv", PredictiveRisk.csv(curves));
    files.put(
        "risk.svg",
        Chart.of(title)
            .axes("likelihood evaluations of a chain", "risk")
            .logX()
            .logY()
            .lines(curves)
            .file());
    return files;
  }
}
