package org.lampyris.driver.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;
import org.lampyris.driver.progress.Progress;
import org.lampyris.executors.table.LocalDisk;
import picocli.CommandLine.Mixin;

/** Command that may start Spark: its name, its option about Spark's log, and where it prints. */
abstract class SparkCommand implements Callable<Integer> {
  @Mixin final RunOptions run = new RunOptions();

  final String name;
  final Console console;

  SparkCommand(String name, Console console) {
    this.name = name;
    this.console = console;
    if (LazySession.isWithoutSpark()) { // 0.2 s, while picocli looks at the command
      ForkJoinPool.commonPool().execute(LocalDisk::warmUp);
    }
  }

  /** Work with a session. */
  @FunctionalInterface
  interface Work<T> {
    T by(Session session, Progress progress) throws IOException;
  }

  /** Starts Spark and does the work, as a phase named like the command. */
  final <T> T withSpark(Work<T> work) throws IOException {
    try (Session session = Session.open(name, run.verbose());
        Progress progress = console.progress(session)) {
      progress.start(name, 0);
      T done = work.by(session, progress);
      progress.end();
      return done;
    }
  }

  /** Returns file systems, with a session that starts when it is first asked for. */
  final LazySession lazily() {
    return new LazySession(name, run.verbose(), console);
  }

  /** Prints results. */
  final int print(List<String> lines) {
    return print(lines, null, "", List.of());
  }

  /**
   * Prints results, and then complaints about them.
   *
   * @param output the folder that has more, if one is named
   * @param written which files are there, for instance "loo.json and loo.csv"
   */
  final int print(
      List<String> lines, @Nullable String output, String written, List<String> complaints) {
    lines.forEach(console.out()::println);
    if (output != null) {
      console.out().println("All figures are in " + output + "/" + written + ".");
    }
    console.out().flush();
    complaints.forEach(text -> console.err().println("lampyris: " + text));
    return ExitCode.OK;
  }
}
