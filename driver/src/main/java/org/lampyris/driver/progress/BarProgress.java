package org.lampyris.driver.progress;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Shows a bar with the time left, redrawn in place, one a phase. */
final class BarProgress implements Progress {
  private static final int REDRAW_MILLIS = 250;
  private static final int NAME_WIDTH = 10;

  private @Nullable ProgressBar bar;

  @Override
  public void start(String phase, long total) {
    close();
    ProgressBarBuilder builder =
        new ProgressBarBuilder()
            .setTaskName(phase + " ".repeat(Math.max(0, NAME_WIDTH - phase.length())))
            .setInitialMax(total > 0 ? total : -1)
            .setUpdateIntervalMillis(REDRAW_MILLIS)
            .setStyle(
                Charset.defaultCharset().equals(StandardCharsets.UTF_8)
                    ? ProgressBarStyle.UNICODE_BLOCK
                    : ProgressBarStyle.ASCII);
    if (total <= 0) {
      builder.hideEta();
    }
    bar = builder.build();
  }

  @Override
  public void step(long done, Reading reading) {
    if (bar != null) {
      bar.stepTo(done);
      bar.setExtraMessage(" " + reading);
    }
  }

  @Override
  public void note(String message) {
    if (bar != null) {
      bar.setExtraMessage(" " + message);
    }
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
