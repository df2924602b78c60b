package org.lampyris.driver.cli;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.function.Supplier;
import org.lampyris.bounds.config.Text;
import org.lampyris.driver.progress.Progress;

/**
 * Output streams and progress of a command. Control characters are shown, not sent: see {@link
 * Text#visible}.
 *
 * @param out results
 * @param err complaints
 * @param progress opens what shows how far the command is
 * @param interruption receives what would be kept if the command were interrupted
 */
public record Console(
    PrintWriter out, PrintWriter err, Supplier<Progress> progress, Interruption interruption) {
  /** Takes the writers. */
  public Console {
    out = new PrintWriter(new Visible(out), true);
    err = new PrintWriter(new Visible(err), true);
  }

  private static final class Visible extends FilterWriter {
    Visible(Writer out) {
      super(out);
    }

    @Override
    public void write(String text, int from, int length) throws IOException {
      String part = text.substring(from, from + length);
      // A line's end may be a carriage return and a line feed.
      out.write(part.equals(System.lineSeparator()) ? part : Text.visible(part));
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
      write(new String(text, from, length), 0, length);
    }

    @Override
    public void write(int c) throws IOException {
      write(String.valueOf((char) c), 0, 1);
    }
  }

  /** Opens the progress display of a command, which also names the session's jobs. */
  public Progress progress(Session session) {
    return new NamedJobs(session.spark().sparkContext(), progress.get());
  }
}
