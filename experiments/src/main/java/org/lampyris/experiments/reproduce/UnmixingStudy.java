package org.lampyris.experiments.reproduce;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.experiments.study.Study;
import org.lampyris.samplers.chain.ChainTrace;

/** Runs of an experiment on signals with a known mixture; the first of them is exact. */
public final class UnmixingStudy implements Study {
  /** Number of pairs for choosing a design, and of others for testing it. */
  private static final int PAIRS = 100;

  private final SparkSession spark;
  private final Signals signals;
  private final List<RiskTable.Run> runs = new ArrayList<>();
  private final List<DesignTable.Place> places = new ArrayList<>();
  private double[] mixture = {};

  /** Takes the signals of the table. */
  public UnmixingStudy(SparkSession spark, Signals signals) {
    this.spark = spark;
    this.signals = signals;
  }

  /** Writes the table. */
  public void write(String path) {
    mixture = signals.write(spark, path);
  }

  @Override
  public void add(String name, SampledRun sampled) {
    if (runs.isEmpty()) {
      List<ChainTrace> chains = sampled.chains();
      for (int i = 0; i < 2 * PAIRS; i++) {
        ChainTrace chain = chains.get(i % chains.size());
        int draw = (int) ((long) i * chain.size() / (2 * PAIRS));
        places.add(new DesignTable.Place(chain.draws().get(draw), chain.stepSize()));
      }
    }
    runs.add(RiskTable.Run.of(name, sampled.chains(), mixture));
  }

  /**
   * {@inheritDoc} The risk of the estimates, and designs of the test on the first run's proposals.
   */
  @Override
  public Map<String, String> files() {
    RiskTable risk = new RiskTable(signals.rows(), runs);
    DesignTable designs = DesignTable.of(signals.blocks(spark), places);
    Map<String, String> files = new LinkedHashMap<>();
    files.put("risk.md", risk.markdown());
    files.put("risk.csv", risk.csv());
    files.put("risk.svg", risk.svg());
    files.put("designs.md", designs.markdown());
    files.put("designs.csv", designs.csv());
    files.put("designs.svg", designs.svg());
    return files;
  }
}
