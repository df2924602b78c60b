package org.lampyris.samplers.firefly;

/**
 * The rows' answer to a {@link FireflyQuestion}: counts, then for each point Σ log L̃_n(θ) over the
 * bright rows, then, where asked for, its gradient. One packed vector, so that blocks' answers are
 * added up like any sum; counts are exact below 2⁵³.
 */
public final class FireflyAnswer {
  static final int COUNTS = 4;
  private static final int BRIGHT = 0;
  private static final int EVALUATIONS = 1;
  private static final int BRIGHTENED = 2;
  private static final int DARKENED = 3;

  private final double[] packed;
  private final int points;
  private final int dimension;

  /**
   * Wraps a packed answer.
   *
   * @param question the question
   * @param packed the sum of the blocks' answers; not copied
   * @param dimension how many elements θ has
   */
  public FireflyAnswer(FireflyQuestion question, double[] packed, int dimension) {
    if (packed.length != question.answerLength(dimension)) {
      throw new IllegalArgumentException("an answer of " + packed.length + " numbers");
    }
    this.packed = packed;
    this.points = question.thetas().length;
    this.dimension = dimension;
  }

  static void count(double[] packed, int bright, int evaluations, int brightened, int darkened) {
    packed[BRIGHT] += bright;
    packed[EVALUATIONS] += evaluations;
    packed[BRIGHTENED] += brightened;
    packed[DARKENED] += darkened;
  }

  /** Returns true if a block's packed answer adds anything to the sum. */
  public static boolean isNotEmpty(double[] packed) {
    // Without a bright row the sums are 0, but rows may have been evaluated or turned dark.
    return packed[BRIGHT] > 0 || packed[EVALUATIONS] > 0 || packed[DARKENED] > 0;
  }

  /** Returns how many rows are bright after the z-step. */
  public long bright() {
    return (long) packed[BRIGHT];
  }

  /** Returns how many (row, θ) pairs were evaluated. */
  public long evaluations() {
    return (long) packed[EVALUATIONS];
  }

  /** Returns how many dark rows turned bright. */
  public long brightened() {
    return (long) packed[BRIGHTENED];
  }

  /** Returns how many bright rows turned dark. */
  public long darkened() {
    return (long) packed[DARKENED];
  }

  /** Returns Σ log L̃_n at point {@code k}, natural log. */
  public double sum(int k) {
    return packed[COUNTS + k];
  }

  /**
   * Adds ∇ Σ log L̃_n at point {@code k} to {@code gradient}, where gradients were asked for.
   *
   * @param k the point
   * @param gradient length d. Modified.
   */
  public void addGradient(int k, double[] gradient) {
    int base = COUNTS + points + k * dimension;
    for (int i = 0; i < dimension; i++) {
      gradient[i] += packed[base + i];
    }
  }
}
