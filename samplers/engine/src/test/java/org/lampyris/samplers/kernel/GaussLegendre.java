package org.lampyris.samplers.kernel;

/**
 * Gauss–Legendre quadrature: ∫_a^b f ≈ Σ w_k f(t_k), exact for polynomials up to degree 2·size − 1.
 * The nodes are the zeros of the Legendre polynomial, by Newton's method.
 */
final class GaussLegendre {
  private final double[] nodes;
  private final double[] weights;

  GaussLegendre(int size) {
    nodes = new double[size];
    weights = new double[size];
    for (int k = 0; k < size; k++) {
      double x = Math.cos(Math.PI * (k + 0.75) / (size + 0.5));
      double slope = 1;
      for (int i = 0; i < 20; i++) {
        double before = 1;
        double value = x;
        for (int n = 2; n <= size; n++) {
          double next = ((2 * n - 1) * x * value - (n - 1) * before) / n;
          before = value;
          value = next;
        }
        slope = size * (x * value - before) / (x * x - 1);
        x -= value / slope;
      }
      nodes[k] = x;
      weights[k] = 2 / ((1 - x * x) * slope * slope);
    }
  }

  int size() {
    return nodes.length;
  }

  double node(int k, double a, double b) {
    return 0.5 * (a + b) + 0.5 * (b - a) * nodes[k];
  }

  double weight(int k, double a, double b) {
    return 0.5 * (b - a) * weights[k];
  }
}
