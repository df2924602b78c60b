package org.lampyris.driver.steps;

import java.util.function.Consumer;
import org.apache.spark.sql.SparkSession;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.driver.progress.Progress;

/**
 * What the commands are made of. All throw {@link org.lampyris.bounds.config.UserException} for
 * what the user can mend.
 */
public interface Steps {

  /**
   * Writes a synthetic table.
   *
   * @param overwrite whether an existing one is replaced
   * @param progress takes lines that say what is done
   */
  void generate(SparkSession spark, JobConfig config, boolean overwrite, Consumer<String> progress);

  /**
   * Writes the prepared table, from an input whose columns go with the priors of the model.
   *
   * @param overwrite whether an existing table is replaced
   * @param progress takes lines that say what is done
   */
  void prepare(SparkSession spark, JobConfig config, boolean overwrite, Consumer<String> progress);

  /**
   * Finds the mode and writes the bounds artefact, from the prepared table.
   *
   * @param overwrite whether an existing artefact is replaced
   * @param progress takes lines that say what is done
   */
  void precompute(
      SparkSession spark, JobConfig config, boolean overwrite, Consumer<String> progress);

  /**
   * Runs the chains on the prepared table and the bounds artefact. Writes nothing.
   *
   * @param progress is given the phases of sampling; none is open before or after
   */
  SampledRun sample(SparkSession spark, JobConfig config, Progress progress);

  /**
   * Returns what summarises coefficients.
   *
   * @param chains how many chains there are
   * @param iterations how many draws each has
   */
  Draws.Summarizer summarizer(int chains, int iterations);
}
