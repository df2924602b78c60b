package org.lampyris.driver.steps;

import java.util.function.Consumer;
import org.apache.spark.sql.SparkSession;
import org.lampyris.dataprep.generate.GenerateSpec;
import org.lampyris.dataprep.prepare.PrepareSpec;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.driver.output.SummaryRow;
import org.lampyris.driver.progress.Progress;

/** The steps as the modules provide them. */
public final class SparkSteps implements Steps {

  @Override
  public void requirePrior(String text) {
    throw new UnsupportedOperationException("prior");
  }

  @Override
  public void generate(SparkSession spark, GenerateSpec spec, Consumer<String> progress) {
    throw new UnsupportedOperationException("generate");
  }

  @Override
  public void prepare(SparkSession spark, PrepareSpec spec, Consumer<String> progress) {
    throw new UnsupportedOperationException("prepare");
  }

  @Override
  public void precompute(
      SparkSession spark, JobConfig config, boolean overwrite, Consumer<String> progress) {
    throw new UnsupportedOperationException("precompute");
  }

  @Override
  public SampledRun sample(SparkSession spark, JobConfig config, Progress progress) {
    throw new UnsupportedOperationException("sample");
  }

  @Override
  public SummaryRow summarize(String variable, double[][] draws) {
    throw new UnsupportedOperationException("summarize");
  }
}
