package org.lampyris.samplers.mhss;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.Pool;
import org.lampyris.samplers.rows.PooledEvents;
import org.lampyris.samplers.rows.RowEvents;
import org.lampyris.samplers.rows.RowId;
import org.lampyris.samplers.rows.RowQuestions;
import org.lampyris.samplers.rows.Rows;
import org.lampyris.samplers.run.RowClient;

/**
 * Rows as one chain reads them: for each iteration the points of a Poisson process over (row n,
 * height h) with rate c_n dh for h ≥ 0, drawn independently of θ. In memory, carried to the chain,
 * or asked for by a job.
 *
 * <p>A point depends only on the chain, the iteration and the table, not on earlier requests. A
 * point serves one iteration.
 */
public interface PointRows {
  /** Receiver of points. */
  @FunctionalInterface
  interface Visitor {
    /**
     * Takes a point.
     *
     * @param block the available rows of the block that holds the row
     * @param row the row in it
     * @param height h
     * @return false if no more points are wanted
     */
    boolean point(ProxyBlock block, int row, double height);
  }

  /**
   * Names every point of an iteration with h below a height, ascending by block, row, height.
   *
   * @param iteration the iteration, from 1
   * @param height the height
   * @param visitor receives the points
   */
  void visit(long iteration, double height, Visitor visitor);

  /**
   * Returns Σ_n R_n(θ′) − R_n(θ) over all rows, summed along a fixed tree over block ids: a pass.
   *
   * @param from θ. Not modified.
   * @param to θ′. Not modified.
   */
  double differences(double[] from, double[] to);

  /** Names points, and looks their rows up among those at hand. */
  static void visit(
      RowEvents events, Rows<ProxyBlock> rows, long iteration, double height, Visitor visitor) {
    events.visit(
        iteration,
        height,
        (id, h) -> {
          int index = rows.indexOf(RowId.block(id));
          return visitor.point(rows.blocks().get(index), rows.rowIn(index, RowId.row(id)), h);
        });
  }

  /**
   * Rows of a chain's pools: they answer like the whole table, bit for bit, as long as no point
   * outside the pools is requested.
   */
  final class Pooled implements PointRows {
    private final PooledEvents<ProxyBlock> points;
    private final Rows<ProxyBlock> rows;
    private final TaylorProxy proxy;
    private final RowClient<ProxyBlock> all;

    /**
     * Brings the points together.
     *
     * @param pools the chain's pool from each place, in any order; at least one
     * @param all makes passes over all rows
     */
    public Pooled(List<Pool<ProxyBlock>> pools, TaylorProxy proxy, RowClient<ProxyBlock> all) {
      this.points = new PooledEvents<>(pools);
      this.rows = Rows.gathered(points.rows());
      this.proxy = proxy;
      this.all = all;
    }

    @Override
    public void visit(long iteration, double height, Visitor visitor) {
      PointRows.visit(points, rows, iteration, height, visitor);
    }

    @Override
    public double differences(double[] from, double[] to) {
      return all.ask(new Differences(proxy), new double[][] {from, to});
    }
  }

  /**
   * Rows of a chain that requests its points in each iteration, with their rows.
   *
   * @param points draws the chain's points
   */
  record Asked(TaylorProxy proxy, PointStream points, RowClient<ProxyBlock> client)
      implements PointRows {
    @Override
    public void visit(long iteration, double height, Visitor visitor) {
      pooled(iteration, 1, height).visit(iteration, height, visitor);
    }

    /** Returns the rows from pools of the points of some iterations, up to a height. */
    Pooled pooled(long iteration, int length, double height) {
      return new Pooled(
          client.ask(new Pools(), new Pools.Question(points, iteration, length, height)),
          proxy,
          client);
    }

    @Override
    public double differences(double[] from, double[] to) {
      return client.ask(new Differences(proxy), new double[][] {from, to});
    }
  }

  /**
   * Rows of a chain that requests the points of a window of iterations at once. It has no further
   * request until the window ends, unless a step needs points above the lowest slab. Not safe for
   * use by several threads.
   */
  final class Windows implements PointRows {
    private final Asked asked;
    private long first;
    private @Nullable Pooled window;

    /** Starts without points. */
    public Windows(Asked asked) {
      this.asked = asked;
    }

    @Override
    public void visit(long iteration, double height, Visitor visitor) {
      PointStream points = asked.points;
      if (height > points.thickness()) {
        asked.visit(iteration, height, visitor);
        return;
      }
      long start = points.windowStart(0, iteration);
      Pooled at = window;
      if (at == null || start != first) {
        at = asked.pooled(start, points.windowLength(0), points.thickness());
        window = at;
        first = start;
      }
      at.visit(iteration, height, visitor);
    }

    @Override
    public double differences(double[] from, double[] to) {
      return asked.differences(from, to);
    }
  }

  /** Fetches the points of a chain, with their rows: its pool from each place. */
  record Pools()
      implements RowQuestions<
          ProxyBlock, Pools.Question, Pool<ProxyBlock>, List<Pool<ProxyBlock>>> {
    /**
     * A request for points.
     *
     * @param points draws the chain's points
     * @param iteration the first iteration
     * @param length how many iterations' points are wanted
     * @param height up to which height points are wanted
     */
    record Question(PointStream points, long iteration, int length, double height)
        implements Serializable {}

    @Override
    public List<Pool<ProxyBlock>> add(Place<ProxyBlock> place, List<Question> questions) {
      return questions.stream()
          .map(q -> Pool.draw(q.points, q.iteration, q.length, q.height, place.blocks()))
          .toList();
    }

    @Override
    public List<Pool<ProxyBlock>> merge(Question question, List<Pool<ProxyBlock>> shares) {
      return shares;
    }
  }

  /** Σ_n R_n(θ′) − R_n(θ) over all rows, for θ and θ′. */
  record Differences(TaylorProxy proxy)
      implements RowQuestions<ProxyBlock, double[][], TreeSum.Node[], Double> {
    @Override
    public List<TreeSum.Node[]> add(Place<ProxyBlock> place, List<double[][]> questions) {
      List<TreeSum.Node[]> shares = new ArrayList<>();
      for (double[][] question : questions) {
        TreeSum sum = new TreeSum(place.from(), place.to());
        for (ProxyBlock block : place.blocks()) {
          double[] share = {block.differences(proxy, question[0], question[1])};
          sum.add(block.id(), share);
        }
        shares.add(RowQuestions.share(sum));
      }
      return shares;
    }

    @Override
    public Double merge(double[][] question, List<TreeSum.Node[]> shares) {
      return RowQuestions.total(shares, 1)[0];
    }
  }
}
