package org.lampyris.samplers.algorithm;

/** Requirement of an algorithm that not every family or kernel meets. */
public enum Need {
  /** Lower bounds on the rows' likelihoods that collapse. */
  BOUND("a lower bound on the likelihood that is quadratic in the coefficients"),
  /** Taylor proxies of the rows' likelihoods, with bounds on their remainders. */
  PROXY("bounded derivatives"),
  /** A θ-kernel with a separate proposal. */
  PROPOSAL("proposals without gradients"),
  /** A model that is a program. */
  PROGRAM("a program");

  private final String text;

  Need(String text) {
    this.text = text;
  }

  /** Returns a short description. */
  public String text() {
    return text;
  }
}
