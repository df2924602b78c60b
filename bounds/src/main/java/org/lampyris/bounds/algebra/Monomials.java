package org.lampyris.bounds.algebra;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Monomials in some variables up to an order, and the pairs of them whose product is one, in the
 * order 1; u₁ … u_V; u₁², u₁u₂ …; and so on. Coefficients of a truncated Taylor polynomial lie in
 * this order. Source: Griewank and Walther (2008), section 13.2.
 */
final class Monomials {
  private final List<int[]> exponents = new ArrayList<>();

  final int variables;
  final int order;

  /** The monomials' number. */
  final int count;

  /** Monomials left[p] and right[p] have the product target[p], by its place. */
  final int[] left;

  final int[] right;
  final int[] target;

  Monomials(int variables, int order) {
    this.variables = variables;
    this.order = order;
    for (int degree = 0; degree <= order; degree++) {
      add(new int[variables], 0, degree);
    }
    this.count = exponents.size();
    List<int[]> pairs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++) {
        int[] sum = exponents.get(i).clone();
        for (int v = 0; v < variables; v++) {
          sum[v] += exponents.get(j)[v];
        }
        if (Arrays.stream(sum).sum() <= order) {
          pairs.add(new int[] {i, j, at(sum)});
        }
      }
    }
    left = pairs.stream().mapToInt(pair -> pair[0]).toArray();
    right = pairs.stream().mapToInt(pair -> pair[1]).toArray();
    target = pairs.stream().mapToInt(pair -> pair[2]).toArray();
  }

  private void add(int[] powers, int from, int degree) {
    if (from == variables - 1) {
      powers[from] = degree;
      exponents.add(powers.clone());
      return;
    }
    for (int power = degree; power >= 0; power--) {
      powers[from] = power;
      add(powers, from + 1, degree - power);
    }
  }

  /** Returns the place of a monomial by its powers. */
  int at(int... powers) {
    for (int i = 0; i < exponents.size(); i++) {
      if (Arrays.equals(exponents.get(i), powers)) {
        return i;
      }
    }
    throw new IllegalArgumentException("no monomial " + Arrays.toString(powers));
  }

  /** Returns Π pᵥ!, by which a Taylor coefficient is multiplied to become a derivative. */
  double factorial(int place) {
    double product = 1;
    for (int power : exponents.get(place)) {
      for (int k = 2; k <= power; k++) {
        product *= k;
      }
    }
    return product;
  }
}
