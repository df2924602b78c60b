package org.lampyris.samplers.minibatch;

import java.io.Serializable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.SamplingContext;

/**
 * ∇ log π(θ), estimated by the first m rows of an iteration's permutation:
 *
 * <pre>g(θ) = ∇ log p(θ) + N/m Σ ∇ℓ_n(θ),</pre>
 *
 * <p>or, with the gradients at the mode for control variates,
 *
 * <pre>g(θ) = ∇ log p(θ) + Σ_n ∇ℓ_n(θ̂) + N/m Σ [∇ℓ_n(θ) − ∇ℓ_n(θ̂)],</pre>
 *
 * <p>whose noise vanishes at the mode.
 *
 * <p>Source: Welling and Teh (2011), equation 4; Baker, Fearnhead, Fox and Nemeth (2019), section
 * 3, for control variates.
 *
 * @param prior p(θ)
 * @param batch m; N, or more, for all rows
 * @param mode where the control variates are; null for none
 */
public record BatchGradient(Model model, Prior prior, long batch, @Nullable Mode mode)
    implements Serializable {
  /** θ̂, and Σ_n ∇ℓ_n(θ̂). Not copied. */
  public record Mode(double[] theta, double[] gradient) implements Serializable {
    /** Reads all rows once. */
    public static Mode of(SamplingContext context, ResidentRows<PlainBlock> rows) {
      Model model = context.model().model();
      double[] theta = context.laplace().mode();
      double[] gradient =
          rows.sum(
              theta.length,
              (block, out) ->
                  model.addGradients(
                      block.data(), new double[][] {theta}, new double[1], new double[][] {out}));
      return new Mode(theta, gradient);
    }
  }

  /** Returns one without control variates. */
  public static BatchGradient plain(SamplingContext context, long batch) {
    return new BatchGradient(context.model().model(), context.model().prior(), batch, null);
  }

  /** Returns g(θ). θ is not modified. */
  public double[] at(double[] theta, long iteration, BatchRows rows) {
    double[] from = mode == null ? null : mode.theta;
    double[] gradient = rows.sum(iteration, 0, rows(rows), new Difference(model, theta, from));
    double scale = (double) rows.rows() / rows(rows);
    for (int j = 0; j < gradient.length; j++) {
      gradient[j] = scale * gradient[j] + (mode == null ? 0 : mode.gradient[j]);
    }
    prior.addGradient(theta, gradient);
    return gradient;
  }

  /** Returns whether the gradient is over all rows. */
  boolean isExact(BatchRows rows) {
    return batch >= rows.rows();
  }

  /** Returns how many rows' gradients are evaluated. */
  public long evaluations(BatchRows rows) {
    return rows(rows) * (mode == null ? 1 : 2);
  }

  private long rows(BatchRows rows) {
    return Math.min(batch, rows.rows());
  }

  /** Sum Σ_n ∇ℓ_n(θ) over a batch, minus ∇ℓ_n at another θ if there is one. */
  private record Difference(Model model, double[] theta, double @Nullable [] from)
      implements BatchRows.Term {
    @Override
    public int length() {
      return model.dimension();
    }

    @Override
    public void addTo(DataBlock block, int[] rows, double[] out) {
      double[][] thetas = from == null ? new double[][] {theta} : new double[][] {theta, from};
      double[][] gradients = new double[thetas.length][out.length];
      model.addGradients(block.select(rows), thetas, new double[thetas.length], gradients);
      double[] less = from == null ? new double[out.length] : gradients[1];
      Arrays.setAll(out, j -> out[j] + (gradients[0][j] - less[j]));
    }
  }
}
