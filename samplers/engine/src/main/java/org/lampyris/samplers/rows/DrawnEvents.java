package org.lampyris.samplers.rows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Events drawn on demand from whole blocks, by windows of iterations. The last window of each level
 * is kept; windows of one iteration with ordered events need no list.
 *
 * <p>Not safe for use by several threads.
 */
public final class DrawnEvents<B> implements RowEvents {
  private final EventSource<B> source;
  private final List<B> blocks;
  private List<@Nullable EventWindow> last;

  /** The windows used last, one a level: kept by whoever draws for the same chain again. */
  public record Windows(List<@Nullable EventWindow> last) {
    /** No windows. */
    public static final Windows NONE = new Windows(List.of());
  }

  /** Takes the blocks of one place, ascending, and the windows drawn last for it and this chain. */
  public DrawnEvents(EventSource<B> source, List<B> blocks, Windows windows) {
    this.source = source;
    this.blocks = blocks;
    this.last = windows.last;
  }

  /** Takes the blocks, without drawn windows. */
  public DrawnEvents(EventSource<B> source, List<B> blocks) {
    this(source, blocks, Windows.NONE);
  }

  /** Returns the windows drawn last. */
  public Windows windows() {
    return new Windows(last);
  }

  @Override
  public void visit(long iteration, double limit, Visitor visitor) {
    int levels = source.levelsTo(limit);
    if (levels == 1 && source.windowLength(0) > 1) {
      visit(window(0, iteration), iteration, limit, visitor);
    } else if (levels == 1 && source.isOrdered()) {
      boolean[] wanted = {true};
      source.draw(
          0,
          iteration,
          1,
          blocks,
          (offset, row, payload) -> {
            if (payload < limit && wanted[0]) {
              wanted[0] = visitor.event(row, payload);
            }
          });
    } else {
      visit(levels(levels, iteration), iteration, limit, visitor);
    }
  }

  /** Merges the events of several levels for an iteration. */
  private EventWindow levels(int levels, long iteration) {
    EventWindow.Buffer all = new EventWindow.Buffer();
    for (int level = 0; level < levels; level++) {
      EventWindow window = window(level, iteration);
      for (int i = window.start(iteration); i < window.start(iteration + 1); i++) {
        all.event(0, window.row(i), window.payload(i));
      }
    }
    return EventWindow.of(iteration, 1, all, source.order());
  }

  /** Names the events of one iteration of a window. */
  static void visit(EventWindow window, long iteration, double limit, Visitor visitor) {
    for (int i = window.start(iteration); i < window.start(iteration + 1); i++) {
      if (window.payload(i) < limit && !visitor.event(window.row(i), window.payload(i))) {
        return;
      }
    }
  }

  private EventWindow window(int level, long iteration) {
    EventWindow window = level < last.size() ? last.get(level) : null;
    if (window == null || !window.covers(iteration)) {
      long first = source.windowStart(level, iteration);
      int length = source.windowLength(level);
      EventWindow.Buffer events = new EventWindow.Buffer();
      source.draw(level, first, length, blocks, events);
      window = EventWindow.of(first, length, events, source.order());
      last = new ArrayList<>(last);
      last.addAll(Collections.nCopies(Math.max(0, level + 1 - last.size()), null));
      last.set(level, window);
    }
    return window;
  }
}
