package org.lampyris.driver.predict;

/** What the effects of a group are that the model has not seen. */
public enum NewLevels {
  /** Drawn from N(0, Σ), once for each draw of Σ, the same for all rows of the group. */
  GAUSSIAN,
  /** None: rows are predicted as of a group in the middle of all. */
  ZERO,
  /** Not known: rows of it have no prediction. */
  REFUSE
}
