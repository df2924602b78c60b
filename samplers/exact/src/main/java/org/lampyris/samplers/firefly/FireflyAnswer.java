package org.lampyris.samplers.firefly;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.lampyris.bounds.rows.TreeSum;

/**
 * The rows' answer to a {@link FireflyQuestion}: counts, then for each point Σ log L̃_n(θ) over the
 * bright rows and, where asked for, its gradient.
 *
 * @param sums for each point the value, then for each point the gradient; not copied
 */
public record FireflyAnswer(FireflyShare.Counts counts, double[] sums, int points, int dimension) {
  /** Adds up the shares of all places, in any order; θ has {@code dimension} elements. */
  public static FireflyAnswer of(
      FireflyQuestion question, List<FireflyShare> shares, int dimension) {
    FireflyShare.Counts counts = new FireflyShare.Counts();
    List<TreeSum.Node> nodes = new ArrayList<>();
    for (FireflyShare share : shares) {
      counts.add(share.counts());
      Collections.addAll(nodes, share.nodes());
    }
    double[] sums = TreeSum.total(nodes, question.answerLength(dimension));
    return new FireflyAnswer(counts, sums, question.thetas().length, dimension);
  }

  /** Returns how many rows are bright after the z-step. */
  public long bright() {
    return counts.bright;
  }

  /** Returns how many (row, θ) pairs were evaluated. */
  public long evaluations() {
    return counts.evaluations;
  }

  /** Returns Σ log L̃_n at point {@code k}, natural log. */
  public double sum(int k) {
    return sums[k];
  }

  /** Adds ∇ Σ log L̃_n at point {@code k} to {@code gradient}, where gradients were asked for. */
  public void addGradient(int k, double[] gradient) {
    int base = points + k * dimension;
    for (int i = 0; i < dimension; i++) {
      gradient[i] += sums[base + i];
    }
  }
}
