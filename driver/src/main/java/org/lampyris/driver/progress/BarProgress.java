package org.lampyris.driver.progress;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;

/** Shows a bar with the time left, redrawn in place, one a phase. */
final class BarProgress implements Progress {
  private static final int REDRAW_MILLIS = 250;

  private final Pace pace = new Pace();
  private @Nullable ProgressBar bar;

  @Override
  public void start(String phase, long total) {
    close();
    pace.start(total, System.nanoTime() / 1e9);
    bar =
        new ProgressBarBuilder()
            .setTaskName(phase)
            .setInitialMax(total > 0 ? total : -1)
            .setUpdateIntervalMillis(REDRAW_MILLIS)
            .continuousUpdate() // the time goes on where the count does not
            .setRenderer(new BarLine(Charset.defaultCharset().equals(StandardCharsets.UTF_8), pace))
            .build();
  }

  @Override
  public void step(long done, Reading reading) {
    if (bar != null) {
      pace.step(done, System.nanoTime() / 1e9);
      bar.stepTo(done);
      bar.setExtraMessage(reading.toString());
    }
  }

  @Override
  public void note(String message) {
    if (bar != null) {
      bar.setExtraMessage(Text.visible(message));
    }
  }

  @Override
  public void warn(String message) {
    close();
    System.err.println("warning: " + Text.visible(message));
  }

  @Override
  public void end() {
    if (bar != null && !bar.isIndefinite()) {
      bar.stepTo(bar.getMax());
    }
    close();
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
