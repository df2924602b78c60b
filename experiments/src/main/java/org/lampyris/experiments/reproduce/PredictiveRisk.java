package org.lampyris.experiments.reproduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.driver.report.Curve;
import org.lampyris.experiments.study.NumberFile;
import org.lampyris.samplers.chain.ChainTrace;

/**
 * Risk of an estimate of the predictive mean E[p(y* = 1 | x*, θ)] of test rows as a function of its
 * cost: after a number of likelihood evaluations in each chain, the mean over test rows and chains
 * of the squared difference from the truth. Each chain is an estimate of its own; warm-up counts
 * for nothing.
 *
 * <p>Source: Korattikara, Chen and Welling (2014), section 6.1.
 *
 * @param rows the test rows' features, by the names of the coefficients
 * @param truth the predictive mean of each, from elsewhere; empty until {@link #takenFrom} a run
 */
public record PredictiveRisk(List<String> features, double[][] rows, double[] truth) {
  /** Number of points in a curve. */
  private static final int POINTS = 40;

  /**
   * Reads test rows and the truth about them.
   *
   * @param test a CSV file with a header, perhaps compressed
   * @param truth the same, with as many rows
   * @param column of the truth
   * @throws UserException (data) if they do not belong together
   */
  public static PredictiveRisk read(String test, String truth, String column) throws IOException {
    NumberFile of = NumberFile.read(test);
    NumberFile known = NumberFile.read(truth);
    int at = known.header().indexOf(column);
    if (at < 0) {
      throw UserException.data("%s has no column %s.".formatted(truth, column));
    }
    if (of.rows().length != known.rows().length) {
      throw UserException.data(
          "%s has %d rows and %s %d. Both must have the same test rows."
              .formatted(test, of.rows().length, truth, known.rows().length));
    }
    return new PredictiveRisk(
        of.header(), of.rows(), Arrays.stream(known.rows()).mapToDouble(row -> row[at]).toArray());
  }

  /** Reads test rows only, without the truth about them. */
  public static PredictiveRisk of(String test) throws IOException {
    NumberFile of = NumberFile.read(test);
    return new PredictiveRisk(of.header(), of.rows(), new double[0]);
  }

  /** Returns the same rows, with the predictive mean of a run as the truth. */
  public PredictiveRisk takenFrom(SampledRun run) {
    int[] columns = columns(run);
    double[][][] draws = run.draws();
    double[] means = new double[rows.length];
    int chains = draws[0].length;
    int length = draws[0][0].length;
    for (int c = 0; c < chains; c++) {
      for (int i = 0; i < length; i++) {
        add(draws, c, i, columns, means);
      }
    }
    return new PredictiveRisk(
        features, rows, Arrays.stream(means).map(sum -> sum / chains / length).toArray());
  }

  private int[] columns(SampledRun run) {
    return run.coefficients().stream().mapToInt(this::column).toArray();
  }

  /** Returns the curve of a run of a logistic regression. */
  public Curve curve(String name, SampledRun run) {
    int[] columns = columns(run);
    double[][][] draws = run.draws();
    int length = draws[0][0].length;
    int[] ends = ends(length);
    double[] risk = new double[ends.length];
    double[] evaluations = new double[ends.length];
    int chains = run.chains().size();
    for (int c = 0; c < chains; c++) {
      double[] sums = new double[truth.length];
      int from = 0;
      for (int k = 0; k < ends.length; k++) {
        for (int i = from; i < ends[k]; i++) {
          add(draws, c, i, columns, sums);
        }
        from = ends[k];
        double squares = 0;
        for (int row = 0; row < truth.length; row++) {
          double off = sums[row] / from - truth[row];
          squares += off * off;
        }
        risk[k] += squares / truth.length / chains;
        evaluations[k] += evaluations(run.chains().get(c), (double) from / length) / chains;
      }
    }
    return new Curve(name, evaluations, risk);
  }

  private int column(String coefficient) {
    int at = features.indexOf(coefficient);
    if (at < 0 && !coefficient.equals(ModelOfTable.INTERCEPT)) {
      throw UserException.data("the test rows have no column " + coefficient + ".");
    }
    return at;
  }

  private void add(double[][][] draws, int chain, int draw, int[] columns, double[] sums) {
    for (int row = 0; row < rows.length; row++) {
      double eta = 0;
      for (int j = 0; j < columns.length; j++) {
        eta += draws[j][chain][draw] * (columns[j] < 0 ? 1 : rows[row][columns[j]]);
      }
      sums[row] += StableMath.sigmoid(eta);
    }
  }

  private static double evaluations(ChainTrace chain, double share) {
    List<ChainTrace.Iteration> all = chain.sampling();
    return all.subList(0, (int) Math.round(share * all.size())).stream()
        .mapToDouble(iteration -> iteration.info().likelihoodEvaluations())
        .sum();
  }

  /** Returns numbers of draws that grow by about the same factor. */
  private static int[] ends(int length) {
    List<Integer> ends = new ArrayList<>();
    for (int k = 1; k <= POINTS; k++) {
      int end = (int) Math.round(Math.pow(length, (double) k / POINTS));
      if (ends.isEmpty() || end > ends.get(ends.size() - 1)) {
        ends.add(end);
      }
    }
    return ends.stream().mapToInt(end -> end).toArray();
  }

  /** Returns curves as CSV. */
  public static String csv(List<Curve> curves) {
    StringBuilder text = new StringBuilder("row,evaluations,risk\n");
    for (Curve curve : curves) {
      for (int i = 0; i < curve.x().length; i++) {
        text.append("\"%s\",%s,%s\n".formatted(curve.name(), curve.x()[i], curve.y()[i]));
      }
    }
    return text.toString();
  }
}
