package org.lampyris.samplers.firefly;

/**
 * Rows that answer as a test says: wrongly, noting what they are asked, or by other means.
 *
 * @param asked answers
 */
public record ScriptedRows(Asked asked) implements FireflyRows<Brightness> {

  /** Answers questions. */
  @FunctionalInterface
  public interface Asked {
    /** Answers a question about some brightness. */
    Answered<Brightness> ask(Brightness before, FireflyRows.Question question);
  }

  @Override
  public Brightness dark() {
    return Brightness.dark();
  }

  @Override
  public Answered<Brightness> ask(Brightness before, FireflyRows.Question question) {
    return asked.ask(before, question);
  }
}
