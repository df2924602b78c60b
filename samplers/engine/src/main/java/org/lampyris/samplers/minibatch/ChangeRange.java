package org.lampyris.samplers.minibatch;

import java.util.Arrays;
import java.util.List;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Model;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowQuestions;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RowClient;

/**
 * Bounds on |v_n| for all rows at once, within a ball about the mode: by c_n, a bound on the third
 * derivatives along directions of length 1, if v_n is the remainder of a proxy,
 *
 * <pre>|R_n(θ′) − R_n(θ)| ≤ max c_n · M_2(θ, θ′),</pre>
 *
 * <p>and else by the slope at the mode and a bound on the second derivatives,
 *
 * <pre>|ℓ_n(θ′) − ℓ_n(θ)| ≤ max ‖∇ℓ_n(θ̂)‖ · ‖θ′ − θ‖ + max c_n · M_1(θ, θ′),</pre>
 *
 * <p>with M of {@link TaylorProxy#factor(double[], double[])}. A proxy expanded elsewhere in the
 * ball has the same c_n. Beyond the ball a larger c_n holds, where the derivatives are bounded
 * everywhere, and else nothing is known: +∞.
 *
 * <p>Source: Bardenet, Doucet and Holmes (2017), sections 7.2.1 and 8.1.1, who bound each element
 * of the third derivatives everywhere.
 *
 * @param mode the proxies of the order in question about the mode
 * @param laplace N(θ̂, Σ̂), what lengths are
 * @param slope max_n ‖∇ℓ_n(θ̂)‖; 0 where v_n is what a proxy leaves over
 * @param constant max_n c_n in the ball
 * @param everywhere max_n c_n without one, perhaps +∞
 */
public record ChangeRange(
    TaylorProxy mode,
    LaplaceApproximation laplace,
    double slope,
    double constant,
    double everywhere)
    implements BernsteinDecision.Range {
  /**
   * Margin of the ball beyond a draw's typical distance from the mode, √d. Proposals lie there as
   * well, and one beyond reads all rows if the derivatives are bounded in balls only.
   */
  private static final double MARGIN = 10;

  /** Returns the radius of the ball in which ranges are known. */
  public static double radius(LaplaceApproximation laplace) {
    return Math.sqrt(laplace.dimension()) + MARGIN;
  }

  /**
   * Reads all rows once.
   *
   * @param proxies whether v_n is what proxies leave over
   */
  public static ChangeRange of(
      Model model, LaplaceApproximation laplace, boolean proxies, ResidentRows<PlainBlock> rows) {
    int order = proxies ? 2 : 1;
    TaylorProxy mode = new TaylorProxy(model, order, laplace, radius(laplace));
    TaylorProxy all = new TaylorProxy(model, order, laplace, Double.POSITIVE_INFINITY);
    double[] largest =
        RowClient.alone(rows).ask(new Largest(model, List.of(mode, all), laplace), !proxies);
    return new ChangeRange(mode, laplace, largest[2], largest[0], largest[1]);
  }

  @Override
  public double of(Remainders remainders, double[] from, double[] to) {
    TaylorProxy proxy = remainders.proxy() == null ? mode : remainders.proxy();
    boolean inside = mode.holdsAt(from) && mode.holdsAt(to) && mode.holdsAt(proxy.center());
    double largest = inside ? constant : everywhere;
    if (largest == Double.POSITIVE_INFINITY) {
      return largest;
    }
    double length = slope > 0 ? LaplaceApproximation.norm(laplace.difference(from, to)) : 0;
    return slope * length + largest * proxy.factor(from, to);
  }

  /** Returns its typical value for steps of a length between two points of the posterior. */
  public double usual(double length) {
    return slope * length + constant * mode.usualFactor(length);
  }

  /** The largest c_n of each proxy, and, on request, the largest ‖∇ℓ_n(θ̂)‖. */
  private record Largest(Model model, List<TaylorProxy> proxies, LaplaceApproximation laplace)
      implements RowQuestions<PlainBlock, Boolean, double[], double[]> {
    @Override
    public List<double[]> add(Place<PlainBlock> place, List<Boolean> questions) {
      return questions.stream().map(slopes -> share(place, slopes)).toList();
    }

    private double[] share(Place<PlainBlock> place, boolean slopes) {
      double[] largest = new double[proxies.size() + 1];
      Preconditioner factor = Preconditioner.of(laplace);
      for (PlainBlock block : place.blocks()) {
        for (int k = 0; k < proxies.size(); k++) {
          double[] all = proxies.get(k).derivativeBounds(block.data());
          largest[k] = Math.max(largest[k], Arrays.stream(all).max().orElse(0));
        }
        for (int row = 0; slopes && row < block.data().rows(); row++) {
          double[] gradient = new double[model.dimension()];
          model.addGradient(block.data(), row, laplace.mode(), gradient);
          double norm = LaplaceApproximation.norm(factor.transposed(gradient));
          largest[proxies.size()] = Math.max(largest[proxies.size()], norm);
        }
      }
      return largest;
    }

    @Override
    public double[] merge(Boolean question, List<double[]> shares) {
      double[] largest = new double[proxies.size() + 1];
      for (double[] share : shares) {
        Arrays.setAll(largest, k -> Math.max(largest[k], share[k]));
      }
      return largest;
    }
  }
}
