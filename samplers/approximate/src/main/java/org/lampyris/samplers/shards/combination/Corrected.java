package org.lampyris.samplers.shards.combination;

/**
 * Metropolis–Hastings on all rows with proposals from the product of the shards' normal
 * distributions ({@link GaussianProduct}): its draws are those of the posterior, whatever the
 * subposteriors, and it moves as well as the product is near. What another combination saves must
 * be held against what this one costs.
 *
 * <p>Where the family has bounded derivatives, a few rows decide (Prado, Nemeth and Sherlock 2024).
 */
public final class Corrected implements Combination {
  @Override
  public String name() {
    return "exact";
  }

  @Override
  public boolean isExact() {
    return true;
  }

  @Override
  public Combined combine(Subposteriors draws, Setting setting) {
    Gaussian product = Gaussian.product(Gaussian.ofShards(draws));
    return setting.rows().corrected(product.mean(), product.covariance());
  }
}
