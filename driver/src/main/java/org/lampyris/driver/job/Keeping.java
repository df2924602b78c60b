package org.lampyris.driver.job;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.job.RunCheckpoints.Found;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.driver.progress.Progress;
import org.lampyris.executors.table.LibraryVersion;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.SamplingAlgorithm.Resumption;
import org.lampyris.samplers.chain.Checkpoints;

/** Which checkpoints a run keeps, and from which it goes on. */
final class Keeping {
  private final Configuration conf;
  private final CheckpointFolder folder;
  private final RunIdentity identity;
  private final Going going;
  private @Nullable Found found;

  private Keeping(Configuration conf, CheckpointFolder folder, RunIdentity identity, Going going) {
    this.conf = conf;
    this.folder = folder;
    this.identity = identity;
    this.going = going;
  }

  /**
   * Looks for a checkpoint, where the run is to go on from one.
   *
   * @throws UserException (usage) if it is of another run, or the algorithm has none
   */
  static Keeping of(
      SparkSession spark,
      JobConfig job,
      TableSchema schema,
      LaplaceApproximation laplace,
      Going going) {
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    CheckpointFolder folder = new CheckpointFolder(conf, job.outputFolder());
    RunIdentity identity = RunIdentity.of(LibraryVersion.get(), schema.fingerprint(), laplace, job);
    Keeping keeping = new Keeping(conf, folder, identity, going);
    if (going.mode() == Going.Mode.RESUMED) {
      Optional<SamplingAlgorithm> type = job.sampler().type();
      if (type.isPresent() && type.get().resumption() == Resumption.NONE) {
        throw UserException.usage(
            "--resume: sampler.algorithm: %s keeps no checkpoint, as its chains end in the tasks that they begin in; leave --resume out, and all is drawn anew."
                .formatted(type.get().name()));
      }
      keeping.found = Found.in(folder).orElse(null);
      if (keeping.found != null) {
        keeping.found.require(identity);
      }
    }
    return keeping;
  }

  /** Returns over how many partitions the table is to be spread, if the user wants so many. */
  int partitions(int wanted) {
    return found == null ? wanted : found.partitions();
  }

  /** Returns the algorithm that was chosen before. */
  Optional<String> algorithm() {
    return Optional.ofNullable(found).map(Found::algorithm);
  }

  /** Returns what keeps the checkpoints of an algorithm; what one leaves, no other goes on from. */
  Checkpoints checkpoints(
      SamplerSettings chosen,
      int partitions,
      Function<List<String>, SampledRun.Variables> variables,
      Progress progress) {
    if (going.mode() == Going.Mode.WITHOUT_CHECKPOINTS) {
      return new Checkpoints.None();
    }
    RunCheckpoints.Run run =
        new RunCheckpoints.Run(identity, chosen, partitions, variables, progress, going.halt());
    Found from = found;
    found = null;
    return from != null && from.algorithm().equals(chosen.algorithm())
        ? RunCheckpoints.resume(conf, from, run)
        : RunCheckpoints.begin(conf, folder, run);
  }

  /** Notes that all is drawn: from here on, an interruption is not waited for. */
  void drawn() {
    going.halt().ended();
  }
}
