package org.lampyris.driver.command;

import java.io.PrintWriter;
import java.util.function.Supplier;
import org.lampyris.driver.progress.Progress;

/**
 * Where a command speaks.
 *
 * @param out results
 * @param err complaints
 * @param progress opens what shows how far the command is
 * @param interruption is told what would be kept if the command were interrupted
 */
public record Console(
    PrintWriter out, PrintWriter err, Supplier<Progress> progress, Interruption interruption) {
  /** Opens what shows how far a command is, and names the jobs of its session by it. */
  public Progress progress(Session session) {
    return new NamedJobs(session.spark().sparkContext(), progress.get());
  }
}
