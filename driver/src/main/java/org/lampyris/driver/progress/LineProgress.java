package org.lampyris.driver.progress;

import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.lampyris.bounds.config.Text;

/**
 * Progress in lines, for logs: at each tenth, and otherwise every ten seconds, but never twice
 * within a second.
 */
final class LineProgress implements Progress {
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
  private static final double LEAST_SECONDS = 1;
  private static final double MOST_SECONDS = 10;
  private static final long TENTHS = 10;

  private final Consumer<String> lines;
  private final LongSupplier nanoTime;
  private final Pace pace = new Pace();
  private String phase = "";
  private long total;
  private long begun;
  private long lastLine;
  private long lastTenth;

  LineProgress(Consumer<String> lines) {
    this(
        line ->
            lines.accept(
                LocalTime.now(ZoneId.systemDefault()).format(CLOCK) + " " + Text.visible(line)),
        System::nanoTime);
  }

  /** For tests: lines without a clock time, and a clock to set. */
  LineProgress(Consumer<String> lines, LongSupplier nanoTime) {
    this.lines = lines;
    this.nanoTime = nanoTime;
  }

  @Override
  public void start(String name, long steps) {
    phase = name;
    total = steps;
    begun = nanoTime.getAsLong();
    lastLine = begun;
    lastTenth = 0;
    pace.start(steps, begun / 1e9);
    lines.accept(name + " …");
  }

  @Override
  public void step(long done, Reading reading) {
    long now = nanoTime.getAsLong();
    pace.step(done, now / 1e9);
    long tenth = total > 0 ? TENTHS * done / total : 0;
    double since = (now - lastLine) / 1e9;
    if (since < LEAST_SECONDS || (since < MOST_SECONDS && tenth == lastTenth) || done == total) {
      return;
    }
    lastLine = now;
    lastTenth = tenth;
    StringBuilder line = new StringBuilder(phase).append(": ").append(done);
    if (total > 0) {
      line.append(Text.of("/%d (%.0f %%)", total, 100.0 * done / total));
      double left = pace.secondsLeft();
      if (!Double.isNaN(left)) {
        line.append(Text.of(", about %s left", Span.of(left)));
      }
    }
    String instruments = reading.toString();
    lines.accept(instruments.isEmpty() ? line.toString() : line + ", " + instruments);
  }

  @Override
  public void note(String message) {
    lastLine = nanoTime.getAsLong();
    lines.accept(phase + ": " + message);
  }

  @Override
  public void warn(String message) {
    lines.accept("warning: " + message);
  }

  @Override
  public void end() {
    lines.accept(phase + ": done in " + Span.of((nanoTime.getAsLong() - begun) / 1e9));
    phase = "";
  }

  @Override
  public void close() {
    phase = "";
  }
}
