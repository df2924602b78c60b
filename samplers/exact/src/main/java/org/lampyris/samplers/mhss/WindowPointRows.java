package org.lampyris.samplers.mhss;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rows as one chain sees them that asks for the points of a window of iterations at once, and
 * has no more to ask until it ends: unless a step needs points higher than the lowest slab.
 *
 * <p>Not safe for use by several threads.
 */
public final class WindowPointRows implements PointRows {
  private final PointStream points;
  private final Function<PointQuestions.Question, PointQuestions.Answer> ask;
  private long first;
  private @Nullable PooledPointRows window;

  /**
   * Begins with no points.
   *
   * @param points draws the chain's points
   * @param ask asks the rows
   */
  public WindowPointRows(
      PointStream points, Function<PointQuestions.Question, PointQuestions.Answer> ask) {
    this.points = points;
    this.ask = ask;
  }

  @Override
  public void visit(long iteration, double height, Visitor visitor) {
    if (height > points.thickness()) {
      asked(iteration, 1, height).visit(iteration, height, visitor);
      return;
    }
    long start = points.windowStart(0, iteration);
    PooledPointRows at = window;
    if (at == null || start != first) {
      at = asked(start, points.windowLength(0), points.thickness());
      window = at;
      first = start;
    }
    at.visit(iteration, height, visitor);
  }

  private PooledPointRows asked(long iteration, int length, double height) {
    return new PooledPointRows(
        ask.apply(new PointQuestions.Question(points, iteration, length, height, null, null))
            .pools());
  }

  @Override
  public double differences(double[] from, double[] to) {
    return ask.apply(new PointQuestions.Question(points, 0, 1, 0, from, to)).difference();
  }
}
