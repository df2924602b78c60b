package org.lampyris.bounds.algebra;

import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Term that remembers what was made of it alone, or of it and others that remember: so terms in
 * shared parameters are computed for the first row, and not for each. Threads may share it.
 */
final class Once extends Term {
  /** The most results that are kept: constants that differ by rows would make endless ones. */
  private static final int MOST = 8;

  private static final Object SUM = new Object();
  private static final Object PRODUCT = new Object();

  private final Term value;
  private volatile Made[] made = {};

  /**
   * A result.
   *
   * @param by the function, or the kind of a constant
   */
  private record Made(Object by, @Nullable Term other, double constant, Once result) {}

  Once(Term value) {
    this.value = value;
  }

  private Term make(Object by, @Nullable Term other, double constant, Supplier<Term> maker) {
    Made[] known = made;
    for (Made result : known) {
      if (result.by == by && result.other == other && result.constant == constant) {
        return result.result;
      }
    }
    Term result = maker.get();
    if (known.length == MOST) {
      return result;
    }
    Made[] more = Arrays.copyOf(known, known.length + 1);
    more[known.length] = new Made(by, other, constant, new Once(result));
    made = more;
    return more[known.length].result;
  }

  @Override
  Term plain() {
    return value;
  }

  @Override
  public Term plus(Term other) {
    return other instanceof Once once
        ? make(SUM, once, 0, () -> value.plus(once.value))
        : value.plus(other);
  }

  @Override
  public Term plus(double constant) {
    return make(SUM, null, constant, () -> value.plus(constant));
  }

  @Override
  public Term times(Term other) {
    return other instanceof Once once
        ? make(PRODUCT, once, 0, () -> value.times(once.value))
        : value.times(other);
  }

  @Override
  public Term times(double constant) {
    return make(PRODUCT, null, constant, () -> value.times(constant));
  }

  @Override
  Term of(Univariate function) {
    return make(function, null, 0, () -> value.of(function));
  }

  @Override
  double middle() {
    return value.middle();
  }

  @Override
  public boolean isPositive() {
    return value.isPositive();
  }
}
