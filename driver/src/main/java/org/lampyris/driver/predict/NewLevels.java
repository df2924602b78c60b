package org.lampyris.driver.predict;

/** Rule for effects of groups that the model has not seen. */
public enum NewLevels {
  /** Drawn from N(0, Σ), once for each draw of Σ, the same for all rows of the group. */
  GAUSSIAN,
  /** None: rows are predicted as of a group in the middle of all. */
  ZERO,
  /** Unknown: such rows have no prediction. */
  REFUSE
}
