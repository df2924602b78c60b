package org.lampyris.driver.predict;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.dataprep.read.Input;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.diagnostics.ParetoSmoothing;

/**
 * Predictions by the models of several runs with weights w_k: of the mixture of their posteriors of
 * a row's expected response.
 *
 * <p>With S_k draws e_ks of E[y | x, θ] by run k, of mean m_k and standard deviation s_k,
 *
 * <pre>mean m = Σ_k w_k m_k, variance Σ_k w_k (s_k² + (m_k − m)²).</pre>
 *
 * <p>An end of the interval is a quantile of all draws, e_ks with the weight v = w_k/S_k. In
 * ascending order, the i-th of N draws is the quantile of probability
 *
 * <pre>(v_1 + … + v_i − ½v_i − ½v_1) / (1 − ½v_1 − ½v_N),</pre>
 *
 * <p>and others are interpolated: type 7 of Hyndman and Fan (1996) if all v are equal. The log
 * predictive density is log Σ_k w_k p_k(y | x). A response is drawn by one of the models, each by
 * its weight.
 *
 * <p>Each run reads a row with its own formula and encoding. A run adds its draws to the row, for
 * the next run to pass on: cost as of all runs alone, and Σ_k S_k numbers a row.
 *
 * @param predictions of the runs
 * @param runs with their weights
 */
public record PredictionAverage(
    List<Prediction> predictions, List<Weighted> runs, Prediction.How how) {
  /** The golden ratio, whose multiples spread the models evenly over the responses. */
  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

  /** Most that weights may miss 1 by, since files have rounded numbers. */
  private static final double ROUNDED = 1e-3;

  /** A run's folder and the weight of its model. */
  public record Weighted(String folder, double weight) {}

  /** Returns the prediction by one run. */
  static PredictionAverage of(Prediction prediction, String folder, Prediction.How how) {
    return new PredictionAverage(List.of(prediction), List.of(new Weighted(folder, 1)), how);
  }

  /**
   * Reads the draws of runs.
   *
   * @param runs of positive weights, whose sum is 1
   * @throws UserException if there is no such run, its table is gone, or responses differ in kind
   */
  static PredictionAverage of(
      SparkSession spark, List<Weighted> runs, Prediction.How how, Consumer<String> progress)
      throws IOException {
    List<Prediction> predictions = new ArrayList<>();
    for (Weighted run : runs) {
      RunOutput output = RunOutput.ofEnded(spark.sparkContext().hadoopConfiguration(), run.folder);
      predictions.add(Prediction.of(() -> spark, output.model(), how, null, progress));
      requireSameKind(
          runs.get(0).folder,
          predictions.get(0).label(),
          run.folder,
          predictions.get(predictions.size() - 1).label());
    }
    return new PredictionAverage(predictions, List.copyOf(runs), how);
  }

  private static void requireSameKind(
      String folder, TableSchema.Label label, String other, TableSchema.Label of) {
    boolean numbers = isNumber(label.kind()) && isNumber(of.kind());
    if (!label.column().equals(of.column())
        || !(numbers || label.kind() == of.kind())
        || !label.classes().equals(of.classes())) {
      throw UserException.data(
          "%s predicts %s and %s predicts %s. Predictions of different responses have no average. Name runs with one label."
              .formatted(folder, words(label), other, words(of)));
    }
  }

  private static boolean isNumber(LabelKind kind) {
    return switch (kind) {
      case REAL, POSITIVE, SHARE, TIME, INTERVAL -> true;
      case BINARY, CLASSES, COUNT, SUCCESSES -> false;
    };
  }

  private static String words(TableSchema.Label label) {
    return switch (label.kind()) {
      case BINARY, CLASSES ->
          "the classes %s of %s".formatted(String.join(", ", label.classes()), label.column());
      case COUNT -> "the count " + label.column();
      case SUCCESSES -> "the share of successes " + label.column();
      case REAL, POSITIVE, SHARE, TIME, INTERVAL -> "the number " + label.column();
    };
  }

  /**
   * Reads weights that {@code compare --average} wrote, or a file like it.
   *
   * @param by the key of a run's weight: stacking, pseudo_bma_plus, bayesian, or another one
   * @return the runs with a positive weight; weights add up to 1
   */
  public static List<Weighted> read(Configuration conf, String file, String by) throws IOException {
    Path path = new Path(file);
    if (!path.getFileSystem(conf).exists(path)) {
      throw UserException.usage(
          "--weights: there is no file %s. Write it with lampyris compare --average --output."
              .formatted(file));
    }
    JsonNode runs;
    try (InputStream in = path.getFileSystem(conf).open(path)) {
      runs = new ObjectMapper().readTree(in).path("runs");
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw UserException.usage("--weights: %s is not JSON.".formatted(file), e);
    }
    List<Weighted> all = new ArrayList<>();
    for (JsonNode run : runs) {
      JsonNode weight = run.path(by);
      if (!run.path("folder").isTextual() || !(weight.isNumber() && weight.asDouble() >= 0)) {
        throw UserException.usage(
            "--weights: in %s, the run %s has no weight '%s'. Choose another one with --by."
                .formatted(file, run.path("folder").asText("without a folder"), by));
      }
      all.add(new Weighted(run.path("folder").asText(), weight.asDouble()));
    }
    double sum = all.stream().mapToDouble(Weighted::weight).sum();
    if (!(Math.abs(sum - 1) <= ROUNDED)) {
      throw UserException.usage(
          Text.of("--weights: the weights '%s' in %s add up to %.4g, not to 1.", by, file, sum));
    }
    return all.stream()
        .filter(run -> run.weight > 0)
        .map(run -> new Weighted(run.folder, run.weight / sum))
        .toList();
  }

  /**
   * Returns new rows with their predictions.
   *
   * @param unknown collects the levels unknown to the models, as rows are predicted
   */
  Dataset<Row> of(Input table, UnknownLevels unknown) {
    Prediction first = predictions.get(0);
    if (predictions.size() == 1) {
      return first.of(table, unknown);
    }
    StructType own = table.own(table.rows()).schema();
    StructType type = first.type(own);
    Input rows = table;
    for (int k = 0; k < predictions.size(); k++) {
      @Nullable UnknownLevels counted = k == 0 ? unknown : null;
      rows = Input.of(predictions.get(k).drawn(rows, counted, "." + k), table.name());
    }
    Mixture mixture =
        new Mixture(
            own.size(),
            runs.stream().mapToDouble(Weighted::weight).toArray(),
            first.outputs().size(),
            (1 - how.interval()) / 2,
            how.logDensity(),
            how.responses());
    return rows.rows().map(mixture, Encoders.row(type));
  }

  /** Returns draws of the expectation as bytes, for {@link Mixture}. */
  static byte[] bytes(double[][] expected) {
    ByteBuffer bytes = ByteBuffer.allocate(Double.BYTES * expected.length * expected[0].length);
    for (double[] of : expected) {
      for (double value : of) {
        bytes.putDouble(value);
      }
    }
    return bytes.array();
  }

  /**
   * Combines what the runs say of a row.
   *
   * @param own how many columns the new table has
   * @param weights w_k
   * @param outputs how many numbers are expected of a row
   * @param tail the probability below the interval
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Mixture(
      int own, double[] weights, int outputs, double tail, boolean density, int responses)
      implements MapFunction<Row, Row> {
    @Override
    public Row call(Row row) {
      int each = 1 + (density ? 1 : 0) + (responses > 0 ? 1 : 0);
      Object[] cells = new Object[own + PosteriorPredictor.FIGURES * outputs + each - 1];
      for (int i = 0; i < own; i++) {
        cells[i] = row.get(i);
      }
      double[][] drawn = new double[weights.length][];
      for (int k = 0; k < weights.length; k++) {
        byte[] bytes = (byte[]) row.get(own + k * each);
        if (bytes == null) {
          return RowFactory.create(cells);
        }
        drawn[k] = new double[bytes.length / Double.BYTES];
        ByteBuffer.wrap(bytes).asDoubleBuffer().get(drawn[k]);
      }
      double[] figures = figures(drawn);
      for (int i = 0; i < figures.length; i++) {
        cells[own + i] = figures[i];
      }
      int next = own + figures.length;
      if (density) {
        cells[next++] = logDensity(row, each);
      }
      if (responses > 0) {
        cells[next] = responses(row, each);
      }
      return RowFactory.create(cells);
    }

    private @Nullable Double logDensity(Row row, int each) {
      double[] logs = new double[weights.length];
      for (int k = 0; k < weights.length; k++) {
        int at = own + k * each + 1;
        if (row.isNullAt(at)) {
          return null;
        }
        logs[k] = Math.log(weights[k]) + row.getDouble(at);
      }
      return ParetoSmoothing.logSumExp(logs);
    }

    private Object @Nullable [] responses(Row row, int each) {
      Object[] picked = new Object[responses];
      for (int r = 0; r < responses; r++) {
        double position = (r + 1) * GOLDEN % 1;
        int k = 0;
        for (; k < weights.length - 1 && position >= weights[k]; k++) {
          position -= weights[k];
        }
        int at = own + k * each + each - 1;
        if (row.isNullAt(at)) {
          return null;
        }
        // Spark hands on an array as it was made, unless something stands between two steps.
        picked[r] = row.get(at) instanceof Object[] array ? array[r] : row.getList(at).get(r);
      }
      return picked;
    }

    /**
     * Returns mean, standard deviation and both ends of the interval of each output.
     *
     * @param drawn for each run, E[y | x, θ_s] by outputs and draws. Not modified.
     */
    double[] figures(double[][] drawn) {
      double[] figures = new double[PosteriorPredictor.FIGURES * outputs];
      for (int output = 0; output < outputs; output++) {
        int runs = weights.length;
        double[][] values = new double[runs][];
        double[] means = new double[runs];
        double mean = 0;
        for (int k = 0; k < runs; k++) {
          int draws = drawn[k].length / outputs;
          values[k] = Arrays.copyOfRange(drawn[k], output * draws, (output + 1) * draws);
          means[k] = PosteriorPredictor.mean(values[k]);
          mean += weights[k] * means[k];
        }
        double variance = 0;
        for (int k = 0; k < runs; k++) {
          double sd = PosteriorPredictor.sd(values[k], means[k]);
          double off = Double.isInfinite(mean) ? 0 : means[k] - mean;
          variance += weights[k] * (sd * sd + off * off);
        }
        int at = PosteriorPredictor.FIGURES * output;
        figures[at] = mean;
        figures[at + 1] = Math.sqrt(variance);
        System.arraycopy(ends(values), 0, figures, at + 2, 2);
      }
      return figures;
    }

    /**
     * Returns both ends of the interval.
     *
     * @param values by runs and draws. Modified: sorted.
     */
    private double[] ends(double[][] values) {
      int last = 0;
      for (int k = 0; k < values.length; k++) {
        Arrays.sort(values[k]);
        last = greatest(values[k]) >= greatest(values[last]) ? k : last;
      }
      int[] next = new int[values.length];
      double half = weights[smallest(values, next)] / values[smallest(values, next)].length / 2;
      double whole = 1 - half - weights[last] / values[last].length / 2;
      double[] ends = new double[2];
      double below = 0;
      double lastPlace = Double.NEGATIVE_INFINITY;
      double lastValue = Double.NaN;
      for (int k = smallest(values, next); k >= 0; k = smallest(values, next)) {
        double value = values[k][next[k]++];
        double share = weights[k] / values[k].length;
        double place = (below + share / 2 - half) / whole;
        below += share;
        for (int end = 0; end < 2; end++) {
          double wanted = end == 0 ? tail : 1 - tail;
          if (lastPlace < wanted) {
            double part = Math.min(1, (wanted - lastPlace) / (place - lastPlace));
            ends[end] =
                lastPlace < 0 || value == lastValue
                    ? value
                    : lastValue + part * (value - lastValue);
          }
        }
        lastPlace = place;
        lastValue = value;
      }
      return ends;
    }

    private static double greatest(double[] sorted) {
      return sorted[sorted.length - 1];
    }

    /** Returns the run whose next draw is the smallest; −1 if none has one. */
    private static int smallest(double[][] values, int[] next) {
      int found = -1;
      for (int k = 0; k < values.length; k++) {
        if (next[k] < values[k].length
            && (found < 0 || values[k][next[k]] < values[found][next[found]])) {
          found = k;
        }
      }
      return found;
    }
  }
}
