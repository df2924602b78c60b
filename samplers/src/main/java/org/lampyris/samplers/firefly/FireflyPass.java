package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.samplers.firefly.FireflyQuestion.BrightnessUpdate;
import org.lampyris.samplers.random.Streams;

/**
 * Answers a question for one block of one chain. A pure function of its arguments: the same code
 * runs in memory and on the executors.
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

  /**
   * Returns the θ's that are remembered after a question: that of the last z-step, if there has
   * been any, then the question's.
   *
   * @param before the θ's that were remembered before it. Not modified.
   * @param question the question
   */
  public static double[][] remembered(double[][] before, FireflyQuestion question) {
    List<double[]> after = new ArrayList<>();
    BrightnessUpdate update = question.update();
    if (update != null) {
      after.add(update.theta());
    } else if (before.length > 0) {
      after.add(before[0]);
    }
    for (double[] theta : question.thetas()) {
      if (after.stream().noneMatch(known -> Arrays.equals(known, theta))) {
        after.add(theta);
      }
    }
    return after.toArray(new double[0][]);
  }

  /**
   * Answers for one block.
   *
   * @param block the block
   * @param before its brightness; what it remembers belongs to {@code rememberedBefore}
   * @param rememberedBefore the θ's that are remembered. Not modified.
   * @param question the question
   * @param packed the block's answer is added here: see {@link FireflyAnswer}. Modified.
   * @return the block's brightness afterwards, which remembers at {@link #remembered}
   */
  public BlockBrightness answer(
      BoundBlock block,
      BlockBrightness before,
      double[][] rememberedBefore,
      FireflyQuestion question,
      double[] packed) {
    double[][] rememberedAfter = remembered(rememberedBefore, question);
    BlockBrightness now = before;
    double[][] known = rememberedBefore;
    BrightnessUpdate update = question.update();
    if (update != null) {
      now = resample(block, before, rememberedBefore, question.chain(), update, packed);
      known = Arrays.copyOf(rememberedBefore, rememberedBefore.length + 1);
      known[rememberedBefore.length] = update.theta();
    }
    int bright = now.rows().length;
    FireflyAnswer.count(packed, bright, 0, 0, 0);
    if (bright == 0) {
      return BlockBrightness.dark();
    }
    double[][] values = new double[rememberedAfter.length][];
    for (int k = 0; k < values.length; k++) {
      values[k] = known(rememberedAfter[k], known, now);
    }
    for (int k = 0; k < question.thetas().length; k++) {
      double[] theta = question.thetas()[k];
      double[] at = values[indexOf(theta, rememberedAfter)];
      if (question.gradient()) {
        evaluateWithGradient(block, now.rows(), theta, at, question, k, packed);
      } else {
        evaluate(block, now.rows(), theta, at, packed);
      }
      double sum = 0;
      for (double logRatio : at) {
        sum += logRatio;
      }
      packed[FireflyAnswer.COUNTS + k] += sum;
    }
    return new BlockBrightness(now.rows(), values);
  }

  private BlockBrightness resample(
      BoundBlock block,
      BlockBrightness before,
      double[][] remembered,
      int chain,
      BrightnessUpdate update,
      double[] packed) {
    double[] logRatios = known(update.theta(), remembered, before);
    BrightnessResampling rows =
        new BrightnessResampling(block, bound, chain, update.theta(), before.rows(), logRatios);
    Chance chance =
        Chance.of(
            streams.stream(
                Streams.Purpose.BRIGHTNESS, chain, update.iteration(), block.data().id()));
    update.kernel().resample(rows, chance, update);
    FireflyAnswer.count(
        packed, 0, rows.evaluations(), rows.brightenedCount(), rows.darkenedCount());
    double[][] carried = before.rows().length == 0 ? dark(remembered.length) : before.logRatios();
    return rows.after(carried);
  }

  private void evaluate(
      BoundBlock block, int[] rows, double[] theta, double[] logRatios, double[] packed) {
    int evaluations = 0;
    for (int i = 0; i < rows.length; i++) {
      if (Double.isNaN(logRatios[i])) {
        logRatios[i] =
            StableMath.logExpm1(bound.gap(block.data(), rows[i], theta, block.anchors()));
        evaluations++;
      }
    }
    FireflyAnswer.count(packed, 0, evaluations, 0, 0);
  }

  private void evaluateWithGradient(
      BoundBlock block,
      int[] rows,
      double[] theta,
      double[] logRatios,
      FireflyQuestion question,
      int point,
      double[] packed) {
    double[] gradient = new double[dimension()];
    int base = FireflyAnswer.COUNTS + question.thetas().length + point * gradient.length;
    for (int i = 0; i < rows.length; i++) {
      double gap = bound.gapGradient(block.data(), rows[i], theta, block.anchors(), gradient);
      logRatios[i] = StableMath.logExpm1(gap);
      if (gap == 0) {
        // Density 0, log L̃ = −∞: there is no gradient, and 1/gap · ∇gap would be NaN.
        continue;
      }
      double slope = StableMath.logExpm1Derivative(gap);
      for (int j = 0; j < gradient.length; j++) {
        packed[base + j] += slope * gradient[j];
      }
    }
    FireflyAnswer.count(packed, 0, rows.length, 0, 0);
  }

  /** Returns a copy of what is known of the bright rows at θ, NaN where nothing is. */
  private static double[] known(double[] theta, double[][] thetas, BlockBrightness brightness) {
    int bright = brightness.rows().length;
    int k = indexOf(theta, thetas);
    if (bright > 0 && k >= 0) {
      return brightness.logRatios()[k].clone();
    }
    double[] unknown = new double[bright];
    Arrays.fill(unknown, Double.NaN);
    return unknown;
  }

  /** Returns the last place of θ, because the z-step's own values come last and are complete. */
  private static int indexOf(double[] theta, double[][] thetas) {
    for (int k = thetas.length - 1; k >= 0; k--) {
      if (Arrays.equals(thetas[k], theta)) {
        return k;
      }
    }
    return -1;
  }

  private static double[][] dark(int remembered) {
    return new double[remembered][0];
  }
}
