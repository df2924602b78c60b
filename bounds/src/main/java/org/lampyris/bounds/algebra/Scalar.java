package org.lampyris.bounds.algebra;

/** A number. */
final class Scalar extends Term {
  final double value;

  Scalar(double value) {
    this.value = value;
  }

  @Override
  public Term plus(Term other) {
    return new Scalar(value + ((Scalar) other.plain()).value);
  }

  @Override
  public Term plus(double constant) {
    return new Scalar(value + constant);
  }

  @Override
  public Term times(Term other) {
    return new Scalar(value * ((Scalar) other.plain()).value);
  }

  @Override
  public Term times(double constant) {
    return new Scalar(value * constant);
  }

  @Override
  public boolean isPositive() {
    return value > 0;
  }

  @Override
  double middle() {
    return value;
  }

  @Override
  Term of(Univariate function) {
    double[] out = new double[1];
    function.write(value, 0, out);
    return new Scalar(out[0]);
  }
}
