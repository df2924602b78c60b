package org.lampyris.samplers.mhss;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.Pool;
import org.lampyris.samplers.run.RowQuestions;

/**
 * Answers a chain that asks for everything: the points that it needs come to it with their rows.
 */
public record PointQuestions(TaylorProxy proxy)
    implements RowQuestions<
        ProxyBlock, PointQuestions.Question, PointQuestions.Share, PointQuestions.Answer> {
  /**
   * What a chain asks of the rows: the points of some iterations up to a height, or the change of
   * the remainders of all rows.
   *
   * @param points draws the chain's points
   * @param iteration the first iteration
   * @param length how many iterations' points are wanted
   * @param height up to which height points are wanted
   * @param from θ, where all rows are asked about; null for points
   * @param to θ′, likewise
   */
  public record Question(
      PointStream points,
      long iteration,
      int length,
      double height,
      double @Nullable [] from,
      double @Nullable [] to)
      implements Serializable {}

  /** A place's share of an answer. */
  public static final class Share implements Serializable {
    private final @Nullable Pool<ProxyBlock> pool;
    private final TreeSum.Node[] nodes;

    private Share(@Nullable Pool<ProxyBlock> pool, TreeSum.Node[] nodes) {
      this.pool = pool;
      this.nodes = nodes;
    }
  }

  /**
   * What the rows answer.
   *
   * @param pools the points, from each place; none where all rows were asked about
   * @param difference Σ_n R_n(θ′) − R_n(θ) over all rows, where that was asked
   */
  public record Answer(List<Pool<ProxyBlock>> pools, double difference) {}

  @Override
  public List<Share> share(Place<ProxyBlock> place, List<Question> questions) {
    return questions.stream().map(question -> share(place, question)).toList();
  }

  private Share share(Place<ProxyBlock> place, Question question) {
    double[] from = question.from();
    double[] to = question.to();
    if (from == null || to == null) {
      Pool<ProxyBlock> pool =
          Pool.draw(
              question.points(),
              question.iteration(),
              question.length(),
              question.height(),
              place.blocks());
      return new Share(pool, new TreeSum.Node[0]);
    }
    return new Share(null, differences(place, from, to).toArray(new TreeSum.Node[0]));
  }

  private List<TreeSum.Node> differences(Place<ProxyBlock> place, double[] from, double[] to) {
    TreeSum sum = new TreeSum(place.from(), place.to());
    for (ProxyBlock block : place.blocks()) {
      sum.add(block.id(), new double[] {block.differences(proxy, from, to)});
    }
    return sum.nodes();
  }

  /** Returns Σ_n R_n(θ′) − R_n(θ), to the bit what is answered, from all blocks, ascending. */
  public double difference(List<ProxyBlock> all, double[] from, double[] to) {
    return TreeSum.total(differences(Place.whole(all), from, to), 1)[0];
  }

  @Override
  public Answer join(Question question, List<Share> shares) {
    List<Pool<ProxyBlock>> pools = new ArrayList<>();
    List<TreeSum.Node> nodes = new ArrayList<>();
    for (Share share : shares) {
      if (share.pool != null) {
        pools.add(share.pool);
      }
      nodes.addAll(Arrays.asList(share.nodes));
    }
    return new Answer(pools, TreeSum.total(nodes, 1)[0]);
  }
}
