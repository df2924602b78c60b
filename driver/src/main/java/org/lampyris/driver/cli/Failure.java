package org.lampyris.driver.cli;

import java.io.FileNotFoundException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.spark.sql.AnalysisException;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.executors.table.StorageProblem;

/**
 * Failure of a command, in one sentence. Spark wraps what a task or a file system says several
 * times; the cause that the user can act upon is dug out.
 *
 * @param exitCode how the process ends
 * @param message one sentence for the user
 */
public record Failure(int exitCode, String message) {
  /** Pattern of a task's exception in Spark's text, which may lack the exception object. */
  private static final Pattern IN_A_TASK =
      Pattern.compile(Pattern.quote(UserException.class.getName()) + ": ([^\\r\\n]+)");

  /** Texts of Parquet about files of another format, in exceptions without a type. */
  private static final Pattern NO_PARQUET =
      Pattern.compile(
          "is not a Parquet file|footer is too large|could not verify page integrity|Expected magic"
              + " number");

  /** Error conditions of Spark SQL: overflow, division by zero, failed cast. */
  private static final Pattern ANSI =
      Pattern.compile(
          "\\[(ARITHMETIC_OVERFLOW|DIVIDE_BY_ZERO|REMAINDER_BY_ZERO|CAST_INVALID_INPUT|CAST_OVERFLOW|NUMERIC_VALUE_OUT_OF_RANGE|INVALID_ARRAY_INDEX|DATETIME_OVERFLOW)");

  private static final String UNSERVED = "The cluster provides no executor: ";

  private static final Pattern NO_EXECUTOR =
      Pattern.compile(Pattern.quote(ClusterWatch.NONE_CAME) + " for \\d+ s \\([^)]*\\)");

  /** Spark's words for a heap in which its own reserve has no room. */
  private static final Pattern TOO_SMALL =
      Pattern.compile("\\[INVALID_(EXECUTOR|DRIVER)_MEMORY\\]\\D*(\\d+)\\D*(\\d+)");

  /** Returns whether this is an internal error, whose stack trace is logged. */
  public boolean isInternal() {
    return exitCode == ExitCode.INTERNAL && !message.startsWith(UNSERVED);
  }

  /** Returns the failure that a throwable means to the user. */
  public static Failure of(Throwable thrown) {
    List<Throwable> chain = causes(thrown);
    for (Throwable t : chain) {
      if (t instanceof UserException user) {
        return new Failure(user.kind().exitCode(), text(user));
      }
    }
    for (Throwable t : chain) {
      Matcher matcher = IN_A_TASK.matcher(text(t));
      if (matcher.find()) {
        return new Failure(ExitCode.DATA, matcher.group(1));
      }
    }
    for (Throwable t : chain) {
      Failure failure = ofSystem(t);
      if (failure != null) {
        return failure;
      }
    }
    Throwable root = chain.get(chain.size() - 1);
    return new Failure(
        ExitCode.INTERNAL,
        "Internal error: %s: %s (the log holds the stack trace; please report it)."
            .formatted(root.getClass().getName(), firstLine(root)));
  }

  private static @Nullable Failure ofSystem(Throwable t) {
    String text = text(t);
    UserException module = StorageProblem.withoutModule("a path of this job", t);
    if (module != null) {
      return usage(text(module));
    }
    if (t.getClass().getName().startsWith("org.apache.parquet.")
        || NO_PARQUET.matcher(text).find()) {
      return new Failure(
          ExitCode.DATA,
          "A Parquet file is damaged, or is not Parquet: " + withCause(t) + ". Write it again.");
    }
    UserException full = StorageProblem.noRoom("a folder of this job", t);
    if (full != null) {
      return usage(text(full));
    }
    if (t instanceof AccessControlException
        || t instanceof AccessDeniedException
        || text.contains("Permission denied")) {
      return usage("Permission denied: " + firstLine(t) + ". Check the path and its permissions.");
    }
    if (t instanceof FileNotFoundException || t instanceof NoSuchFileException) {
      return new Failure(
          ExitCode.DATA, "A file is missing: " + firstLine(t) + ". Check the paths.");
    }
    if (t instanceof UnsupportedFileSystemException) {
      return usage(
          firstLine(t)
              + ": Hadoop does not know this file system. Check the path, or add its jar with"
              + " --jars.");
    }
    Matcher arithmetic = ANSI.matcher(text);
    if (arithmetic.find()) {
      return new Failure(
          ExitCode.DATA,
          "The table, or data.query, cannot be computed: "
              + firstLine(t).replaceFirst("^\\[[A-Z_.0-9]+\\]\\s*", ""));
    }
    if (t instanceof AnalysisException) {
      return new Failure(ExitCode.DATA, "Spark SQL cannot read the table: " + firstLine(t));
    }
    if (text.contains("A master URL must be set")) {
      return usage(
          "No Spark master is set. Start with submit-scripts/lampyris, or with spark-submit"
              + " --master.");
    }
    Matcher none = NO_EXECUTOR.matcher(text);
    if (none.find()) {
      return new Failure(
          ExitCode.INTERNAL,
          UNSERVED
              + none.group()
              + ". Compare its free cores and memory with spark.executor.cores and"
              + " spark.executor.memory.");
    }
    Matcher memory = TOO_SMALL.matcher(text);
    if (memory.find()) {
      return usage(
          "Spark does not start, because spark.%s.memory is too small: it has %s bytes, and must have at least %s. Raise it."
              .formatted(
                  memory.group(1).toLowerCase(Locale.ROOT), memory.group(2), memory.group(3)));
    }
    if (text.contains("SparkContext has been shutdown")
        || text.contains("SparkContext was shut down")
        || text.contains("methods on a stopped SparkContext")) {
      return new Failure(
          ExitCode.INTERNAL,
          "Spark stopped while the command ran: the application was ended from outside, or the"
              + " cluster was lost. No incomplete output is left. Repeat the command.");
    }
    if (t instanceof OutOfMemoryError) {
      return new Failure(
          ExitCode.INTERNAL, "Out of memory (" + firstLine(t) + "). Raise --driver-memory.");
    }
    return null;
  }

  /**
   * Returns the message of an exception, with its cause's if that adds something, such as a
   * checksum.
   */
  private static String withCause(Throwable t) {
    Throwable cause = t.getCause();
    String text = firstLine(t);
    return cause == null || cause.getMessage() == null || text.contains(firstLine(cause))
        ? text
        : text + " (" + firstLine(cause) + ")";
  }

  private static Failure usage(String message) {
    return new Failure(ExitCode.USAGE, message);
  }

  private static List<Throwable> causes(Throwable thrown) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    List<Throwable> chain = new ArrayList<>();
    for (Throwable t = thrown; t != null && seen.add(t); t = t.getCause()) {
      chain.add(t);
    }
    return chain;
  }

  private static String text(Throwable t) {
    return t.getMessage() == null ? t.getClass().getSimpleName() : t.getMessage();
  }

  private static String firstLine(Throwable t) {
    return text(t).lines().findFirst().orElse("").strip();
  }
}
