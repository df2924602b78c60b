package org.lampyris.driver.job;

import java.util.function.Consumer;

/**
 * Request to end sampling in order: the chains halt together, their draws are kept, and the run
 * ends with {@link Halted}. Asked for by one thread, while another samples.
 */
public final class Halt {
  private final Consumer<String> told;
  private volatile boolean possible;
  private volatile boolean requested;

  /** The end of a run whose chains have halted. */
  @SuppressWarnings("serial") // never sent
  public static final class Halted extends RuntimeException {
    Halted(String message) {
      super(message);
    }
  }

  /**
   * Takes a consumer for whole sentences about the kept results, for a user who interrupts the run.
   */
  public Halt(Consumer<String> told) {
    this.told = told;
  }

  /** Returns a halt that is never requested. */
  public static Halt never() {
    return new Halt(sentence -> {});
  }

  /** Requests the end. Returns whether there are chains that will halt. */
  public boolean request() {
    requested = true;
    return possible;
  }

  boolean isRequested() {
    return requested;
  }

  /** Notes that chains are running, which halt on request. */
  void begun() {
    possible = true;
  }

  /** Notes that none is under way any more. */
  public void ended() {
    possible = false;
  }

  void keeps(String sentence) {
    told.accept(sentence);
  }
}
