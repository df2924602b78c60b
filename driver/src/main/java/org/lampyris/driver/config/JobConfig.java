package org.lampyris.driver.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.EffectColumns;
import org.lampyris.bounds.effects.EffectsConfig;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.SharedScale;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.family.EffectModel;
import org.lampyris.bounds.family.ModelConfig;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.dataprep.blocks.DataSection;
import org.lampyris.dataprep.design.FeatureNames;
import org.lampyris.dataprep.formula.Formula;
import org.lampyris.dataprep.formula.LinearColumn;
import org.lampyris.dataprep.formula.PredictorFormulas;
import org.lampyris.dataprep.generate.GenerateSection;
import org.lampyris.dataprep.precompute.PrecomputeConfig;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.executors.table.LevelTable;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.algorithm.Foreseen;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.kernel.ThetaKernelType;

/**
 * A whole configuration, checked, with defaults filled in.
 *
 * @param output the folder of the results; null where the command needs none
 * @param prepared the folder of the prepared table, by default {@code prepared} in {@code output};
 *     or {@link #NONE}, where rows are in memory alone, and that folder has the schema
 * @param bounds the folder of the bounds artefact; by default {@code bounds} in {@code output}
 */
public record JobConfig(
    DataSection data,
    ModelConfig model,
    PrecomputeConfig precompute,
    SamplerSettings sampler,
    GenerateSection generate,
    @Nullable String output,
    @Nullable String prepared,
    @Nullable String bounds) {
  /**
   * How many standard deviations from 0 a column that varies by group may be on average. Draws of
   * intercepts where it is 0 have 24 bits: at this distance they tell η at the mean to a percent of
   * the standard deviation of the slopes' part.
   */
  private static final double FARTHEST = 1e5;

  /**
   * Least number of rows for effects as coefficients. With fewer, multilevel repeats its moves and
   * takes seconds; with more, it draws a family's own parameters slowly.
   */
  private static final long LEAST_ROWS = 2_000;

  /** Least number of rows for each of those coefficients: the rows say little of less. */
  private static final double ROWS_EACH = 2.5;

  /** Value of {@code prepared} if rows are not stored. */
  private static final String NONE = "none";

  /** Returns {@link #output()}, which {@link NeededKey} has made sure of. */
  public String outputFolder() {
    return Objects.requireNonNull(output);
  }

  /** Returns whether the rows of the prepared table are stored. */
  public boolean storesRows() {
    return !NONE.equals(prepared);
  }

  /** Returns the folder of the prepared table, which {@link NeededKey} has made sure of. */
  public String preparedFolder() {
    return Objects.requireNonNull(folderOf(output, prepared));
  }

  /** Returns the folder that {@code prepared} stands for. */
  static @Nullable String folderOf(@Nullable String output, @Nullable String prepared) {
    return ConfigReader.below(output, "prepared", NONE.equals(prepared) ? null : prepared);
  }

  /**
   * Refuses {@code prepared: none} for a command that it leaves nothing to do.
   *
   * @throws UserException (usage) that names what does
   */
  public void requireRows(String command) {
    if (!storesRows()) {
      throw UserException.usage(
          "prepared: none stores no rows, but \"%s\" needs stored rows. Use \"run\", which keeps them in memory, or name a folder."
              .formatted(command));
    }
  }

  /**
   * Refuses to go on from another run that has stored no rows.
   *
   * @param folder its output folder
   * @param preparedThere what its {@code prepared} says
   * @throws UserException (usage) if it has stored none
   */
  public static void requireRows(String folder, @Nullable String preparedThere) {
    if (NONE.equals(preparedThere)) {
      throw UserException.usage(
          "%s is the output of a run with prepared: none, so its rows were not stored. Run it again with a folder in prepared."
              .formatted(folder));
    }
  }

  /** Returns {@link #bounds()}, which {@link NeededKey} has made sure of. */
  public String boundsFolder() {
    return Objects.requireNonNull(bounds);
  }

  /** Returns the input columns that the model needs. */
  public Columns.Model columnsOfModel() {
    Optional<String> second = model.secondTime();
    if (second.isPresent() && model.offset().isPresent()) {
      throw UserException.usage(
          "model.time2: %s: a model of times in intervals takes no offset, %s. Divide the times by its exponential in data.query."
              .formatted(second.get(), model.offset().get()));
    }
    return new Columns.Model(
        model.labelNeeded(),
        second.or(model::offset).orElse(null),
        model.trials().orElse(null),
        model.random().stream().map(EffectsConfig::group).distinct().toList(),
        model.tableFormula(),
        model.classes(),
        model.zeros().orElse(null));
  }

  /**
   * Refuses columns with conflicting roles, as far as their names show.
   *
   * @throws UserException (usage) that names the column and the key
   */
  void requireRoles() {
    terms();
    String text = model.tableFormula();
    Formula formula = text == null ? null : Formula.parse(text);
    if (formula != null) {
      formula.requireEffects();
    }
    InputColumns.requireRoles(
        data.columns(),
        columnsOfModel(),
        formula == null ? null : formula.termColumns().orElse(null));
  }

  /** Returns the terms of each linear predictor; none unless there are several formulas. */
  private List<List<String>> terms() {
    return model.formulas().isEmpty()
        ? List.of()
        : PredictorFormulas.terms(
            Objects.requireNonNull(model.formula()),
            Objects.requireNonNull(model.tableFormula()),
            model.formulas());
  }

  /**
   * Returns this configuration with the algorithm that samples programs, if the model is one.
   *
   * @param readsInput whether the table is made from the input
   * @throws UserException (usage) if a key has no meaning for a program, or the algorithm is for
   *     programs and the model is none
   */
  public JobConfig suiting(boolean readsInput) {
    SamplingAlgorithm algorithm =
        SamplingAlgorithm.registry().all().stream()
            .filter(one -> one.needs().contains(Need.PROGRAM))
            .findFirst()
            .orElseThrow();
    boolean named = sampler.algorithm().equals(algorithm.name());
    if (!model.isProgram()) {
      if (named) {
        throw UserException.usage(
            "sampler.algorithm: %s samples programs, and model.family: %s is no program. Name the class of one in model.family, or remove sampler.algorithm."
                .formatted(algorithm.name(), model.family()));
      }
      return this;
    }
    String foreign =
        !named && sampler.type().isPresent()
            ? "sampler.algorithm: " + sampler.algorithm()
            : sampler.run().priorOnly() ? "sampler.prior_only" : model.keyOfCoefficients();
    if (!foreign.isEmpty()) {
      throw UserException.usage(
          "model.family: %s is a program, which has priors and moves of its own, so %s has no place. Remove it."
              .formatted(model.family(), foreign));
    }
    if (readsInput && data.encoding().intercept()) {
      throw withIntercept();
    }
    return new JobConfig(
        data, model, precompute, sampler.with(algorithm), generate, output, prepared, bounds);
  }

  private UserException withIntercept() {
    return UserException.usage(
        "model.family: %s is a program, which reads columns as they are, but beside an intercept they are stored centred. Set data.intercept: false, and draw an intercept in the program if it needs one."
            .formatted(model.family()));
  }

  /**
   * Refuses an algorithm or a kernel that does not fit the model or the table, as far as this is
   * known before the table is read.
   *
   * @throws UserException (usage) that names the keys and the remedy
   */
  public void requireAlgorithm() {
    Foreseen foreseen =
        new Foreseen(
            model.family(),
            !model.hasNoBound(),
            data.columns().weight() != null,
            data.columns().groupBy() != null);
    sampler.type().ifPresent(algorithm -> algorithm.require(foreseen, sampler));
    requireMonotonic();
    requireColumns();
    requireMatrix(!model.isNoMatrix());
  }

  /** Refuses columns that the family has no coefficients for. */
  private void requireColumns() {
    String text = model.tableFormula();
    Formula formula = text == null ? null : Formula.parse(text);
    model.requireColumns(
        data.encoding().intercept(),
        formula == null ? data.columns().features() : formula.termLabels(),
        formula == null ? List.of() : formula.scaledTerms());
  }

  /** Refuses an algorithm or a kernel that does not draw monotonic effects of the formula. */
  private void requireMonotonic() {
    String text = model.tableFormula();
    if (text == null || !Formula.parse(text).isMonotonic()) {
      return;
    }
    if (sampler.type().filter(one -> !one.has(Trait.TAKES_SCALES)).isPresent()) {
      throw UserException.usage(
          "sampler.algorithm: %s does not draw mo(x) of model.formula. Remove sampler.algorithm, choose %s, or write ordered(x), polynomials of the levels."
              .formatted(
                  sampler.algorithm(),
                  ConfigText.listed(
                      SamplingAlgorithm.registry().names(one -> one.has(Trait.TAKES_SCALES)),
                      "or")));
    }
    if (sampler.isCrankNicolson()) {
      throw UserException.usage(
          "sampler.kernel: pcn, the default of mhss and smh, hardly ever leaves the tails of mo(x) in model.formula. Set sampler.kernel: random-walk.");
    }
  }

  private void requireMatrix(boolean matrix) {
    if (!matrix && sampler.theta().type().filter(ThetaKernelType::movesMatrix).isPresent()) {
      throw UserException.usage(
          "sampler.kernel: %s moves an orthonormal matrix, as in model.family: ica. The coefficients of %s are no such matrix. Remove sampler.kernel."
              .formatted(sampler.theta().kernel(), model.family()));
    }
  }

  /**
   * Returns this configuration on another run's table and bounds, unless it names folders outside
   * its own output folder.
   */
  public JobConfig onTableOf(@Nullable String preparedThere, @Nullable String boundsThere) {
    return new JobConfig(
        data,
        model,
        precompute,
        sampler,
        generate,
        output,
        there("prepared", prepared, preparedThere),
        there("bounds", bounds, boundsThere));
  }

  private @Nullable String there(String folder, @Nullable String own, @Nullable String other) {
    boolean follows = Objects.equals(own, ConfigReader.below(output, folder, null));
    return follows && other != null ? other : own;
  }

  /**
   * Returns the model that the section {@code model} names, for a prepared table.
   *
   * @throws org.lampyris.bounds.config.UserException (usage) if the two do not go together
   */
  public ModelOfTable modelOf(TableSchema schema) {
    TableSchema.Label label = schema.label();
    model.requireLabel(label.kind(), label.column());
    String named = data.columns().label();
    if (named != null && !named.equals(label.column())) {
      throw UserException.data(
          "data.label is '%s', but the label of the prepared table is '%s'. Name the folder of another table, or prepare this one again."
              .formatted(named, label.column()));
    }
    ModelOfTable of =
        model.on(
            label.classes(),
            schema.columnNames(),
            schema.sharedScales().stream().map(SharedScale::sd).toList(),
            schema.monotonic(),
            terms().stream().map(terms -> columnsOf(terms, schema)).toList(),
            schema.tableScale());
    requireMatrix(of.isMatrix());
    if (of.isProgram() && schema.centers().intercept() >= 0) {
      throw withIntercept();
    }
    if (of.isProgram() && schema.roles().weight() != null) {
      throw UserException.usage(
          "model.family: %s is a program, which does not read the weights of the prepared table. Prepare it without data.weight."
              .formatted(model.family()));
    }
    Map<String, List<EffectsConfig>> byGroup = new LinkedHashMap<>();
    for (EffectsConfig one : model.random()) {
      byGroup
          .computeIfAbsent(one.group(), group -> new ArrayList<>())
          .add(one.expanded(effect -> columnsOf(effect, schema)));
    }
    return of.withRandom(
        byGroup.values().stream().map(entries -> effectsOn(schema, of, entries)).toList());
  }

  /**
   * Returns the model with its effects as coefficients, if that is how they are to be drawn: an
   * algorithm says so, or none is named and there are rows enough for it to pay. None if the model
   * has no effects.
   *
   * @throws org.lampyris.bounds.config.UserException (usage) if there are too many for the
   *     algorithm
   */
  public Optional<EffectModel> effectsAsCoefficients(
      SparkSession spark, TableSchema schema, ModelOfTable model) {
    boolean smooth = !schema.sharedScales().isEmpty();
    boolean scaled = smooth || !model.horseshoes().isEmpty();
    boolean monotonic = !model.monotonic().isEmpty();
    if (smooth && model.predictors().count() > 1) {
      throw UserException.usage(
          "model.family: %s has %d linear predictors, and smooths are for one. Write bs(x, df = k) in model.formula, an unpenalised spline."
              .formatted(model.spec().name(), model.predictors().count()));
    }
    if (scaled && sampler.type().filter(one -> !one.has(Trait.TAKES_SCALES)).isPresent()) {
      throw UserException.usage(
          "sampler.algorithm: %s does not draw %s. Remove sampler.algorithm, choose %s, or write %s."
              .formatted(
                  sampler.algorithm(),
                  smooth
                      ? "the standard deviations of smooths ("
                          + String.join(
                              ", ",
                              schema.smooths().stream().map(TableSchema.Smooth::label).toList())
                          + ")"
                      : "the global scale of " + model.horseshoes().get(0),
                  ConfigText.listed(
                      SamplingAlgorithm.registry().names(one -> one.has(Trait.TAKES_SCALES)), "or"),
                  smooth
                      ? "bs(x, df = k) in model.formula, an unpenalised spline"
                      : "horseshoe(scale) with a number, a global scale that is given"));
    }
    if ((model.random().isEmpty() && !scaled)
        || sampler.type().map(one -> one.has(Trait.DRAWS_EFFECTS)).orElse(false)) {
      return Optional.empty();
    }
    long effects =
        model.random().stream().mapToLong(random -> random.levels() * random.size()).sum();
    long all = model.coefficients().size() + effects;
    boolean fits = all <= Integer.MAX_VALUE && !precompute.isWide((int) all);
    if (sampler.type().isEmpty()
        && !scaled
        && !monotonic
        && !sampler.run().priorOnly()
        && (!fits || schema.rows() < Math.max(LEAST_ROWS, ROWS_EACH * all))) {
      return Optional.empty();
    }
    if (!fits) {
      throw UserException.usage(
          Text.of(
              "sampler.algorithm: %s needs matrices with a row for each of the %,d coefficients,"
                  + " %,d of them random effects. %s.",
              sampler.algorithm(),
              all,
              effects,
              scaled || monotonic || sampler.run().priorOnly()
                  ? "Write smaller k in the smooths of model.formula, or group by a column with"
                      + " fewer levels"
                  : "Choose sampler.algorithm: multilevel, which needs none"));
    }
    return Optional.of(
        EffectModel.of(
            model,
            effectColumns(spark, schema, model),
            schema.sharedScales(),
            schema.columnNames(),
            this.model.priors()));
  }

  /**
   * Returns the section {@code sampler}, with the algorithm that draws effects beside their rows if
   * the model has such and no algorithm is named.
   *
   * @param asCoefficients whether the effects are coefficients: {@link #effectsAsCoefficients}
   */
  public SamplerSettings samplerOf(ModelOfTable model, boolean asCoefficients) {
    return model.random().isEmpty() || asCoefficients || sampler.type().isPresent()
        ? sampler
        : sampler.drawingEffects();
  }

  private EffectColumns effectColumns(SparkSession spark, TableSchema schema, ModelOfTable model) {
    int count = model.random().size();
    long[][] keys = new long[count][];
    List<List<String>> levels = new ArrayList<>();
    for (int g = 0; g < count; g++) {
      List<Row> rows =
          LevelTable.read(spark, preparedFolder(), model.random().get(g).grouping())
              .orderBy(LevelTable.KEY)
              .collectAsList();
      keys[g] = rows.stream().mapToLong(row -> row.<Long>getAs(LevelTable.KEY)).toArray();
      levels.add(rows.stream().map(row -> row.<String>getAs(LevelTable.LEVEL)).toList());
    }
    return new EffectColumns(
        schema.columns().size(),
        model.random().stream().map(TableEffects::drawn).toList(),
        keys,
        levels);
  }

  /** Returns the places of the intercept and of the columns of terms. */
  private static int[] columnsOf(List<String> terms, TableSchema schema) {
    return IntStream.range(0, schema.columns().size())
        .filter(
            j -> {
              TableSchema.Column column = schema.columns().get(j);
              return column.kind() == TableSchema.ColumnKind.INTERCEPT
                  || terms.contains(column.name())
                  // A product of one column, such as z:f[b], is a feature of that name.
                  || terms.contains(column.name().replaceAll("\\[[^\\]]*\\]", ""))
                  || (column.source() != null && terms.contains(column.source()));
            })
        .toArray();
  }

  /** Returns the columns of an effect's term: several for a factor or a polynomial. */
  private static List<String> columnsOf(String effect, TableSchema schema) {
    List<String> columns =
        schema.columns().stream()
            .filter(column -> effect.equals(column.source()))
            .map(TableSchema.Column::name)
            .toList();
    return columns.isEmpty() || schema.columnNames().contains(effect) ? List.of(effect) : columns;
  }

  /** Returns the effects of all entries with one group; those of two entries are independent. */
  private static TableEffects effectsOn(
      TableSchema schema, ModelOfTable model, List<EffectsConfig> entries) {
    String group = entries.get(0).group();
    List<String> stored = schema.levels().stream().map(TableSchema.Levels::column).toList();
    int grouping = stored.indexOf(group);
    if (grouping < 0) {
      throw UserException.data(
          "model.random has effects by the column '%s', but the prepared table has %s. Prepare the table again with this model."
              .formatted(
                  group,
                  stored.isEmpty() ? "no groups" : "groups by only " + String.join(", ", stored)));
    }
    TableSchema.Levels levels = schema.levels().get(grouping);
    List<String> names = schema.columnNames();
    GroupingEffects all = null;
    List<Integer> columns = new ArrayList<>();
    List<TableEffects.Line> lines = new ArrayList<>();
    for (EffectsConfig one : entries) {
      int first = columns.size();
      List<String> of = new ArrayList<>();
      for (String effect : one.effects()) {
        LinearColumn linear = names.contains(effect) ? null : LinearColumn.of(schema, effect);
        of.add(linear == null ? effect : linear.name());
        lines.add(linear == null ? TableEffects.Line.SAME : linear.line());
      }
      EffectsConfig named = new EffectsConfig(group, of, one.prior());
      Arrays.stream(named.columnsIn(names)).forEach(columns::add);
      GroupingEffects parsed =
          one.parsed(e -> model.effectPrior(columns.get(first + e), lines.get(first + e)));
      all = all == null ? parsed : all.and(parsed);
    }
    double[] origins =
        IntStream.range(0, columns.size())
            .mapToDouble(e -> model.effectOrigin(columns.get(e), lines.get(e)))
            .toArray();
    GroupingEffects about = Objects.requireNonNull(all).about(origins);
    TableEffects made =
        TableEffects.of(
            about,
            grouping,
            columns.stream().mapToInt(k -> k).toArray(),
            lines,
            schema.centers(),
            levels.levels(),
            levels.together());
    for (int e = 0; e < made.size(); e++) {
      double sds = made.sdsFromZero(e, schema.tableScale());
      if (about.origins().get(e) != 0 && sds > FARTHEST) {
        throw UserException.data(
            Text.of(
                "'%s' varies by %s and is %s on average, %,.0f of its standard deviations from 0."
                    + " Intercepts by %2$s where it is 0 would keep too few digits. Write"
                    + " scale(%1$s) in its place in model.formula.",
                about.spelled(e), group, Text.brief(about.origins().get(e)), sds));
      }
    }
    return made;
  }

  /**
   * Refuses, before a table is prepared, a prior for a coefficient that none of its columns can
   * have.
   *
   * @throws org.lampyris.bounds.config.UserException (usage) if there is one
   */
  public void requirePriorsOf(FeatureNames features) {
    // How many columns a vector has is not known yet.
    if (features.vectors().isEmpty()) {
      List<String> terms = new ArrayList<>(features.terms());
      if (model.formula() != null) {
        terms.addAll(LinearColumn.all(model.formula()));
      }
      model.requirePriorsOf(features.columns(), features.categorical(), terms);
    }
  }
}
