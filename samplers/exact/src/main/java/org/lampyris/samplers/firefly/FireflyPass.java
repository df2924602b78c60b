package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.Arrays;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.RowEvents;
import org.lampyris.samplers.rows.RowId;
import org.lampyris.samplers.rows.Rows;

/**
 * Answers a question of one chain for the rows at hand. A pure function of its arguments: the same
 * code runs in memory, on the executors, and in the task of a segment. Cost: the bright rows and
 * the candidates, whatever the number of rows, and what drawing the candidates costs.
 *
 * <p>What is remembered between questions is log L̃_n of the bright rows at the θ of the last
 * z-step and at the points of the last question. A chain that accepts a proposal makes its next
 * z-step at one of those, so the z-step evaluates no bright row again.
 */
public record FireflyPass(LowerBound bound, Streams streams) implements Serializable {
  /** Returns how many elements θ has. */
  public int dimension() {
    return bound.dimension();
  }

  /**
   * Answers for the rows at hand.
   *
   * @param share the answer is added here. Modified.
   */
  public Brightness answer(
      Rows<BoundBlock> rows,
      RowEvents candidates,
      Brightness before,
      FireflyQuestion question,
      FireflyShare.Sum share) {
    double[][] remembered = remembered(before.thetas(), question);
    Brightness now = before;
    BrightnessUpdate update = question.update();
    if (update != null) {
      BrightnessResampling made =
          update.resample(rows, bound, before, streams, question.chain(), candidates);
      share.count(0, made.evaluations());
      now = made.after(before);
    }
    share.count(now.size(), 0);
    double[][] values = new double[remembered.length][];
    for (int k = 0; k < values.length; k++) {
      values[k] = now.known(remembered[k]);
    }
    double[][] asked = new double[question.thetas().length][];
    for (int k = 0; k < asked.length; k++) {
      asked[k] = values[Brightness.indexOf(question.thetas()[k], remembered)];
    }
    long[] ids = now.rows();
    int[] places = now.located(rows);
    for (int from = 0; from < ids.length; ) {
      int to = RowId.endOfBlock(ids, from, ids.length);
      evaluate(rows.blockOf(ids[from]), places, from, to, question, asked, share);
      from = to;
    }
    return now.remembering(remembered, values);
  }

  /** Returns the θ's remembered after a question: that of the last z-step, if any, then its own. */
  private static double[][] remembered(double[][] before, FireflyQuestion question) {
    double[][] after = new double[1 + question.thetas().length][];
    int count = 0;
    BrightnessUpdate update = question.update();
    if (update != null) {
      after[count++] = update.theta();
    } else if (before.length > 0) {
      after[count++] = before[0];
    }
    for (double[] theta : question.thetas()) {
      if (Brightness.indexOf(theta, count, after) < 0) {
        after[count++] = theta;
      }
    }
    return Arrays.copyOf(after, count);
  }

  /** Evaluates the bright rows of one block at all points, and adds their share of the sums. */
  private void evaluate(
      BoundBlock block,
      int[] rows,
      int from,
      int to,
      FireflyQuestion question,
      double[][] values,
      FireflyShare.Sum share) {
    double[] sums = new double[question.answerLength(dimension())];
    int evaluations = 0;
    for (int k = 0; k < values.length; k++) {
      double[] theta = question.thetas()[k];
      double[] at = values[k];
      if (question.gradient()) {
        double[] gradient = new double[dimension()];
        block.logRatios(bound, rows, from, to, theta, at, gradient);
        System.arraycopy(gradient, 0, sums, values.length + k * gradient.length, gradient.length);
        evaluations += to - from;
      } else {
        evaluations += evaluateUnknown(block, rows, from, to, theta, at);
      }
      double sum = 0;
      for (int i = from; i < to; i++) {
        sum += at[i];
      }
      sums[k] = sum;
    }
    share.count(0, evaluations);
    share.add(block.id(), sums);
  }

  /** Evaluates the rows whose value is NaN, and returns how many there were. */
  private int evaluateUnknown(
      BoundBlock block, int[] rows, int from, int to, double[] theta, double[] values) {
    int evaluations = 0;
    for (int i = from; i < to; ) {
      if (!Double.isNaN(values[i])) {
        i++;
        continue;
      }
      int end = i + 1;
      while (end < to && Double.isNaN(values[end])) {
        end++;
      }
      block.logRatios(bound, rows, i, end, theta, values, null);
      evaluations += end - i;
      i = end;
    }
    return evaluations;
  }
}
