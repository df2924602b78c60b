package org.lampyris.samplers.shards.combination;

/**
 * Metropolis–Hastings on all rows with proposals from the product of the shards' normal
 * distributions ({@link GaussianProduct}). Its draws are exact for any subposteriors, and it mixes
 * better the closer the product is to the posterior. Its cost must be compared with the savings of
 * other combinations.
 *
 * <p>If the family has bounded derivatives, few rows decide (Prado, Nemeth and Sherlock 2024).
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
