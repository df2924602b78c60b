package org.lampyris.bounds.numeric;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * eˣ by a table: with x = (k/64)·log 2 + r and |r| ≤ log 2 / 128, eˣ = 2^⌊k/64⌋ · 2^{(k mod 64)/64}
 * · eʳ, the second factor from the table and the third a polynomial of degree 6, whose next term is
 * below 3·10⁻²⁰.
 *
 * <p>Source: Tang (1989), table-driven implementation of the exponential function.
 */
final class ExpTable {
  private static final int PIECES = 64;

  /** Added to a number below 2⁵¹, leaves its nearest integer in the last bits. */
  private static final double ROUND = 0x1.8p52;

  private static final BigDecimal LOG_2 =
      new BigDecimal("0.693147180559945309417232121458176568075500134360255254");

  private static final BigDecimal PIECE = LOG_2.divide(BigDecimal.valueOf(PIECES));

  private static final double PIECES_PER_UNIT = PIECES / Math.log(2);

  /** log 2 / 64 without its last bits, so that k times it is exact. */
  private static final double PIECE_HIGH =
      Double.longBitsToDouble(Double.doubleToRawLongBits(PIECE.doubleValue()) & -(1L << 24));

  private static final double PIECE_LOW = PIECE.subtract(new BigDecimal(PIECE_HIGH)).doubleValue();

  /** 2^{i/64} at 2i, and its rounding error at 2i + 1. */
  private static final double[] POWERS = powers();

  private ExpTable() {}

  static double exp(double x) {
    if (!(x > -708 && x < 709)) {
      // Not a normal number, or not a number.
      return Math.exp(x);
    }
    double shifted = x * PIECES_PER_UNIT + ROUND;
    int k = (int) Double.doubleToRawLongBits(shifted);
    double pieces = shifted - ROUND;
    double r = (x - pieces * PIECE_HIGH) - pieces * PIECE_LOW;
    double r2 = r * r;
    double high = r2 * (1.0 / 24 + r * (1.0 / 120) + r2 * (1.0 / 720));
    double less1 = r + r2 * (0.5 + r * (1.0 / 6) + high);
    int i = (k & (PIECES - 1)) << 1;
    double power = POWERS[i];
    double scaled = power + (POWERS[i + 1] + power * less1);
    // Times 2^⌊k/64⌋: the result is a normal number, so the exponent does not run over.
    return Double.longBitsToDouble(Double.doubleToRawLongBits(scaled) + ((long) (k >> 6) << 52));
  }

  private static double[] powers() {
    double[] powers = new double[2 * PIECES];
    for (int i = 0; i < PIECES; i++) {
      BigDecimal z = PIECE.multiply(BigDecimal.valueOf(i));
      BigDecimal term = BigDecimal.ONE;
      BigDecimal sum = term;
      // The first term left out is below 10⁻³⁰.
      for (int n = 1; n < 26; n++) {
        term =
            term.multiply(z, MathContext.DECIMAL128)
                .divide(BigDecimal.valueOf(n), MathContext.DECIMAL128);
        sum = sum.add(term);
      }
      powers[2 * i] = sum.doubleValue();
      powers[2 * i + 1] = sum.subtract(new BigDecimal(powers[2 * i])).doubleValue();
    }
    return powers;
  }
}
