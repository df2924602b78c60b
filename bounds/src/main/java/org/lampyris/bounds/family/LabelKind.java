package org.lampyris.bounds.family;

/** Kind of a label, which determines how the response is stored. */
public enum LabelKind {
  /** Two classes, stored as −1 and +1. */
  BINARY,
  /** Two or more classes, stored as their indices 0 … K − 1. */
  CLASSES,
  /** A number. */
  REAL,
  /** A number above 0. */
  POSITIVE,
  /** A number strictly between 0 and 1. */
  SHARE,
  /** A time above 0 of an event, or with another column of events {@link CensoredTime} a bound. */
  TIME,
  /** The same, with a further column of the times that intervals end at. */
  INTERVAL,
  /** A whole number of at least 0. */
  COUNT,
  /**
   * A whole number of successes, with the number of trials in another column: stored as their
   * share, with the trials as a factor of the row's weight.
   */
  SUCCESSES;

  /** Returns whether the label is one of several classes. */
  public boolean isClass() {
    return this == BINARY || this == CLASSES;
  }

  /** Returns whether the label is a time until an event. */
  public boolean isTime() {
    return this == TIME || this == INTERVAL;
  }
}
