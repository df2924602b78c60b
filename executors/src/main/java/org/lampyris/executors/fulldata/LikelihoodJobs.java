package org.lampyris.executors.fulldata;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.api.java.JavaRDD;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.executors.pass.BlockRanges;
import org.lampyris.executors.pass.BlockSum;
import org.lampyris.samplers.fulldata.LikelihoodPass;

/**
 * Answers full-data questions, those of all chains in one job: one pass over the resident blocks,
 * each read once for all points.
 */
public final class LikelihoodJobs
    implements Function<List<LikelihoodJobs.Question>, List<double[]>> {
  private final JavaRDD<DataBlock> blocks;
  private final BlockRanges ranges;
  private final LikelihoodPass pass;

  /** The points that a chain asks about. */
  public static final class Question implements Serializable {
    private static final long serialVersionUID = 1L;
    private final double[][] thetas;
    private final boolean gradient;

    /**
     * Asks for Σ_n log L_n at some points.
     *
     * @param thetas the points. Not copied, not modified.
     * @param gradient whether gradients are wanted too
     */
    public Question(double[][] thetas, boolean gradient) {
      this.thetas = thetas;
      this.gradient = gradient;
    }
  }

  /**
   * Takes the resident blocks.
   *
   * @param blocks the blocks, spread as {@code ranges} says, persisted
   * @param ranges how they are spread
   * @param pass answers for a block
   */
  public LikelihoodJobs(JavaRDD<DataBlock> blocks, BlockRanges ranges, LikelihoodPass pass) {
    this.blocks = blocks;
    this.ranges = ranges;
    this.pass = pass;
  }

  @Override
  public List<double[]> apply(List<Question> questions) {
    boolean gradient = questions.stream().anyMatch(question -> question.gradient);
    double[][] thetas =
        questions.stream()
            .flatMap(question -> Arrays.stream(question.thetas))
            .toArray(double[][]::new);
    int length = pass.answerLength(thetas.length, gradient);
    LikelihoodPass sent = pass;
    double[] packed =
        BlockSum.over(
            blocks, ranges, length, (block, out) -> sent.addTo(block, thetas, gradient, out));
    List<double[]> answers = new ArrayList<>();
    int point = 0;
    for (Question question : questions) {
      answers.add(unpack(packed, point, thetas.length, question));
      point += question.thetas.length;
    }
    return answers;
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
}
