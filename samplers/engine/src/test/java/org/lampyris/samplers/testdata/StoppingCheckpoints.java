package org.lampyris.samplers.testdata;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Checkpoint;
import org.lampyris.samplers.chain.Checkpoints;
import org.lampyris.samplers.rows.RowStates;
import org.lampyris.samplers.rows.StoredForm;

/** Keeps checkpoints as bytes whenever it may, and ends the run after one of them. */
public final class StoppingCheckpoints implements Checkpoints {
  /** The end of the run. */
  @SuppressWarnings("serial") // never sent
  public static final class Stopped extends RuntimeException {}

  private final int last;
  private final @Nullable Resumed from;
  private final List<Long> iterations = new ArrayList<>();
  private @Nullable Resumed kept;

  private StoppingCheckpoints(int last, @Nullable Resumed from) {
    this.last = last;
    this.from = from;
  }

  /** Begins a run that ends after its k-th checkpoint. */
  public static StoppingCheckpoints after(int k) {
    return new StoppingCheckpoints(k, null);
  }

  /** Goes on from the last checkpoint, as another process would, to the k-th from there. */
  public StoppingCheckpoints resumed(int k) {
    if (kept == null) {
      throw new IllegalStateException("none was kept");
    }
    return new StoppingCheckpoints(k, Bytes.copy(kept));
  }

  /**
   * Ends runs after their first checkpoint, their second, and so on, as long as there is one more.
   * How many a run has depends on its speed, as the clock decides how long segments are.
   *
   * @param run runs with checkpoints
   * @param ended is told of those of each run that was ended
   * @return how many runs were ended
   */
  public static int endEach(
      Consumer<StoppingCheckpoints> run, Consumer<StoppingCheckpoints> ended) {
    for (int ends = 0; ; ends++) {
      StoppingCheckpoints next = after(ends + 1);
      try {
        run.accept(next);
        return ends;
      } catch (Stopped stopped) {
        ended.accept(next);
      }
    }
  }

  /** Returns after which iterations checkpoints were kept. */
  public List<Long> iterations() {
    return iterations;
  }

  @Override
  public boolean isKept() {
    return true;
  }

  @Override
  public Optional<Resumed> resumed() {
    return Optional.ofNullable(from);
  }

  @Override
  public boolean isDue() {
    return true;
  }

  @Override
  public void keep(
      long iteration,
      Function<RowStates.Store, Checkpoint> made,
      List<ChainTrace> traces,
      List<String> beyond) {
    Memory store = new Memory();
    kept = Bytes.copy(new Resumed(made.apply(store), traces, store));
    iterations.add(iteration);
    if (iterations.size() == last) {
      throw new Stopped();
    }
  }

  /** What is resumed, by way of bytes. */
  private static final class Bytes {
    static Resumed copy(Resumed of) {
      List<ChainTrace> traces = new ArrayList<>();
      of.traces().forEach(trace -> traces.add(Serialised.copy(trace)));
      try {
        return new Resumed(
            StoredForm.read(Checkpoint.class, StoredForm.bytes(of.checkpoint())),
            traces,
            Serialised.copy((Memory) of.rows()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Bytes in memory. */
  private static final class Memory implements RowStates.Store {
    private final Map<Integer, byte[]> places = new TreeMap<>();

    @Override
    public void write(int place, byte[] bytes) {
      places.put(place, bytes.clone());
    }

    @Override
    public byte[] read(int place) {
      return Objects.requireNonNull(places.get(place)).clone();
    }
  }
}
