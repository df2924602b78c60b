package org.lampyris.driver.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.output.Convergence;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.Movement;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.samplers.diagnostics.VariableSummary;

/**
 * Content of an output folder that a report needs. However many draws there are, some are in
 * memory.
 *
 * @param output the output folder, with what speaks against the draws in its manifest
 * @param draws every {@code thin}-th
 */
record RunFolder(
    RunOutput output, List<VariableSummary> summary, Draws draws, int thin, Effort effort) {
  /** Draws of a chain that a picture can resolve. */
  private static final int ENOUGH = 2_000;

  /** Numbers in memory. */
  private static final double MOST = 4e6;

  /**
   * Reads a folder.
   *
   * @throws UserException (data) if it is not the output folder of a run
   */
  static RunFolder read(Configuration conf, String folder) throws IOException {
    RunOutput run = RunOutput.ofEnded(conf, folder);
    List<VariableSummary> summary = run.summary();
    long perChain = run.drawsPerChain() > 0 ? run.drawsPerChain() : ENOUGH;
    double most = Math.min(ENOUGH, MOST / Math.max(1, (long) run.chains() * summary.size()));
    int thin = (int) Math.max(1, Math.ceil(perChain / most));
    Draws draws = run.draws(thin);
    if (run.complaints().isEmpty()) {
      ArrayNode complaints = ((ObjectNode) run.manifest()).putArray("complaints");
      Convergence.complaints(summary, (int) perChain, Movement.of(draws).given(run.decisions()))
          .forEach(complaints::add);
    }
    return new RunFolder(run, summary, draws, thin, Effort.read(conf, folder));
  }

  /** Returns the output folder. */
  String folder() {
    return output.folder();
  }

  /** Returns its manifest. */
  JsonNode manifest() {
    return output.manifest();
  }

  /** Returns whether the draws are from the prior. */
  boolean isPriorOnly() {
    return output.isPriorOnly();
  }

  /** Returns how many draws all chains have. */
  long allDraws() {
    return (long) draws.chains()
        * (output.drawsPerChain() > 0 ? output.drawsPerChain() : (long) thin * draws.perChain());
  }

  /** Returns the draws of a variable: chains × iterations. */
  double[][] drawsOf(String variable) {
    int at = draws.variables().indexOf(variable);
    if (at < 0) {
      throw UserException.data(
          "%s: summary.csv has the variable %s, but the draws do not. Run the command summarize."
              .formatted(folder(), variable));
    }
    return draws.values()[at];
  }
}
