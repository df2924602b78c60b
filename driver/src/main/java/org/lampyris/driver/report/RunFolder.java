package org.lampyris.driver.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.output.Convergence;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.DrawsReader;
import org.lampyris.driver.output.Manifest;
import org.lampyris.driver.output.Movement;
import org.lampyris.driver.output.SummaryFile;
import org.lampyris.samplers.diagnostics.VariableSummary;

/**
 * What a report reads of an output folder. However many draws there are, some are in memory.
 *
 * @param folder the output folder
 * @param manifest with what speaks against the draws in it
 * @param draws every {@code thin}-th
 */
record RunFolder(
    String folder,
    JsonNode manifest,
    List<VariableSummary> summary,
    Draws draws,
    int thin,
    Effort effort) {
  /** As many draws of a chain show all that a picture can. */
  private static final int ENOUGH = 2_000;

  /** Numbers in memory. */
  private static final double MOST = 4e6;

  /**
   * Reads a folder.
   *
   * @throws UserException (data) if it is not that of a run
   */
  static RunFolder read(SparkSession spark, String folder) throws IOException {
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    JsonNode manifest = Manifest.read(conf, folder);
    if (!manifest.isObject()) {
      throw UserException.data(
          folder + " holds no manifest.json; name the output folder of a run that has ended.");
    }
    List<VariableSummary> summary = SummaryFile.read(conf, folder);
    long perChain = manifest.path("counts").path("draws_per_chain").asLong(ENOUGH);
    long chains = Math.max(1, manifest.path("counts").path("chains").asLong(1));
    double most = Math.min(ENOUGH, MOST / Math.max(1, chains * summary.size()));
    int thin = (int) Math.max(1, Math.ceil(perChain / most));
    Draws draws = DrawsReader.read(spark, folder, thin);
    if (manifest.path("complaints").isMissingNode()) {
      ArrayNode complaints = ((ObjectNode) manifest).putArray("complaints");
      Convergence.complaints(summary, (int) perChain, Movement.of(draws)).forEach(complaints::add);
    }
    return new RunFolder(folder, manifest, summary, draws, thin, Effort.read(conf, folder));
  }

  /** Returns how many draws all chains have. */
  long allDraws() {
    return (long) draws.chains()
        * manifest.path("counts").path("draws_per_chain").asLong((long) thin * draws.perChain());
  }

  /** Returns the draws of a variable: chains × iterations. */
  double[][] drawsOf(String variable) {
    int at = draws.variables().indexOf(variable);
    if (at < 0) {
      throw UserException.data(
          "%s: summary.csv has the variable %s, and the draws have not; use the command summarize."
              .formatted(folder, variable));
    }
    return draws.values()[at];
  }
}
