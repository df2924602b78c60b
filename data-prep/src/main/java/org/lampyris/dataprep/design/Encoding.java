package org.lampyris.dataprep.design;

import org.lampyris.bounds.config.Section;

/**
 * How columns become numbers.
 *
 * @param intercept whether a column of ones named "(Intercept)" comes first
 * @param standardize on which scale explicit priors speak of numeric columns
 */
public record Encoding(boolean intercept, Standardize standardize) {
  /**
   * What explicit priors take for 1 of a column; columns are stored, and draws reported, as if
   * none.
   */
  public enum Standardize {
    /** 1. */
    NONE,
    /** Of numeric columns, the standard deviation. */
    UNIT,
    /** Of numeric columns, two of those, or the distance of two values: Gelman (2008). */
    GELMAN
  }

  /** Reads the keys of the section {@code data}. */
  public static Encoding read(Section data) {
    return new Encoding(data.flag("intercept", true), data.choice("standardize", Standardize.NONE));
  }
}
