package org.lampyris.driver.source;

import java.util.function.Supplier;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.AnalysisException;
import org.jspecify.annotations.Nullable;
import org.lampyris.driver.cli.Failure;

/**
 * Problem that the caller of the data source can mend, in one sentence. Java and Scala see an
 * {@link IllegalArgumentException}; Python and Spark Connect have exceptions of that name. It is a
 * {@link SparkThrowable} because Spark may put another exception into its own, "Encountered error
 * when saving to external data source", and passes these on as they are.
 */
public final class SourceException extends IllegalArgumentException implements SparkThrowable {
  private SourceException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Returns a result, or throws what the caller can mend as such an exception. Spark's own refusal
   * of a query, such as an unknown table, is left as it is.
   */
  static <T> T translating(Supplier<T> work) {
    try {
      return work.get();
    } catch (Exception e) {
      Failure failure = Failure.of(e);
      if (e instanceof AnalysisException || failure.isInternal()) {
        throw e;
      }
      throw new SourceException(failure.message(), e);
    }
  }

  /** Returns null: the problem is none of Spark's error conditions. */
  @SuppressWarnings("MissingOverride") // Spark 3.5 has the other name alone
  public @Nullable String getCondition() {
    return null;
  }

  /** Returns null, too. */
  @Override
  @SuppressWarnings("deprecation") // Spark 3.5 has this name alone
  public @Nullable String getErrorClass() {
    return null;
  }

  /** Returns null: there is no state of the SQL standard for it. */
  @Override
  public @Nullable String getSqlState() {
    return null;
  }

  @Override
  public boolean isInternalError() {
    return false;
  }
}
