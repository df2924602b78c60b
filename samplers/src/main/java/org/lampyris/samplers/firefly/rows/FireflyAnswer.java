package org.lampyris.samplers.firefly.rows;

import java.util.ArrayList;
import java.util.List;
import org.lampyris.bounds.block.TreeSum;

/**
 * The rows' answer to a {@link FireflyQuestion}: counts, then for each point Σ log L̃_n(θ) over the
 * bright rows and, where asked for, its gradient.
 */
public final class FireflyAnswer {
  private final FireflyShare.Counts counts;
  private final double[] sums;
  private final int points;
  private final int dimension;

  /**
   * Wraps counts and sums.
   *
   * @param question the question
   * @param counts the counts
   * @param sums for each point the value, then for each point the gradient; not copied
   * @param dimension how many elements θ has
   */
  FireflyAnswer(
      FireflyQuestion question, FireflyShare.Counts counts, double[] sums, int dimension) {
    if (sums.length != question.answerLength(dimension)) {
      throw new IllegalArgumentException("an answer of " + sums.length + " numbers");
    }
    this.counts = counts;
    this.sums = sums;
    this.points = question.thetas().length;
    this.dimension = dimension;
  }

  /**
   * Adds up the shares of all places.
   *
   * @param question the question
   * @param shares what each place answers, in any order
   * @param dimension how many elements θ has
   */
  public static FireflyAnswer of(
      FireflyQuestion question, List<FireflyShare> shares, int dimension) {
    FireflyShare.Counts counts = new FireflyShare.Counts();
    List<TreeSum.Node> nodes = new ArrayList<>();
    for (FireflyShare share : shares) {
      counts.add(share.counts());
      nodes.addAll(List.of(share.nodes()));
    }
    double[] sums = TreeSum.total(nodes, question.answerLength(dimension));
    return new FireflyAnswer(question, counts, sums, dimension);
  }

  /** Returns how many rows are bright after the z-step. */
  public long bright() {
    return counts.bright();
  }

  /** Returns how many (row, θ) pairs were evaluated. */
  public long evaluations() {
    return counts.evaluations();
  }

  /** Returns how many dark rows turned bright. */
  public long brightened() {
    return counts.brightened();
  }

  /** Returns how many bright rows turned dark. */
  public long darkened() {
    return counts.darkened();
  }

  /** Returns Σ log L̃_n at point {@code k}, natural log. */
  public double sum(int k) {
    return sums[k];
  }

  /**
   * Adds ∇ Σ log L̃_n at point {@code k} to {@code gradient}, where gradients were asked for.
   *
   * @param k the point
   * @param gradient length d. Modified.
   */
  public void addGradient(int k, double[] gradient) {
    int base = points + k * dimension;
    for (int i = 0; i < dimension; i++) {
      gradient[i] += sums[base + i];
    }
  }
}
