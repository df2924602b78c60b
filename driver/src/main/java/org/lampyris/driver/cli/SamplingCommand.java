package org.lampyris.driver.cli;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.NeededKey;
import org.lampyris.driver.job.CheckpointFolder;
import org.lampyris.driver.job.Going;
import org.lampyris.driver.job.Going.Fence;
import org.lampyris.driver.job.Going.Mode;
import org.lampyris.driver.job.Halt;
import org.lampyris.driver.job.Pipeline;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.output.RunWriter;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.driver.progress.Progress;
import org.lampyris.driver.report.ReportJob;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.lampyris.samplers.run.ChainSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Draws from the posterior, from a prepared table and its bounds. */
abstract class SamplingCommand extends JobCommand {
  @Mixin private final TruthOption truth = new TruthOption();

  @Option(
      names = "--not-converged",
      paramLabel = "<0|4>",
      description =
          "The exit code if the draws are kept but R-hat or the effective sample sizes are poor"
              + " (default: 4).")
  private int notConverged = ExitCode.NOT_CONVERGED;

  /** What a command on a prepared table needs. */
  private static final Set<NeededKey> ON_TABLE =
      EnumSet.of(NeededKey.OUTPUT, NeededKey.PREPARED, NeededKey.BOUNDS);

  final Set<NeededKey> needs;

  SamplingCommand(String name, Set<NeededKey> needs, Steps steps, Console console) {
    super(name, steps, console);
    this.needs = needs;
  }

  /** Reads the configuration. */
  JobConfig read() throws IOException {
    return config.read(name, needs);
  }

  /** Checks before the first phase for later refusals: that rows are stored. */
  void check(JobConfig job, Configuration conf) throws IOException {
    job.requireRows(name);
  }

  /** Runs the phases before sampling: none. */
  void begin(
      Sampling sampling, SparkSession spark, JobConfig job, Progress progress, Fence fence) {}

  /** Looks for results of an earlier attempt. */
  void look(JobConfig job, Configuration conf) throws IOException {}

  /** Returns the configuration with the table that is sampled. */
  JobConfig onTable(JobConfig job, Configuration conf) throws IOException {
    return job;
  }

  /** Returns the draws. */
  SampledRun sampled(SparkSession spark, JobConfig job, Progress progress, Fence fence)
      throws IOException {
    Halt halt = new Halt(console.interruption()::keeps);
    console.interruption().halts(halt::request);
    return steps.sample(
        spark, job, progress, new Going(resumes() ? Mode.RESUMED : Mode.ANEW, halt, fence));
  }

  /** Returns whether the run resumes its checkpoint, if there is one. */
  boolean resumes() {
    return false;
  }

  private Session looked(JobConfig job) throws IOException {
    Session session = Session.open(name, run.verbose());
    try {
      look(job, session.hadoop());
      return session;
    } catch (IOException | RuntimeException e) {
      session.close();
      throw e;
    }
  }

  /** Returns whether results may be replaced: a resumed run may replace its own. */
  private boolean replaces(JobConfig job, Configuration conf) {
    return overwrite.overwrite()
        || (resumes() && new CheckpointFolder(conf, job.outputFolder()).isKept());
  }

  /** Refuses to start if an earlier run has not ended. */
  private void requireNoCheckpoint(JobConfig job, Configuration conf) {
    if (!overwrite.overwrite() && !resumes()) {
      CheckpointFolder there = new CheckpointFolder(conf, job.outputFolder());
      if (there.isKept()) {
        throw UserException.usage(
            "%s holds the checkpoint of a run. Add --resume to continue it, or --overwrite to start again."
                .formatted(there));
      }
    }
  }

  /** Prints the phases before sampling. */
  abstract void tellBefore(JobConfig job, Configuration conf) throws IOException;

  private int tell(JobConfig job, Configuration conf) throws IOException {
    look(job, conf);
    if (!replaces(job, conf)) {
      RunWriter.requireNone(conf, job.outputFolder());
    }
    requireNoCheckpoint(job, conf);
    JobConfig onTable = onTable(job, conf);
    check(onTable, conf);
    truth.read(conf);
    tellBefore(onTable, conf);
    SamplerSettings sampler = onTable.sampler();
    boolean goesOn = resumes() && new CheckpointFolder(conf, job.outputFolder()).isKept();
    console
        .out()
        .println(
            "sample: %s, by %s%s"
                .formatted(
                    draws(sampler),
                    sampler.algorithm(),
                    goesOn ? ", resuming from the checkpoint" : ""));
    sampler.warnings().forEach(warning -> console.out().println("warning: " + warning));
    console.out().println("write: " + job.outputFolder());
    return told();
  }

  private static String draws(SamplerSettings sampler) {
    ChainSettings run = sampler.run();
    if (sampler.type().map(one -> one.has(Trait.INDEPENDENT)).orElse(false)) {
      return Text.of("%,d independent draws", (long) run.chains() * run.draws());
    }
    return "%s chains, each %s draws after %s iterations of warm-up%s"
        .formatted(
            run.chains(),
            run.draws(),
            run.warmup(),
            sampler.type().isEmpty() ? ", or as many independent draws" : "");
  }

  @Override
  public Integer call() throws IOException {
    if (notConverged != ExitCode.OK && notConverged != ExitCode.NOT_CONVERGED) {
      throw UserException.usage("--not-converged must be 0 or 4, not " + notConverged + ".");
    }
    JobConfig job = read();
    if (isDryRun()) {
      return tell(job, withoutSession());
    }
    Sampling sampling = new Sampling(steps, name);
    SampledRun sampled;
    List<VariableSummary> summary;
    Map<String, Double> values;
    try (Session session = looked(job);
        Progress progress = console.progress(session)) {
      try (RunWriter writer =
          RunWriter.reserve(
              session.hadoop(), job.outputFolder(), replaces(job, session.hadoop()))) {
        requireNoCheckpoint(job, session.hadoop());
        job = onTable(job, session.hadoop());
        check(job, session.hadoop());
        values = truth.read(session.hadoop());
        job.sampler().warnings().forEach(progress::warn);
        begin(sampling, session.spark(), job, progress, writer::requireHeld);
        sampled = sampled(session.spark(), job, progress, writer::requireHeld);
        summary = sampling.write(sampled, job, writer, progress);
      }
      // The folder has one writer at a time.
      ReportJob.after(session.spark(), steps.rows(session.spark()), job.outputFolder(), progress);
    }
    int code = Sampling.show(console, job.outputFolder(), sampled, summary, values);
    return code == ExitCode.NOT_CONVERGED ? notConverged : code;
  }

  /** The option of commands that may resume a checkpoint. */
  private static final class ResumeOption {
    @Option(
        names = "--resume",
        description =
            "Resume from the checkpoint in the output folder, with the same draws as without the"
                + " interruption. A larger sampler.draws adds draws. Without a checkpoint, start"
                + " from the beginning.")
    private boolean resume;
  }

  /** Samples alone. */
  @Command(
      name = "sample",
      description = "Draw from the posterior of a prepared table, with its bounds.",
      footer = {
        "",
        "Example. Draw again from a prepared table, and resume a checkpoint for more draws:",
        "  lampyris sample --config clicks.yaml --overwrite --set sampler.seed=2",
        "  lampyris sample --config clicks.yaml --resume --set sampler.draws=8000"
      })
  static final class Sample extends SamplingCommand {
    @Mixin private final ResumeOption resume = new ResumeOption();

    @Override
    boolean resumes() {
      return resume.resume;
    }

    Sample(Steps steps, Console console) {
      super("sample", ON_TABLE, steps, console);
    }

    @Override
    public Integer call() throws IOException {
      console
          .interruption()
          .keeps("The prepared table and the bounds are unchanged. Repeat the command.");
      return super.call();
    }

    @Override
    void tellBefore(JobConfig job, Configuration conf) throws IOException {
      tellMade("prepared table", job.preparedFolder(), "prepare", conf);
      tellMade("artefact", job.boundsFolder(), "precompute", conf);
    }
  }

  /** Combines the kept subposteriors of a run with shards. */
  @Command(
      name = "combine",
      description =
          "Combine the subposteriors of an earlier run with sampler.algorithm: shards in another"
              + " way (sampler.shards.combine), without sampling again.",
      footer = {
        "",
        "Example. Combine the shards of runs/clicks in another way, as in clicks-wasp.yaml:",
        "  lampyris combine --config clicks-wasp.yaml --from runs/clicks"
      })
  static final class Combine extends SamplingCommand {
    @Option(
        names = "--from",
        required = true,
        paramLabel = "<folder>",
        description =
            "The output folder of the run with shards. Its table and bounds are used unless the"
                + " configuration names others.")
    private String from = "";

    Combine(Steps steps, Console console) {
      super("combine", ON_TABLE, steps, console);
    }

    @Override
    void tellBefore(JobConfig job, Configuration conf) throws IOException {
      tellMade("run", from, "run", conf);
    }

    @Override
    JobConfig onTable(JobConfig job, Configuration conf) throws IOException {
      return RunOutput.open(conf, from).onTable(job);
    }

    @Override
    SampledRun sampled(SparkSession spark, JobConfig job, Progress progress, Fence fence)
        throws IOException {
      return steps.combine(spark, job, from, progress);
    }
  }

  /** Prepares, precomputes and samples. */
  @Command(
      name = "run",
      description = "Prepare, precompute and sample in one command.",
      footer = {
        "",
        "Example. Prepare, precompute and sample, with more draws than in the file:",
        "  lampyris run --config clicks.yaml --set sampler.draws=2000"
      })
  static class Run extends SamplingCommand {
    @Mixin private final ResumeOption resume = new ResumeOption();

    /** Results of an earlier attempt of the same run, which are reused. */
    private Found found = new Found(false, false, false, false);

    /**
     * Results of an earlier attempt.
     *
     * @param ownTable whether a table where this one goes may be replaced, being the run's own
     * @param ownBounds whether bounds may
     * @param table whether the table is what would be made
     * @param bounds whether the bounds are
     */
    private record Found(boolean ownTable, boolean ownBounds, boolean table, boolean bounds) {}

    @Override
    boolean resumes() {
      return resume.resume || (found.table && found.bounds);
    }

    @Override
    void look(JobConfig job, Configuration conf) throws IOException {
      Pipeline pipeline = Pipeline.of(conf, job);
      boolean table = !overwrite.overwrite() && pipeline.table().isMade();
      found =
          new Found(
              pipeline.table().isOwn(),
              pipeline.bounds().isOwn(),
              table,
              table && pipeline.bounds().isMade());
    }

    Run(Steps steps, Console console) {
      this("run", steps, console);
    }

    Run(String name, Steps steps, Console console) {
      super(name, EnumSet.complementOf(EnumSet.of(NeededKey.GENERATE_OUTPUT)), steps, console);
    }

    @Override
    void check(JobConfig job, Configuration conf) throws IOException {
      // What an earlier attempt has put there is the run's own, and is made anew where it is of
      // something else.
      if (!overwrite.overwrite() && !found.ownTable) {
        requireAbsent(conf, "prepared table", job.preparedFolder());
      }
      if (!overwrite.overwrite() && !found.ownBounds) {
        requireAbsent(conf, "bounds", job.boundsFolder());
      }
    }

    @Override
    void tellBefore(JobConfig job, Configuration conf) throws IOException {
      if (found.table && job.storesRows()) {
        tellMade("prepared table", job.preparedFolder(), "prepare", conf);
      } else {
        tellInput(job, conf);
        console
            .out()
            .println("prepare: " + (job.storesRows() ? job.preparedFolder() : "in memory only"));
      }
      if (found.bounds) {
        tellMade("artefact", job.boundsFolder(), "precompute", conf);
      } else {
        console.out().println("precompute: " + job.boundsFolder());
      }
    }

    private static void requireAbsent(Configuration conf, String what, String folder)
        throws IOException {
      Path path = new Path(folder);
      if (path.getFileSystem(conf).exists(path)) {
        throw UserException.usage(
            ("The %s in %s exists. Add --overwrite to replace all, or use \"sample\" to draw from"
                    + " it.")
                .formatted(what, folder));
      }
    }

    @Override
    void begin(
        Sampling sampling, SparkSession spark, JobConfig job, Progress progress, Fence fence) {
      Pipeline pipeline = Pipeline.of(spark.sparkContext().hadoopConfiguration(), job);
      boolean replaceTable = overwrite.overwrite() || found.ownTable;
      boolean replaceBounds = overwrite.overwrite() || found.ownBounds;
      Runnable prepare = () -> steps.prepareToGoOn(spark, job, null, replaceTable, progress::note);
      if (found.table && !job.storesRows()) {
        sampling.phase(pipeline.table().name(), progress, prepare); // its rows are nowhere
      } else {
        step(pipeline.table(), found.table, prepare, sampling, progress, fence);
      }
      String prepared = "The prepared table in " + job.preparedFolder();
      keeps(job, prepared + " is kept. Continue with \"precompute\", then \"sample\".");
      step(
          pipeline.bounds(),
          found.bounds,
          () -> steps.precompute(spark, job, replaceBounds, progress::note),
          sampling,
          progress,
          fence);
      String bounds = " and the bounds in " + job.boundsFolder();
      keeps(job, prepared + bounds + " are kept. Continue with \"sample\".");
    }

    /** Runs a step as a phase, unless an earlier attempt has the same result. */
    private static void step(
        Pipeline.Step step,
        boolean made,
        Runnable work,
        Sampling sampling,
        Progress progress,
        Fence fence) {
      if (made) {
        sampling.phase(
            step.name(),
            progress,
            () ->
                progress.note(
                    "skipped: the content of " + step.folder() + " has the same configuration"));
      } else {
        step.make(fence, () -> sampling.phase(step.name(), progress, work));
      }
    }

    /** Notes for an interruption which stored results allow to continue. */
    private void keeps(JobConfig job, String what) {
      if (job.storesRows()) {
        console.interruption().keeps(what);
      }
    }
  }
}
