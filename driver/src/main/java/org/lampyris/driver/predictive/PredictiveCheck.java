package org.lampyris.driver.predictive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.scale.ColumnCenters;
import org.lampyris.driver.predict.KnownShifts;
import org.lampyris.driver.predict.PosteriorPredictor;
import org.lampyris.executors.table.TableSchema;

/**
 * Posterior predictive checks (Gelman, Meng and Stern, 1996) by means over groups of rows: T_g = Σ
 * w y / Σ w, held against its distribution under the model, whose mean is that over draws of Σ w
 * E[y | θ] / Σ w, and whose variance that over draws of it, and the mean over draws of Σ w Var(y |
 * θ) / (Σ w)². A row of weight w is w rows where all weights are whole numbers; otherwise it is one
 * row, and w² takes the place of w in the variance. In a group of some rows T_g is nearly normal.
 *
 * <p>The rows are those that the model was fitted to, so that what is observed is a little nearer
 * to what is expected than that of new rows would be. Cost two times P·D·S multiplications a row,
 * for S draws.
 *
 * @param panels by what is expected, by levels, by numbers
 * @param spread the weighted mean of (y − E[y])²/Var(y) over rows, 1 where the model has the
 *     scatter right; NaN where nobody knows, and of classes
 * @param spreadError its standard error
 */
public record PredictiveCheck(List<Panel> panels, double spread, double spreadError) {
  private static final int MOST_CLASSES = 6;
  private static final int MOST_COLUMNS = 4;
  private static final int MOST_LEVELS = 30;
  private static final int CHUNK = 256;

  /** The probability that a right model is doubted. */
  private static final double FALSE_ALARM = 1e-3;

  /** A scatter that is off by less is of no account. */
  private static final double LITTLE = 0.05;

  /** Copies the list. */
  public PredictiveCheck {
    panels = List.copyOf(panels);
  }

  /**
   * What rows are held against.
   *
   * @param draws S draws of θ as it is reported
   * @param predictors P
   * @param shifts what effects of groups add, by the same draws; null where there are none
   */
  public record Fitted(
      TableSchema schema,
      Expectation expectation,
      double[][] draws,
      int predictors,
      @Nullable KnownShifts shifts) {
    /** Makes a model without effects of groups. */
    public Fitted(TableSchema schema, Expectation expectation, double[][] draws, int predictors) {
      this(schema, expectation, draws, predictors, null);
    }

    private int outputs() {
      TableSchema.Label label = schema.label();
      return label.kind() == LabelKind.CLASSES ? label.classes().size() : 1;
    }
  }

  /** Checks a model by some rows. */
  public static PredictiveCheck of(Fitted fitted, RowSample sample) {
    return new Sums(fitted, sample).check();
  }

  /** Returns what speaks against the model, in sentences. */
  public List<String> doubts(String label) {
    List<String> doubts = new ArrayList<>();
    int groups = panels.stream().mapToInt(panel -> panel.groups().size()).sum();
    double most =
        NormalDistribution.of(0, 1)
            .inverseSurvivalProbability(FALSE_ALARM / 2 / Math.max(1, groups));
    panels.stream()
        .flatMap(panel -> panel.groups().stream().map(group -> new Found(panel, group)))
        .filter(found -> Math.abs(found.group.z()) > most)
        .max(Comparator.comparingDouble(found -> Math.abs(found.group.z())))
        .ifPresent(found -> doubts.add(found.sentence(label)));
    if (Math.abs(spread - 1) > Math.max(LITTLE, 4 * spreadError)) {
      doubts.add(
          Text.of(
              "Predictive checks: %s scatters %s than the model has it; squared residuals are %.2f times"
                  + " their expectation (standard error %.2f). Intervals are too %s; try a family with"
                  + " a dispersion of its own.",
              label,
              spread > 1 ? "more" : "less",
              spread,
              spreadError,
              spread > 1 ? "narrow" : "wide"));
    }
    return doubts;
  }

  /** A group that is off. */
  private record Found(Panel panel, Panel.Group group) {
    String sentence(String label) {
      String rows =
          group.name().isEmpty()
              ? Text.of("rows with %s about %.3g", panel.what(), group.at())
              : Text.of("rows with %s = %s", panel.what(), group.name());
      return Text.of(
          "Predictive checks: over %s the mean of %s is %.4g, and the model expects %.4g ± %.2g: the"
              + " model misses something there, such as a curve or an interaction.",
          rows, label, group.observed(), group.mean(), 1.96 * group.sd());
    }
  }

  /** A row: where it is, and its label as numbers that are expected. */
  private record At(DataBlock block, int row) {}

  /** What is added up, chunk by chunk, in their order. */
  private static final class Sums {
    private final Fitted fitted;
    private final List<At> rows = new ArrayList<>();
    private final int outputs;
    private final int draws;
    private final PosteriorPredictor predictor;
    private final ColumnCenters centers;

    /** Whether every weight is a whole number: a row of weight w is then w rows. */
    private final boolean counted;

    Sums(Fitted fitted, RowSample sample) {
      this.fitted = fitted;
      outputs = fitted.outputs();
      draws = fitted.draws.length;
      List<TableSchema.Column> columns = fitted.schema.columns();
      centers = fitted.schema.centers();
      predictor =
          new PosteriorPredictor(
              fitted.expectation, fitted.draws, columns.size(), fitted.predictors, outputs, 0.9);
      for (DataBlock block : sample.blocks()) {
        for (int row = 0; row < block.rows(); row++) {
          rows.add(new At(block, row));
        }
      }
      counted = IntStream.range(0, rows.size()).allMatch(i -> weight(i) == Math.rint(weight(i)));
    }

    private double[] features(At at) {
      double[] x = new double[centers.dimension()];
      centers.input(at.block, at.row, x);
      return x;
    }

    private double observed(At at, int output) {
      double y = at.block.response(at.row);
      return switch (fitted.schema.label().kind()) {
        case BINARY -> y > 0 ? 1 : 0;
        case CLASSES -> y == output ? 1 : 0;
        default -> y;
      };
    }

    PredictiveCheck check() {
      double[][] means = new double[outputs][rows.size()];
      double[][] variances = new double[outputs][rows.size()];
      chunks()
          .forEach(
              chunk -> {
                PosteriorPredictor.Row at = predictor.row();
                for (int i = chunk * CHUNK; i < end(chunk); i++) {
                  double[][] expected = expected(at, i);
                  for (int k = 0; k < outputs; k++) {
                    means[k][i] = Arrays.stream(expected[k]).average().orElseThrow();
                    for (int s = 0; s < draws; s++) {
                      variances[k][i] += variance(expected[k][s], s) / draws;
                    }
                  }
                }
              });
      List<Grouping> by = new ArrayList<>();
      for (int k = 0; k < Math.min(outputs, MOST_CLASSES); k++) {
        by.addAll(groupings(k, means[k]));
      }
      List<Panel> panels = panels(by);
      boolean ofClasses = fitted.schema.label().kind().isClass();
      double[] spread = ofClasses ? new double[] {Double.NaN, 0} : spread(means[0], variances[0]);
      return new PredictiveCheck(panels, spread[0], spread[1]);
    }

    /** Returns E[y | x, θ_s] by outputs and draws, until another row is asked for. */
    private double[][] expected(PosteriorPredictor.Row room, int i) {
      At at = rows.get(i);
      double[] shift = fitted.shifts == null ? null : fitted.shifts.of(at.block, at.row);
      return room.expected(features(at), offset(i), shift);
    }

    private IntStream chunks() {
      return IntStream.range(0, (rows.size() + CHUNK - 1) / CHUNK).parallel();
    }

    private int end(int chunk) {
      return Math.min(rows.size(), (chunk + 1) * CHUNK);
    }

    private double offset(int i) {
      return rows.get(i).block.offset(rows.get(i).row);
    }

    private double weight(int i) {
      return rows.get(i).block.weight(rows.get(i).row);
    }

    private double variance(double mean, int draw) {
      return fitted.expectation.variance(mean, fitted.draws[draw]);
    }

    /**
     * Returns Σ w q / Σ w with q = (y − m)²/v, and its standard error. Of successes in w trials, v
     * is a trial's variance, so that w q is 1 on average and a row counts once.
     */
    private double[] spread(double[] mean, double[] variance) {
      boolean ofTrials = fitted.schema.label().kind() == LabelKind.SUCCESSES;
      double[] q = new double[mean.length];
      double[] w = new double[mean.length];
      double average = 0;
      double total = 0;
      for (int i = 0; i < mean.length; i++) {
        double residual = observed(rows.get(i), 0) - mean[i];
        q[i] = residual * residual / variance[i] * (ofTrials ? weight(i) : 1);
        w[i] = ofTrials ? 1 : weight(i);
        average += w[i] * q[i];
        total += w[i];
      }
      average /= total;
      double squares = 0;
      for (int i = 0; i < mean.length; i++) {
        squares += factor(w[i]) * (q[i] - average) * (q[i] - average);
      }
      // Rows that stand for several are known by their mean alone.
      boolean merged = !ofTrials && fitted.schema.source().merged() != null;
      return new double[] {merged ? Double.NaN : average, Math.sqrt(squares) / total};
    }

    /** Returns the factor of a row's variance in the variance of a weighted sum: w or w². */
    private double factor(double weight) {
      return counted ? weight : weight * weight;
    }

    private List<Grouping> groupings(int output, double[] mean) {
      List<Grouping> groupings = new ArrayList<>();
      List<String> classes = fitted.schema.label().classes();
      String what =
          outputs > 1
              ? "the probability of " + classes.get(output)
              : fitted.schema.label().kind() == LabelKind.BINARY
                  ? "the probability of " + classes.get(1)
                  : "the expected " + fitted.schema.label().column();
      groupings.add(Grouping.tenths(what, Panel.Kind.FITTED, output, mean));
      if (output == 0) {
        levels(groupings);
        numbers(groupings);
      }
      return groupings;
    }

    private void levels(List<Grouping> groupings) {
      List<TableSchema.Column> columns = fitted.schema.columns();
      for (TableSchema.Feature feature : fitted.schema.features()) {
        boolean shown =
            feature.kind() == TableSchema.FeatureKind.CATEGORICAL
                && feature.levels().size() <= MOST_LEVELS
                && groupings.size() <= MOST_COLUMNS;
        if (shown) {
          int[] of = new int[rows.size()];
          int reference = feature.levels().indexOf(feature.reference());
          for (int i = 0; i < of.length; i++) {
            of[i] = reference;
            double[] x = features(rows.get(i));
            for (int j = 0; j < x.length; j++) {
              if (feature.name().equals(columns.get(j).source()) && x[j] > 0.5) {
                of[i] = feature.levels().indexOf(columns.get(j).level());
              }
            }
          }
          double[] value = Arrays.stream(of).asDoubleStream().toArray();
          groupings.add(
              new Grouping(feature.name(), Panel.Kind.LEVELS, 0, feature.levels(), of, value));
        }
      }
    }

    /** Adds the columns of numbers that move the first linear predictor most. */
    private void numbers(List<Grouping> groupings) {
      List<TableSchema.Column> columns = fitted.schema.columns();
      double[] moves = new double[columns.size()];
      for (int j = 0; j < moves.length && fitted.predictors > 0; j++) {
        int column = j;
        double slope = Arrays.stream(fitted.draws).mapToDouble(d -> d[column]).average().orElse(0);
        moves[j] = Math.abs(slope) * columns.get(j).moments().sd();
      }
      IntStream.range(0, moves.length)
          .filter(j -> columns.get(j).kind() == TableSchema.ColumnKind.NUMERIC)
          .boxed()
          .sorted(Comparator.comparingDouble(j -> -moves[j]))
          .limit(MOST_COLUMNS)
          .forEach(
              j -> {
                double[] value =
                    rows.stream().mapToDouble(at -> centers.input(at.block, at.row, j)).toArray();
                groupings.add(Grouping.tenths(columns.get(j).name(), Panel.Kind.NUMERIC, 0, value));
              });
    }

    /** Of each grouping and group: Σ w E of each draw, Σ w Var of each, and what none enters. */
    private double[][][] room(List<Grouping> by) {
      return by.stream()
          .map(grouping -> new double[grouping.groups()][2 * draws + 4])
          .toArray(double[][][]::new);
    }

    private void add(int i, double[][] expected, Grouping by, double[] sum) {
      double w = weight(i);
      double[] of = expected[by.output()];
      for (int s = 0; s < draws; s++) {
        sum[s] += w * of[s];
        sum[draws + s] += factor(w) * variance(of[s], s);
      }
      sum[2 * draws] += w;
      sum[2 * draws + 1] += w * observed(rows.get(i), by.output());
      sum[2 * draws + 2] += w * by.value()[i];
      sum[2 * draws + 3]++;
    }

    private List<Panel> panels(List<Grouping> by) {
      List<double[][][]> chunks =
          chunks()
              .mapToObj(
                  chunk -> {
                    double[][][] sums = room(by);
                    PosteriorPredictor.Row at = predictor.row();
                    for (int i = chunk * CHUNK; i < end(chunk); i++) {
                      double[][] expected = expected(at, i);
                      for (int p = 0; p < sums.length; p++) {
                        add(i, expected, by.get(p), sums[p][by.get(p).of()[i]]);
                      }
                    }
                    return sums;
                  })
              .toList();
      double[][][] all = room(by);
      for (double[][][] sums : chunks) {
        for (int p = 0; p < all.length; p++) {
          for (int g = 0; g < all[p].length; g++) {
            for (int k = 0; k < all[p][g].length; k++) {
              all[p][g][k] += sums[p][g][k];
            }
          }
        }
      }
      return IntStream.range(0, all.length).mapToObj(p -> panel(by.get(p), all[p])).toList();
    }

    private Panel panel(Grouping by, double[][] sums) {
      List<Panel.Group> found = new ArrayList<>();
      for (int g = 0; g < sums.length; g++) {
        if (sums[g][2 * draws + 3] > 0) {
          found.add(group(by.names().isEmpty() ? "" : by.names().get(g), sums[g]));
        }
      }
      return new Panel(by.what(), by.kind(), found);
    }

    private Panel.Group group(String name, double[] sum) {
      double w = sum[2 * draws];
      double mean = 0;
      double within = 0;
      for (int s = 0; s < draws; s++) {
        mean += sum[s] / w / draws;
        within += sum[draws + s] / (w * w) / draws;
      }
      double between = 0;
      for (int s = 0; s < draws; s++) {
        between += (sum[s] / w - mean) * (sum[s] / w - mean) / Math.max(1, draws - 1);
      }
      return new Panel.Group(
          name,
          sum[2 * draws + 2] / w,
          (long) sum[2 * draws + 3],
          sum[2 * draws + 1] / w,
          mean,
          Math.sqrt(within + between));
    }
  }
}
