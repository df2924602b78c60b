package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.samplers.firefly.FireflyQuestion.BrightnessUpdate;
import org.lampyris.samplers.random.Streams;

/**
 * Answers a question for a run of blocks of one chain. A pure function of its arguments: the same
 * code runs in memory, on the executors, and in the task of a segment. Cost: the bright rows and
 * the candidates, whatever the number of rows, and what drawing the candidates costs.
 *
 * <p>What is remembered between questions is log L̃_n of the bright rows at the θ of the last
 * z-step and at the points of the last question. A chain that accepts a proposal makes its next
 * z-step at one of those, so the z-step evaluates no bright row again.
 */
public final class FireflyPass implements Serializable {
  private static final long serialVersionUID = 1L;

  private final LowerBound bound;
  private final Streams streams;

  /** Takes the bound of the rows and the streams of the run. */
  public FireflyPass(LowerBound bound, Streams streams) {
    this.bound = bound;
    this.streams = streams;
  }

  /** Returns how many elements θ has. */
  public int dimension() {
    return bound.dimension();
  }

  /** Returns the run's streams. */
  Streams streams() {
    return streams;
  }

  /**
   * Answers for a run of blocks.
   *
   * @param blocks the blocks, in ascending order of their ids; access by index must be fast
   * @param candidates where the candidates of these blocks come from
   * @param before the brightness of their rows
   * @param question the question
   * @param share the answer is added here. Modified.
   * @return the brightness afterwards
   */
  public Brightness answer(
      List<BoundBlock> blocks,
      CandidateSource candidates,
      Brightness before,
      FireflyQuestion question,
      FireflyShare.Sum share) {
    double[][] remembered = remembered(before.thetas(), question);
    Brightness now = before;
    BrightnessUpdate update = question.update();
    if (update != null) {
      now = resample(blocks, candidates, before, question.chain(), update, share);
    }
    share.count(now.size(), 0, 0, 0);
    double[][] values = new double[remembered.length][];
    for (int k = 0; k < values.length; k++) {
      values[k] = now.known(remembered[k]);
    }
    double[][] asked = new double[question.thetas().length][];
    for (int k = 0; k < asked.length; k++) {
      asked[k] = values[Brightness.indexOf(question.thetas()[k], remembered)];
    }
    long[] rows = now.rows();
    for (int from = 0; from < rows.length; ) {
      int block = Brightness.block(rows[from]);
      int to = from + 1;
      while (to < rows.length && Brightness.block(rows[to]) == block) {
        to++;
      }
      evaluate(blocks.get(block), rows, from, to, question, asked, share);
      from = to;
    }
    return new Brightness(remembered, rows, values);
  }

  /**
   * Returns the θ's that are remembered after a question: that of the last z-step, if there has
   * been any, then the question's.
   */
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

  private Brightness resample(
      List<BoundBlock> blocks,
      CandidateSource candidates,
      Brightness before,
      int chain,
      BrightnessUpdate update,
      FireflyShare.Sum share) {
    double[] theta = update.theta();
    BrightnessResampling rows =
        new BrightnessResampling(blocks, bound, chain, theta, before.rows(), before.known(theta));
    update
        .kernel()
        .resample(rows, new StreamedChance(streams, chain, update.iteration(), candidates), update);
    share.count(0, rows.evaluations(), rows.brightenedCount(), rows.darkenedCount());
    return rows.after(before);
  }

  /** Evaluates the bright rows of one block at all points, and adds their share of the sums. */
  private void evaluate(
      BoundBlock block,
      long[] rows,
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
        int base = values.length + k * dimension();
        evaluateWithGradient(block, rows, from, to, theta, at, sums, base);
        evaluations += to - from;
      } else {
        for (int i = from; i < to; i++) {
          if (Double.isNaN(at[i])) {
            int row = Brightness.row(rows[i]);
            at[i] = StableMath.logExpm1(bound.gap(block.data(), row, theta, block.anchors()));
            evaluations++;
          }
        }
      }
      double sum = 0;
      for (int i = from; i < to; i++) {
        sum += at[i];
      }
      sums[k] = sum;
    }
    share.count(0, evaluations, 0, 0);
    share.add(block.id(), sums);
  }

  private void evaluateWithGradient(
      BoundBlock block,
      long[] rows,
      int from,
      int to,
      double[] theta,
      double[] values,
      double[] sums,
      int base) {
    double[] gradient = new double[dimension()];
    for (int i = from; i < to; i++) {
      int row = Brightness.row(rows[i]);
      double gap = bound.gapGradient(block.data(), row, theta, block.anchors(), gradient);
      values[i] = StableMath.logExpm1(gap);
      if (gap == 0) {
        // Density 0, log L̃ = −∞: there is no gradient, and 1/gap · ∇gap would be NaN.
        continue;
      }
      double slope = StableMath.logExpm1Derivative(gap);
      for (int j = 0; j < gradient.length; j++) {
        sums[base + j] += slope * gradient[j];
      }
    }
  }
}
