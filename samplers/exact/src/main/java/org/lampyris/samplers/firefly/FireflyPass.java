package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.firefly.Brightness.Carried;
import org.lampyris.samplers.firefly.FireflyRows.Answer;
import org.lampyris.samplers.firefly.FireflyRows.Question;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.DrawnEvents;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowEvents;
import org.lampyris.samplers.rows.RowEvolution;
import org.lampyris.samplers.rows.RowId;
import org.lampyris.samplers.rows.RowQuestions;
import org.lampyris.samplers.rows.Rows;

/**
 * Answers a question of one chain for the rows at hand. A pure function of its arguments: the same
 * code runs in memory, on the executors, and in the task of a segment. Cost: the bright rows and
 * the candidates, whatever the number of rows, and what drawing the candidates costs.
 *
 * <p>Between questions it caches log L̃_n of the bright rows at the θ of the last z-step and at the
 * points of the last question. A chain that accepts a proposal makes its next z-step at one of
 * those, so the z-step evaluates no bright row again.
 */
public record FireflyPass(LowerBound bound, Streams streams)
    implements RowEvolution<
        BoundBlock, Brightness.OfPlace, FireflyRows.Question, TreeSum.Node[], FireflyRows.Answer> {
  @Override
  public Brightness.OfPlace initial(Place<BoundBlock> place) {
    return Brightness.OfPlace.dark(place);
  }

  @Override
  public Evolved<Brightness.OfPlace, TreeSum.Node[]> add(
      Place<BoundBlock> place, Brightness.OfPlace before, Question question) {
    TreeSum sum = new TreeSum(place.from(), place.to());
    DrawnEvents<BoundBlock> candidates =
        question.candidates(streams, place.blocks(), before.windows());
    Brightness after =
        answer(Rows.whole(place.blocks()), candidates, before.brightness(), question, sum);
    return new Evolved<>(before.after(after, candidates.windows()), RowQuestions.share(sum));
  }

  @Override
  public Answer merge(Question question, List<TreeSum.Node[]> shares) {
    return Answer.of(question, shares, dimension());
  }

  /**
   * Answers a chain that carries its brightness along, from all rows: for an iteration within a
   * segment whose rows are not enough.
   */
  record OfCarried(FireflyPass pass)
      implements RowQuestions<
          BoundBlock, OfCarried.Asked, OfCarried.Share, FireflyRows.Answered<Carried>> {
    /**
     * A question about all rows.
     *
     * @param before which of them are bright
     */
    record Asked(Brightness before, FireflyRows.Question asked) implements Serializable {}

    /** A place's share of an answer. */
    record Share(Carried bright, TreeSum.Node[] sums) implements Serializable {}

    @Override
    public List<Share> add(Place<BoundBlock> place, List<Asked> questions) {
      Rows<BoundBlock> rows = Rows.whole(place.blocks());
      return questions.stream().map(question -> share(place, rows, question)).toList();
    }

    private Share share(Place<BoundBlock> place, Rows<BoundBlock> rows, Asked question) {
      FireflyRows.Question asked = question.asked();
      TreeSum sum = new TreeSum(place.from(), place.to());
      RowEvents candidates =
          asked.candidates(pass.streams(), place.blocks(), DrawnEvents.Windows.NONE);
      Brightness before = question.before().ofBlocks(place.from(), place.to());
      Brightness after = pass.answer(rows, candidates, before, asked, sum);
      return new Share(Carried.of(after, rows), RowQuestions.share(sum));
    }

    @Override
    public FireflyRows.Answered<Carried> merge(Asked question, List<Share> shares) {
      return new FireflyRows.Answered<>(
          Carried.join(shares.stream().map(Share::bright).toList()),
          pass.merge(question.asked(), shares.stream().map(Share::sums).toList()));
    }
  }

  /** Finds the data of bright rows, for a chain that carries its brightness along. */
  record Picked() implements RowQuestions<BoundBlock, Brightness, Carried, Carried> {
    @Override
    public List<Carried> add(Place<BoundBlock> place, List<Brightness> questions) {
      Rows<BoundBlock> rows = Rows.whole(place.blocks());
      return questions.stream()
          .map(bright -> Carried.of(bright.ofBlocks(place.from(), place.to()), rows))
          .toList();
    }

    @Override
    public Carried merge(Brightness question, List<Carried> shares) {
      return Carried.join(shares);
    }
  }

  /** Returns how many elements θ has. */
  public int dimension() {
    return bound.dimension();
  }

  /**
   * Answers for the rows at hand.
   *
   * @param sum the answer is added here, block by block. Modified.
   */
  public Brightness answer(
      Rows<BoundBlock> rows,
      RowEvents candidates,
      Brightness before,
      Question question,
      TreeSum sum) {
    double[][] remembered = remembered(before.thetas(), question);
    Brightness now = before;
    int looked = 0;
    BrightnessKernel.Update update = question.update();
    if (update != null) {
      BrightnessResampling made =
          update.resample(rows, bound, before, streams, question.chain(), candidates);
      looked = made.evaluations();
      now = made.after(before);
    }
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
      BoundBlock block = rows.blockOf(ids[from]);
      double[] sums = evaluated(block, places, from, to, question, asked);
      // What the z-step has looked at counts with the first block that there is a sum of.
      sums[Answer.EVALUATIONS] += looked;
      looked = 0;
      sum.add(block.id(), sums);
      from = to;
    }
    if (looked > 0) {
      double[] sums = new double[question.answerLength(dimension())];
      sums[Answer.EVALUATIONS] = looked;
      sum.add(rows.blocks().get(0).id(), sums);
    }
    return now.remembering(remembered, values);
  }

  /** Returns the values of θ to cache after a question: the last z-step's, if any, then its own. */
  private static double[][] remembered(double[][] before, Question question) {
    double[][] after = new double[1 + question.thetas().length][];
    int count = 0;
    BrightnessKernel.Update update = question.update();
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

  /** Evaluates the bright rows of one block at all points; returns their share of the answer. */
  private double[] evaluated(
      BoundBlock block, int[] rows, int from, int to, Question question, double[][] values) {
    double[] sums = new double[question.answerLength(dimension())];
    int points = Answer.COUNTS + values.length;
    int evaluations = 0;
    for (int k = 0; k < values.length; k++) {
      double[] theta = question.thetas()[k];
      double[] at = values[k];
      if (question.gradient()) {
        double[] gradient = new double[dimension()];
        block.logRatios(bound, rows, from, to, theta, at, gradient);
        System.arraycopy(gradient, 0, sums, points + k * gradient.length, gradient.length);
        evaluations += to - from;
      } else {
        evaluations += evaluateUnknown(block, rows, from, to, theta, at);
      }
      double sum = 0;
      for (int i = from; i < to; i++) {
        sum += at[i];
      }
      sums[Answer.COUNTS + k] = sum;
    }
    sums[Answer.BRIGHT] = to - from;
    sums[Answer.EVALUATIONS] = evaluations;
    return sums;
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
