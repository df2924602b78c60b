package org.lampyris.driver.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.Families;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.family.ModelProvider;
import org.lampyris.dataprep.formula.FormulaTable;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.dataprep.read.Input;
import org.lampyris.dataprep.read.Source;
import org.lampyris.driver.config.ConfigReader;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.SetOption;
import org.lampyris.executors.table.FlatJson;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.algorithm.AutoChoice;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.diagnostics.VariableSummary;

/**
 * The output folder of a run: its manifest by the meaning of its fields, its draws, its summary and
 * its model. {@link RunWriter} writes such a folder; all that read one read it through this.
 *
 * @param manifest a missing node where the folder has none, as draws of other programs do
 */
public record RunOutput(Configuration conf, String folder, JsonNode manifest) {
  static final String DRAWS = "draws";
  static final String DRAWS_CSV = "draws.csv";
  static final String STATS = "sampler_stats";
  static final String MANIFEST = "manifest.json";
  static final String CHAIN = ".chain";
  static final String ITERATION = ".iteration";
  static final List<String> INDEX = List.of(CHAIN, ITERATION, ".draw");
  static final String LOG_POSTERIOR = "lp__";

  private static final ObjectMapper MAPPER = FlatJson.builder().build();

  /** Beginnings of the names of scales and correlations. */
  private static final List<String> SCALES = List.of("sd_", "cor_", "sds_", "hs_");

  /** Keys that differ between any two runs. */
  private static final List<String> OWN = List.of("output", "prepared", "bounds");

  /** The option of {@code update} that names the folder. */
  private static final String FROM = "--from";

  /**
   * Opens a folder, with or without a manifest.
   *
   * @throws UserException (data) if its manifest is no JSON object
   */
  public static RunOutput open(Configuration conf, String folder) throws IOException {
    Path file = new Path(folder, MANIFEST);
    FileSystem fs = file.getFileSystem(conf);
    if (!fs.exists(file)) {
      return new RunOutput(conf, folder, MissingNode.getInstance());
    }
    try (InputStream in = fs.open(file)) {
      JsonNode manifest = MAPPER.readTree(in.readAllBytes());
      if (!manifest.isObject()) {
        throw UserException.data(file + " cannot be read (it holds no JSON object); sample again.");
      }
      return new RunOutput(conf, folder, manifest);
    } catch (JsonProcessingException e) {
      throw UserException.data(
          file + " cannot be read (" + e.getOriginalMessage() + "); sample again.", e);
    }
  }

  /**
   * Opens the folder of a run that has ended.
   *
   * @throws UserException (data) if it has no manifest
   */
  public static RunOutput ofEnded(Configuration conf, String folder) throws IOException {
    RunOutput run = open(conf, folder);
    if (!run.manifest.isObject()) {
      throw UserException.data(
          folder + " holds no manifest.json. Name the output folder of a completed run.");
    }
    return run;
  }

  /** Returns whether the folder has a manifest. */
  public boolean hasManifest() {
    return !manifest.isMissingNode();
  }

  /** Returns the manifest's path, for messages. */
  private String source() {
    return folder + "/" + MANIFEST;
  }

  /**
   * Returns the configuration of the run, with every default.
   *
   * @param option the option that names the folder, for the message
   * @throws UserException (usage) if there is none, as the run has not ended
   */
  private ObjectNode configuration(String option) {
    if (manifest.path("configuration").deepCopy() instanceof ObjectNode configuration) {
      return configuration;
    }
    throw UserException.usage(
        "%s%s holds no completed run (no manifest.json). Name the output folder of one."
            .formatted(option, folder));
  }

  /** Returns a key of the run's configuration, such as "sampler.thin"; may be a missing node. */
  JsonNode key(String name) {
    return manifest.at("/configuration/" + name.replace('.', '/'));
  }

  /** Returns the fingerprint of the sampled table; empty if unknown. */
  public String fingerprint() {
    return manifest.at("/data/fingerprint").asText("");
  }

  /** Returns the priors of the elements of the draws by their names, in order. */
  public Map<String, String> priors() {
    Map<String, String> priors = new LinkedHashMap<>();
    List<String> names = texts(manifest.at("/data/coefficients"));
    List<String> texts = texts(manifest.at("/data/priors"));
    for (int j = 0; j < Math.min(names.size(), texts.size()); j++) {
      priors.put(names.get(j), texts.get(j));
    }
    return priors;
  }

  /** Returns whether a variable of the draws is a coefficient: no scale and no correlation. */
  public boolean isCoefficient(String variable) {
    List<String> own =
        Families.find()
            .registered(manifest.at("/modelled/family").asText(""))
            .map(ModelProvider::ownCoefficients)
            .orElse(List.of());
    return !own.contains(variable.replaceFirst("\\[.*", ""))
        && SCALES.stream().noneMatch(variable::startsWith);
  }

  /** Returns how many chains were run. */
  public int chains() {
    return manifest.at("/counts/chains").asInt(1);
  }

  /** Returns how many draws each chain has; 0 if that is not known. */
  public long drawsPerChain() {
    return manifest.at("/counts/draws_per_chain").asLong();
  }

  /** Returns the decisions and findings of the run, in order. */
  public List<Decision> decisions() {
    List<Decision> decisions = new ArrayList<>();
    for (JsonNode one : manifest.path("decisions")) {
      Map<String, Double> figures = new LinkedHashMap<>();
      one.path("figures")
          .properties()
          .forEach(figure -> figures.put(figure.getKey(), figure.getValue().asDouble()));
      decisions.add(
          new Decision(
              one.path("topic").asText(""),
              one.path("choice").asText(""),
              figures,
              one.path("text").asText(one.asText("")))); // a text alone, of an earlier version
    }
    return decisions;
  }

  /** Returns the finding that the draws are independent; empty if chains made them. */
  public Optional<Decision> independent() {
    return decisions().stream().filter(one -> one.topic().equals(Decision.INDEPENDENT)).findFirst();
  }

  /** Returns whether the draws are from the prior alone. */
  public boolean isPriorOnly() {
    return manifest.at("/configuration/sampler/prior_only").asBoolean();
  }

  /** Returns the algorithm that drew, chosen or configured; may be empty. */
  public String algorithm() {
    return AutoChoice.chosen(decisions()).orElse(key("sampler.algorithm").asText(""));
  }

  /** Returns the complaints about the draws; empty if an earlier version did not record them. */
  public Optional<List<String>> complaints() {
    JsonNode complaints = manifest.path("complaints");
    return complaints.isArray() ? Optional.of(texts(complaints)) : Optional.empty();
  }

  /** Returns the measured bias; empty for exact draws. */
  public Optional<String> bias() {
    JsonNode sentence = manifest.at("/bias/sentence");
    return sentence.isTextual() ? Optional.of(sentence.asText()) : Optional.empty();
  }

  /** Returns the path of a grouping's effects; empty if they were not kept. */
  public Optional<Path> effects(String group) throws IOException {
    for (JsonNode one : manifest.path("effects")) {
      if (one.path("group").asText().equals(group)) {
        Path path = new Path(folder, one.path("folder").asText());
        return path.getFileSystem(conf).exists(path) ? Optional.of(path) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  /**
   * Returns the summary's lines about the modelled data, if the manifest has them. Draws without a
   * manifest, or with one of an earlier version, can also be summarised.
   */
  public List<String> lines() {
    try {
      return manifest.path("modelled").isObject()
          ? SampledRun.lines(
              MAPPER.treeToValue(manifest.path("modelled"), Modelled.class), decisions())
          : List.of();
    } catch (JsonProcessingException e) {
      return List.of();
    }
  }

  /** Returns the levels without a coefficient, as {@code dow[Fri]}. */
  public List<String> references() {
    List<String> levels = new ArrayList<>();
    JsonNode references = manifest.at("/modelled/references");
    references
        .fieldNames()
        .forEachRemaining(of -> levels.add(of + "[" + references.get(of).asText() + "]"));
    return levels;
  }

  /** Returns the summary: a row for each element of the draws. */
  public List<VariableSummary> summary() throws IOException {
    return SummaryFile.read(conf, folder);
  }

  /**
   * Returns the configuration of the run from its manifest, for this folder.
   *
   * @throws UserException (usage) if the run has not ended, or another version made it
   */
  public JobConfig job() {
    return new ConfigReader()
        .readText(
            configuration("").toString(),
            source(),
            List.of(SetOption.value(folder, List.of("output"))),
            "load",
            List.of());
  }

  /**
   * The configuration of a run to which later rows are added.
   *
   * @param source where it stands, for messages
   * @param text as YAML, without what every run has of its own
   * @param settings keys that append the later rows to the run's
   */
  public record Earlier(String source, String text, List<SetOption> settings) {}

  /**
   * Returns the configuration to which later rows are added.
   *
   * @throws UserException (usage) if the run has not ended, or has stored no rows
   */
  public Earlier earlier() {
    ObjectNode configuration = configuration(FROM + ": ");
    String prepared = configuration.path("prepared").asText();
    JobConfig.requireRows(folder, prepared);
    String bounds = configuration.path("bounds").asText();
    configuration.remove(OWN);
    if (configuration.path("data") instanceof ObjectNode data) {
      data.remove(List.of("input", "like"));
    }
    return new Earlier(
        source(),
        configuration.toString(),
        List.of(
            SetOption.flag(FROM, prepared, "data", "after"),
            SetOption.flag(FROM, bounds, "precompute", "after")));
  }

  /**
   * Returns another configuration on the table and the bounds of this run, unless it names some.
   */
  public JobConfig onTable(JobConfig job) {
    String prepared = key("prepared").asText(null);
    JobConfig.requireRows(folder, prepared);
    return job.onTableOf(prepared, key("bounds").asText(null));
  }

  /** The model of a run, on its prepared table. */
  public record Fitted(RunOutput run, JobConfig job, TableSchema schema, ModelOfTable model) {
    /**
     * Returns the expected response.
     *
     * @param without what a model without one does not do, for the message
     * @throws UserException (usage) if the family defines none
     */
    public Expectation expectation(String without) {
      return model
          .expectation()
          .orElseThrow(
              () ->
                  UserException.usage(
                      "Family %s defines no expectation(), so it %s. Choose a run with another family."
                          .formatted(model.spec().name(), without)));
    }

    /** Opens a table of rows with the columns that the model needs. */
    public Input open(SparkSession spark, Source source) {
      Columns columns = job.data().like(schema).columns();
      Columns.Model of =
          new Columns.Model(schema.label().kind(), job.model().offset().orElse(null));
      return Input.open(
          spark.newSession(), source, columns, of, FormulaTable.uses(columns, of, schema), schema);
    }

    /** Returns whether the model has effects of groups. */
    public boolean hasEffects() {
      return !model.random().isEmpty();
    }
  }

  /**
   * Returns the model of the run.
   *
   * @throws UserException if the table is gone or has changed, or another version wrote the
   *     configuration
   */
  public Fitted model() throws IOException {
    JobConfig job = new ConfigReader().reread(manifest.path("configuration").toString(), source());
    if (job.prepared() == null) {
      throw UserException.data(folder + " does not record where its prepared table is.");
    }
    String prepared = job.preparedFolder();
    Path path = new Path(prepared, TableSchema.FILE);
    if (!path.getFileSystem(conf).exists(path)) {
      throw UserException.data(
          "the prepared table is no longer in "
              + prepared
              + ". Restore it, or prepare it again with the same configuration."
              + (path.isAbsolute()
                  ? ""
                  : " The folder is relative: call the command in the folder that the run was started in."));
    }
    TableSchema schema = TableSchema.read(prepared, conf);
    if (!schema.fingerprint().equals(fingerprint())) {
      throw UserException.data(
          "the table in " + prepared + " is not the table that " + folder + " was sampled from.");
    }
    ModelOfTable model = job.modelOf(schema);
    if (model.isProgram()) {
      throw UserException.usage(
          "%s is a run of the program %s, which has no likelihood of a row. Use summarize, compare, export or report, which need none."
              .formatted(folder, job.model().family()));
    }
    return new Fitted(this, job, schema, model);
  }

  /**
   * Reads all draws, from {@code draws/}, or from {@code draws.csv} if that is absent.
   *
   * @throws UserException if there are no draws, or they are not chains of equal length
   */
  public Draws draws() throws IOException {
    return draws(1);
  }

  /**
   * Reads the draws of every {@code every}-th iteration, at least one; no others are held in
   * memory.
   *
   * @throws UserException as {@link #draws()} does
   */
  public Draws draws(int every) throws IOException {
    return Draws.read(conf, folder, every);
  }

  /**
   * Returns the names of the variables of the draws.
   *
   * @throws UserException as {@link #draws()} does
   */
  public List<String> parameters() throws IOException {
    return Draws.variables(conf, folder);
  }

  /**
   * Reads the draws of some variables; no others are held in memory.
   *
   * @param names some of {@link #parameters}, or {@code lp__}
   * @throws UserException as {@link #draws()} does
   */
  public Draws drawsOf(List<String> names) throws IOException {
    return Draws.read(conf, folder, names);
  }
}
