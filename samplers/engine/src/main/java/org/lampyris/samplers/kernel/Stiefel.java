package org.lampyris.samplers.kernel;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.SingularValueDecomposition_F64;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.random.Noise;

/**
 * A random walk on the Stiefel manifold of orthonormal D × D matrices W, which θ holds by rows: W'
 * = RW with the rotation
 *
 * <pre>R = (I − ½εA)⁻¹(I + ½εA), A = −Aᵀ, A_jk ~ N(0, 1) for j &lt; k.</pre>
 *
 * <p>It is symmetric with respect to the uniform (Haar) measure, which is invariant under W ↦ RW:
 * −A is as likely as A, and turns R into R⁻¹. Cayley's map from A to R is orthogonal except for
 * rounding, with one solution of a linear system. The exponential, which it approximates to second
 * order in ε, is a series; any odd map from A to a rotation would do. The sign of det W stays: on
 * the other half of the manifold, w_1 is −w_1.
 *
 * <p>Chains begin at the {@linkplain #start orthonormal matrix nearest} to their starting point.
 * Target acceptance 0.234, as a random walk in ½D(D − 1) dimensions. Cost O(D³).
 *
 * <p>Source: Ouyang (2008) for random walks on the manifold; Wen and Yin (2013), section 2, for
 * Cayley's map.
 *
 * @param order D, at least 2
 * @param stepSize ε, above 0: about the angle of a rotation
 */
public record Stiefel(int order, double stepSize) implements ProposalKernel {
  /** Checks the numbers. */
  public Stiefel {
    ThetaKernel.requireStepSize(stepSize, Double.POSITIVE_INFINITY);
    if (order < 2) {
      throw new IllegalArgumentException("orthonormal matrices of order " + order);
    }
  }

  @Override
  public double[] propose(double[] theta, Noise noise) {
    DMatrixRMaj plus = CommonOps_DDRM.identity(order);
    DMatrixRMaj minus = CommonOps_DDRM.identity(order);
    for (int j = 0; j < order; j++) {
      for (int k = j + 1; k < order; k++) {
        double half = 0.5 * stepSize * noise.normal();
        plus.set(j, k, half);
        plus.set(k, j, -half);
        minus.set(j, k, -half);
        minus.set(k, j, half);
      }
    }
    DMatrixRMaj forth = new DMatrixRMaj(order, order);
    CommonOps_DDRM.mult(plus, new DMatrixRMaj(order, order, true, theta.clone()), forth);
    DMatrixRMaj proposal = new DMatrixRMaj(order, order);
    // I − ½εA is never singular: xᵀ(I − ½εA)x = |x|².
    CommonOps_DDRM.solve(minus, forth, proposal);
    return proposal.getData();
  }

  @Override
  public double correction(double[] theta, double[] proposal) {
    return 0;
  }

  /** Returns the orthogonal polar factor of θ, UVᵀ of its singular vectors. θ is not modified. */
  @Override
  public double[] start(double[] theta) {
    SingularValueDecomposition_F64<DMatrixRMaj> svd =
        DecompositionFactory_DDRM.svd(order, order, true, true, false);
    svd.decompose(new DMatrixRMaj(order, order, true, theta.clone()));
    DMatrixRMaj nearest = new DMatrixRMaj(order, order);
    CommonOps_DDRM.mult(svd.getU(null, false), svd.getV(null, true), nearest);
    return nearest.getData();
  }

  @Override
  public Stiefel withStepSize(double size) {
    return new Stiefel(order, size);
  }

  @Override
  public double targetAcceptance() {
    return 0.234;
  }

  /** {@code sampler.kernel: stiefel}, as {@code META-INF/services} names it. */
  public static final class Type extends ThetaKernelType {
    public Type() {
      super("stiefel", false);
    }

    @Override
    public boolean isProposal() {
      return true;
    }

    @Override
    public boolean movesMatrix() {
      return true;
    }

    /** {@inheritDoc} Its steps have no shape: the narrowest coefficient determines their size. */
    @Override
    public ThetaKernel create(Setting setting) {
      int order = (int) Math.round(Math.sqrt(setting.dimension()));
      if (order < 2 || order * order != setting.dimension()) {
        throw UserException.usage(
            ("sampler.kernel: stiefel moves an orthonormal matrix with all coefficients as"
                    + " elements, as in model.family: ica. Here are %d coefficients. Choose another"
                    + " kernel.")
                .formatted(setting.dimension()));
      }
      Setting plain =
          new Setting(
              setting.laplace(), setting.prior(), false, setting.givenStepSize(), setting.own());
      return new Stiefel(
          order, plain.stepSize(RandomWalk.optimalStepSize(order * (order - 1) / 2)));
    }
  }
}
