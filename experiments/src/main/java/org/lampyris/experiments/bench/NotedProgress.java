package org.lampyris.experiments.bench;

import java.util.ArrayList;
import java.util.List;
import org.lampyris.driver.progress.Progress;
import org.lampyris.driver.progress.Reading;

/** Progress that passes everything on, and keeps the notes. */
final class NotedProgress implements Progress {
  private final Progress shown;
  private final String name;
  private final List<String> notes = new ArrayList<>();

  /**
   * Takes the receiver.
   *
   * @param name what all phases belong to
   */
  NotedProgress(Progress shown, String name) {
    this.shown = shown;
    this.name = name;
  }

  /** Returns the notes so far. */
  List<String> notes() {
    return List.copyOf(notes);
  }

  @Override
  public void start(String phase, long total) {
    shown.start(name + ": " + phase, total);
  }

  @Override
  public void step(long done, Reading reading) {
    shown.step(done, reading);
  }

  @Override
  public void note(String message) {
    notes.add(message);
    shown.note(message);
  }

  @Override
  public void warn(String message) {
    shown.warn(name + ": " + message);
  }

  @Override
  public void end() {
    shown.end();
  }

  @Override
  public void close() {
    shown.close();
  }
}
