package org.lampyris.driver.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
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
 * @param reading the model, which is read meanwhile
 */
record RunFolder(
    RunOutput output,
    List<VariableSummary> summary,
    Draws draws,
    int thin,
    Effort effort,
    Later<RunOutput.Fitted> reading) {
  /** Draws of a chain that a picture can resolve. */
  private static final int ENOUGH = 2_000;

  /** Numbers in memory. */
  private static final double MOST = 4e6;

  /**
   * Reads a folder.
   *
   * @param meanwhile where the model is read
   * @throws UserException (data) if it is not the output folder of a run
   */
  static RunFolder read(Configuration conf, String folder, Executor meanwhile) throws IOException {
    RunOutput run = RunOutput.ofEnded(conf, folder);
    Later<RunOutput.Fitted> reading = Later.of(meanwhile, run::model);
    List<VariableSummary> summary = run.summary();
    long perChain = run.drawsPerChain() > 0 ? run.drawsPerChain() : ENOUGH;
    double most = Math.min(ENOUGH, MOST / Math.max(1, (long) run.chains() * summary.size()));
    int thin = (int) Math.max(1, Math.ceil(perChain / most));
    Draws draws = run.draws(thin);
    Effort effort = Effort.read(conf, folder);
    if (run.complaints().isEmpty()) {
      ObjectNode manifest = run.manifest().deepCopy();
      ArrayNode complaints = manifest.putArray("complaints");
      Convergence.complaints(summary, (int) perChain, Movement.of(draws).given(run.decisions()))
          .forEach(complaints::add);
      run = new RunOutput(conf, folder, manifest);
    }
    return new RunFolder(run, summary, draws, thin, effort, reading);
  }

  /** Returns the output folder. */
  String folder() {
    return output.folder();
  }

  /** Returns its manifest. */
  JsonNode manifest() {
    return output.manifest();
  }

  /**
   * Returns the model of the run.
   *
   * @throws UserException if the table is gone or has changed
   */
  RunOutput.Fitted model() throws IOException {
    return reading.get();
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
