package org.lampyris.driver.job;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.driver.output.Workers;
import org.lampyris.driver.progress.Progress;
import org.lampyris.executors.table.LibraryVersion;
import org.lampyris.executors.table.StorageProblem;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Checkpoint;
import org.lampyris.samplers.chain.Checkpoints;
import org.lampyris.samplers.chain.Column;
import org.lampyris.samplers.rows.RowStates;

/** Checkpoints that a run keeps in its output folder, and the one that it resumes. */
final class RunCheckpoints {
  private final Configuration conf;
  private final CheckpointFolder folder;
  private final RunIdentity identity;
  private final Going going;
  private CheckpointFolder.@Nullable Description found;

  private RunCheckpoints(
      Configuration conf, CheckpointFolder folder, RunIdentity identity, Going going) {
    this.conf = conf;
    this.folder = folder;
    this.identity = identity;
    this.going = going;
  }

  /**
   * Looks for a checkpoint, if the run should resume one.
   *
   * @param progress is warned if the last one is damaged, and the one before is used
   * @throws UserException (usage) if the algorithm keeps none, or the checkpoint belongs to another
   *     run with other draws
   */
  static RunCheckpoints of(
      SparkSession spark,
      JobConfig job,
      TableSchema schema,
      LaplaceApproximation laplace,
      Going going,
      Progress progress) {
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    CheckpointFolder folder = new CheckpointFolder(conf, job.outputFolder());
    RunIdentity identity = RunIdentity.of(LibraryVersion.get(), schema.fingerprint(), laplace, job);
    RunCheckpoints checkpoints = new RunCheckpoints(conf, folder, identity, going);
    if (going.mode() == Going.Mode.RESUMED) {
      Optional<SamplingAlgorithm> type = job.sampler().type();
      if (type.isPresent() && type.get().has(Trait.NOT_RESUMED)) {
        throw UserException.usage(
            "--resume: sampler.algorithm: %s keeps no checkpoint, because all its draws are made in one step. Remove --resume to draw all again."
                .formatted(type.get().name()));
      }
      checkpoints.found =
          folder.last((rows, places) -> damage(spark, rows, places), progress::warn).orElse(null);
      if (checkpoints.found != null) {
        String version = checkpoints.found.identity().lampyris();
        if (!version.equals(identity.lampyris())) {
          progress.warn(
              "the checkpoint in %s was written by Lampyris %s; draws after iteration %,d come from Lampyris %s"
                  .formatted(
                      folder,
                      version,
                      checkpoints.found.reached().iteration(),
                      identity.lampyris()));
        }
        List<String> differences = checkpoints.found.identity().differences(identity);
        if (!differences.isEmpty()) {
          throw UserException.usage(
              "--resume: the run in %s cannot be resumed: %s. Restore these settings, or start again with --overwrite."
                  .formatted(folder, String.join("; ", differences)));
        }
      }
    }
    return checkpoints;
  }

  /** Reads the files of rows' states in tasks, as they may be large, and returns what is wrong. */
  private static Optional<String> damage(SparkSession spark, PlaceFiles rows, int places) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    List<Integer> all = IntStream.range(0, places).boxed().toList();
    return context
        .parallelize(new ArrayList<>(all), Math.min(places, context.defaultParallelism()))
        .map(place -> rows.damage(place).orElse(""))
        .collect()
        .stream()
        .filter(damage -> !damage.isEmpty())
        .findFirst();
  }

  /** Returns the number of partitions for the table, given the number that the user wants. */
  int partitions(int wanted) {
    return found == null ? wanted : found.partitions();
  }

  /** Returns the algorithm that was chosen before. */
  Optional<String> algorithm() {
    return Optional.ofNullable(found).map(CheckpointFolder.Description::algorithm);
  }

  /**
   * Returns the checkpoints of an algorithm; no other algorithm resumes them.
   *
   * @param variables what the elements of a draw are, given the names of those after θ
   * @throws UserException (usage) if it cannot go on to as many draws
   */
  Checkpoints of(
      SamplerSettings chosen,
      int partitions,
      Function<List<String>, SampledRun.Variables> variables,
      Progress progress) {
    if (going.mode() == Going.Mode.WITHOUT_CHECKPOINTS) {
      return new Checkpoints.None();
    }
    Run run = new Run(identity, chosen, partitions, variables, progress, going);
    CheckpointFolder.Description from = found;
    found = null;
    if (from != null && from.algorithm().equals(chosen.algorithm())) {
      return new Kept(conf, folder, run, from);
    }
    going.fence().require();
    folder.clear();
    return run.algorithm().has(Trait.NOT_RESUMED) || chosen.execution().checkpointMinutes() == 0
        ? new Checkpoints.None()
        : new Kept(conf, folder, run, null);
  }

  /** Notes that all is drawn: from here on, an interruption is not waited for. */
  void drawn() {
    going.halt().ended();
  }

  /**
   * State of a run that is kept.
   *
   * @param settings with the algorithm chosen
   * @param partitions over how many partitions the table is spread
   * @param variables what the elements of a draw are, given the names of those after θ
   * @param progress reports failures to write
   */
  private record Run(
      RunIdentity identity,
      SamplerSettings settings,
      int partitions,
      Function<List<String>, SampledRun.Variables> variables,
      Progress progress,
      Going going) {
    Halt halt() {
      return going.halt();
    }

    SamplingAlgorithm algorithm() {
      return settings.type().orElseThrow();
    }

    private long iterations() {
      return settings.run().warmup() + (long) settings.run().draws() * settings.run().thin();
    }
  }

  /**
   * Checkpoints of an algorithm in the output folder, written every {@code
   * sampler.checkpoint_minutes}, on a request to halt, and at the end.
   *
   * <p>If one cannot be written, the chains continue and the next attempt follows in its turn. The
   * driver keeps the draws until then. At the end it has to be.
   */
  private static final class Kept implements Checkpoints {
    private final CheckpointFolder folder;
    private final Run run;
    private final TraceParts files;
    private final @Nullable Resumed from;
    private final int fromNumber;
    private final List<Integer> parts = new ArrayList<>();
    private final Map<String, FileCheck> partFiles = new TreeMap<>();
    private int number;
    private List<TraceParts.Stretch> written;
    private long lastNanos = System.nanoTime();

    Kept(
        Configuration conf,
        CheckpointFolder folder,
        Run run,
        CheckpointFolder.@Nullable Description found) {
      this.folder = folder;
      this.run = run;
      run.halt().begun();
      this.files =
          new TraceParts(conf, run.algorithm().columns().stream().map(Column::name).toList());
      if (found == null) {
        this.from = null;
        this.fromNumber = 0;
        this.written = List.of();
      } else {
        this.fromNumber = found.number();
        this.number = fromNumber;
        this.parts.addAll(found.parts());
        this.partFiles.putAll(found.files());
        this.partFiles.keySet().removeIf(file -> file.startsWith(found.state() + "/"));
        this.from = read(found);
        this.written = stretches(from.traces());
      }
    }

    private Resumed read(CheckpointFolder.Description description) {
      requireReachable(description);
      Checkpoint checkpoint = folder.states(description);
      int chains = checkpoint.chains().size();
      List<ChainTrace> traces = new ArrayList<>();
      for (int c = 0; c < chains; c++) {
        ChainTrace trace = ChainTrace.overflowing(c + 1);
        trace.begin(description.reached().initialEvaluations().get(c), Double.NaN);
        traces.add(trace);
      }
      try {
        for (int part : parts) {
          files.readDraws(folder.part(CheckpointFolder.DRAWS, part), traces);
          files.readSteps(folder.part(CheckpointFolder.STEPS, part), traces);
        }
        run.going.fence().require();
        folder.tidy(description, 0);
      } catch (IOException | RuntimeException e) {
        throw StorageProblem.reading("the draws in " + folder, e);
      }
      for (int c = 0; c < chains; c++) {
        traces.get(c).freeze(checkpoint.chains().get(c).stepSize());
        long there = (long) traces.get(c).warmup().size() + traces.get(c).sampling().size();
        if (there != description.reached().iteration()) {
          throw UserException.data(
              "the statistics in %s are of %d iterations of chain %d, but its checkpoint has %d. Start again with --overwrite."
                  .formatted(folder, there, c + 1, description.reached().iteration()));
        }
      }
      return new Resumed(checkpoint, traces, folder.rows(description));
    }

    private void requireReachable(CheckpointFolder.Description description) {
      int wanted = run.settings.run().draws();
      if (description.reached().iteration() > run.iterations()) {
        throw UserException.usage(
            "--resume: the run in %s has made %d iterations of each chain, but sampler.draws: %d takes only %d. Set it to as many draws, or more."
                .formatted(folder, description.reached().iteration(), wanted, run.iterations()));
      }
      if (run.algorithm().has(Trait.RESUMED_TO_SAME_DRAWS)
          && wanted != description.reached().wanted()) {
        throw UserException.usage(
            "--resume: sampler.algorithm: %s spreads the kept effects over all draws, so sampler.draws cannot change. Set it to %d again."
                .formatted(run.algorithm().name(), description.reached().wanted()));
      }
    }

    private static List<TraceParts.Stretch> stretches(List<ChainTrace> traces) {
      return traces.stream()
          .map(
              trace ->
                  new TraceParts.Stretch(
                      trace, trace.size(), trace.warmup().size(), trace.sampling().size()))
          .toList();
    }

    @Override
    public boolean isKept() {
      return true;
    }

    @Override
    public Optional<Resumed> resumed() {
      return Optional.ofNullable(from);
    }

    @Override
    public boolean isDue() {
      double seconds = 1e-9 * (System.nanoTime() - lastNanos);
      return run.halt().isRequested()
          || seconds >= 60 * run.settings.execution().checkpointMinutes();
    }

    @Override
    public void keep(
        long iteration,
        Function<RowStates.Store, Checkpoint> made,
        List<ChainTrace> traces,
        List<String> beyond) {
      boolean ended = iteration == run.iterations();
      run.going.fence().require();
      try {
        write(made.apply(folder.rows(number + 1)), traces, beyond);
      } catch (Exception | FSError e) { // Spark's methods do not declare all; a full local disk
        run.going.fence().require(); // what is there may be another process's
        UserException problem = StorageProblem.writing(folder.toString(), e);
        folder.discard(number + 1, problem);
        if (ended || run.halt().isRequested() || e instanceof InterruptedException) {
          throw problem;
        }
        run.progress.warn(
            "no checkpoint was written: %s; the chains continue, and the next attempt follows later"
                .formatted(problem.getMessage()));
      }
      lastNanos = System.nanoTime();
      if (run.halt().isRequested() && !ended) {
        throw new Halt.Halted("the chains have halted");
      }
    }

    private void write(Checkpoint checkpoint, List<ChainTrace> traces, List<String> beyond)
        throws IOException {
      int next = number + 1;
      List<TraceParts.Stretch> now = new ArrayList<>();
      for (int c = 0; c < traces.size(); c++) {
        TraceParts.Stretch before =
            written.isEmpty() ? new TraceParts.Stretch(traces.get(c), 0, 0, 0) : written.get(c);
        now.add(
            new TraceParts.Stretch(
                traces.get(c), before.draws(), before.warmup(), before.sampling()));
      }
      SampledRun.Variables variables = run.variables.apply(beyond);
      Path draws = folder.hidden(CheckpointFolder.DRAWS, next);
      Path steps = folder.hidden(CheckpointFolder.STEPS, next);
      Workers.run(
          List.of(
              () -> files.writeDraws(draws, now, variables.names(), variables.toInputScale()),
              () -> files.writeSteps(steps, now)),
          Workers.threads(0),
          done -> {});
      run.going.fence().require();
      Map<String, FileCheck> allFiles = new TreeMap<>(partFiles);
      folder.show(draws, folder.part(CheckpointFolder.DRAWS, next), allFiles);
      folder.show(steps, folder.part(CheckpointFolder.STEPS, next), allFiles);
      byte[] states = CheckpointFolder.packed(checkpoint);
      List<Integer> withNext = new ArrayList<>(parts);
      withNext.add(next);
      CheckpointFolder.Description description =
          new CheckpointFolder.Description(
              CheckpointFolder.FORMAT,
              next,
              run.identity,
              run.algorithm().name(),
              new CheckpointFolder.Reached(
                  run.settings.run().draws(),
                  checkpoint.iteration(),
                  traces.stream().map(ChainTrace::initialEvaluations).toList()),
              withNext,
              run.partitions,
              checkpoint.rows() == null ? 0 : checkpoint.rows().places(),
              allFiles);
      folder.write(description, states);
      number = next;
      parts.add(next);
      partFiles.putAll(allFiles);
      written = stretches(traces);
      run.halt()
          .keeps(
              "%,d iterations of each chain are kept in %s. To continue, repeat the command with --resume."
                  .formatted(checkpoint.iteration(), folder));
      run.going.fence().require(); // newer ones are another process's
      folder.tidy(description, fromNumber);
    }
  }
}
