package org.lampyris.samplers.sgld;

import java.util.Arrays;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.minibatch.BatchGradient;
import org.lampyris.samplers.minibatch.BatchRows;
import org.lampyris.samplers.random.Noise;

/**
 * Stochastic gradient Fisher scoring. F = N·S estimates the Fisher information, S the covariance of
 * the rows' gradients, averaged over the minibatches so far. With γ = N/m and B = F,
 *
 * <pre>θ ← θ + 2A⁻¹(g(θ) + η), A = γF + 4F/ε, η ~ N(0, 4F/ε).</pre>
 *
 * <p>For small ε these are the Langevin steps of {@link LangevinKernel}, preconditioned by F⁻¹. For
 * large ε they draw from the normal distribution that the posterior approaches with many rows. If
 * the posterior is normal with precision F, the draws' covariance is F⁻¹ for every ε: 4A⁻¹(A −
 * F)A⁻¹ is the noise, (γ − 1)F being the gradient's. The prior's curvature is not in F, so a strong
 * prior is a source of bias. Moves are reflected at the edges of the support.
 *
 * <p>Source: Ahn, Korattikara and Welling (2012), equation 19 and Algorithm 1, with κ_t = 1/t. They
 * draw rows with replacement, which makes γ = (m + N)/m; without replacement the gradient's
 * variance is N²/m·(1 − m/N)S, and so γ = N/m.
 */
record FisherKernel(BatchGradient gradient, BatchRows rows, LangevinAlgorithm.Settings settings)
    implements TransitionKernel<FisherKernel.State> {
  /**
   * State of a chain.
   *
   * @param covariance the mean of S, its lower triangle row by row; not copied
   * @param batches how many minibatches it is the mean of
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record State(Point point, double[] covariance, long batches) implements SamplerState {}

  @Override
  public Transition<State> init(double[] theta) {
    double[] none = new double[theta.length * (theta.length + 1) / 2];
    return new Transition<>(new State(point(theta), none, 0), new StepInfo(1, 0, false));
  }

  private Point point(double[] theta) {
    return new Point(theta, gradient.prior().logDensity(theta));
  }

  @Override
  public Transition<State> step(
      State state, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
    double[] theta = state.point().theta().clone();
    int d = theta.length;
    long all = rows.rows();
    long m = Math.min(settings.batch(), all);
    double[] sums = rows.sum(iteration, 0, m, new Scores(gradient.model(), theta));
    double[] covariance = state.covariance.clone();
    long batches = state.batches + 1;
    for (int i = 0, k = 0; i < d; i++) {
      for (int j = 0; j <= i; j++, k++) {
        double here = (sums[d + k] - sums[i] * sums[j] / m) / (m - 1);
        covariance[k] += (here - covariance[k]) / batches;
      }
    }
    double epsilon = settings.stepAt(iteration);
    double[] slope = new double[d];
    Arrays.setAll(slope, j -> (double) all / m * sums[j]);
    gradient.prior().addGradient(theta, slope);
    double[] move = move(covariance, slope, all, m, epsilon, Noise.of(rng));
    Preconditioner shape = LangevinKernel.step(kernel, settings, iteration).preconditioner();
    shape.move(shape.inverse(move), 1, theta);
    return new Transition<>(
        new State(point(theta), covariance, batches), new StepInfo(1, m, false));
  }

  /** Returns 2A⁻¹(g + η). */
  private static double[] move(
      double[] covariance, double[] slope, long all, long m, double epsilon, Noise noise) {
    int d = slope.length;
    double[] fisher = new double[d * d];
    for (int i = 0, k = 0; i < d; i++) {
      for (int j = 0; j <= i; j++, k++) {
        fisher[i * d + j] = all * covariance[k];
        fisher[j * d + i] = all * covariance[k];
      }
    }
    Optional<Cholesky> inverse = Cholesky.scaled(fisher, d);
    if (inverse.isEmpty()) {
      return new double[d]; // Too few rows so far: the chain waits.
    }
    // A is a multiple of F, and η of Cz with CCᵀ = F: one decomposition would do, two are shorter.
    double[] factor = Cholesky.lower(fisher, d);
    double[] z = noise.normals(d);
    double[] pull = slope.clone();
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++) {
        pull[i] += Math.sqrt(4 / epsilon) * factor[i * d + j] * z[j];
      }
    }
    double scale = 2 / ((double) all / m + 4 / epsilon);
    return Arrays.stream(inverse.get().solve(pull)).map(x -> scale * x).toArray();
  }

  /** Sums Σ_n ∇ℓ_n(θ) and Σ_n ∇ℓ_n(θ)∇ℓ_n(θ)ᵀ, its lower triangle row by row. */
  private record Scores(Model model, double[] theta) implements BatchRows.Term {
    @Override
    public int length() {
      int d = theta.length;
      return d + d * (d + 1) / 2;
    }

    @Override
    public void addTo(DataBlock block, int[] rows, double[] out) {
      int d = theta.length;
      double[] score = new double[d];
      for (int row : rows) {
        Arrays.fill(score, 0);
        model.addGradients(
            block.select(new int[] {row}),
            new double[][] {theta},
            new double[1],
            new double[][] {score});
        for (int i = 0, k = d; i < d; i++) {
          out[i] += score[i];
          for (int j = 0; j <= i; j++, k++) {
            out[k] += score[i] * score[j];
          }
        }
      }
    }
  }
}
