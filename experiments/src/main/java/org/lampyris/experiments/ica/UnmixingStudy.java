package org.lampyris.experiments.ica;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.samplers.chain.ChainTrace;

/** The runs of an experiment on signals whose mixture is known; the first of them is exact. */
public final class UnmixingStudy {
  /** How many pairs a design is chosen by, and how many others it is held against. */
  private static final int PAIRS = 100;

  private final SparkSession spark;
  private final Signals signals;
  private final List<RiskTable.Run> runs = new ArrayList<>();
  private final List<DesignTable.Place> places = new ArrayList<>();
  private double[] mixture = {};

  /** Takes what the table is made of. */
  public UnmixingStudy(SparkSession spark, Signals signals) {
    this.spark = spark;
    this.signals = signals;
  }

  /** Writes the table. */
  public void write(String path) {
    mixture = signals.write(spark, path);
  }

  /** Adds a run. */
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

  /** Returns the risk of the runs' estimates. */
  public RiskTable risk() {
    return new RiskTable(signals.rows(), runs);
  }

  /** Returns what designs of the test come to on proposals from the first run. */
  public DesignTable designs() {
    return DesignTable.of(signals.blocks(spark), places);
  }
}
