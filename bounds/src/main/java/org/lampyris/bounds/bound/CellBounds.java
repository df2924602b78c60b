package org.lampyris.bounds.bound;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.model.Alike;
import org.lampyris.bounds.model.ThirdDerivatives;

/**
 * Bounds on third derivatives that rows share: those on a box are the largest of those on the cells
 * of a grid of η that meet it, which are computed once. All rows have the same box of τ.
 *
 * <p>Cells are as wide as a power of 2: an eighth to a sixteenth of the box, but not much narrower
 * than a distance in which derivatives change little. So they are as close as halves of the box
 * would be, or closer, and a row's bounds depend on no other row. Without τ, a narrow box has its
 * own bounds, as an enclosure of one number is then both close and cheap. With n rows, cost O(1) a
 * row and the cells' own.
 */
final class CellBounds implements ThirdDerivatives {
  private static final int PARTS = 8;
  private static final int PARTS_OF_UNIT = 64;

  /** Relative rounding of a distance. */
  private static final double ROUNDING = 0x1p-48;

  /** Multiples of a cell that doubles and longs count. */
  private static final double MOST_CELLS = 0x1p50;

  /** How many cells are remembered: some 20 MB. */
  private static final int REMEMBERED = 100_000;

  /**
   * Cells of likelihoods in this process, by what a likelihood is when it is sent: bounds are sent
   * to every task of every job, and would compute them again. Memory that runs short takes them.
   */
  private static final Map<Key, SoftReference<Map<Cell, double[]>>> SHARED =
      new ConcurrentHashMap<>();

  /** A likelihood's numbers, and its formula: a class of the same name may have another. */
  private record Key(ByteBuffer numbers, Class<?> formula) {}

  private final ThirdDerivatives exact;
  private final Alike alike;

  /** A race of two threads writes the same. */
  private transient @Nullable Map<Cell, double[]> known;

  /** A cell: the interval [place, place + 1]·width, the box of τ, and y′. */
  private record Cell(long place, double width, double y, List<Double> tau) {}

  private CellBounds(ThirdDerivatives exact, Alike alike) {
    this.exact = exact;
    this.alike = alike;
  }

  /** Returns the bounds themselves if they do not take long. */
  static ThirdDerivatives of(ThirdDerivatives exact, Optional<Alike> alike) {
    return alike.<ThirdDerivatives>map(how -> new CellBounds(exact, how)).orElse(exact);
  }

  @Override
  public void thirdDerivatives(double[] center, double[] reach, double y, double[] out) {
    double like = alike.response(y);
    double location = alike.location(y);
    double off = ROUNDING * (Math.abs(center[0]) + Math.abs(location));
    double from = center[0] - location - reach[0] - off;
    double to = center[0] - location + reach[0] + off;
    double[] tau = Arrays.copyOfRange(center, 1, center.length);
    double part = (to - from) / PARTS;
    double little = alike.unit(center[0] - location, tau) / PARTS_OF_UNIT;
    boolean isNarrow = tau.length == 0 && part < little;
    double least = Math.max(part, little);
    double width = Math.scalb(1.0, Math.getExponent(least));
    double first = Math.floor(from / width);
    double last = Math.floor(to / width);
    if (isNarrow || Double.isNaN(like) || !(Math.max(-first, last) < MOST_CELLS)) {
      exact.thirdDerivatives(center, reach, y, out);
      return;
    }
    List<Double> box =
        Stream.of(tau, Arrays.copyOfRange(reach, 1, reach.length))
            .flatMapToDouble(DoubleStream::of)
            .boxed()
            .toList();
    Arrays.fill(out, 0);
    for (long place = (long) first; place <= last; place++) {
      double[] of = at(new Cell(place, width, like, box), out.length);
      for (int k = 0; k < out.length; k++) {
        out[k] = Math.max(out[k], of[k]);
      }
    }
  }

  private Map<Cell, double[]> shared() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream to = new ObjectOutputStream(bytes)) {
      to.writeObject(exact);
    } catch (IOException e) {
      throw new UncheckedIOException("a likelihood that cannot be sent to tasks", e);
    }
    Map<Cell, double[]> cells = new ConcurrentHashMap<>();
    SHARED.values().removeIf(of -> of.get() == null);
    SoftReference<Map<Cell, double[]>> there =
        SHARED.compute(
            new Key(ByteBuffer.wrap(bytes.toByteArray()), alike.getClass()),
            (key, of) -> of == null || of.get() == null ? new SoftReference<>(cells) : of);
    return Objects.requireNonNullElse(there.get(), cells);
  }

  private double[] at(Cell cell, int derivatives) {
    Map<Cell, double[]> cells = known;
    if (cells == null) {
      cells = shared();
      known = cells;
    }
    double[] there = cells.get(cell);
    if (there != null) {
      return there;
    }
    int count = 1 + cell.tau.size() / 2;
    double[] center = new double[count];
    double[] reach = new double[count];
    center[0] = (cell.place + 0.5) * cell.width;
    reach[0] = 0.5 * cell.width;
    for (int k = 1; k < count; k++) {
      center[k] = cell.tau.get(k - 1);
      reach[k] = cell.tau.get(count + k - 2);
    }
    double[] bounds = new double[derivatives];
    exact.thirdDerivatives(center, reach, cell.y, bounds);
    if (cells.size() < REMEMBERED) {
      cells.put(cell, bounds);
    }
    return bounds;
  }
}
