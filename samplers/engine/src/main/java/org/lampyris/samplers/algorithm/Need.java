package org.lampyris.samplers.algorithm;

/** What an algorithm cannot do without, and not every family or kernel offers. */
public enum Need {
  /** Lower bounds on the rows' likelihoods that collapse. */
  BOUND("a lower bound on the likelihood that is quadratic in the coefficients"),
  /** Taylor proxies of the rows' likelihoods, and bounds of what they leave out. */
  PROXY("bounded derivatives"),
  /** A θ-kernel whose proposal can be had without its decision. */
  PROPOSAL("proposals without gradients");

  private final String text;

  Need(String text) {
    this.text = text;
  }

  /** Returns what is needed, in a few words. */
  public String text() {
    return text;
  }
}
