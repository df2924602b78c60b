package org.lampyris.driver.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Registered;
import org.lampyris.bounds.config.Registry;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.effects.EffectsConfig;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.dataprep.formula.Formula;
import org.lampyris.driver.config.EffectiveConfig;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.JobSchema;
import org.lampyris.driver.config.KeyPage;
import org.lampyris.driver.job.Steps;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.kernel.ThetaKernelType;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the configuration. */
@Command(
    name = "config",
    description = "Check the configuration and print it with all defaults filled in.")
final class ConfigCommand implements Callable<Integer> {
  @Mixin private final ConfigOptions config = new ConfigOptions();

  @ArgGroup private @Nullable Page page;

  private final Console console;

  /** Page to print instead of the configuration. */
  static final class Page {
    @Option(
        names = "--schema",
        required = true,
        description =
            "Print the JSON schema of a job file, which editors use to complete and check it.")
    private boolean schema;

    @Option(
        names = "--reference",
        required = true,
        description = "Print the page of all keys, in Markdown.")
    private boolean reference;
  }

  ConfigCommand(Console console) {
    this.console = console;
  }

  /** Returns the lines of {@code --help} on available algorithms and kernels. */
  static String choices() {
    StringBuilder text =
        new StringBuilder(
            """

            Example. Check a job file, and write the schema that an editor checks it by:
              lampyris config --config clicks.yaml
              lampyris config --schema > lampyris.schema.json

            sampler.algorithm is auto or one of
            """);
    for (SamplingAlgorithm algorithm : SamplingAlgorithm.registry().all()) {
      String needs = algorithm.needs().stream().map(Need::text).collect(Collectors.joining(", "));
      text.append(
          line(
              algorithm,
              (algorithm.has(Trait.EXACT) ? "exact" : "approximate")
                  + (needs.isEmpty() ? "" : "; needs " + needs)
                  + (algorithm.has(Trait.DRAWS_EFFECTS) ? "; for model.random" : "")));
    }
    text.append("sampler.kernel is auto or one of\n");
    for (ThetaKernelType kernel : Registry.of(ThetaKernelType.class).all()) {
      text.append(
          line(
              kernel,
              (kernel.usesGradient() ? "uses gradients; " : "") + "adapts " + kernel.adapts()));
    }
    return text.toString();
  }

  /**
   * Returns a line about the input, whose columns are checked as a run would: of a local table that
   * exists. Other file systems may be slow, or known to spark-submit alone.
   */
  private static String input(JobConfig job) throws IOException {
    String input = job.data().source().input();
    if (input == null || job.data().columns().label() == null) {
      return "";
    }
    Path path = new Path(input);
    String scheme = path.toUri().getScheme();
    Configuration conf = new Configuration();
    return (scheme == null || scheme.equals("file"))
            && path.getFileSystem(conf) instanceof LocalFileSystem local
            && local.exists(path)
        ? "# data.input: " + Steps.glance(job, conf) + "\n"
        : "";
  }

  private static String line(Registered one, String what) {
    return Text.of("  %-12s %s\n", one.name(), what);
  }

  @Override
  public Integer call() throws IOException {
    if (page != null) {
      console.out().print(page.schema ? JobSchema.asJson() : "");
      console.out().print(page.reference ? KeyPage.asMarkdown() : "");
      return ExitCode.OK;
    }
    JobConfig job = config.read("config", List.of()).suiting(false);
    job.requireAlgorithm();
    String input = input(job);
    console.out().print(EffectiveConfig.asYaml(job));
    console.out().print(input);
    String formula = job.model().tableFormula();
    if (formula != null) {
      console.out().print(Formula.parse(formula).described());
    }
    if (job.model().priors().isAuto()) {
      console.out().print(PriorConfig.RULE);
    }
    if (job.model().random().stream().anyMatch(EffectsConfig::isAuto)) {
      console.out().print(PriorConfig.RULE_SD);
    }
    return ExitCode.OK;
  }
}
