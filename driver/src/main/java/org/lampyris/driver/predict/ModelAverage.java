package org.lampyris.driver.predict;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.apache.spark.sql.SparkSession;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.output.BayesFactors;
import org.lampyris.driver.output.OutputFolder;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.samplers.diagnostics.ModelWeights;
import org.lampyris.samplers.random.Streams;

/**
 * Weights of the models of several runs for an average of their predictions: stacking and
 * pseudo-BMA+ by {@link Loo} at some rows, the same ones for all runs, and posterior probabilities
 * of the models if all runs have an evidence.
 *
 * @param loos of the runs, in the order of the folders
 * @param bayesian empty if a run has no evidence
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ModelAverage(
    List<Loo> loos, double[] stacking, double[] pseudoBma, double[] bayesian) {
  /** The file of the weights. */
  public static final String FILE = "model_weights.json";

  public ModelAverage {
    loos = List.copyOf(loos);
  }

  /**
   * Cross-validates the runs and weighs their models.
   *
   * @param folders the output folders of at least two runs that have ended
   * @param rows how many rows to draw; all if there are not so many
   * @throws UserException (data) if the runs are not of the same rows, or their order differs
   */
  public static ModelAverage of(SparkSession spark, List<String> folders, int rows)
      throws IOException {
    List<RunOutput> runs = new ArrayList<>();
    for (String folder : folders) {
      runs.add(RunOutput.ofEnded(spark.sparkContext().hadoopConfiguration(), folder));
    }
    for (RunOutput run : runs) {
      String different = BayesFactors.difference(runs.get(0), run);
      if (!different.isEmpty()) {
        throw UserException.data(
            "--average weighs models of the same rows, and %s and %s are not, because their %s. Sample both from the same rows."
                .formatted(runs.get(0).folder(), run.folder(), different));
      }
    }
    List<Loo> loos = new ArrayList<>();
    List<double[]> drawn = new ArrayList<>();
    for (RunOutput run : runs) {
      loos.add(
          LooJob.of(
              spark,
              run.folder(),
              table -> {
                RowSample sample = draw(table, rows);
                drawn.add(seen(sample));
                if (!Arrays.equals(drawn.get(0), drawn.get(drawn.size() - 1))) {
                  throw UserException.data(
                      "--average weighs models row by row, but the rows of %s and %s have other responses or weights, or another order. Set data.order: input and data.aggregate: never for both."
                          .formatted(runs.get(0).folder(), run.folder()));
                }
                return sample;
              }));
    }
    double[][] elpd = loos.stream().map(loo -> loo.sample().values()).toArray(double[][]::new);
    double[] copies = loos.get(0).sample().weights();
    double[] totals = loos.stream().mapToDouble(loo -> loo.elpd().total()).toArray();
    return new ModelAverage(
        loos,
        ModelWeights.stacking(elpd, copies),
        ModelWeights.pseudoBma(
            elpd,
            copies,
            totals,
            loos.get(0).all().weights(),
            new Streams(1).stream(Streams.Purpose.REPLICATES, 0, 0, 0)),
        BayesFactors.probabilities(runs).orElse(new double[0]));
  }

  /** Draws rows of a run's table: the same ones of equal tables. */
  private static RowSample draw(BlockTable table, int wanted) {
    return table.schema().grouping() == null
        ? RowSample.drawByNumber(table, wanted)
        : RowSample.draw(table, wanted);
  }

  /** Returns the responses and weights of rows, by which the rows of two tables are compared. */
  private static double[] seen(RowSample sample) {
    return sample.places().stream()
        .flatMapToDouble(
            at -> DoubleStream.of(at.block().response(at.row()), at.block().weight(at.row())))
        .toArray();
  }

  /** Returns the weights, in lines. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        Text.of(
            "Weights for an average of predictions, by elpd_loo at %,d of %,d rows:",
            loos.get(0).rows(), loos.get(0).all().rows()));
    for (int k = 0; k < loos.size(); k++) {
      lines.add(
          Text.of(
              "run %d: stacking %.3f, pseudo-BMA+ %.3f%s (elpd_loo %,.1f)",
              k + 1,
              stacking[k],
              pseudoBma[k],
              bayesian.length == 0 ? "" : Text.of(", Bayesian %.3f", bayesian[k]),
              loos.get(k).elpd().total()));
    }
    if (bayesian.length == 0) {
      lines.add(
          "No Bayesian weights, because a run has no evidence. Sample with sampler.evidence:"
              + " bridge, or sampler.algorithm: perfect.");
    }
    return lines;
  }

  /** Returns doubts about the weights, as sentences. */
  public List<String> doubts() {
    return loos.stream().map(LooReport::unreliable).flatMap(Optional::stream).toList();
  }

  /** Writes the weights as JSON. */
  public void write(OutputFolder folder) throws IOException {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("rows", loos.get(0).all().rows()).put("rows_drawn", loos.get(0).rows());
    for (int k = 0; k < loos.size(); k++) {
      Loo loo = loos.get(k);
      json.withArray("runs")
          .addObject()
          .put("folder", loo.folder())
          .put("elpd_loo", loo.elpd().total())
          .put("stacking", stacking[k])
          .put("pseudo_bma_plus", pseudoBma[k])
          .put("bayesian", bayesian.length == 0 ? null : Double.valueOf(bayesian[k]));
    }
    json.withArray("doubts");
    doubts().forEach(json.withArray("doubts")::add);
    folder.json(FILE, json);
  }
}
