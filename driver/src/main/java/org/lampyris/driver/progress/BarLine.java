package org.lampyris.driver.progress;

import me.tongfei.progressbar.ProgressBarRenderer;
import me.tongfei.progressbar.ProgressState;
import org.lampyris.bounds.config.Text;

/**
 * Renderer of a phase in one line: name, share, bar, steps, time left and the instruments'
 * readings. A phase of unknown length has the time it took so far instead.
 */
final class BarLine implements ProgressBarRenderer {
  private static final int NAME = 10;
  private static final int LONGEST_BAR = 40;
  private static final int SHORTEST_BAR = 4;
  private final char full;
  private final char empty;
  private final Pace pace;

  BarLine(boolean unicode, Pace pace) {
    this.pace = pace;
    this.full = unicode ? '█' : '#';
    this.empty = unicode ? '░' : '.';
  }

  @Override
  public String render(ProgressState state, int width) {
    return line(
        state.getTaskName(),
        state.getCurrent(),
        state.isIndefinite() ? 0 : state.getMax(),
        state.getElapsedAfterStart().toMillis() / 1e3,
        pace.secondsLeft(),
        state.getExtraMessage(),
        width);
  }

  /**
   * Returns the line.
   *
   * @param total the number of steps; 0 if it is not known
   * @param seconds the time since the phase began
   * @param left how many seconds the rest takes; NaN if that is not known
   * @param width how many columns the line takes
   */
  String line(
      String phase, long done, long total, double seconds, double left, String message, int width) {
    String name = phase + " ".repeat(Math.max(0, NAME - phase.length())) + "  ";
    String told = message.isBlank() ? "" : "  " + message.strip();
    if (total <= 0) {
      return fit(name + Span.of(seconds) + told, width);
    }
    String share = Text.of("%3d %% ", 100 * done / total);
    String steps = Text.of(" %d/%d  ", done, total);
    String time =
        done >= total
            ? "took " + Span.of(seconds)
            : Double.isNaN(left) ? "" : Span.of(left) + " left";
    int rest =
        width - name.length() - share.length() - steps.length() - time.length() - told.length();
    int length = Math.min(LONGEST_BAR, rest);
    String bar = "";
    if (length >= SHORTEST_BAR) {
      int filled = (int) (length * done / total);
      bar = String.valueOf(full).repeat(filled) + String.valueOf(empty).repeat(length - filled);
    }
    return fit(name + share + bar + steps + time + told, width);
  }

  /** Cuts or pads the line, to erase an earlier, longer one on the screen. */
  private static String fit(String line, int width) {
    return line.length() <= width
        ? line + " ".repeat(width - line.length())
        : line.substring(0, Math.max(0, width));
  }
}
