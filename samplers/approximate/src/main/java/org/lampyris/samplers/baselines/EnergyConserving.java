package org.lampyris.samplers.baselines;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.bound.QuadraticForm;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.LogDensity;
import org.lampyris.samplers.kernel.Metropolis;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.minibatch.BatchRows;
import org.lampyris.samplers.minibatch.Remainders;

/**
 * Hamiltonian Monte Carlo with energy conserving subsampling, on (θ, u) with the density
 *
 * <pre>p(θ)·p(u)·e^l̂(θ, u), l̂ = Σ_n T_n(θ) + Σ_b [N/G·R̄_b − (N/G)²·s_b²/(2t)·(1 − t/N)].</pre>
 *
 * <p>u is G independent blocks of t rows, each drawn without replacement, and R̄_b and s_b² are
 * mean and variance of R_n in block b. The marginal density of θ is p(θ)·e^ΣT·(E e^[…])^G, a
 * perturbed posterior; with G = 1 it is the target of {@link DifferenceEstimator}.
 *
 * <p>An iteration proposes new rows for one block, accepted by Metropolis at the present θ. Then
 * the θ-kernel moves θ given u. Its energy and gradient come from the same rows, so a trajectory
 * conserves energy as on all rows.
 *
 * <p>Cost: Gt rows, each at θ and at the mode, for each value or gradient, and 4t evaluations for
 * the new block. If rows are asked for by jobs, each block takes one.
 *
 * <p>Source: Dang, Quiroz, Kohn, Tran and Villani (2019), section 3; blocks from Tran, Kohn, Quiroz
 * and Villani (2016).
 *
 * @param remainders R_n, with Σ_n T_n
 * @param batch t
 * @param blocks G
 */
record EnergyConserving(Prior prior, BatchRows rows, Remainders remainders, long batch, int blocks)
    implements TransitionKernel<EnergyConserving.State> {
  /**
   * θ and u.
   *
   * @param point with the log-density given u
   * @param drawn for each block, the iteration whose permutation begins with its rows. Not copied.
   */
  record State(Point point, long[] drawn) implements SamplerState {}

  /** {@inheritDoc} Blocks begin with permutations that belong to no iteration. */
  @Override
  public Transition<State> init(double[] theta) {
    long[] drawn = new long[blocks];
    Arrays.setAll(drawn, block -> -block);
    return new Transition<>(new State(Point.at(theta), drawn), new StepInfo(1, 0, false));
  }

  @Override
  public Transition<State> step(
      State state, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
    int block = (int) (iteration % blocks);
    long[] drawn = state.drawn.clone();
    drawn[block] = iteration;
    Given proposed = new Given(drawn);
    Given current = new Given(state.drawn);
    double[] theta = state.point.theta();
    double probability =
        Metropolis.acceptanceProbability(
            current.ofBlock(block, theta), proposed.ofBlock(block, theta));
    boolean renewed = rng.nextDouble() < probability;
    Given target = renewed ? proposed : current;
    Point from = renewed ? Point.at(theta) : state.point;
    ThetaKernel.Step step = kernel.step(target, from, rng);
    long evaluations = proposed.evaluations + current.evaluations;
    return new Transition<>(
        new State(step.point(), target.drawn), StepInfo.of(step, evaluations, List.of()));
  }

  /** Returns log p(θ) + l̂(θ, u) for the rows that blocks drew in some iterations. */
  LogDensity given(long[] drawn) {
    return new Given(drawn);
  }

  /** log p(θ) + l̂(θ, u) as a function of θ. Counts evaluations. */
  private final class Given implements LogDensity {
    private final TaylorProxy proxy = Objects.requireNonNull(remainders.proxy());
    private final QuadraticForm proxies = Objects.requireNonNull(remainders.collapsed()).form();
    private final long[] drawn;
    private long evaluations;

    Given(long[] drawn) {
      this.drawn = drawn;
    }

    @Override
    public int dimension() {
      return prior.dimension();
    }

    private double[] sums(int block, BatchRows.Term term) {
      evaluations += 2 * batch;
      return rows.sum(drawn[block], 0, batch, term);
    }

    private double corrected(double[] sums) {
      double all = rows.rows();
      double share = all / blocks;
      double t = batch;
      double half = DifferenceEstimator.Difference.halfVariance(sums, share, t, 1 - t / all);
      return share * (sums[0] / t) - half;
    }

    /** Returns the share of a block in l̂. */
    double ofBlock(int block, double[] theta) {
      return corrected(sums(block, remainders.changes(proxy.center(), theta)));
    }

    @Override
    public void values(double[][] thetas, double[] out) {
      for (int i = 0; i < thetas.length; i++) {
        double sum = prior.logDensity(thetas[i]) + proxies.value(thetas[i]);
        for (int block = 0; block < blocks; block++) {
          sum += ofBlock(block, thetas[i]);
        }
        out[i] = Double.isNaN(sum) ? Double.NEGATIVE_INFINITY : sum;
      }
    }

    /** {@inheritDoc} ∇(s²/2) is (Σ R∇R − R̄ Σ ∇R)/(t − 1). */
    @Override
    public double valueAndGradient(double[] theta, double[] gradient) {
      Arrays.fill(gradient, 0);
      double value = prior.addGradient(theta, gradient) + proxies.addGradient(theta, gradient);
      double all = rows.rows();
      double share = all / blocks;
      double noise = batch == all ? 0 : share * share / batch * (1 - batch / all) / (batch - 1);
      int d = gradient.length;
      BatchRows.Term slopes = new Slopes(proxy, theta);
      for (int block = 0; block < blocks; block++) {
        double[] sums = sums(block, slopes);
        value += corrected(sums);
        double mean = sums[0] / batch;
        for (int j = 0; j < d; j++) {
          double slope = sums[2 + j];
          gradient[j] += share * slope / batch - noise * (sums[2 + d + j] - mean * slope);
        }
      }
      return value;
    }
  }

  /** Σ R, Σ R², Σ ∇R and Σ R∇R of a batch. */
  private record Slopes(TaylorProxy proxy, double[] theta) implements BatchRows.Term {
    @Override
    public int length() {
      return 2 + 2 * theta.length;
    }

    @Override
    public void addTo(DataBlock block, int[] rows, double[] out) {
      int d = theta.length;
      for (int row : rows) {
        double[] gradient = new double[d];
        double value = proxy.addGradient(block, row, theta, gradient);
        out[0] += value;
        out[1] += value * value;
        for (int j = 0; j < d; j++) {
          out[2 + j] += gradient[j];
          out[2 + d + j] += value * gradient[j];
        }
      }
    }
  }
}
