package org.lampyris.samplers.minibatch;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.RowBlock;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Values that batches average: for each row n the change of its log-likelihood, v_n = ℓ_n(θ′) −
 * ℓ_n(θ), or of the remainder of its Taylor proxy of order 2, v_n = R_n(θ′) − R_n(θ). The proxies'
 * own change is Σ_n T_n(θ′) − T_n(θ), at no row's cost: they are control variates.
 *
 * <p>Source: Bardenet, Doucet and Holmes (2017), section 7.1, equation 28.
 *
 * @param model ℓ_n
 * @param proxy T_n; null without proxies
 * @param collapsed Σ_n T_n; null without proxies
 * @param others proxies about other points, which {@link #nearest} chooses among
 */
public record Remainders(
    Model model,
    @Nullable TaylorProxy proxy,
    @Nullable CollapsedQuadratic collapsed,
    List<Remainders> others)
    implements Serializable {
  /** Joins proxies about one point with their sum. */
  public Remainders(
      Model model, @Nullable TaylorProxy proxy, @Nullable CollapsedQuadratic collapsed) {
    this(model, proxy, collapsed, List.of());
  }

  /** Returns the changes of the log-likelihoods themselves. */
  public static Remainders whole(Model model) {
    return new Remainders(model, null, null);
  }

  /** Returns the remainders of proxies about the mode. All rows are read once. */
  public static Remainders atMode(
      SamplingContext context, ResidentRows<PlainBlock> rows, double radius) {
    return atMode(context, rows, radius, 1);
  }

  /**
   * Returns the remainders of proxies about the mode and about draws of the Laplace approximation.
   * All rows are read once.
   *
   * @param points the number of points, the mode included
   */
  public static Remainders atMode(
      SamplingContext context, ResidentRows<PlainBlock> rows, double radius, int points) {
    Model model = context.model().model();
    TaylorProxy mode = new TaylorProxy(model, 2, context.laplace(), radius);
    List<TaylorProxy> proxies = new ArrayList<>(List.of(mode));
    proxies.addAll(elsewhere(context, mode, radius, points - 1));
    List<Remainders> all = about(model, proxies, rows);
    Remainders first = all.get(0);
    return new Remainders(model, mode, first.collapsed, List.copyOf(all.subList(1, all.size())));
  }

  /**
   * Returns proxies about draws of the Laplace approximation that lie in the mode's ball.
   *
   * <p>A draw is √(2d) sds from another one and √d from the mode, so further points shorten the way
   * in few dimensions only.
   *
   * @param mode the proxy about the mode
   * @param radius of the ball about the mode where bounds on derivatives hold
   * @param draws their number; those outside of the ball are left out
   */
  public static List<TaylorProxy> elsewhere(
      SamplingContext context, TaylorProxy mode, double radius, int draws) {
    LaplaceApproximation laplace = context.laplace();
    Preconditioner factor = Preconditioner.of(laplace);
    UniformRandomProvider rng = context.streams().stream(Streams.Purpose.INITIAL, 0, 1, 0);
    return Stream.generate(() -> StartingPoint.laplace(laplace.mode(), factor, 1, rng))
        .limit(draws)
        .filter(mode::holdsAt)
        .map(at -> new LaplaceApproximation(at, laplace.covariance()))
        .map(at -> new TaylorProxy(context.model().model(), mode.order(), at, radius))
        .toList();
  }

  /** Returns the remainders of proxies, each about its own point. All rows are read once. */
  public static <B extends RowBlock<B>> List<Remainders> about(
      Model model, List<TaylorProxy> proxies, ResidentRows<B> rows) {
    int length = CollapsedQuadratic.packedLength(model.dimension());
    double[] packed =
        rows.sum(
            proxies.size() * length,
            (block, out) -> {
              for (int k = 0; k < proxies.size(); k++) {
                CollapsedQuadratic sum = proxies.get(k).emptySum();
                proxies.get(k).collapse(block.data(), sum);
                System.arraycopy(sum.packed(), 0, out, k * length, length);
              }
            });
    List<Remainders> all = new ArrayList<>();
    for (int k = 0; k < proxies.size(); k++) {
      double[] own = Arrays.copyOfRange(packed, k * length, (k + 1) * length);
      TaylorProxy proxy = proxies.get(k);
      all.add(new Remainders(model, proxy, new CollapsedQuadratic(proxy.center(), own)));
    }
    return all;
  }

  /**
   * Returns the remainders of proxies about a point.
   *
   * @param rows all rows, which are read once
   * @param iteration the iteration that reads them
   * @param about θ⋆, and what lengths are
   * @param radius of the ball about the mode where bounds on derivatives are to hold
   */
  public static Remainders about(
      Model model, BatchRows rows, long iteration, LaplaceApproximation about, double radius) {
    TaylorProxy proxy = new TaylorProxy(model, 2, about, radius);
    double[] packed = rows.sum(iteration, 0, rows.rows(), new CollapseTerm(proxy));
    return new Remainders(model, proxy, new CollapsedQuadratic(about.mode(), packed));
  }

  /** Returns the point that the proxies are expanded about; null without proxies. */
  double @Nullable [] about() {
    return proxy == null ? null : proxy.center();
  }

  /** Returns Σ_n T_n, packed; null without proxies. */
  double @Nullable [] sum() {
    return collapsed == null ? null : collapsed.packed();
  }

  /**
   * Returns the remainders of this run, or renewed ones, from {@link #about} and {@link #sum}.
   *
   * @param renewal by which they were renewed
   */
  Remainders of(double @Nullable [] about, double @Nullable [] sum, Renewal renewal) {
    if (about == null || sum == null) {
      return whole(model);
    }
    CollapsedQuadratic stored = new CollapsedQuadratic(about, sum);
    return proxy != null && Arrays.equals(about, proxy.center())
        ? new Remainders(model, proxy, stored, others)
        : new Remainders(model, renewal.proxy(model, about), stored);
  }

  /** Returns Σ_n T_n(θ); 0 without proxies. θ is not modified. */
  public double proxies(double[] theta) {
    return collapsed == null ? 0 : collapsed.value(theta);
  }

  /** Returns Σ_n T_n(θ′) − T_n(θ); 0 without proxies. Neither point is modified. */
  public double change(double[] from, double[] to) {
    return proxies(to) - proxies(from);
  }

  /**
   * Returns, among these and the others, the proxies whose bound M(θ, θ′) is least. The choice is
   * the same from θ′ to θ, so a kernel in detailed balance by each of them stays in it. Neither
   * point is modified.
   *
   * <p>Source: Bardenet, Doucet and Holmes (2017), section 7.2.2, who take the proxies closest to θ
   * alone.
   */
  public Remainders nearest(double[] from, double[] to) {
    Remainders nearest = this;
    double least = factor(from, to);
    for (Remainders other : others) {
      double factor = other.factor(from, to);
      if (factor < least) {
        least = factor;
        nearest = other;
      }
    }
    return nearest;
  }

  /** Returns M(θ, θ′) of the proxies; 0 without proxies. Neither point is modified. */
  public double factor(double[] from, double[] to) {
    return proxy == null ? 0 : proxy.factor(from, to);
  }

  /** Returns Σ v_n and Σ v_n² of a batch, as a term. Neither point is copied. */
  public BatchRows.Term changes(double[] from, double[] to) {
    boolean begins = proxy != null && Arrays.equals(from, proxy.center());
    return new ChangeTerm(model, proxy, from, to, begins);
  }

  /**
   * Σ v_n and Σ v_n².
   *
   * @param fromCenter whether θ is the proxies' point, where remainders are 0
   */
  private record ChangeTerm(
      Model model, @Nullable TaylorProxy proxy, double[] from, double[] to, boolean fromCenter)
      implements BatchRows.Term {
    @Override
    public int length() {
      return 2;
    }

    @Override
    public void addTo(DataBlock block, int[] rows, double[] out) {
      for (int row : rows) {
        double change =
            proxy == null
                ? model.logLikelihood(block, row, to) - model.logLikelihood(block, row, from)
                : proxy.remainder(block, row, to)
                    - (fromCenter ? 0 : proxy.remainder(block, row, from));
        out[0] += change;
        out[1] += change * change;
      }
    }
  }

  private record CollapseTerm(TaylorProxy proxy) implements BatchRows.Term {
    @Override
    public int length() {
      return CollapsedQuadratic.packedLength(proxy.dimension());
    }

    @Override
    public void addTo(DataBlock block, int[] rows, double[] out) {
      CollapsedQuadratic sum = proxy.emptySum();
      proxy.collapse(block.select(rows), sum);
      double[] packed = sum.packed();
      Arrays.setAll(out, i -> out[i] + packed[i]);
    }
  }

  /**
   * Renewal of the proxies during the run, about the chain's position: "dropped along the way".
   * Source: Bardenet, Doucet and Holmes (2017), section 7.2.2.
   *
   * @param every α, after how many iterations; 0 for never
   * @param laplace what lengths are
   * @param radius of the ball about the mode where bounds on derivatives are to hold
   */
  public record Renewal(long every, LaplaceApproximation laplace, double radius)
      implements Serializable {
    /** Returns a renewal that never happens. */
    public static Renewal never(LaplaceApproximation laplace) {
      return new Renewal(0, laplace, Double.POSITIVE_INFINITY);
    }

    /** Returns whether an iteration reads all rows, and expands the proxies at its end. */
    boolean due(long iteration) {
      return every > 0 && iteration % every == 0;
    }

    /** Returns the remainders of proxies about θ; all rows are read. */
    Remainders at(Model model, BatchRows rows, double[] theta, long iteration) {
      TaylorProxy proxy = proxy(model, theta);
      double[] packed = rows.sum(iteration, 0, rows.rows(), new CollapseTerm(proxy));
      return new Remainders(model, proxy, new CollapsedQuadratic(theta, packed));
    }

    private TaylorProxy proxy(Model model, double[] theta) {
      return new TaylorProxy(
          model, 2, new LaplaceApproximation(theta, laplace.covariance()), radius);
    }
  }
}
