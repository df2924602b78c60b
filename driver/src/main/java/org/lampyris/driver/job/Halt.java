package org.lampyris.driver.job;

import java.util.function.Consumer;

/**
 * Has sampling end in order: the chains halt together, what they have drawn is kept, and the run
 * ends by {@link Halted}. Asked for by one thread, while another samples.
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

  /** Begins; what is kept is told in whole sentences, for a user whose run is interrupted. */
  public Halt(Consumer<String> told) {
    this.told = told;
  }

  /** Returns what nobody asks. */
  public static Halt never() {
    return new Halt(sentence -> {});
  }

  /** Asks for the end. Returns whether there are chains that will halt. */
  public boolean request() {
    requested = true;
    return possible;
  }

  boolean isRequested() {
    return requested;
  }

  /** Notes that chains are under way, which halt when they are asked to. */
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
