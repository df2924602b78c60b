package org.lampyris.samplers.run;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowBlock;

/**
 * Σ_n log L_n(θ_k) and gradients for the points of all chains at once: one pass, in which each
 * block is read once for all points.
 *
 * @param <B> a resident block
 * @param pass answers for a block
 */
public record LikelihoodQuestions<B extends RowBlock<B>>(LikelihoodPass pass)
    implements RowQuestions<B, LikelihoodQuestions.Question, TreeSum.Node[], double[]> {
  /**
   * The points that a chain asks about, neither copied nor modified, and whether gradients are
   * wanted too.
   */
  public record Question(double[][] thetas, boolean gradient) implements Serializable {}

  @Override
  public List<TreeSum.Node[]> share(Place<B> place, List<Question> questions) {
    boolean gradient = questions.stream().anyMatch(question -> question.gradient);
    double[][] thetas =
        questions.stream()
            .flatMap(question -> Arrays.stream(question.thetas))
            .toArray(double[][]::new);
    List<TreeSum> sums = new ArrayList<>();
    questions.forEach(question -> sums.add(new TreeSum(place.from(), place.to())));
    for (B block : place.blocks()) {
      double[] all = new double[pass.answerLength(thetas.length, gradient)];
      pass.addTo(block.data(), thetas, gradient, all);
      int point = 0;
      for (int q = 0; q < sums.size(); q++) {
        sums.get(q).add(block.id(), unpack(all, point, thetas.length, questions.get(q)));
        point += questions.get(q).thetas.length;
      }
    }
    return sums.stream().map(sum -> sum.nodes().toArray(new TreeSum.Node[0])).toList();
  }

  private double[] unpack(double[] packed, int first, int points, Question question) {
    int own = question.thetas.length;
    double[] answer = new double[pass.answerLength(own, question.gradient)];
    System.arraycopy(packed, first, answer, 0, own);
    if (question.gradient) {
      int d = pass.dimension();
      System.arraycopy(packed, points + first * d, answer, own, own * d);
    }
    return answer;
  }

  @Override
  public double[] join(Question question, List<TreeSum.Node[]> shares) {
    List<TreeSum.Node> nodes = shares.stream().flatMap(Arrays::stream).toList();
    return TreeSum.total(nodes, pass.answerLength(question.thetas.length, question.gradient));
  }

  /** Asks for a chain, by a job. */
  @FunctionalInterface
  public interface Asking {
    /** Returns the answer, packed as {@link LikelihoodRows#ask} tells. */
    double[] ask(int chain, Question question);
  }

  /** Returns so many rows, all there are, as they answer by jobs. */
  public static LikelihoodRows rows(long rows, Asking asking) {
    return new LikelihoodRows() {
      @Override
      public long rows() {
        return rows;
      }

      @Override
      public double[] ask(int chain, double[][] thetas, boolean gradient) {
        return asking.ask(chain, new Question(thetas, gradient));
      }
    };
  }
}
