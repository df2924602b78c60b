package org.lampyris.driver.config;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.ModelConfig;
import org.lampyris.bounds.prior.ConfiguredPrior;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.rows.Predictors;
import org.lampyris.dataprep.blocks.DataSection;
import org.lampyris.dataprep.blocks.Packing;
import org.lampyris.dataprep.design.Encoding;
import org.lampyris.dataprep.design.FeatureNames;
import org.lampyris.dataprep.generate.GenerateSection;
import org.lampyris.dataprep.precompute.PrecomputeConfig;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.dataprep.read.Columns.Categorical;
import org.lampyris.dataprep.read.Source;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.algorithm.BridgeSampling;
import org.lampyris.samplers.algorithm.KernelSettings;
import org.lampyris.samplers.algorithm.LogPosteriors;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.austerity.AusterityAlgorithm;
import org.lampyris.samplers.austerity.ConfidenceAlgorithm;
import org.lampyris.samplers.baselines.BaselineSettings;
import org.lampyris.samplers.chain.PlanSettings;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.firefly.FireflySettings;
import org.lampyris.samplers.kernel.Hmc;
import org.lampyris.samplers.kernel.Slice;
import org.lampyris.samplers.laplace.LaplaceAlgorithm;
import org.lampyris.samplers.metropolis.DelayedAlgorithm;
import org.lampyris.samplers.mhss.SubsampledMetropolis;
import org.lampyris.samplers.multilevel.MultilevelAlgorithm;
import org.lampyris.samplers.perfect.PerfectAlgorithm;
import org.lampyris.samplers.program.named.ProgramAlgorithm;
import org.lampyris.samplers.run.ChainSettings;
import org.lampyris.samplers.selection.SelectionSettings;
import org.lampyris.samplers.sgld.LangevinAlgorithm;
import org.lampyris.samplers.shards.ShardsSettings;

class ConfigReaderTest {
  private static final String FORMS =
      "; known forms are normal(mean, sd), laplace(location, scale), cauchy(location, scale),"
          + " student_t(df, location, scale), horseshoe(scale, or the prior of one),"
          + " regularized_horseshoe(prior of a scale, slab scale, slab df), uniform(lower, upper),"
          + " flat, half_normal(scale), half_cauchy(scale), half_student_t(df, scale),"
          + " exponential(rate), gamma(shape, rate), log_scale(prior of a scale), dirichlet(alpha)";
  private static final String NORMAL =
      "cannot read the prior \"normal\": at position 7, expected \"(\", found the end" + FORMS;

  private static final SchemaCheck SCHEMA = new SchemaCheck();

  private final Path folder;

  private final ConfigReader reader = new ConfigReader();

  ConfigReaderTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** Reads a configuration; the schema takes what is read, and what is shown of it. */
  private JobConfig read(String yaml, String... overrides) {
    JobConfig config =
        reader.read(
            write(yaml), Stream.of(overrides).map(SetOption::parse).toList(), "run", List.of());
    assertEquals(List.of(), SCHEMA.problems(yaml), yaml);
    assertEquals(List.of(), SCHEMA.problems(EffectiveConfig.asYaml(config)), yaml);
    return config;
  }

  private Path write(String yaml) {
    try {
      return Files.writeString(folder.resolve("job.yaml"), yaml);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private String refused(String yaml, String... overrides) {
    UserException e = assertThrows(UserException.class, () -> read(yaml, overrides));
    assertEquals(UserException.Kind.USAGE, e.kind());
    String message = String.valueOf(e.getMessage());
    assertFalse(message.contains("\n"), message);
    return message.replace(folder.toString() + "/", "");
  }

  @Test
  void anEmptyFileGivesTheDefaults() {
    JobConfig config = read("");
    SamplerSettings sampler = config.sampler();
    FireflySettings firefly = sampler.own().of(FireflySettings.class);
    assertAll(
        () -> assertEquals(config, read("# nothing but a remark\n")),
        () -> assertEquals("auto", config.model().priors().prior().toString()),
        () -> assertEquals(Encoding.Standardize.NONE, config.data().encoding().standardize()),
        () -> assertEquals(true, config.data().encoding().intercept()),
        () -> assertEquals("auto", sampler.algorithm()),
        () -> assertEquals(4, sampler.run().chains()),
        () -> assertEquals(500, sampler.run().warmup()),
        () -> assertEquals(1000, sampler.run().draws()),
        () -> assertEquals(1L, sampler.run().seed()),
        () -> assertNull(sampler.theta().stepSize()),
        () -> assertEquals(0.01, firefly.q()),
        () -> assertEquals(1.5, firefly.anchor()),
        () -> assertNull(config.output()),
        () -> assertNull(config.prepared()));
  }

  @Test
  void everyKeyIsRead() {
    JobConfig config =
        read(
            """
            data:
              input: hdfs:///tables/clicks.parquet
              format: parquet
              query: "SELECT *, 'day: x' AS day FROM input"
              label: clicked
              features: [age, price, 2019, country, origin]
              categorical:
                country: {levels: [FR, DE, NO], reference: DE, other: elsewhere}
                origin: {top: 20}
              weight: w
              group_by: user
              order_by: time
              positive: yes
              missing: drop
              dates: days
              intercept: false
              standardize: gelman
              layout: sparse
              storage: float
              block_rows: 1_024
              like: runs/old/prepared
              partitions: 8
            model:
              family: logistic
              prior: student_t(3, 0, 2.5)
              priors: {"(Intercept)": "cauchy(0, 10)"}
              prior_scale: input
            precompute: {tolerance: 1e-6, max_passes: 7, anchor: 2}
            sampler:
              algorithm: metropolis
              kernel: random-walk
              preconditioner: none
              step_size: 0.3
              target_acceptance: 0.234
              chains: 2
              warmup: 10
              draws: 20
              seed: -5
              thin: 3
              init: overdispersed
              plan: stepwise
              pool_mib: 9
              checkpoint_interval: 11
              checkpoint_minutes: 0.5
              lp: never
              evidence: bridge
              firefly: {bound: untuned, anchor: 1.25, z_kernel: explicit, q: 0.2, q_dark: 0.4, kappa: 4, slack: 0.5,
                        floor: 0.02, fraction: 0.3, scheme: scheduled, theta_steps: 2}
              subsampling: {order: 1, radius: 7.5, points: 3}
              delayed_acceptance: {batches: 3, proxies: false}
              austerity: {batch: 7, epsilon: 0.2, proxy: mode, design: worst, error: 0.3,
                          gradient_rows: 9, shape: 0.25, decay: 0.4, delay: 12}
              confidence: {delta: 0.2, growth: 3, batch: 5, proxy: dropped, drop_every: 4, points: 6}
              variable_selection: {test: sequential, epsilon: 0.3, batch: 8, size: 2.5,
                                   max_size: 9, start: none, slab: shared-scale, least_scale: 0.02,
                                   largest_scale: 7, proxies: false}
              sgld: {batch: 6, control_variates: false, step: 0.3, decay: 0.5, delay: 8,
                corrector: austerity, epsilon: 0.04, dynamics: hamiltonian, friction: 0.7}
              baseline: {batch: 12, fraction: 0.4, scaled: false, replacement: true, truncation: 0.3,
                proxies: false}
              shards: {count: 3, from: input, algorithm: firefly, combine: ep, bandwidth: 0.7,
                rounds: 9, damping: 0.6}
              perfect: {max_proposals: 77}
              program: {epsilon: 0.1, warmup_epsilon: 0.3, batch: 70, drift: 2, particles: 8}
              laplace: {correct: true, proposals: 9, checked: 700}
              multilevel: {steps: 3, refresh: 0.4, keep_draws: 9}
              hmc: {leapfrog_steps: 5}
              slice: {directions: random-coordinate, updates: 7, bracket_limit: 4}
            generate: {family: logistic, rows: 10, features: 2, seed: 3, correlation: 0.5, positive_rate: 0.1,
                       tail_df: 4, effect_scale: 2, active: 1, groups: 5, group_sd: 0.3, format: csv, output: synth}
            output: runs/clicks
            bounds: elsewhere
            """);
    assertAll(
        () ->
            assertEquals(
                new DataSection(
                    new Source(
                        "hdfs:///tables/clicks.parquet",
                        "parquet",
                        null,
                        "SELECT *, 'day: x' AS day FROM input"),
                    new Columns(
                        "clicked",
                        List.of("age", "price", "2019", "country", "origin"),
                        Map.of(
                            "country",
                            new Categorical(List.of("FR", "DE", "NO"), "DE", null, "elsewhere"),
                            "origin",
                            new Categorical(List.of(), null, 20, null)),
                        "w",
                        "user",
                        "time",
                        "yes",
                        new Columns.Rules(Columns.Missing.DROP, Columns.Dates.DAYS)),
                    new Encoding(false, Encoding.Standardize.GELMAN),
                    new Packing(
                        Packing.Layout.SPARSE,
                        TableSchema.Storage.FLOAT,
                        1024,
                        Packing.Order.AUTO,
                        Packing.Aggregate.AUTO),
                    "runs/old/prepared",
                    null,
                    8),
                config.data()),
        () ->
            assertEquals(
                PriorConfig.of(
                    "student_t(3, 0, 2.5)",
                    Map.of("(Intercept)", "cauchy(0, 10)"),
                    PriorConfig.Scale.INPUT),
                config.model().priors()),
        () -> assertEquals("logistic", config.model().family()),
        () -> assertEquals(Map.of(), set(config.model())),
        () ->
            assertEquals(
                new PrecomputeConfig(1e-6, 7, 2, null, PrecomputeConfig.Covariance.AUTO, null),
                config.precompute()),
        () ->
            assertEquals(
                new SamplerSettings(
                    "metropolis",
                    new KernelSettings("random-walk", KernelSettings.Shape.NONE, 0.3, 0.234),
                    new ChainSettings(2, 10, 20, -5, 3, StartingPoint.Init.OVERDISPERSED),
                    new PlanSettings(PlanSettings.Plan.STEPWISE, 9, 11, 0.5),
                    LogPosteriors.When.NEVER,
                    BridgeSampling.When.BRIDGE,
                    new OwnSettings(
                        Map.ofEntries(
                            Map.entry(
                                "delayed_acceptance", new DelayedAlgorithm.Settings(3, false)),
                            Map.entry(
                                "austerity",
                                new AusterityAlgorithm.Settings(
                                    7,
                                    0.2,
                                    AusterityAlgorithm.Settings.Proxy.MODE,
                                    AusterityAlgorithm.Settings.Design.WORST,
                                    0.3,
                                    9,
                                    0.25,
                                    0.4,
                                    12)),
                            Map.entry(
                                "confidence",
                                new ConfidenceAlgorithm.Settings(
                                    0.2, 3, 5, ConfidenceAlgorithm.Settings.Proxy.DROPPED, 4, 6)),
                            Map.entry(
                                "variable_selection",
                                new SelectionSettings(
                                    SelectionSettings.Test.SEQUENTIAL,
                                    0.3,
                                    8,
                                    2.5,
                                    9,
                                    SelectionSettings.Start.NONE,
                                    SelectionSettings.Slab.SHARED_SCALE,
                                    0.02,
                                    7,
                                    false)),
                            Map.entry(
                                "sgld",
                                new LangevinAlgorithm.Settings(
                                    6,
                                    false,
                                    0.3,
                                    0.5,
                                    8,
                                    LangevinAlgorithm.Settings.Corrector.AUSTERITY,
                                    0.04,
                                    LangevinAlgorithm.Settings.Dynamics.HAMILTONIAN,
                                    0.7)),
                            Map.entry(
                                "baseline",
                                new BaselineSettings(12, 0.4, false, true, 0.3, false, 1.5, 10)),
                            Map.entry(
                                "shards",
                                new ShardsSettings(
                                    3, ShardsSettings.From.INPUT, "firefly", "ep", 0.7, 9, 0.6)),
                            Map.entry("perfect", new PerfectAlgorithm.Settings(77)),
                            Map.entry("program", new ProgramAlgorithm.Settings(0.1, 0.3, 70, 2, 8)),
                            Map.entry("laplace", new LaplaceAlgorithm.Settings(true, 9, 700)),
                            Map.entry("multilevel", new MultilevelAlgorithm.Settings(3, 0.4, 9)),
                            Map.entry("hmc", new Hmc.Settings(5)),
                            Map.entry(
                                "slice",
                                new Slice.Settings(Slice.Directions.RANDOM_COORDINATE, 7, 4)),
                            Map.entry(
                                "firefly",
                                new FireflySettings(
                                    FireflySettings.Bound.UNTUNED,
                                    1.25,
                                    FireflySettings.ZKernel.EXPLICIT,
                                    0.2,
                                    0.4,
                                    new FireflySettings.Rates(4, 0.02, 0.5),
                                    new FireflySettings.Selection(
                                        0.3, FireflySettings.Scheme.SCHEDULED),
                                    2)),
                            Map.entry(
                                "subsampling", new SubsampledMetropolis.Settings(1, 7.5, 3))))),
                config.sampler()),
        () ->
            assertEquals(
                new GenerateSection(
                    new GenerateSection.Law(10, 2, 3, 0.5, 0.1, 4.0, 2, 0, 1),
                    new GenerateSection.Grouping(5, 0.3),
                    "logistic",
                    null,
                    "csv",
                    "synth"),
                config.generate()),
        () -> assertEquals("runs/clicks/prepared", config.prepared()),
        () -> assertEquals("elsewhere", config.bounds()));
  }

  @Test
  void aGeneratedTableFollowsTheModelsFamilyUnlessItHasItsOwn() {
    assertEquals("logistic", read("generate: {rows: 5}").generate().family());
    assertEquals("poisson", read("model: {family: poisson}").generate().family());
    String both = "model: {family: softmax}\ngenerate: {family: gamma}";
    assertEquals("gamma", read(both).generate().family());
    GenerateSection none = read("model: {family: softmax}").generate();
    UserException e = assertThrows(UserException.class, none::response);
    assertTrue(
        String.valueOf(e.getMessage()).startsWith("generate draws no labels of model.family"));
  }

  private static FireflySettings firefly(JobConfig config) {
    return config.sampler().own().of(FireflySettings.class);
  }

  @Test
  void defaultsThatFollowFromOtherKeys() {
    FireflySettings firefly =
        firefly(read("sampler: {firefly: {bound: untuned}}\nprecompute: {anchor: 2.5}"));
    assertEquals(0.1, firefly.q());
    assertEquals(2.5, firefly.anchor());
    assertEquals("s3a://b/run/prepared", read("output: s3a://b/run/").prepared());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "smapler: {}| job.yaml:1:1: unknown key \"smapler\"; the nearest known key is \"sampler\".",
        "sampler: {drwas: 5}| job.yaml:1:11: unknown key \"sampler.drwas\"; the nearest known key"
            + " is \"draws\".",
        "sampler: {firefly: {z-kernel: explicit}}| job.yaml:1:21: unknown key"
            + " \"sampler.firefly.z-kernel\"; the nearest known key is \"z_kernel\".",
        "precompute: {xyzzyxy: 5}| job.yaml:1:14: unknown key \"precompute.xyzzyxy\"; known here:"
            + " tolerance, max_passes, anchor, radius, covariance, after.",
        "data: {categorical: {dow: {levles: [a]}}}| job.yaml:1:28: unknown key"
            + " \"data.categorical.dow.levles\"; the nearest known key is \"levels\".",
        "sampler: {draws: many}| job.yaml:1:18: sampler.draws must be a whole number from 1 to"
            + " 1000000000, but is \"many\".",
        "sampler: {draws: 0}| job.yaml:1:18: sampler.draws must be a whole number from 1 to"
            + " 1000000000, but is \"0\".",
        "sampler: {draws: 1.5}| job.yaml:1:18: sampler.draws must be a whole number from 1 to"
            + " 1000000000, but is \"1.5\".",
        "sampler: {draws: [1]}| job.yaml:1:18: sampler.draws must be a whole number from 1 to"
            + " 1000000000, but is a list.",
        "sampler: {seed: 99999999999999999999}| job.yaml:1:17: sampler.seed must be a whole number,"
            + " but is \"99999999999999999999\".",
        "generate: {rows: -1}| job.yaml:1:18: generate.rows must be a whole number of at least 1,"
            + " but is \"-1\".",
        "sampler: {step_size: 0}| job.yaml:1:22: sampler.step_size must be a number above 0, but is"
            + " \"0\".",
        "sampler: {step_size: NaN}| job.yaml:1:22: sampler.step_size must be a number above 0, but"
            + " is \"NaN\".",
        "sampler: {step_size: Infinity}| job.yaml:1:22: sampler.step_size must be a number above 0,"
            + " but is \"Infinity\".",
        "sampler: {target_acceptance: 1}| job.yaml:1:30: sampler.target_acceptance must be a number"
            + " in (0, 1), but is \"1\".",
        "sampler: {firefly: {q: 1.5}}| job.yaml:1:24: sampler.firefly.q must be a number in (0, 1],"
            + " but is \"1.5\".",
        "generate: {correlation: 1}| job.yaml:1:25: generate.correlation must be a number in"
            + " [0, 1), but is \"1\".",
        "generate: {tail_df: 2}| job.yaml:1:21: generate.tail_df must be a number above 2, but is"
            + " \"2\".",
        "data: {intercept: yes}| job.yaml:1:19: data.intercept must be true or false, but is"
            + " \"yes\".",
        "data: {features: age}| job.yaml:1:18: data.features must be a list, for instance [a, b],"
            + " but is \"age\".",
        "data: {features: [a, [b]]}| job.yaml:1:22: data.features must be a list of names, but is a"
            + " list.",
        "data: {features: [a, ]}|",
        "data: clicks.csv| job.yaml:1:7: data must be a section with keys of its own, but is"
            + " \"clicks.csv\".",
        "data: {format: xlsx}| job.yaml:1:16: data.format \"xlsx\" is not known; known: parquet,"
            + " csv, libsvm.",
        "data: {order_by: time}| job.yaml:1:18: data.order_by must be … without data.group_by, …"
            + " but is \"time\".",
        "data: {standardize: units}| job.yaml:1:21: data.standardize \"units\" is not known; did"
            + " you mean \"unit\"? known: none, unit, gelman.",
        "data: {categorical: {dow: {levels: [a, b], top: 1}}}| job.yaml:1:49:"
            + " data.categorical.dow.top must be … levels are listed, but is \"1\".",
        "data: {categorical: {dow: {levels: [a, b], reference: c}}}| job.yaml:1:55:"
            + " data.categorical.dow.reference must be one of the listed levels, but is \"c\".",
        "data: {categorical: {dow: {levels: [a, b], order: frequency}}}| job.yaml:1:51:"
            + " data.categorical.dow.order must be … levels are listed, …"
            + " but is \"frequency\".",
        "model: {family: logistics}| job.yaml:1:17: model.family \"logistics\" is not known; did"
            + " you mean \"logistic\"? known: logistic, probit, cloglog, cauchit, binomial,"
            + " softmax, ordinal, robust, gaussian, asymmetric_laplace, gamma, poisson,"
            + " negative_binomial, zero_inflated_poisson, hurdle_poisson, zero_inflated_negative_binomial,"
            + " hurdle_negative_binomial, beta, weibull, lognormal, loglogistic,"
            + " exponential, mixture, ica; or your class's full name.",
        "model: {family: softmax, df: 4}| job.yaml:1:30: model.df … family: robust, … softmax."
            + " Remove it, or change model.family.",
        "model: {shape: 4}| job.yaml:1:16: model.shape … family: gamma, negative_binomial, …"
            + " logistic. Remove it, or change model.family.",
        "model: {family: a.B, offset: e}| job.yaml:1:30: model.offset … family: logistic,"
            + " probit, … a.B. Remove it, or change model.family.",
        "model: {family: binomial}| job.yaml:1:17: model.trials is missing. … binomial … column …"
            + " for instance trials: n, … trials(n) in model.formula.",
        "model: {family: probit, trials: n}| job.yaml:1:33: model.trials … family: binomial, …"
            + " probit. Remove it, or change model.family.",
        "model: {family: asymmetric_laplace, quantile: 1}| job.yaml:1:47: model.quantile must be"
            + " a number in (0, 1), but is \"1\".",
        "model: {family: asymmetric_laplace, quantile: 0}| job.yaml:1:47: model.quantile must be"
            + " a number in (0, 1), but is \"0\".",
        "model: {family: hurdle_poisson, hu: 1}| job.yaml:1:37: model.hu must be a number in (0,"
            + " 1), but is \"1\".",
        "model: {family: robust, df: jeffreys}| job.yaml:1:29: model.df: df has no posterior with"
            + " the prior jeffreys: large values fit as well as larger ones. Set gamma(2.0, 0.1)",
        "model: {family: robust, df: 0}| job.yaml:1:29: model.df must be a number above 0, but is"
            + " \"0\".",
        "model: {family: hurdle_poisson, hu: jeffreys}| job.yaml:1:37: model.hu: the prior of a"
            + " share must be uniform(a, b) within 0 … 1, not flat",
        "model: {family: gamma, event: died}| job.yaml:1:31: model.event … family: weibull,"
            + " lognormal, loglogistic, exponential, … gamma. Remove it, or change model.family.",
        "model: {family: weibull, time2: u}| job.yaml:1:33: model.time2 … model.event is missing."
            + " Name the column that is 3 in their rows there.",
        "model: {label_kind: count}| job.yaml:1:21: model.label_kind … named by their class, …"
            + " logistic. Remove it, or change model.family.",
        "model: {family: robust, scale: 0}| job.yaml:1:32: model.scale must be a number above 0,"
            + " but is \"0\".",
        "model: {family: gaussian, sigma: -1}| job.yaml:1:34: model.sigma must be a number above"
            + " 0, but is \"-1\".",
        "model: {family: mixture}| job.yaml:1:17: model.sigma is missing. … mixture … a number"
            + " above 0, for instance sigma: 2.",
        "model: {family: mixture, sigma: half_normal(1)}| job.yaml:1:33: model.sigma must be a"
            + " number above 0, but is \"half_normal(1)\".",
        "model: {family: gamma, shape: 2, sigma: 1}| job.yaml:1:41: model.sigma … family: gaussian,"
            + " asymmetric_laplace, mixture, … gamma. Remove it, or change model.family.",
        "model: {family: gaussian, sigma: wide}| job.yaml:1:34: model.sigma: cannot read the"
            + " prior \"wide\": at position 1, there is no prior named \"wide\""
            + FORMS,
        "sampler: {algorithm: langevin}| job.yaml:1:22: sampler.algorithm \"langevin\" is not"
            + " known; known: auto, metropolis, firefly, mhss, smh, delayed-acceptance,"
            + " pseudo-marginal-firefly, variable-selection, multilevel, perfect, austerity,"
            + " confidence, sgld, laplace, penalty, noise-exchange, naive-subsampling, rhee-glynn,"
            + " difference-estimator, shards, program.",
        "sampler: {kernel: hmcc}| job.yaml:1:19: sampler.kernel \"hmcc\" is not known; did you mean"
            + " \"hmc\"? known: random-walk, mala, hmc, slice, barker, pcn, stiefel, pcnl, auto.",
        "sampler: {hmc: {leapfrog_steps: 0}}| job.yaml:1:33: sampler.hmc.leapfrog_steps must be a"
            + " whole number from 1 to 1000000, but is \"0\".",
        "sampler: {plan: segments}| job.yaml:1:17: sampler.plan \"segments\" is not known; did you"
            + " mean \"segment\"? known: auto, stepwise, segment.",
        "model: {prior: normal}| job.yaml:1:16: model.prior: " + NORMAL,
        "model: {priors: {age: normal}}| job.yaml:1:23: model.priors.age: " + NORMAL,
        "model: {priors: {age: }}| job.yaml:1:22: model.priors.age must be a prior, for instance"
            + " normal(0, 2.5), but is empty.",
        "output: [a]| job.yaml:1:9: output must be a text, but is a list.",
        "just a text| job.yaml:1:1: a configuration … sections such as data: and sampler:, but this"
            + " is \"just a text\".",
      })
  void whatIsWrongIsNamed(String yaml, String message) {
    if (message == null) {
      assertEquals(List.of("a"), read(yaml).data().columns().features());
      return;
    }
    assertParts(message, refused(yaml));
  }

  /** Asserts that a message consists of parts in this order, with any text in place of each "…". */
  private static void assertParts(String parts, String message) {
    String pattern =
        Stream.of(parts.split(" … ")).map(Pattern::quote).collect(Collectors.joining(".*"));
    assertTrue(message.matches(pattern), () -> parts + "\nis not: " + message);
  }

  @Test
  void kernelsThatDoNotGoWithTheAlgorithmAreRefused() {
    String yaml =
        "data: {input: t.csv, label: y}\noutput: out\nsampler: {algorithm: mhss, kernel: %s}\n";
    assertTrue(
        refused(yaml.formatted("hmc"))
            .contains("need proposals without gradients. Set sampler.kernel: random-walk"));
    read(yaml.formatted("random-walk"));
    read(yaml.formatted("auto"));
  }

  /** What would else be said after the table has been prepared. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sampler: {kernel: pcn, preconditioner: none} | pcn proposes from the Laplace"
            + " approximation",
        "sampler: {kernel: pcn, step_size: 1.5} | sampler.step_size is at most 1 for",
        "sampler: {kernel: stiefel} | sampler.kernel: stiefel moves an orthonormal matrix",
        "'sampler: {algorithm: firefly}\nmodel: {family: ica}' | firefly needs a lower bound",
        "'sampler: {algorithm: pseudo-marginal-firefly}\n"
            + "model: {family: ica}' | needs a lower bound",
        "'sampler: {algorithm: shards, shards: {algorithm: firefly}}\nmodel: {family: ica}' |"
            + " sampler.shards.algorithm: firefly needs a lower bound",
        "sampler: {algorithm: shards, init: prior} | sampler.init: prior is not available with",
        "sampler: {algorithm: sgld, kernel: hmc} | sgld takes Langevin steps without a kernel."
            + " Remove sampler.kernel",
        "sampler: {algorithm: sgld, sgld: {dynamics: fisher}} | Set sampler.sgld.control_variates"
            + ": false",
        "sampler: {algorithm: sgld, sgld: {dynamics: hamiltonian, corrector: austerity}} | Remove"
            + " sampler.sgld.dynamics, or the corrector.",
        "sampler: {algorithm: perfect, thin: 2} | sampler.algorithm: perfect makes independent"
            + " draws. Remove sampler.kernel",
        "sampler: {algorithm: laplace, plan: stepwise} | sampler.algorithm: laplace makes"
            + " independent draws",
        "sampler: {algorithm: laplace, laplace: {checked: 99}} | sampler.laplace.checked must be",
        "'sampler: {algorithm: perfect}\nmodel: {family: ica}' | perfect needs a lower bound",
        "sampler: {algorithm: austerity, kernel: hmc} | batches of rows can decide on proposals"
            + " only",
        "sampler: {algorithm: austerity, kernel: mala, austerity: {design: average}} |"
            + " sampler.austerity.design: average needs proposals",
      })
  void whatCannotBeSampledIsRefused(String more, String words) {
    String yaml = "data: {input: t.csv, label: y}\noutput: out\n" + more + "\n";
    assertTrue(refusedToSample(yaml).contains(words), refusedToSample(yaml));
  }

  @ParameterizedTest
  @CsvSource({
    "weight, pseudo-marginal-firefly, needs rows of weight 1",
    "group_by, confidence, draws rows by their place in blocks of equal size",
    "group_by, naive-subsampling, draws rows by their place in blocks of equal size",
    "group_by, sgld, draws rows by their place in blocks of equal size",
    "group_by, variable-selection, draws rows by their place in blocks of equal size"
  })
  void tablesThatAnAlgorithmCannotReadAreRefused(String key, String algorithm, String words) {
    String yaml =
        "data: {input: t.csv, label: y, %s: w}\noutput: out\nsampler: {algorithm: %s}\n"
            .formatted(key, algorithm);
    assertTrue(refusedToSample(yaml).contains(words), refusedToSample(yaml));
  }

  private String refusedToSample(String yaml) {
    UserException e =
        assertThrows(
            UserException.class,
            () ->
                reader.read(
                    write(yaml), List.of(), "run", EnumSet.of(NeededKey.OUTPUT, NeededKey.BOUNDS)));
    assertEquals(UserException.Kind.USAGE, e.kind());
    return String.valueOf(e.getMessage());
  }

  @Test
  void duplicateKeysAreRefused() {
    assertParts(
        "job.yaml:3:3: the key \"draws\" … (first: job.yaml:2:3). Keep one.",
        refused("sampler:\n  draws: 10\n  draws: 20\n"));
  }

  @Test
  void syntaxErrorsNameTheLine() {
    assertEquals(
        "job.yaml:3:1: not valid YAML: found character '\\t(TAB)' that cannot start any token. (Do"
            + " not use \\t(TAB) for indentation).",
        refused("sampler:\n  draws: 10\n\tseed: 1\n"));
    assertEquals(
        "job.yaml:2:1: not valid YAML: expected ',' or '}', but got <stream end>.",
        refused("sampler: {draws: 10\n"));
  }

  @Test
  void aliasesAndSecondDocumentsAreRefused() {
    assertParts(
        "job.yaml:2:9: YAML aliases (*name) … Write out the value.",
        refused("output: &a x\nbounds: *a\n"));
    assertParts(
        "job.yaml:3:1: a second YAML document … Keep one configuration in a file.",
        refused("output: x\n---\noutput: y\n"));
  }

  @Test
  void overridesWinAndAreChecked() {
    String yaml = "sampler: {draws: 10}\noutput: a\n";
    assertEquals(
        2000, read(yaml, "sampler.draws=10", "sampler.draws=2000").sampler().run().draws());
    assertEquals(
        Map.of(
            "a.b", ConfiguredPrior.of("normal(0, 1)"), "(Intercept)", ConfiguredPrior.of("flat")),
        read(yaml, "model.priors.\"a.b\"=normal(0, 1)", "model.priors.(Intercept)=flat")
            .model()
            .priors()
            .priors());
    assertEquals(List.of("x", "y"), read(yaml, "data.features=[x, y]").data().columns().features());
    assertEquals(
        Map.of("dow", new Categorical(List.of(), null, 20, null)),
        read(yaml, "data.categorical.dow.top=20").data().columns().categorical());
    assertNull(read(yaml, "output=null").output());
    assertEquals(
        "--set sampler.drwas=1: unknown key \"sampler.drwas\"; the nearest known key is"
            + " \"draws\".",
        refused(yaml, "sampler.drwas=1"));
    assertEquals(
        "--set sampler.draws=0: sampler.draws must be a whole number from 1 to 1000000000, but is"
            + " \"0\".",
        refused(yaml, "sampler.draws=0"));
    assertParts(
        "--set sampler.draws … section.key=value. … --set sampler.draws=2000.",
        refused(yaml, "sampler.draws"));
    assertParts("--set =3 … section.key=value. … --set sampler.draws=2000.", refused(yaml, "=3"));
    assertEquals(
        "--set output.prepared=b: \"output\" has no keys below it; it is \"a\".",
        refused(yaml, "output.prepared=b"));
    assertEquals(
        "--set data.query={: not valid YAML: expected the node content, but found '<stream end>'."
            + " Put text that holds brackets, braces or quotes in quotes.",
        refused(yaml, "data.query={"));
  }

  @Test
  void aValueOfSetIsTextWhereYamlWouldCutIt() {
    for (String text :
        List.of(
            "d [1]/in {a} #%20ä.csv",
            "#1.csv", "*.csv", "&a.csv", "!a.csv", "%20.csv", "@a.csv", "`a`.csv", "a#b.csv")) {
      assertEquals(text, read("", "data.input=" + text).data().source().input());
    }
    assertEquals("a # b", read("", "data.input='a # b' # a comment").data().source().input());
    assertTrue(
        refused("", "data.input={a}.csv").contains("Put text that holds brackets, braces or"));
  }

  @Test
  void categoriesMayBeAList() {
    String yaml = "data: {categorical: [dow, store], features: [x, dow, store]}\n";
    assertEquals(
        Map.of("dow", Categorical.DEFAULT, "store", Categorical.DEFAULT),
        read(yaml).data().columns().categorical());
    assertEquals(
        Map.of("dow", Categorical.DEFAULT),
        read("", "data.categorical=[dow]").data().columns().categorical());
  }

  @Test
  void rolesThatDoNotGoTogetherAreRefusedBeforeTheTableIsRead() {
    String group = "which is a group";
    String random = "model: {random: [{group: g}]}\n";
    assertTrue(refused("data: {categorical: [g]}\n" + random).contains(group));
    assertTrue(refused("data: {categorical: [g], features: [x]}\n" + random).contains(group));
    read("data: {categorical: [g], features: [x, g]}\n" + random);
    String formula = "model: {formula: y ~ x + a + (1 | g)}\n";
    assertTrue(refused("data: {categorical: [g]}\n" + formula).contains(group));
    assertTrue(refused("data: {categorical: [b]}\n" + formula).contains("no feature of model.fo"));
    read("data: {categorical: [a]}\n" + formula);
    read("data: {categorical: [b]}\nmodel: {formula: y ~ . + (1 | g)}\n");
    assertTrue(
        refused("data: {categorical: [dow], features: [x, dowe]}\n").contains("mean 'dowe'"));
    assertTrue(
        refused("data: {label: y, features: [x, y]}\n").contains("cannot be a feature as well"));
    assertTrue(
        refused("data: {label: y}\nmodel: {random: [{group: y}]}\n").contains("names the label"));
    assertTrue(
        refused("model: {formula: y ~ x + (1 + z | g)}\n").contains("'z' varies by g, but is no"));
    assertTrue(
        refused("data: {query: \"FROM input INSERT OVERWRITE DIRECTORY 'a' USING csv SELECT *\"}\n")
            .contains("data.query contains"));
  }

  @Test
  void flagsAreCheckedUnderTheirOwnName() {
    UserException e =
        assertThrows(
            UserException.class,
            () ->
                reader.read(
                    null,
                    List.of(SetOption.flag("--rows", "x", "generate", "rows")),
                    "generate",
                    List.of()));
    assertEquals(
        "--rows x: generate.rows must be a whole number of at least 1, but is \"x\".",
        e.getMessage());
  }

  @Test
  void whatACommandNeedsIsAskedFor() {
    UserException e =
        assertThrows(
            UserException.class,
            () ->
                reader.read(
                    write("data: {input: x.csv}"),
                    List.of(),
                    "prepare",
                    EnumSet.allOf(NeededKey.class)));
    assertParts(
        folder
            + "/job.yaml: the key data.label is missing, … \"prepare\" needs. … data: {label:"
            + " clicked}.",
        String.valueOf(e.getMessage()));
    UserException none =
        assertThrows(
            UserException.class,
            () -> reader.read(null, List.of(), "sample", EnumSet.of(NeededKey.PREPARED)));
    assertParts(
        "the command line: the key output is missing, … \"sample\" needs. … output: runs/first.",
        String.valueOf(none.getMessage()));
  }

  @Test
  void aFileThatCannotBeReadIsNamed() throws IOException {
    Path absent = folder.resolve("absent.yaml");
    assertEquals(
        "The configuration file " + absent + " does not exist; check its path.",
        assertThrows(UserException.class, () -> reader.read(absent, List.of(), "run", List.of()))
            .getMessage());
    Path latin =
        Files.write(folder.resolve("l.yaml"), "output: é".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(
        "The configuration file " + latin + " is not UTF-8 text; save it as UTF-8.",
        assertThrows(UserException.class, () -> reader.read(latin, List.of(), "run", List.of()))
            .getMessage());
    assertEquals(
        "The configuration file " + folder + " cannot be read: Is a directory.",
        assertThrows(UserException.class, () -> reader.read(folder, List.of(), "run", List.of()))
            .getMessage());
  }

  @Test
  void priorsFollowTheCoefficients() {
    ModelConfig model =
        read("model: {prior: flat, priors: {\"dow[3]\": \"normal(0, 1)\"}}").model();
    assertEquals(List.of("flat", "normal(0, 1)"), priorsOf(model, "(Intercept)", "dow[3]"));
    UserException e =
        assertThrows(UserException.class, () -> priorsOf(model, "(Intercept)", "dow[4]"));
    assertEquals(
        "model.priors names \"dow[3]\", which is no coefficient of the prepared table; did you mean"
            + " \"dow[4]\"?",
        e.getMessage());
  }

  @Test
  void priorsAreHeldAgainstTheColumnsOfTheInput() {
    FeatureNames features =
        new FeatureNames(
            List.of("(Intercept)", "age", "price"), List.of("country", "a[b]"), List.of());
    for (String name :
        List.of("(Intercept)", "age", "country[FR]", "country[ ]", "a[b][c]", "country[a[]")) {
      priorOf(name, "").requirePriorsOf(features);
    }
    priorOf("age[yes]", "family: softmax,").requirePriorsOf(features);
    priorOf("country[FR][yes]", "family: softmax,").requirePriorsOf(features);
    priorOf("sigma", "family: gaussian, sigma: flat,").requirePriorsOf(features);
    priorOf("theta1", "family: mixture, sigma: 1,").requirePriorsOf(features);
    priorOf("whatever", "family: org.example.Own,").requirePriorsOf(features);
    priorOf("x[3]", "").requirePriorsOf(new FeatureNames(List.of("age"), List.of(), List.of("x")));

    assertEquals("did you mean \"price\"?", hint("prise", "", features));
    assertEquals("did you mean \"country[FR]\"?", hint("contry[FR]", "", features));
    assertEquals("did you mean \"country[…]\"?", hint("country", "", features));
    assertEquals("did you mean \"age\"?", hint("age[y]", "", features));
    String columns = "its columns are (Intercept), age, price, country[…], a[b][…].";
    assertEquals(columns, hint("sigma", "", features));
    assertEquals(columns, hint("whatever", "family: softmax,", features));
  }

  private JobConfig priorOf(String name, String family) {
    return read("model: {" + family + " priors: {\"" + name + "\": flat}}");
  }

  private String hint(String name, String family, FeatureNames features) {
    UserException e =
        assertThrows(UserException.class, () -> priorOf(name, family).requirePriorsOf(features));
    assertEquals(UserException.Kind.USAGE, e.kind());
    String message = String.valueOf(e.getMessage());
    String begin =
        "model.priors names \"" + name + "\", but no column of the input has a coefficient";
    assertTrue(message.startsWith(begin), message);
    return message.replaceFirst("^[^;]*; ", "");
  }

  /** Returns the family's keys that have a value. */
  private static Map<String, Object> set(ModelConfig model) {
    Map<String, Object> set = new HashMap<>(model.keys());
    set.values().removeIf(Objects::isNull);
    return set;
  }

  @Test
  void familiesHaveKeysOfTheirOwn() {
    ModelConfig robust = read("model: {family: robust, scale: 14.5}").model();
    assertEquals(4.0, robust.keys().get("df"));
    assertEquals(14.5, robust.keys().get("scale"));
    assertEquals(LabelKind.REAL, robust.labelNeeded());
    ModelConfig softmax = read("model: {family: softmax, reference_class: none}").model();
    assertEquals(Map.of("reference_class", "none"), set(softmax));
    assertEquals(Map.of("reference_class", "auto"), set(read("model: {family: softmax}").model()));
    assertEquals(
        Map.of("shape", ConfiguredPrior.AUTO), set(read("model: {family: gamma}").model()));
    assertEquals(LabelKind.CLASSES, softmax.labelNeeded());
    assertEquals(
        Map.of("reference_class", "3"),
        set(read("model: {family: softmax, reference_class: 3}").model()));
    ModelConfig fixed = read("model: {family: gaussian, sigma: 2.5}").model();
    assertEquals(Map.of("sigma", 2.5), set(fixed));
    ModelConfig sampled = read("model: {family: gaussian, sigma: half_normal(3)}").model();
    assertEquals(Map.of("sigma", ConfiguredPrior.of("half_normal(3)")), set(sampled));
    ModelConfig poisson = read("model: {family: poisson, offset: e}").model();
    assertEquals(Optional.of("e"), poisson.offset());
    assertEquals(LabelKind.COUNT, poisson.labelNeeded());
    ModelConfig own =
        read("model: {family: a.B, label_kind: positive, options: {knots: 3}}").model();
    assertEquals(LabelKind.POSITIVE, own.labelNeeded());
    assertEquals(Map.of("knots", "3"), own.options());
  }

  @Test
  void untunedAnchorsAreThoseOfThePaper() {
    assertEquals(1.5, read("").precompute().anchor());
    assertEquals(0, firefly(read("model: {family: softmax}")).anchor());
    assertEquals(0, read("model: {family: robust, scale: 2}").precompute().anchor());
  }

  @Test
  void aPriorOfAColumnIsThatOfItsCoefficientsOfAllClasses() {
    ModelConfig model =
        read("model: {family: softmax, prior: flat, priors: {a: \"normal(0, 1)\","
                + " \"b[v]\": \"normal(0, 2)\"}}")
            .model();
    assertEquals(
        "{a[u]=normal(0, 1), b[u]=flat, a[v]=normal(0, 1), b[v]=normal(0, 2)}",
        model
            .priors()
            .priorsOf(
                List.of("a[u]", "b[u]", "a[v]", "b[v]"), List.of("a", "b"), Predictors.all(2, 2))
            .toString());
  }

  @Test
  void everyFamilyReadsBack() {
    for (String model :
        List.of(
            "{family: softmax, reference_class: cat}",
            "{family: robust, scale: 14.5, df: 3}",
            "{family: gaussian, sigma: 2}",
            "{family: gaussian, sigma: \"half_normal(0, 10)\"}",
            "{family: asymmetric_laplace, quantile: 0.9, sigma: 2}",
            "{family: gamma, shape: 50}",
            "{family: poisson, offset: log_exposure}",
            "{family: probit}",
            "{family: cloglog}",
            "{family: cauchit}",
            "{family: zero_inflated_poisson, offset: e}",
            "{family: zero_inflated_poisson, zi: 0.2}",
            "{family: hurdle_poisson, hu: \"uniform(0, 0.5)\"}",
            "{family: zero_inflated_negative_binomial, zi: 0.2, offset: e}",
            "{family: hurdle_negative_binomial, shape: 3}",
            "{family: robust, df: auto}",
            "{family: robust, df: \"gamma(2, 0.1)\", scale: 2}",
            "{family: weibull, event: died}",
            "{family: lognormal, event: died, scale: \"half_normal(0, 2)\"}",
            "{family: loglogistic, scale: 0.5, offset: e}",
            "{family: exponential, event: died}",
            "{family: exponential, event: died, time2: until}",
            "{family: loglogistic, event: died, time2: until}",
            "{family: negative_binomial, offset: e}",
            "{family: negative_binomial, shape: 2}",
            "{family: beta}",
            "{family: ordinal}",
            "{family: ordinal, order: [low, mid, high], gaps: \"half_normal(0, 3)\"}",
            "{family: beta, phi: exponential(0.1)}",
            "{family: binomial, trials: n}",
            "{family: mixture, sigma: 1.5}",
            "{family: com.acme.Mine, label_kind: count, options: {a: 1}}")) {
      JobConfig config = read("model: " + model);
      assertEquals(config, read(EffectiveConfig.asYaml(config)));
    }
  }

  private static List<String> priorsOf(ModelConfig model, String... columns) {
    return model
        .priors()
        .priorsOf(List.of(columns), List.of(columns), Predictors.all(columns.length, 1))
        .values()
        .stream()
        .map(ConfiguredPrior::toString)
        .toList();
  }

  @Test
  void theEffectiveConfigurationReadsBack() {
    JobConfig config =
        read(
            """
            data:
              label: "1"
              features: ["null", "true", "a: b", x, dow]
              categorical: {dow: {levels: ["0", "1"]}}
            model: {priors: {"(Intercept)": "cauchy(0, 10)"}}
            sampler: {step_size: 1e-3}
            output: runs/x
            """);
    assertEquals(config, read(EffectiveConfig.asYaml(config)));
  }

  @Test
  void aFormulaIsWhatItsKeysWouldSay() {
    JobConfig formula =
        read(
            """
            model:
              family: poisson
              formula: "n ~ 0 + x * f + offset(log(t)) + (1 + x | g)"
              random: [{group: g, prior: {sd: "exponential(1)"}}]
            """);
    JobConfig keys =
        read(
            """
            data: {label: n, intercept: false}
            model:
              family: poisson
              offset: log(t)
              random: [{group: g, effects: ["(Intercept)", x], prior: {sd: "exponential(1)"}}]
            """);
    assertEquals("n ~ 0 + x * f + offset(log(t)) + (1 + x | g)", formula.model().formula());
    assertEquals(keys.data(), formula.data());
    assertEquals(keys.model().random(), formula.model().random());
    assertEquals(keys.model().offset(), formula.model().offset());
    assertEquals(keys.sampler(), formula.sampler());
    assertEquals(formula, read(EffectiveConfig.asYaml(formula)));
  }

  @Test
  void aFormulaAndOtherKeysMayNotDisagree() {
    formulaRefuses("data: {label: z}", "data.label is \"z\", but model.formula");
    formulaRefuses("data: {intercept: false}", "implies \"true\"");
    formulaRefuses("data: {features: [x]}", "data.features is set");
    formulaRefuses("prior: flat", "unknown key \"prior\"");
    UserException other =
        assertThrows(
            UserException.class,
            () -> read("model: {formula: y ~ x + (1 | g), random: [{group: h}]}"));
    assertTrue(
        String.valueOf(other.getMessage())
            .contains("names the group 'h', which model.formula does not"),
        other.getMessage());
    UserException effects =
        assertThrows(
            UserException.class,
            () -> read("model: {formula: y ~ x + (1 | g), random: [{group: g, effects: [x]}]}"));
    assertTrue(
        String.valueOf(effects.getMessage()).contains("names other effects of g"),
        effects.getMessage());
    assertTrue(
        refused("model: {family: ica, formula: y ~ x + offset(t)}")
            .contains(
                "model.formula has offset(t), but model.family: ica takes no offset (logistic,"
                    + " probit, cloglog, cauchit, binomial, softmax, ordinal, "));
    assertTrue(
        refused("model: {family: poisson, formula: 'cbind(k, m) ~ x'}")
            .contains("but model.family: poisson takes no trials. Set model.family: binomial."));
    assertTrue(
        refused(
                "model: {formula: 'y ~ x + (x || g)', random: [{group: g, prior: {correlation:"
                    + " lkj(2)}}]}")
            .contains("effects without correlations, but this is a prior of correlations. Remove"));
  }

  @Test
  void aFormulaImpliesKeys() {
    ModelConfig counts = read("model: {formula: 'cbind(k, n - k) ~ x + offset(log(t))'}").model();
    assertEquals("binomial", counts.family());
    assertEquals(Optional.of("n"), counts.trials());
    assertEquals(Optional.of("log(t)"), counts.offset());
    JobConfig weighted = read("model: {family: gaussian, formula: 'log(y) | weights(w) ~ x'}");
    assertEquals("log(y)", weighted.data().columns().label());
    assertEquals("w", weighted.data().columns().weight());
    String half = "half_normal(0, 1)";
    JobConfig random =
        read(
            "model: {formula: 'y ~ x + z + (1 + x | a/b) + (0 + z | a)', random: [{group: a,"
                + " effects: [z], prior: {sd: '"
                + half
                + "'}}]}");
    assertEquals(
        List.of("a [(Intercept), x] auto", "a:b [(Intercept), x] auto", "a [z] " + half),
        random.model().random().stream()
            .map(one -> one.group() + " " + one.effects() + " " + one.prior().sd())
            .toList());
    assertEquals(List.of("a", "a:b"), random.columnsOfModel().groups());
    assertEquals(
        List.of("none"),
        read("model: {formula: 'y ~ x + (x || g)'}").model().random().stream()
            .map(one -> one.prior().correlation())
            .toList());
  }

  private void formulaRefuses(String section, String words) {
    UserException refused =
        assertThrows(UserException.class, () -> read("model: {formula: y ~ x}\n" + section + "\n"));
    assertTrue(String.valueOf(refused.getMessage()).contains(words), refused.getMessage());
  }
}
