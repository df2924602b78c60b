package org.lampyris.driver.predict;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.family.Families;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.ModelProvider;
import org.lampyris.bounds.family.OwnFormula;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.Predictors;
import org.lampyris.executors.table.TableSchema;

/**
 * A table that is simulated from a family: an intercept, a number x far from 0, a column of three
 * levels, and effects of eight groups.
 */
public final class SimulatedTable {
  private static final double CENTER = 4.2;
  private static final List<String> LEVELS = List.of("a", "b", "c");
  private static final int GROUPS = 8;
  private static final Families KNOWN = Families.find(); // looks through the class path

  /**
   * Returns the families that say what they expect of a response; with {@code " ~ "} and a name
   * behind them, those whose parameter depends on the columns too.
   */
  public static List<String> families() {
    return Stream.concat(
            KNOWN.names().stream().filter(name -> !List.of("mixture", "ica").contains(name)),
            Stream.of(
                "gaussian ~ sigma",
                "gamma ~ shape",
                "zero_inflated_poisson ~ zi",
                "hurdle_negative_binomial ~ hu",
                "robust, df"))
        .toList();
  }

  /** What a table's weights are. */
  public enum Weights {
    NONE,
    /** Equal rows given once with their number, by the user. */
    COUNTS,
    /** The same, by {@code data.aggregate}. */
    MERGED,
    /** Numbers that are not whole: a row counts so many times. */
    IMPORTANCE
  }

  /**
   * A family with parameters that are sampled, and θ.
   *
   * @param theta intercept, slope of x, two levels, for each predictor; then the family's own
   */
  public record Truth(FamilySpec spec, double[] theta) {
    /** Takes a θ of as many elements as the model has. */
    public Truth {
      int expected =
          KNOWN
              .named(spec.name())
              .model(spec, List.of("(Intercept)", "x", "k[b]", "k[c]"))
              .dimension();
      if (theta.length != expected) {
        throw new IllegalArgumentException(
            spec.name() + " has " + expected + " parameters, not " + theta.length);
      }
    }

    ModelProvider provider() {
      return KNOWN.named(spec.name());
    }

    /** Returns a family with parameters of its own. */
    public static Truth of(String family) {
      FamilySpec plain = FamilySpec.of(family);
      return switch (family) {
        case "gaussian ~ sigma" -> modelled(family, 10, -2, 3, -1, -0.4, 0.2, 0.3, -0.5);
        case "gamma ~ shape" -> modelled(family, -1, 0.3, 0.2, 0.5, 1, -0.15, 0.3, 0.6);
        case "zero_inflated_poisson ~ zi" ->
            modelled(family, -0.6, 0.25, 0.3, -0.2, 0.5, -0.3, 0.4, 0.6);
        case "poisson" -> new Truth(plain, new double[] {-0.6, 0.25, 0.3, -0.2});
        case "negative_binomial" -> sampled(family, "shape", new double[] {-0.6, 0.25, 0.3, -1, 2});
        case "gamma" -> sampled(family, "shape", new double[] {-1, 0.3, 0.2, 0.5, 1.5});
        case "beta" -> sampled(family, "phi", new double[] {-1.5, 0.3, 0.5, -0.4, 6});
        case "gaussian" -> sampled(family, "sigma", new double[] {10, -2, 3, -1, 1.7});
        case "asymmetric_laplace" ->
            new Truth(plain.with("quantile", 0.8), new double[] {10, -2, 3, -1, 0.7});
        case "weibull" -> new Truth(plain, new double[] {-1, 0.3, 0.2, 0.5, 0.7});
        case "lognormal" -> new Truth(plain, new double[] {-1, 0.3, 0.2, 0.5, 0.8});
        case "loglogistic" -> new Truth(plain, new double[] {-1, 0.3, 0.2, 0.5, 0.25});
        case "zero_inflated_poisson", "hurdle_poisson" ->
            new Truth(plain, new double[] {-0.6, 0.25, 0.3, -0.2, 0.3});
        case "hurdle_negative_binomial ~ hu" ->
            modelled(family, -0.6, 0.25, 0.3, -0.2, 0.5, -0.3, 0.4, 0.6, 2);
        case "zero_inflated_negative_binomial", "hurdle_negative_binomial" ->
            new Truth(plain, new double[] {-0.6, 0.25, 0.3, -0.2, 0.3, 2});
        case "robust, df" ->
            new Truth(
                FamilySpec.of("robust").with("df", "auto"), new double[] {10, -2, 3, -1, 1.7, 5});
        case "robust" ->
            new Truth(
                plain.with("scale", "exponential(1)").with("df", 4.0),
                new double[] {10, -2, 3, -1, 1.7});
        case "softmax" ->
            new Truth(
                new FamilySpec(family, Map.of(), List.of("p", "q", "r")),
                new double[] {0, 0, 0, 0, -1, 0.3, 0.5, 0, 1, -0.2, 0, 0.6});
        case "ordinal" ->
            new Truth(
                new FamilySpec(family, Map.of(), List.of("1", "2", "3", "4")),
                new double[] {0, 0.3, 0.5, -0.8, 1.1, 2.3});
        default -> new Truth(plain, new double[] {-1.4, 0.3, 0.5, -0.4});
      };
    }

    private static Truth modelled(String family, double... theta) {
      String[] of = family.split(" ~ ", -1);
      FamilySpec spec = FamilySpec.of(of[0]);
      OwnFormula formula = new OwnFormula("~ x + k", Predictors.all(4, 2), 0);
      return new Truth(spec.with(of[1], formula), theta);
    }

    private static Truth sampled(String family, String parameter, double[] theta) {
      return new Truth(FamilySpec.of(family).with(parameter, "exponential(1)"), theta);
    }

    /** Returns the same truth with another element of θ. */
    public Truth with(int j, double value) {
      double[] other = theta.clone();
      other[j] = value;
      return new Truth(spec, other);
    }

    private LabelKind label() {
      return provider().label();
    }

    private List<String> classes() {
      return label() == LabelKind.BINARY ? List.of("no", "yes") : spec.classes();
    }
  }

  /**
   * How a table is stored.
   *
   * @param scale of x, as {@code data.standardize} would have it
   * @param effects whether groups have effects
   * @param curve of η: what it has of (x − 5)², which no model here knows
   */
  public record Form(int rows, double scale, Weights weights, boolean effects, double curve) {}

  private final Truth truth;
  private final Form form;
  private final double[] effects = new double[GROUPS];
  private final RowSample sample;
  private final int[] group;

  /** Simulates a table. */
  public SimulatedTable(Truth truth, Form form, UniformRandomProvider rng) {
    this.truth = truth;
    this.form = form;
    ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
    for (int g = 0; form.effects && g < GROUPS; g++) {
      effects[g] = 0.5 * normal.sample();
    }
    // Equal rows are counted by all that is in them: x, level, group, trials, response.
    Map<List<Double>, Double> rows = new LinkedHashMap<>();
    boolean coarse = form.weights == Weights.COUNTS || form.weights == Weights.MERGED;
    for (int i = 0; i < form.rows; i++) {
      double x = coarse ? 2 + 3.0 * rng.nextInt(3) : 5 + 2 * normal.sample();
      double level = rng.nextInt(3);
      double g = coarse ? rng.nextInt(2) : rng.nextInt(GROUPS);
      double trials = truth.label() == LabelKind.SUCCESSES ? 1 + rng.nextInt(12) : 1;
      double y = response(x, (int) level, effects[(int) g], (int) trials, rng);
      List<Double> row = new ArrayList<>(List.of(x, level, g, trials, y));
      if (truth.label() == LabelKind.SUCCESSES || !coarse) {
        row.add((double) i); // Trials are weights already.
      }
      rows.merge(row, 1.0, Double::sum);
    }
    double[] features = new double[4 * rows.size()];
    double[] y = new double[rows.size()];
    double[] weight = new double[rows.size()];
    group = new int[rows.size()];
    int at = 0;
    for (Map.Entry<List<Double>, Double> row : rows.entrySet()) {
      List<Double> of = row.getKey();
      features[4 * at] = 1;
      features[4 * at + 1] = of.get(0) - CENTER;
      for (int k = 1; k < 3; k++) {
        features[4 * at + 1 + k] = of.get(1) == k ? 1 : 0;
      }
      group[at] = of.get(2).intValue();
      y[at] = truth.label() == LabelKind.BINARY ? 2 * of.get(4) - 1 : of.get(4);
      boolean own = form.weights == Weights.IMPORTANCE && truth.label() != LabelKind.SUCCESSES;
      weight[at++] = of.get(3) * row.getValue() * (own ? 0.5 + 3 * rng.nextDouble() : 1);
    }
    sample = new RowSample(List.of(new DenseBlock(0, 4, features, y, weight)), rows.size());
  }

  private double response(
      double x, int level, double effect, int trials, UniformRandomProvider rng) {
    int predictors = truth.provider().predictors(truth.spec);
    double[] eta = new double[predictors];
    for (int p = 0; p < predictors; p++) {
      double[] t = Arrays.copyOfRange(truth.theta, 4 * p, 4 * p + 4);
      eta[p] = t[0] + t[1] * x + (level > 0 ? t[1 + level] : 0);
      if (p == 0 || truth.label() == LabelKind.CLASSES) {
        eta[p] += effect + form.curve * (x - 5) * (x - 5);
      }
    }
    var expectation = truth.provider().expectation(truth.spec).orElseThrow();
    if (truth.label() == LabelKind.CLASSES) {
      double[] p = new double[truth.classes().size()];
      expectation.write(eta, truth.theta, p);
      double[][] byClass =
          Arrays.stream(p).mapToObj(q -> new double[] {q}).toArray(double[][]::new);
      return Responses.draw(byClass, 0, rng);
    }
    double[] mean = new double[1];
    expectation.write(eta, truth.theta, mean);
    var response = expectation.response(mean[0], expectation.ofRow(eta, truth.theta)).orElseThrow();
    return Responses.sampler(response, trials, rng).getAsDouble() / trials;
  }

  private TableSchema schema() {
    List<TableSchema.Column> columns = new ArrayList<>(List.of(TableSchema.Column.intercept()));
    TableSchema.Range range = new TableSchema.Range(-5, 15, new Moments(5, 2));
    columns.add(
        new TableSchema.Column(
            "x", "x", TableSchema.ColumnKind.NUMERIC, null, null, CENTER, form.scale, range));
    TableSchema.Range ones = new TableSchema.Range(0, 1, new Moments(0.3, 0.5));
    for (String level : LEVELS.subList(1, 3)) {
      columns.add(
          new TableSchema.Column(
              "k[" + level + "]", "k", TableSchema.ColumnKind.LEVEL, level, "a", 0, 1, ones));
    }
    boolean weighted = form.weights == Weights.COUNTS || form.weights == Weights.IMPORTANCE;
    boolean trials = truth.label() == LabelKind.SUCCESSES;
    @Nullable Long merged = form.weights == Weights.MERGED ? Long.valueOf(form.rows) : null;
    return new TableSchema(
        new TableSchema.Stamp(TableSchema.VERSION, "0", "00"),
        new TableSchema.Packing(1, 1, 1, TableSchema.Layout.DENSE, TableSchema.Storage.DOUBLE),
        new TableSchema.Roles(
            new TableSchema.Label("y", truth.label(), truth.classes()),
            weighted && !trials ? "w" : null,
            null,
            trials ? "n" : null,
            null,
            null),
        new TableSchema.Scaling(true, "unit", true, null, null, null),
        1,
        new TableSchema.Source("", "csv", null, 0, trials ? null : merged, List.of()),
        List.of(
            new TableSchema.Feature("x", TableSchema.FeatureKind.NUMERIC, 1, List.of(), null, null),
            new TableSchema.Feature(
                "k", TableSchema.FeatureKind.CATEGORICAL, 1, LEVELS, "a", null)),
        columns);
  }

  /**
   * Checks a model.
   *
   * @param fitted the model, by θ
   * @param draws how many draws there are, all of them θ: the replicates are then as the table is
   */
  public PredictiveCheck check(Truth fitted, int draws) {
    double[][] thetas = new double[draws][];
    Arrays.setAll(thetas, s -> fitted.theta.clone());
    PredictiveCheck.Shifts shifts =
        (block, row) -> {
          double[] shift = new double[draws];
          Arrays.fill(shift, effects[group[row]]);
          return shift;
        };
    return PredictiveCheck.of(
        new PredictiveCheck.Fitted(
            schema(),
            fitted.provider().expectation(fitted.spec).orElseThrow(),
            thetas,
            fitted.provider().predictors(fitted.spec, 4),
            form.effects ? shifts : null,
            List.of()),
        sample);
  }
}
