package org.lampyris.samplers.run;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowBlock;
import org.lampyris.samplers.rows.RowQuestions;

/**
 * Σ_n log L_n(θ_k) and gradients for the points of all chains at once: one pass, in which each
 * block is read once for all points. The same in memory and on the executors.
 *
 * @param <B> a resident block
 */
public record LikelihoodPass<B extends RowBlock<B>>(Model model)
    implements RowQuestions<B, LikelihoodPass.Question, TreeSum.Node[], double[]> {
  /**
   * The points that a chain asks about, neither copied nor modified, and whether gradients are
   * wanted too.
   */
  public record Question(double[][] thetas, boolean gradient) implements Serializable {}

  /**
   * Returns the given number of rows, all there are, which answer a question: see {@link #merge}.
   */
  public static LikelihoodRows rows(long rows, Function<Question, double[]> asking) {
    return new LikelihoodRows() {
      @Override
      public long rows() {
        return rows;
      }

      @Override
      public double[] ask(double[][] thetas, boolean gradient) {
        return asking.apply(new Question(thetas, gradient));
      }
    };
  }

  /** Returns the given number of rows, all there are, for one chain's questions. */
  public LikelihoodRows rows(long rows, RowClient<B> client) {
    return rows(rows, question -> client.ask(this, question));
  }

  /** Returns how many numbers a block answers with. */
  public int answerLength(int points, boolean gradient) {
    return points * (1 + (gradient ? model.dimension() : 0));
  }

  /** Adds a block's share to {@code packed}, modified: see {@link LikelihoodRows#ask}. */
  public void addTo(DataBlock block, double[][] thetas, boolean gradient, double[] packed) {
    double[] values = new double[thetas.length];
    if (gradient) {
      double[][] gradients = new double[thetas.length][model.dimension()];
      model.addGradients(block, thetas, values, gradients);
      int at = thetas.length;
      for (double[] sum : gradients) {
        for (double slope : sum) {
          packed[at++] += slope;
        }
      }
    } else {
      model.addLogLikelihoods(block, thetas, values);
    }
    for (int k = 0; k < values.length; k++) {
      packed[k] += values[k];
    }
  }

  @Override
  public List<TreeSum.Node[]> add(Place<B> place, List<Question> questions) {
    boolean gradient = questions.stream().anyMatch(question -> question.gradient);
    double[][] thetas =
        questions.stream()
            .flatMap(question -> Arrays.stream(question.thetas))
            .toArray(double[][]::new);
    List<TreeSum> sums = new ArrayList<>();
    questions.forEach(question -> sums.add(new TreeSum(place.from(), place.to())));
    for (B block : place.blocks()) {
      double[] all = new double[answerLength(thetas.length, gradient)];
      addTo(block.data(), thetas, gradient, all);
      int point = 0;
      for (int q = 0; q < sums.size(); q++) {
        sums.get(q).add(block.id(), unpack(all, point, thetas.length, questions.get(q)));
        point += questions.get(q).thetas.length;
      }
    }
    return sums.stream().map(RowQuestions::share).toList();
  }

  private double[] unpack(double[] packed, int first, int points, Question question) {
    int own = question.thetas.length;
    double[] answer = new double[answerLength(own, question.gradient)];
    System.arraycopy(packed, first, answer, 0, own);
    if (question.gradient) {
      int d = model.dimension();
      System.arraycopy(packed, points + first * d, answer, own, own * d);
    }
    return answer;
  }

  /** {@inheritDoc} Packed as in {@link LikelihoodRows#ask}. */
  @Override
  public double[] merge(Question question, List<TreeSum.Node[]> shares) {
    return RowQuestions.total(shares, answerLength(question.thetas.length, question.gradient));
  }
}
