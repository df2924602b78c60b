package org.lampyris.samplers.multilevel;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.rows.Stored;

/**
 * Recorder of one chain's draws of effects: some 200 bytes an effect, and 128 more once a bin has
 * more than 65,535 of a million draws. It keeps moments of both halves, of means of batches, and a
 * histogram. Together the chains' recorders give means, standard deviations, quantiles, R̂ and
 * effective sample sizes. Immutable.
 *
 * <p>Bins are {@value #BINS} within {@value #REACH} standard deviations about the mean, as the
 * warm-up has them; quantiles are interpolated.
 */
public final class EffectRecorder implements Stored {
  private static final int BINS = 64;
  private static final double REACH = 5;

  /** Smallest number of draws for placing the bins; with fewer there are no quantiles. */
  private static final int LEAST_SETTLED = 10;

  /** The largest count of 16 bits. */
  private static final int LARGEST_SHORT = 0xFFFF;

  // Where the numbers of an effect are.
  private static final int FIELDS = 9;
  private static final int FIRST = 0;
  private static final int SECOND = 2;
  private static final int BATCH = 4;
  private static final int BATCH_MEAN = 5;
  private static final int BATCH_SQUARES = 6;
  private static final int LOCATION = 7;
  private static final int SCALE = 8;

  private final int draws;
  private final int settled;
  private final int kept;
  private final double[] numbers;
  private final short[] counts;

  /** The upper 16 bits of the counts, once one needs them: few runs are so long. */
  private final short @Nullable [] carries;

  private final float[] values;

  private EffectRecorder(
      Length length, double[] numbers, short[] counts, short @Nullable [] carries, float[] values) {
    this.draws = length.draws;
    this.settled = length.settled;
    this.kept = length.kept;
    this.numbers = numbers;
    this.counts = counts;
    this.carries = carries;
    this.values = values;
  }

  /** Numbers of draws planned and recorded. */
  private record Length(int draws, int settled, int kept) {}

  /** Recorder as it is stored: its fields. */
  private record Form(
      int draws,
      int settled,
      int kept,
      double[] numbers,
      short[] counts,
      short @Nullable [] carries,
      float[] values)
      implements Stored {
    @Override
    public EffectRecorder restored() {
      return new EffectRecorder(new Length(draws, settled, kept), numbers, counts, carries, values);
    }
  }

  @Override
  public Stored stored() {
    return new Form(draws, settled, kept, numbers, counts, carries, values);
  }

  /**
   * Begins to record effects.
   *
   * @param draws how many draws there will be
   * @param values how many of them are kept as they are, evenly spaced
   */
  public static EffectRecorder of(int effects, int draws, int values) {
    return new EffectRecorder(
        new Length(draws, 0, 0),
        new double[effects * FIELDS],
        new short[effects * BINS],
        null,
        new float[effects * Math.min(draws, values)]);
  }

  /**
   * Returns how many bytes are kept of an effect at most.
   *
   * @param draws how many draws there will be
   * @param values how many of them are kept as they are
   */
  public static long bytes(int draws, int values) {
    int count = draws > LARGEST_SHORT ? Integer.BYTES : Short.BYTES;
    return Double.BYTES * FIELDS + count * BINS + (long) Float.BYTES * values;
  }

  /** Phase of the chain. */
  public enum Phase {
    /** Nothing. */
    NONE,
    /** The later part of the warm-up, which places the bins. */
    SETTLING,
    /** A draw. */
    KEPT
  }

  /** Returns this with one draw more of all effects, which are not modified. */
  public EffectRecorder with(double[] effects, Phase phase) {
    if (phase == Phase.NONE) {
      return this;
    }
    double[] to = numbers.clone();
    if (phase == Phase.SETTLING) {
      for (int i = 0; i < effects.length; i++) {
        add(to, i * FIELDS + FIRST, effects[i], settled + 1);
      }
      return new EffectRecorder(new Length(draws, settled + 1, 0), to, counts, carries, values);
    }
    short[] histogram = counts.clone();
    short[] above = carries == null ? null : carries.clone();
    int half = draws / 2;
    int batch = Math.max(1, (int) Math.sqrt(draws));
    for (int i = 0; i < effects.length; i++) {
      int at = i * FIELDS;
      double x = effects[i];
      if (kept == 0) {
        layBins(to, at);
      }
      if (kept < half) {
        add(to, at + FIRST, x, kept + 1);
      } else if (kept < 2 * half) {
        add(to, at + SECOND, x, kept - half + 1);
      }
      to[at + BATCH] += x;
      if ((kept + 1) % batch == 0) {
        double mean = to[at + BATCH] / batch;
        add(to, at + BATCH_MEAN, mean, (kept + 1) / batch);
        to[at + BATCH] = 0;
      }
      int bin = (int) ((x - to[at + LOCATION]) / to[at + SCALE] / (2 * REACH) * BINS + BINS / 2);
      int within = i * BINS + Math.max(0, Math.min(BINS - 1, bin));
      histogram[within]++;
      if (histogram[within] == 0) {
        above = above == null ? new short[histogram.length] : above;
        above[within]++;
      }
    }
    return new EffectRecorder(
        new Length(draws, settled, kept + 1), to, histogram, above, valuesWith(effects));
  }

  private float[] valuesWith(double[] effects) {
    int of = values.length / Math.max(1, effects.length);
    int place = (int) ((long) kept * of / draws);
    if (place == (int) ((kept + 1L) * of / draws)) {
      return values;
    }
    float[] to = values.clone();
    for (int i = 0; i < effects.length; i++) {
      to[i * of + place] = (float) effects[i];
    }
    return to;
  }

  /** Returns the kept draws of an effect, chain by chain. */
  public static float[] values(List<EffectRecorder> chains, int effect) {
    int of = chains.get(0).values.length / chains.get(0).effects();
    float[] all = new float[chains.size() * of];
    for (int c = 0; c < chains.size(); c++) {
      System.arraycopy(chains.get(c).values, effect * of, all, c * of, of);
    }
    return all;
  }

  private void layBins(double[] to, int at) {
    double sd = settled > 1 ? Math.sqrt(to[at + FIRST + 1] / (settled - 1)) : 1;
    to[at + LOCATION] = to[at + FIRST];
    to[at + SCALE] = sd > 0 ? sd : 1;
    to[at + FIRST] = 0;
    to[at + FIRST + 1] = 0;
  }

  /** Adds to a mean and a sum of squared deviations: Welford's update. */
  private static void add(double[] to, int at, double x, int count) {
    double from = x - to[at];
    to[at] += from / count;
    to[at + 1] += from * (x - to[at]);
  }

  /** Returns how many effects are recorded. */
  public int effects() {
    return numbers.length / FIELDS;
  }

  /** Returns how many draws have been kept. */
  public int kept() {
    return kept;
  }

  /**
   * Returns mean, standard deviation, 5 % quantile, median, 95 % quantile, split R̂ and effective
   * sample size of an effect over all chains; NaN for quantiles if the warm-up was too short.
   */
  public static double[] summary(List<EffectRecorder> chains, int effect) {
    int at = effect * FIELDS;
    int half = chains.get(0).draws / 2;
    int halves = 2 * chains.size();
    double[] means = new double[halves];
    double within = 0;
    double mean = 0;
    for (int h = 0; h < halves; h++) {
      double[] of = chains.get(h / 2).numbers;
      int field = at + (h % 2 == 0 ? FIRST : SECOND);
      means[h] = of[field];
      within += of[field + 1] / (half - 1) / halves;
      mean += means[h] / halves;
    }
    double between = 0;
    for (double one : means) {
      between += (one - mean) * (one - mean) / (halves - 1);
    }
    double variance = within * (half - 1) / half + between;
    return new double[] {
      mean,
      Math.sqrt(variance),
      quantile(chains, effect, 0.05),
      quantile(chains, effect, 0.5),
      quantile(chains, effect, 0.95),
      Math.sqrt(variance / within),
      effective(chains, at, variance)
    };
  }

  /** Returns the effective sample size by means of batches. */
  private static double effective(List<EffectRecorder> chains, int at, double variance) {
    int draws = chains.get(0).draws;
    int batch = Math.max(1, (int) Math.sqrt(draws));
    int batches = draws / batch;
    double ofBatches = 0;
    for (EffectRecorder chain : chains) {
      ofBatches += chain.numbers[at + BATCH_SQUARES] / (batches - 1) / chains.size();
    }
    double all = (double) draws * chains.size();
    return all * Math.min(1, variance / (batch * ofBatches));
  }

  private static double quantile(List<EffectRecorder> chains, int effect, double probability) {
    if (chains.get(0).settled < LEAST_SETTLED) {
      return Double.NaN;
    }
    int at = effect * FIELDS;
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (EffectRecorder chain : chains) {
      double reach = REACH * chain.numbers[at + SCALE];
      low = Math.min(low, chain.numbers[at + LOCATION] - reach);
      high = Math.max(high, chain.numbers[at + LOCATION] + reach);
    }
    for (int i = 0; i < 60; i++) {
      double middle = 0.5 * (low + high);
      double below = 0;
      for (EffectRecorder chain : chains) {
        below += chain.share(effect, middle) / chains.size();
      }
      if (below < probability) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return 0.5 * (low + high);
  }

  /** Returns the share of the draws below a number. */
  private double share(int effect, double x) {
    int at = effect * FIELDS;
    double place = (x - numbers[at + LOCATION]) / numbers[at + SCALE] / (2 * REACH) * BINS;
    double bin = Math.max(0, Math.min(BINS, place + BINS / 2));
    double sum = 0;
    double all = 0;
    for (int k = 0; k < BINS; k++) {
      double count = count(effect * BINS + k);
      all += count;
      sum += count * Math.max(0, Math.min(1, bin - k));
    }
    return sum / all;
  }

  private long count(int bin) {
    long above = carries == null ? 0 : Short.toUnsignedLong(carries[bin]);
    return (above << Short.SIZE) + Short.toUnsignedLong(counts[bin]);
  }
}
